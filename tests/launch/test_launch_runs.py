"""The folder of a running arena, and what an interrupted one left behind (C-31)."""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
import unruly_bot

from euchre_server.launch.runs import LABEL_VARIABLE, RunFolder, clean_leftovers


def _left_behind(base: Path, name: str = "euchre-arena-dead") -> Path:
    """Makes what an arena leaves that was killed."""
    folder = base / name
    folder.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "0.sock"))
    return folder


def test_a_run_leaves_nothing(tmp_path: Path) -> None:
    """The folder is private, and gone when the arena ends."""
    with RunFolder(tmp_path) as run:
        assert [run.path] == list(tmp_path.iterdir())
        assert 0o700 == run.path.stat().st_mode & 0o777
        assert run.path.name == run.label

    assert [] == list(tmp_path.iterdir())


def test_each_bot_has_a_socket_of_its_own(tmp_path: Path) -> None:
    """A name has always the same, and no two have one; odd names make no odd paths."""
    with RunFolder(tmp_path) as run:
        paths = [run.socket_of(name) for name in ("ann", "../bob", "ann")]

        assert paths[0] == paths[2] != paths[1]
        assert {run.path} == {path.parent for path in paths}


def test_what_an_interrupted_run_left_is_taken_away(tmp_path: Path) -> None:
    """Sockets and folders of the dead go at the next start, and are told."""
    folder = _left_behind(tmp_path)

    with RunFolder(tmp_path) as run:
        assert not folder.exists()
        assert ["euchre-arena-dead"] == run.removed


def test_a_running_arena_is_left_alone(tmp_path: Path) -> None:
    """Its lock tells that it lives."""
    with RunFolder(tmp_path) as first, RunFolder(tmp_path) as second:
        assert [] == second.removed
        assert first.path.is_dir()
        assert [] == clean_leftovers(tmp_path)


def test_a_folder_that_another_start_takes_away_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its making and its lock an arena's folder looks as if it had been left behind."""
    made: list[Path] = []

    def cleaned_up_at_once(*, prefix: str, dir: Path) -> str:  # noqa: A002  # as it is called
        made.append(dir / f"{prefix}{len(made)}")
        if made[1:]:
            made[-1].mkdir(mode=0o700)
        return str(made[-1])

    monkeypatch.setattr(tempfile, "mkdtemp", cleaned_up_at_once)

    with RunFolder(tmp_path) as run:
        assert made[1] == run.path


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    """Only a private folder of ours with our name is taken for one."""
    for name, mode in (("euchre-arena-open", 0o755), ("euchre-else", 0o700)):
        (tmp_path / name).mkdir(mode=mode)
        (tmp_path / name).chmod(mode)
    (tmp_path / "euchre-arena-file").touch()
    (tmp_path / "euchre-arena-link").symlink_to(tmp_path / "euchre-else")

    assert [] == clean_leftovers(tmp_path)
    assert 4 == len(list(tmp_path.iterdir()))


def _sleeper(label: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        unruly_bot.SLEEP, env={**os.environ, LABEL_VARIABLE: label}, start_new_session=True
    )


def test_processes_of_an_interrupted_run_are_ended(tmp_path: Path) -> None:
    """A bot that was not isolated may have stayed; its label finds it, and it alone."""
    folder = _left_behind(tmp_path)
    left, other = _sleeper(folder.name), _sleeper("euchre-arena-other")
    try:
        clean_leftovers(tmp_path)

        assert (False, True) == (psutil.pid_exists(left.pid), psutil.pid_exists(other.pid))
    finally:
        for process in (left, other):
            process.kill()
            process.wait()


def test_a_killed_arena_s_lock_is_free(tmp_path: Path) -> None:
    """Whatever ends an arena, the next start knows it for dead."""
    script = (
        "import sys, os, pathlib, signal\n"
        "from euchre_server.launch.runs import RunFolder\n"
        "run = RunFolder(pathlib.Path(sys.argv[1]))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    (left,) = tmp_path.iterdir()

    assert [left.name] == clean_leftovers(tmp_path)
