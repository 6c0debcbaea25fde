"""Owns what of this machine's files an isolated command is shown: no more than it needs to run.

That is its working folder, its program with what is installed around it, and the folders of files
that its arguments name. Must not know bubblewrap.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from euchre_server.launch.command import Command

__all__ = ["SYSTEM_FOLDERS", "is_inside", "seen_by"]

SYSTEM_FOLDERS: Final = tuple(
    Path(name) for name in ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
)
# What the sandbox shows to every command. Debian's own programs are links through the last one.
_SHOWN_TO_ALL: Final = (*SYSTEM_FOLDERS, Path("/etc/alternatives"))
# Folders that hold more than one bot's files, and are never shown for one.
_WIDE: Final = frozenset(
    Path(name)
    for name in (
        *("/", "/home", "/mnt", "/opt", "/root", "/srv", "/var"),
        *("/tmp", "/var/tmp"),  # noqa: S108  # to be kept from view
    )
)
# Nothing in these is shown for being named by a command, only for being shared.
_OF_THE_MACHINE: Final = tuple(
    Path(name) for name in ("/boot", "/dev", "/etc", "/proc", "/run", "/sys")
)
_SCRIPT_HEAD_BYTES: Final = 256


def seen_by(command: Command, shared: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Returns the files and folders to show to a command, outer ones before what is in them.

    Folders of the system are not among them.

    Args:
        command: The command.
        shared: What else it may see.
    """
    candidates: set[Path] = set()
    for path in _wanted(command, shared):
        # Under both names: programs ask for the one and are found by the other.
        candidates |= {Path(os.path.abspath(path)), path.resolve()}  # noqa: PTH100  # keeps links
    seen: list[Path] = []
    for path in sorted(candidates, key=lambda path: (len(path.parts), path)):
        if not any(is_inside(path, outer) for outer in (*_SHOWN_TO_ALL, *seen)):
            seen.append(path)
    return tuple(seen)


def is_inside(path: Path, folder: Path) -> bool:
    """Returns whether a path is a folder or lies in it."""
    return path.is_relative_to(folder)


def _wanted(command: Command, shared: Sequence[Path]) -> Iterator[Path]:
    yield from shared
    if command.folder is not None and not _wide(command.folder):
        yield command.folder
    for program in _programs(Path(command.argv[0])):
        yield from _installation(program)
    if command.folder is None:
        return
    for argument in command.argv[1:]:
        for text in _names_in(argument):
            # Not Path.exists, which raises where a text is too long for a name.
            if text and os.path.exists(command.folder / text):  # noqa: PTH110
                yield from _around(command.folder / text)


def _names_in(argument: str) -> Iterator[str]:
    """Yields what may be a file's name: the argument, its value, and the parts of a search path."""
    for text in (argument, argument.partition("=")[2]):
        yield text
        for part in text.split(os.pathsep):
            yield part.removesuffix("/*")  # Java: all that is in the folder


def _around(path: Path) -> Iterator[Path]:
    """Yields the folder of a file, or the file alone where its folder holds other things too."""
    folder = path if path.is_dir() else path.parent
    if not _wide(folder):
        yield folder
    elif not path.is_dir() and not _of_the_machine(path):
        yield path


def _programs(program: Path) -> Iterator[Path]:
    """Yields a program and, where it is a script, what runs it, under all of their names."""
    yield from _names(program)
    try:
        with program.open("rb") as file:
            head = file.read(_SCRIPT_HEAD_BYTES)
    except OSError:
        return
    if not head.startswith(b"#!"):
        return
    words = os.fsdecode(head[2:].split(b"\n")[0]).split()
    for word in words:
        found = shutil.which(word)
        if found is not None:
            yield from _names(Path(found))


def _names(program: Path) -> Iterator[Path]:
    """Yields a path and what it links to, link by link."""
    path = program.absolute()
    for _ in range(40):  # as many as the kernel follows
        yield path
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    yield program.resolve()


def _installation(program: Path) -> Iterator[Path]:
    """Yields what is installed together with a program: a Python environment, a JDK, a Node."""
    prefix = program.parent.parent
    if _wide(prefix):
        yield from _around(program)
    elif (prefix / "pyvenv.cfg").is_file():
        yield prefix
        yield from _linked_folders(prefix)
    elif program.parent.name == "shims" or (
        program.parent.name == "bin" and (prefix / "lib").is_dir()
    ):
        yield prefix
    else:
        yield from _around(program)


def _linked_folders(environment: Path) -> Iterator[Path]:
    """Yields the folders of packages that a Python environment only refers to."""
    for listed in environment.glob("lib/python*/site-packages/*.pth"):
        try:
            lines = listed.read_text(errors="replace").splitlines()
        except OSError:  # Python takes no notice of it either
            continue
        for line in lines:
            folder = Path(line.strip())
            if folder.is_absolute() and folder.is_dir() and not _wide(folder):
                yield folder


def _wide(folder: Path) -> bool:
    """Returns whether a folder holds more than one program's files."""
    real = folder.resolve()
    return real in _WIDE or _holds_home(real) or _of_the_machine(real)


def _holds_home(folder: Path) -> bool:
    try:
        return is_inside(Path.home().resolve(), folder)
    except RuntimeError:  # this user has none
        return False


def _of_the_machine(path: Path) -> bool:
    return any(is_inside(path.resolve(), folder) for folder in _OF_THE_MACHINE)
