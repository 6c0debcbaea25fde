"""The schedule of a match: deterministic, lazy, one seating a leg, reserves for void boards."""

from collections import Counter
from itertools import islice

from match_results import SECRET, a_match, first_tables

from euchre_server.match.schedule import RESERVE_ROUNDS, Schedule


def test_the_same_match_has_the_same_tables() -> None:
    """Asked twice, a match gives equal tables, bot seeds and ids included."""
    assert list(first_tables(a_match())) == list(first_tables(a_match()))


def test_another_secret_gives_other_tables() -> None:
    """Ids and bot seeds of two secrets have nothing in common."""
    here = list(first_tables(a_match()))
    there = list(first_tables(a_match(secret=bytes(32))))

    assert not {t.table_id for t in here} & {t.table_id for t in there}
    assert not {s for t in here for s in t.bot_seeds} & {s for t in there for s in t.bot_seeds}


def test_a_leg_has_every_board_once_in_one_seating() -> None:
    """No bot process, which lives for a leg, meets a deal twice."""
    schedule = Schedule(a_match(boards=7))

    legs = list(schedule.legs(schedule.first_round()))

    assert [1, 2, 3] == [leg.number for leg in legs]
    for leg in legs:
        tables = list(schedule.tables(leg))
        assert list(range(1, 8)) == [table.board for table in tables]
        assert {leg.seating} == {table.seating for table in tables}


def test_numbers_ids_and_seeds_are_unique() -> None:
    """Tables are numbered without gaps; no id and no bot seed comes twice."""
    tables = list(first_tables(a_match(boards=50)))

    assert list(range(1, 151)) == [table.number for table in tables]
    assert {1} == set(Counter(table.table_id for table in tables).values())
    assert {1} == set(Counter(seed for table in tables for seed in table.bot_seeds).values())
    assert all(0 <= seed < 2**63 for table in tables for seed in table.bot_seeds)


def test_a_board_keeps_its_dealer_and_changes_its_suits() -> None:
    """All seatings of a board share deal and dealer; their suits are relabelled differently."""
    tables = list(first_tables(a_match(boards=20)))

    for number in range(1, 21):
        same = [table for table in tables if table.board == number]
        assert 1 == len({table.first_dealer for table in same})
        assert 3 == len({table.relabelling for table in same})


def test_partners_of_one_bot_are_two_players() -> None:
    """A bot with both chairs of a team is seated under two names, since neither sees the other."""
    spec = a_match("four-handed", ("ann", "bob"))

    assert ("ann", "bob", "ann/2", "bob/2") == spec.players
    assert {frozenset(spec.players)} == {frozenset(table.bots) for table in first_tables(spec)}


def test_tables_are_made_lazily() -> None:
    """A schedule of a hundred million boards costs nothing until its tables are asked for."""
    schedule = Schedule(a_match(boards=100_000_000))
    last = list(schedule.legs(schedule.first_round()))[-1]

    assert [200_000_001, 200_000_002] == [t.number for t in islice(schedule.tables(last), 2)]


def test_tables_of_void_boards_are_left_out() -> None:
    """A board that is void is not played on, even when that turns out in the middle of a leg."""
    schedule = Schedule(a_match(boards=4))
    leg = next(schedule.legs(schedule.first_round()))
    void = {1}

    tables = schedule.tables(leg, void)
    first = next(tables)
    void.add(3)

    assert 2 == first.board
    assert [4] == [table.board for table in tables]


def test_void_boards_are_replaced_by_the_next_reserves() -> None:
    """Reserve boards go on counting boards, legs and tables, and are played in every seating."""
    schedule = Schedule(a_match(boards=4))

    reserve = schedule.reserve_round(schedule.first_round(), void_count=2)

    assert reserve is not None
    tables = [table for leg in schedule.legs(reserve) for table in schedule.tables(leg)]
    assert [5, 6] * 3 == [table.board for table in tables]
    assert list(range(13, 19)) == [table.number for table in tables]
    assert [4, 5, 6] == [leg.number for leg in schedule.legs(reserve)]


def test_reserves_come_to_an_end() -> None:
    """An arena that spoils everything does not play for ever."""
    schedule = Schedule(a_match(boards=4))
    current = schedule.first_round()
    rounds = 0

    while (reserve := schedule.reserve_round(current, void_count=4)) is not None:
        current, rounds = reserve, rounds + 1

    assert RESERVE_ROUNDS == rounds
    assert schedule.reserve_round(schedule.first_round(), void_count=0) is None


def test_a_table_does_not_print_its_secrets() -> None:
    """Neither the deal key nor a bot's seed appears in a specification's text."""
    spec = a_match()
    table = next(first_tables(spec))

    assert repr(SECRET) not in repr(spec)
    assert repr(SECRET) not in repr(table)
    assert str(table.bot_seeds[0]) not in repr(table)
