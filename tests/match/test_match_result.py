"""Counting, standings, comparisons and the result object of a match."""

import json
from itertools import permutations

import pytest
from match_results import a_match, a_result, first_tables, play_out, tally_of

from euchre_engine import Seat
from euchre_server.match.boards import SeatingScheme
from euchre_server.match.result import BotIdentity, match_result, sealed_result
from euchre_server.match.spec import MatchSpec, canonical_json
from euchre_server.match.standings import comparisons, standings
from euchre_server.match.tally import Tally
from euchre_server.referee.facts import Blame, EndCause, FaultKind
from euchre_server.referee.result import TableResult
from euchre_server.referee.spec import TableMode, TableSpec


def _better(table: TableSpec, bot: str) -> int:
    """Ann makes 3 on every board, Bob 1 on odd ones, Cyd nothing."""
    return {"ann": 3, "bob": table.board % 2, "cyd": 0}[bot]


def _object(spec: MatchSpec, tally: Tally) -> dict[str, object]:
    bots = tuple(
        BotIdentity(bot=bot, source="random", isolation="none", memory_excluded=True)
        for bot in spec.bots
    )
    return match_result(
        spec, tally, match_id="m1", record="m1.euchre", seconds=1.5, complete=True, bots=bots
    )


def test_standings_rank_by_points_a_hand() -> None:
    """The best bot stands first; hands, points and wins are those of all tables."""
    spec = a_match(boards=4)

    rows = standings(spec, tally_of(spec, play_out(spec, _better)))

    assert [("ann", 12, 36, 12), ("bob", 12, 6, 0), ("cyd", 12, 0, 0)] == [
        (row.bot, row.hands, row.points, row.wins) for row in rows
    ]
    assert [3.0, 0.5, 0.0] == [row.per_hand.value for row in rows if row.per_hand]


def test_a_comparison_is_the_difference_of_points_over_boards() -> None:
    """Bot a less bot b, summed over a board's seatings; all pairs, in the order of naming."""
    spec = a_match(boards=4)

    pairs = comparisons(spec, tally_of(spec, play_out(spec, _better)))

    assert [("ann", "bob", 7.5, 4), ("ann", "cyd", 9.0, 4), ("bob", "cyd", 1.5, 4)] == [
        (pair.a, pair.b, pair.per_board.value if pair.per_board else None, pair.boards)
        for pair in pairs
    ]


def test_the_order_in_which_tables_end_does_not_matter() -> None:
    """Results in any order give the same object."""
    spec = a_match(boards=2, bots=("ann", "bob"), rules="two-handed")
    results = play_out(spec, lambda table, bot: (table.number * 7 + len(bot)) % 3)
    results[1] = _spoiled(results[1])

    objects = {
        canonical_json(_object(spec, tally_of(spec, order))) for order in permutations(results)
    }

    assert len(objects) == 1


def test_level_winners_all_win_unless_everybody_is_level() -> None:
    """Two defenders who are paid alike both win; a passed-out hand is won by nobody."""
    spec = a_match(boards=1)
    one, two, three = first_tables(spec)
    results = [a_result(one, (2, 2, 0)), a_result(two, (0, 0, 0)), a_result(three, (0, 0, 1))]

    rows = standings(spec, tally_of(spec, results))

    winners = [one.bots[0], one.bots[1], three.bots[2]]
    assert {bot: winners.count(bot) for bot in spec.bots} == {row.bot: row.wins for row in rows}


def test_partners_of_one_bot_count_once() -> None:
    """Four-handed points are written per seat, partners alike; the bot made them once."""
    spec = a_match("four-handed", ("ann", "bob"), boards=3)
    tally = tally_of(spec, play_out(spec, lambda _, player: 2 if player.startswith("ann") else 0))

    best = standings(spec, tally)[0]

    assert ("ann", 6, 12, 6) == (best.bot, best.hands, best.points, best.wins)


def test_faults_are_summed_by_bot() -> None:
    """Every kind is listed, with zeros for what did not happen."""
    spec = a_match(boards=1)
    results = [
        a_result(
            table,
            (0, 0, 1),
            faults=tuple(
                {FaultKind.TIMEOUT: 2, FaultKind.ILLEGAL: 0} if bot == "bob" else {}
                for bot in table.bots
            ),
        )
        for table in first_tables(spec)
    ]

    result = json.loads(canonical_json(_object(spec, tally_of(spec, results))))

    expected = dict.fromkeys(
        ("timeout", "illegal", "garbled", "stale", "crash", "start_failed", "left"), 0
    )
    faults = {row["bot"]: row["faults"] for row in result["standings"]}
    assert {"ann": expected, "bob": expected | {"timeout": 6}, "cyd": expected} == faults


def test_a_forfeited_hand_is_a_hand() -> None:
    """A forfeit before the end of the hand pays the others and counts as one of the hands."""
    spec = a_match("two-handed", ("ann", "bob"), boards=1)
    results = [
        a_result(
            table,
            tuple(0 if bot == "bob" else 4 for bot in table.bots),
            cause=EndCause.NEVER_JOINED,
            blame=Blame.SEAT,
            blamed_seat=Seat(table.bots.index("bob")),
            hands=0,
            decisions=0,
        )
        for table in first_tables(spec)
    ]

    best = standings(spec, tally_of(spec, results))[0]

    assert ("ann", 2, 8) == (best.bot, best.hands, best.points)


def test_games_are_ranked_by_wins() -> None:
    """In games mode most games won comes before most points made."""
    spec = a_match("two-handed", ("ann", "bob"), boards=3, mode=TableMode.GAME)
    results = [
        a_result(
            table,
            tuple(10 if bot == "ann" else 9 for bot in table.bots)
            if table.number != 1
            else tuple(0 if bot == "ann" else 40 for bot in table.bots),
            hands=12,
        )
        for table in first_tables(spec)
    ]

    rows = standings(spec, tally_of(spec, results))

    assert [("ann", 5, 50), ("bob", 1, 85)] == [(row.bot, row.wins, row.points) for row in rows]


def _spoiled(result: TableResult) -> TableResult:
    return a_result(
        result.spec, result.scores, cause=EndCause.ARENA_FAULT, blame=Blame.ARENA, winners=()
    )


@pytest.mark.parametrize("spoiled", [0, 4, 8])
def test_an_arena_fault_voids_the_whole_board(spoiled: int) -> None:
    """Whenever it happens: no table of the board counts, every one is listed with the reason."""
    spec = a_match(boards=3)
    results = play_out(spec, _better)
    board = results[spoiled].spec.board
    results[spoiled] = _spoiled(results[spoiled])
    tally = tally_of(spec, results)

    excluded = tally.excluded()

    assert {board} == tally.void
    assert {1, 2, 3} - {board} == {count.number for count in tally.boards()}
    assert [r.spec.number for r in results if r.spec.board == board] == [
        row.table.table for row in excluded
    ]
    assert ["the arena failed"] == [
        row.reason for row in excluded if row.table.table == results[spoiled].spec.number
    ]


def test_a_stopped_table_is_listed_and_voids_nothing() -> None:
    """What was played before a stop stands; comparisons look at complete boards only."""
    spec = a_match(boards=3)
    results = play_out(spec, _better)[:8]
    results[7] = a_result(
        results[7].spec, results[7].scores, cause=EndCause.STOPPED, blame=Blame.NONE, winners=()
    )
    tally = tally_of(spec, results)

    result = json.loads(canonical_json(_object(spec, tally)))

    assert (1, 2, []) == (result["boards"], result["boards_incomplete"], result["boards_void"])
    assert 7 == result["hands"]
    assert {1} == {pair["boards"] for pair in result["comparisons"]}
    assert ["the match was stopped"] == [row["reason"] for row in result["excluded"]]


def test_a_match_stopped_at_once_has_nulls() -> None:
    """Without a hand there is no mean and no interval, and no division by nothing."""
    spec = a_match()

    result = json.loads(canonical_json(_object(spec, Tally(spec))))

    assert {None} == {row["points_per_hand"] for row in result["standings"]}
    assert {None} == {pair["mean_per_board"] for pair in result["comparisons"]}
    assert {None} == {pair["ci95"] for pair in result["comparisons"]}


def test_the_object_has_the_promised_keys() -> None:
    """DESIGN.md section 10 lists the least that must be there."""
    spec = a_match(boards=2)

    result = json.loads(canonical_json(_object(spec, tally_of(spec, play_out(spec, _better)))))

    assert {
        *("match_id", "record", "rules", "boards", "hands", "decisions", "seconds"),
        *("standings", "comparisons"),
    } <= set(result)
    assert spec.rules.to_json() == result["rules"]
    assert {"bot", "hands", "points", "points_per_hand", "ci95", "wins", "faults"} <= set(
        result["standings"][0]
    )
    assert {"a", "b", "mean_per_board", "ci95", "boards"} == set(result["comparisons"][0])
    assert (2, 6, 120) == (result["boards"], result["hands"], result["decisions"])


def test_the_sealed_result_leaves_out_times_and_places() -> None:
    """Two runs of the same play seal the same result."""
    spec = a_match(boards=1)
    result = _object(spec, tally_of(spec, play_out(spec, _better)))

    assert {"record", "seconds"} == set(result) - set(sealed_result(result))


def test_swap_compares_over_two_seatings() -> None:
    """A board of an A/B test is complete after two tables."""
    spec = a_match(boards=2, seatings=SeatingScheme.SWAP)
    tally = tally_of(spec, play_out(spec, _better))

    assert 2 == len(tally.complete_boards()) == tally.complete_count
    assert [5.0, 6.0, 1.0] == [
        pair.per_board.value for pair in comparisons(spec, tally) if pair.per_board
    ]
