"""Owns the sandbox of one bot: the arguments of bubblewrap, and what is seen inside.

Nothing is there that is not listed here: the system's programs and libraries, what the command
needs (`visible`), an empty /tmp, and one Unix socket. Must not know processes or matches.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from euchre_server.launch.command import HiddenError
from euchre_server.launch.rlimits import limited
from euchre_server.launch.visible import SYSTEM_FOLDERS, is_inside, seen_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from euchre_server.launch.command import Command
    from euchre_server.launch.limits import ProcessLimits

__all__ = ["SOCKET_ADDRESS", "USERS", "Sandbox", "sandbox_environment"]

_SOCKET: Final = "/run/euchre-arena/arena.sock"
SOCKET_ADDRESS: Final = f"unix:{_SOCKET}"
_TEMPORARY: Final = "/tmp"  # noqa: S108  # the sandbox's own
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108  # likewise
_HOME: Final = f"{_TEMPORARY}/home"
_ID: Final = 1000
USERS: Final = f"bot:x:{_ID}:{_ID}:bot:{_HOME}:/bin/sh\n"
"""What /etc/passwd says: some programs look for their home there."""
_KEPT_VARIABLES: Final = ("PATH", "LANG", "EUCHRE_ARENA_VIEW_MODE")
# What programs need of /etc: never all of it, since root's arena could read the secrets there.
_SETTINGS: Final = (
    "alternatives",
    "ca-certificates",
    "dotnet",
    "java*",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "pki/ca-trust/extracted",
    "pki/java",
    "pki/tls/certs",
    "python3*",
    "ssl/certs",
    "ssl/openssl.cnf",
    "terminfo",
)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Runs commands in bubblewrap.

    Attributes:
        program: The path of `bwrap`.
    """

    program: str

    def argv(
        self,
        command: Command,
        *,
        limits: ProcessLimits,
        socket: Path | None = None,
        users: Path | None = None,
        hidden: Sequence[Path] = (),
        shared: Sequence[Path] = (),
    ) -> tuple[str, ...]:
        """Returns the argument list that runs a command isolated.

        Args:
            command: What to run.
            limits: What it may use.
            socket: The arena's Unix socket for this bot.
            users: A file to be /etc/passwd.
            hidden: Folders that it may not see, wherever they lie.
            shared: What else it may read.

        Raises:
            CommandError: It could not run without seeing a hidden folder.
        """
        seen = seen_by(command, shared)
        size = () if limits.disk is None else ("--size", str(limits.disk))
        arguments = [
            # No part of the machine is shared, nor can a bot make a namespace of its own.
            *("--unshare-all", "--unshare-user", "--disable-userns"),
            *("--uid", str(_ID), "--gid", str(_ID), "--hostname", "euchre-bot"),
            *("--cap-drop", "ALL", "--new-session"),
            # Nothing survives the arena. The kernel watches the *thread* that starts the sandbox,
            # so that must be one that lives as long as the arena.
            "--die-with-parent",
            *_system(),
            *("--proc", "/proc", "--dev", "/dev"),
            *(*size, "--tmpfs", _SHARED_MEMORY, *size, "--tmpfs", _TEMPORARY, "--dir", _HOME),
        ]
        folder = _TEMPORARY if command.folder is None else str(command.folder)
        for path in seen:
            arguments += ["--ro-bind", str(path), str(path)]
        arguments += ["--dir", folder]
        for path in _masks((*SYSTEM_FOLDERS, *seen), hidden, command):
            arguments += ["--tmpfs", str(path), "--remount-ro", str(path)]
        if users is not None:
            arguments += ["--ro-bind", str(users), "/etc/passwd"]
        if socket is not None:
            arguments += ["--ro-bind", str(socket), _SOCKET]
        # The folders that bubblewrap made lie in memory: to write there would pass every limit.
        arguments += ["--remount-ro", "/dev", "--remount-ro", "/"]
        arguments += ["--chdir", folder]
        return (self.program, *arguments, "--", *limited(command.argv, limits))


def sandbox_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables that an isolated bot inherits.

    They are all that `bwrap` itself gets, since a bot can read the environment of its first
    process.
    """
    kept = {name: variables[name] for name in _KEPT_VARIABLES if name in variables}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **kept, "HOME": _HOME}


def _system() -> list[str]:
    arguments = []
    for folder in SYSTEM_FOLDERS:
        if folder.is_symlink():
            arguments += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            arguments += ["--ro-bind", str(folder), str(folder)]
    for pattern in _SETTINGS:
        for path in sorted(Path("/etc").glob(pattern)):
            arguments += ["--ro-bind", str(path), str(path)]
    return arguments


def _masks(seen: Sequence[Path], hidden: Sequence[Path], command: Command) -> list[Path]:
    """Returns where hidden folders would be seen."""
    masks = []
    for secret in (path.resolve() for path in hidden):
        for path in seen:
            real = path.resolve()
            if is_inside(real, secret):
                raise HiddenError(
                    f"{command} needs {path}, which lies in {secret}: no isolated bot may see "
                    "that folder"
                )
            if is_inside(secret, real) and secret.is_dir():
                masks.append(path / secret.relative_to(real))
    return masks
