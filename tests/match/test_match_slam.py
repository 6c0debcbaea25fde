"""A slam counts as two games won, in a match of games too."""

import json
from pathlib import Path

import pytest
from match_results import a_match, a_result, first_tables, tally_of
from record_matches import match_spec, write_match

from euchre_engine import Seat
from euchre_server.match.standings import standings
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import MatchSealed
from euchre_server.record.reader import read_last
from euchre_server.referee.facts import EndCause
from euchre_server.referee.result import TableResult, worth_of
from euchre_server.referee.spec import TableMode, TableSpec


def _won_by_ann(table: TableSpec, worth: int) -> TableResult:
    seats = tuple(Seat(seat) for seat, bot in enumerate(table.bots) if bot.startswith("ann"))
    scores = tuple(10 if seat in seats else 0 for seat in table.rules.seats)
    result = a_result(table, scores, winners=seats)
    assert result.game_worth == 1
    return TableResult(
        **{name: getattr(result, name) for name in TableResult.__dataclass_fields__}
        | {"game_worth": worth}
    )


@pytest.mark.parametrize("worth", [1, 2])
def test_a_win_counts_as_many_games_as_it_is_worth(worth: int) -> None:
    """RULES.md section 8: a game against no points counts as two; two chairs win it once."""
    spec = a_match("railroad,slam=true", ("ann", "bob"), mode=TableMode.GAME, boards=1)
    results = [_won_by_ann(table, worth) for table in first_tables(spec)]

    ann, bob = standings(spec, tally_of(spec, results))

    assert (worth * len(results), 0) == (ann.wins, bob.wins)


def test_a_played_match_with_slams_verifies(tmp_path: Path) -> None:
    """Referee, record and check agree on what each game was worth."""
    spec = match_spec(
        "railroad", boards=3, mode=TableMode.GAME, options={"slam": True, "target": 3}
    )

    path = write_match(tmp_path, spec)

    last = read_last(path)
    assert last is not None
    assert isinstance(last.fact, MatchSealed)
    result = json.loads(last.fact.result)
    games = 3 * spec.field.seating_count
    # Each game is won by one side, which is two players here; at least one was a slam.
    assert verify_file(path).is_good
    assert 2 * games < sum(row["wins"] for row in result["standings"]) <= 4 * games


def test_only_a_played_game_can_be_worth_two() -> None:
    """A forfeit is no feat of the winners, and a board is no game."""
    spec = a_match("railroad,slam=true", ("ann", "bob"), mode=TableMode.GAME, boards=1)
    table = next(first_tables(spec))

    assert [1, 1] == [worth_of(table, cause, None) for cause in (EndCause.FAULTS, EndCause.PLAYED)]
