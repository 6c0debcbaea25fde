"""`euchre-arena serve` before it serves: what cannot be is told in one sentence."""

import fcntl
import os
import socket
from pathlib import Path

import pytest

from euchre_server.cli.main import main


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    captured = capsys.readouterr()
    assert (2, "") == (ended.value.code, captured.out)
    return captured.err


def test_two_arenas_do_not_serve_one_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The second is refused, and changes nothing."""
    lock = os.open(tmp_path / "serve.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        line = _refused(capsys, "serve", "--data", str(tmp_path))
    finally:
        os.close(lock)

    assert (
        f"euchre-arena: another arena serves the data folder {tmp_path}, or is stopping\n" == line
    )


def test_a_folder_that_cannot_be_made_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With the system's reason."""
    (tmp_path / "file").write_text("")

    line = _refused(capsys, "serve", "--data", str(tmp_path / "file" / "data"))

    assert str(tmp_path / "file" / "data") in line
    assert "not a directory" in line


def test_a_lock_that_cannot_be_had_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is not the data folder that is wrong then."""
    (tmp_path / "serve.lock").mkdir()

    line = _refused(capsys, "serve", "--data", str(tmp_path))

    assert f"euchre-arena: cannot use {tmp_path}/serve.lock: is a directory\n" == line


def test_a_taken_port_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Two servers never share a port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = _refused(
            capsys,
            *("serve", "--data", str(tmp_path), "--port", str(port), "--isolation", "none"),
        )

    assert f"cannot listen on 127.0.0.1:{port}: the port is taken" in line
