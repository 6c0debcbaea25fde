"""What of the machine's files a command is shown: its own, and no more."""

import pwd
import sys
from pathlib import Path

import pytest

from euchre_server.launch.command import Command, command_from_line, python_module
from euchre_server.launch.visible import seen_by


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a home folder with a secret in it."""
    home = (tmp_path / "home").resolve()
    home.mkdir()
    (home / ".secret").touch()
    monkeypatch.setenv("HOME", str(home))
    return home


def _file(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o700)
    return path


def test_the_working_folder_is_seen(home: Path) -> None:
    """A bot sees the folder that it works in, not those around it."""
    folder = home / "bots" / "mine"
    folder.mkdir(parents=True)

    assert (folder,) == seen_by(Command(("/bin/sh",), folder))


def test_a_home_is_never_seen_as_a_whole(home: Path) -> None:
    """Who starts a bot in the home folder shows the files that its command names, alone."""
    script = _file(home / "bot.py")

    assert (script,) == seen_by(command_from_line("/bin/sh bot.py --fast", home))
    assert (script,) == seen_by(command_from_line("/bin/sh home/bot.py", home.parent))


def test_whoever_has_no_home_can_isolate_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container may run the arena as a user whom nobody has listed."""

    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    folder = tmp_path.resolve()

    assert (folder,) == seen_by(Command(("/bin/sh",), folder))


@pytest.mark.parametrize("folder", ["/", "/tmp", "/home", "/etc", "/etc/ssl", "/proc", "/run"])  # noqa: S108
def test_folders_of_the_machine_are_not_shown(home: Path, folder: str) -> None:
    """Neither as working folder nor for being named."""
    assert () == seen_by(Command(("/bin/sh", "/etc/passwd", folder), Path(folder)))
    assert home.is_dir()


def test_arguments_bring_their_folders(home: Path) -> None:
    """Files that are named, alone or behind an equals sign, are seen with what lies beside them."""
    _file(home / "models" / "one.bin")
    _file(home / "nets" / "two.bin")
    command = Command(
        ("/bin/sh", "nets/two.bin", f"--model={home}/models/one.bin", "x" * 5000), home
    )

    assert (home / "models", home / "nets") == seen_by(command)


def test_search_paths_bring_their_folders(home: Path) -> None:
    """Java is told of its classes in one argument, with colons between and a star for a folder."""
    _file(home / "bot" / "bot.jar")
    _file(home / "lib" / "grpc.jar")
    _file(home / "modules" / "one.jar")
    classes = f"bot/bot.jar:{home}/lib/*:missing:"

    assert (home / "bot", home / "lib", home / "modules") == seen_by(
        Command(("/bin/sh", "-cp", classes, "--module-path=modules:x"), home)
    )


def test_a_shared_folder_is_seen(home: Path) -> None:
    """Even where it would not be shown otherwise."""
    assert (Path("/etc"),) == seen_by(Command(("/bin/sh",)), shared=[Path("/etc")])
    assert home.is_dir()


def test_inner_folders_are_seen_through_outer_ones(home: Path) -> None:
    """Each folder is listed once."""
    script = _file(home / "bots" / "deep" / "bot.sh")

    assert (home / "bots",) == seen_by(Command((str(script), str(script)), home / "bots"))


def test_a_linked_folder_is_seen_under_both_names(home: Path) -> None:
    """A program finds itself by the one or the other."""
    _file(home / "real" / "bot.sh")
    (home / "link").symlink_to("real")

    assert (home / "link", home / "real") == seen_by(Command(("/bin/sh",), home / "link"))


def test_a_python_environment_comes_with_its_packages(home: Path) -> None:
    """The environment, the Python that it was made from, and folders that it refers to."""
    base = _file(home / "pythons" / "3.x" / "bin" / "python3")
    (base.parent.parent / "lib").mkdir()
    environment = home / "project" / ".venv"
    _file(environment / "pyvenv.cfg")
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(base)
    packages = environment / "lib" / "python3.x" / "site-packages"
    (home / "library").mkdir()
    _file(packages / "a.pth", f"import os\n{home}/library\nrelative\n{home}/missing\n/\n")
    (packages / "b.pth").symlink_to("what is not there any more")

    seen = seen_by(Command((str(environment / "bin" / "python"),)))

    assert {home / "library", environment, home / "pythons" / "3.x"} == set(seen)


def test_a_script_comes_with_what_runs_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line names a program, found as the kernel and `env` find it."""
    runtime = _file(home / "node" / "bin" / "node")
    (home / "node" / "lib").mkdir()
    script = _file(home / "bots" / "bot.js", "#!/usr/bin/env node\n")
    monkeypatch.setenv("PATH", f"{runtime.parent}:/usr/bin:/bin")

    assert (home / "bots", home / "node") == seen_by(Command((str(script),)))


def test_shims_come_with_what_they_choose_from(home: Path) -> None:
    """Version managers put small scripts on the search path that look elsewhere."""
    shim = _file(home / ".pyenv" / "shims" / "python3", "#!/bin/sh\n")

    assert (home / ".pyenv",) == seen_by(Command((str(shim),)))


@pytest.mark.skipif(
    not Path("/etc/alternatives/awk").exists(), reason="this system has no /etc/alternatives"
)
def test_links_of_the_system_need_not_be_shown() -> None:
    """Debian's `java` and `awk` are links to links in /etc/alternatives, which is there anyway."""
    assert () == seen_by(Command(("/usr/bin/awk",)))


def test_house_bots_see_this_python(home: Path) -> None:
    """They need no working folder, and get none."""
    seen = seen_by(python_module("euchre_arena.bots", "random"))

    assert any(Path(sys.prefix).is_relative_to(folder) for folder in seen) or sys.prefix == "/usr"
    assert home not in seen
