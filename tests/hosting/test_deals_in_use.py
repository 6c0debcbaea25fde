"""Boards whose deal may be shown: those that no table of this arena will be dealt again."""

from dataclasses import replace

from match_results import a_match

from euchre_engine.deal import secret_from_seed
from euchre_server.hosting.deals import Deals
from euchre_server.match.spec import MatchSpec


def _spec(boards: int = 3, seed: str = "one") -> MatchSpec:
    spec = a_match("two-handed", ("ann", "bob"), boards=boards)
    return replace(spec, secret=secret_from_seed(seed))


def test_a_board_is_released_when_it_is_over() -> None:
    """In the order in which boards come to be over, each once."""
    deals = Deals()
    match = deals.enter(_spec())

    for board in (2, 1, 2):
        deals.board_over(match, board)

    assert [2, 1] == list(match.released)


def test_a_board_waits_for_every_match_of_its_secret() -> None:
    """Whatever their rules; then all of them may show it."""
    deals = Deals()
    one, other = deals.enter(_spec()), deals.enter(_spec(boards=2))

    deals.board_over(one, 1)
    before = list(one.released)
    deals.board_over(other, 1)

    assert [] == before
    assert [1] == list(one.released) == list(other.released)


def test_another_secret_is_another_deal() -> None:
    """Matches of other deals do not wait for each other."""
    deals = Deals()
    one, _ = deals.enter(_spec(seed="one")), deals.enter(_spec(seed="two"))

    deals.board_over(one, 1)

    assert [1] == list(one.released)


def test_a_reserve_board_of_another_match_may_still_be_dealt() -> None:
    """A board beyond a match's own may yet replace a void one there; far beyond, never."""
    deals = Deals()
    long = deals.enter(_spec(boards=20))
    short = deals.enter(_spec(boards=2))

    for board in (5, 9):
        deals.board_over(long, board)
    before = list(long.released)
    deals.match_over(short, (1, 2))

    assert [9] == before
    assert [9, 5] == list(long.released)


def test_the_end_of_a_match_releases_what_it_played() -> None:
    """Also boards that were not played in every seating, but none that others still use."""
    deals = Deals()
    stopped, other = deals.enter(_spec()), deals.enter(_spec())
    deals.board_over(other, 1)

    deals.match_over(stopped, (1, 2))
    before = list(stopped.released)
    in_use = deals.in_use(_spec().secret)
    deals.match_over(other, (1, 2))

    assert [1] == before
    assert in_use
    assert [1, 2] == list(stopped.released) == list(other.released)
    assert not deals.in_use(_spec().secret)


def test_nothing_is_released_while_matches_are_taken_up() -> None:
    """Only once all are known is it clear what is used."""
    deals = Deals()
    first = deals.enter(_spec(), over=(1, 2))
    before = list(first.released)
    second = deals.enter(_spec(), over=(2,))
    deals.look()

    assert [] == before
    assert [2] == list(first.released) == list(second.released)


def test_a_match_that_cannot_be_read_keeps_all_of_its_deals() -> None:
    """Nobody knows which boards it has played."""
    deals = Deals()
    match = deals.enter(_spec())
    deals.enter_unknown(_spec().secret)

    deals.board_over(match, 1)

    assert [] == list(match.released)
