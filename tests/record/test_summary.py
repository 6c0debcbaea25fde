"""What a record is about in a few words: the same before and after the seal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from record_matches import Behaviour, match_spec, write_match

from euchre_server.record import reader
from euchre_server.record.summary import RecordState, summarise
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("mode", TableMode)
@pytest.mark.parametrize("behaviour", [Behaviour(stopped=0.02), Behaviour(arena_fault=0.01)])
def test_points_are_those_of_the_standings(
    tmp_path: Path, behaviour: Behaviour, mode: TableMode
) -> None:
    """Tables that were stopped, and boards that the arena spoiled, count for nobody."""
    short = {"max_hands": 5}
    spec = match_spec(boards=6, mode=mode, options=short)
    sealed, unsealed = [
        summarise(write_match(tmp_path / str(end), spec, behaviour=behaviour, sealed=end))
        for end in (True, False)
    ]

    assert 0 < sealed.decisions < unsealed.decisions
    assert sealed.points == unsealed.points
    assert sealed.boards == unsealed.boards


def test_a_seal_that_is_too_long_to_be_searched_for_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record of very many tables is no less sealed than another."""
    path = write_match(tmp_path, match_spec(boards=2))
    usual = summarise(path)
    monkeypatch.setattr(reader, "_SEARCHED_BYTES", (100,))

    assert RecordState.SEALED is usual.state
    assert usual == summarise(path)
