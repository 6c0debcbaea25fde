"""What a bot prints is kept without its secrets, however it comes out of the pipe."""

import os
from pathlib import Path

import pytest

from euchre_server.launch import output
from euchre_server.launch.output import OutputLog

SECRET = "let-me-in"  # noqa: S105  # opens nothing
PIECES = range(1, len(SECRET) + 2)


def _kept(path: Path, printed: str) -> tuple[str, str]:
    """Returns what is kept in the file, and what is shown, of what was printed."""
    reading, writing = os.pipe()
    log = OutputLog(path, reading, hide=(SECRET,))
    os.write(writing, printed.encode())
    os.close(writing)
    assert log.finish(10)
    return path.read_text(), log.tail()


@pytest.mark.parametrize("piece", PIECES)
def test_a_secret_in_pieces_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    """A pipe gives what it likes at once: no copy is kept that was read in two parts."""
    monkeypatch.setattr(output, "_CHUNK_BYTES", piece)

    kept = _kept(tmp_path / "log", f"let {SECRET} let-{SECRET} let-me")

    assert ("let [hidden] let-[hidden] let-me",) * 2 == kept


@pytest.mark.parametrize("piece", PIECES)
def test_no_part_of_a_secret_is_left_at_a_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    """Where the beginning that is kept ends, and where the end begins, is no exception."""
    monkeypatch.setattr(output, "_FLOOD_PAUSE_S", 0)
    for head in range(4, 12):
        monkeypatch.setattr(output, "_HEAD_BYTES", head)
        monkeypatch.setattr(output, "_TAIL_BYTES", head + piece)

        kept, shown = _kept(tmp_path / "log", f"xxxx{SECRET}yyyyyyyy{SECRET}zzzz")

        parts = {SECRET[i : i + 3] for i in range(len(SECRET) - 2)}
        assert set() == {part for part in parts if part in kept + shown}
