"""How boards are laid out: balance, relabelling, determinism (DESIGN.md section 7)."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from euchre_engine.relabel import relabellings
from euchre_engine.variants import parse_ruleset
from euchre_server.match.boards import Board, Field, SeatingScheme, lay_out

SECRETS = st.binary(min_size=32, max_size=32)
BOARDS = st.integers(min_value=1, max_value=10**9)


def _field(rules: str, bots: int, scheme: SeatingScheme) -> Field:
    return Field(bots=bots, rules=parse_ruleset(rules), scheme=scheme)


FIELDS = [
    (_field("two-handed", 2, SeatingScheme.ROTATIONS), 2),
    (_field("two-handed", 2, SeatingScheme.SWAP), 2),
    (_field("two-handed", 2, SeatingScheme.ALL), 2),
    (_field("three-handed", 3, SeatingScheme.ROTATIONS), 3),
    (_field("three-handed", 3, SeatingScheme.SWAP), 2),
    (_field("three-handed", 3, SeatingScheme.ALL), 6),
    (_field("four-handed", 2, SeatingScheme.ROTATIONS), 2),
    (_field("four-handed", 4, SeatingScheme.ROTATIONS), 4),
    (_field("four-handed", 2, SeatingScheme.SWAP), 2),
    (_field("four-handed", 2, SeatingScheme.ALL), 2),
    (_field("four-handed", 4, SeatingScheme.ALL), 8),
]


def _bots_by_seat(board: Board, bots: int) -> list[tuple[int, ...]]:
    return [tuple(p % bots for p in seating.arrangement) for seating in board.seatings]


@pytest.mark.parametrize(("field", "seatings"), FIELDS, ids=str)
@given(secret=SECRETS, number=BOARDS)
def test_seatings_differ_and_seat_everybody(
    field: Field, seatings: int, secret: bytes, number: int
) -> None:
    """Every scheme has its number of seatings, all different, each with every player once."""
    board = lay_out(field, secret, number)

    assert seatings == field.seating_count == len(board.seatings)
    assert seatings == len(set(_bots_by_seat(board, field.bots)))
    assert all(
        list(range(field.players)) == sorted(seating.arrangement) for seating in board.seatings
    )
    assert list(range(1, seatings + 1)) == [seating.number for seating in board.seatings]


@pytest.mark.parametrize("scheme", [SeatingScheme.ROTATIONS, SeatingScheme.ALL])
@pytest.mark.parametrize(
    ("rules", "bots"), [("two-handed", 2), ("three-handed", 3), ("four-handed", 2)]
)
@given(secret=SECRETS, number=BOARDS)
def test_every_bot_sits_equally_often_in_every_chair(
    scheme: SeatingScheme, rules: str, bots: int, secret: bytes, number: int
) -> None:
    """On each single board, no bot has a chair more often than another."""
    board = lay_out(_field(rules, bots, scheme), secret, number)
    sitting = _bots_by_seat(board, bots)

    counts = Counter((seat, bot) for seats in sitting for seat, bot in enumerate(seats))

    assert {len(sitting) // bots} == set(counts.values())
    assert len(sitting[0]) * bots == len(counts)


@given(secret=SECRETS, number=BOARDS)
def test_swap_moves_only_the_first_two_bots(secret: bytes, number: int) -> None:
    """In an A/B test the third bot keeps its chair and the two compared change theirs."""
    board = lay_out(_field("three-handed", 3, SeatingScheme.SWAP), secret, number)
    first, second = _bots_by_seat(board, 3)

    assert first.index(2) == second.index(2)
    assert (first.index(0), first.index(1)) == (second.index(1), second.index(0))


@given(secret=SECRETS, number=BOARDS, scheme=st.sampled_from(SeatingScheme))
def test_partners_sit_opposite_each_other(
    secret: bytes, number: int, scheme: SeatingScheme
) -> None:
    """A bot that plays both partners holds seats 0 and 2, or 1 and 3."""
    board = lay_out(_field("four-handed", 2, scheme), secret, number)

    assert {(0, 1, 0, 1), (1, 0, 1, 0)} == set(_bots_by_seat(board, 2))


def test_neighbours_chairs_and_dealers_balance_over_boards() -> None:
    """Over many boards both cyclic orders, every first chair and every dealer come about evenly."""
    field = _field("three-handed", 3, SeatingScheme.ROTATIONS)
    boards = [lay_out(field, b"s" * 32, number) for number in range(1, 3001)]

    first = Counter(_bots_by_seat(board, 3)[0] for board in boards)
    dealers = Counter(board.first_dealer for board in boards)

    assert set(permutations(range(3))) == set(first)
    assert all(abs(count - 500) < 100 for count in first.values())
    assert all(abs(count - 1000) < 130 for count in dealers.values())


@pytest.mark.parametrize(
    ("rules", "permitted"),
    [
        ("three-handed", 8),
        ("three-handed,deck=25", 2),
        ("three-handed,deck=25,joker_upcard=dealer_names_blind", 8),
    ],
)
@given(secret=SECRETS, number=BOARDS)
def test_relabellings_are_permitted_and_differ(
    rules: str, permitted: int, secret: bytes, number: int
) -> None:
    """Seatings of a board get different relabellings as long as the rules have enough of them."""
    field = _field(rules, 3, SeatingScheme.ROTATIONS)

    used = [seating.relabelling for seating in lay_out(field, secret, number).seatings]

    assert permitted == len(relabellings(field.rules))
    assert set(used) <= set(relabellings(field.rules))
    assert min(3, permitted) == len(set(used))


def test_a_fixed_first_dealer_is_kept() -> None:
    """The option `first_dealer` overrules the draw."""
    field = _field("three-handed,first_dealer=2", 3, SeatingScheme.ROTATIONS)

    assert {2} == {lay_out(field, bytes(32), number).first_dealer for number in range(1, 30)}


@pytest.mark.parametrize(
    ("rules", "bots", "needed"),
    [
        ("two-handed", 3, "takes 2 bots, not 3"),
        ("three-handed", 2, "takes 3 bots, not 2"),
        ("four-handed", 3, "takes 2 bots (each plays both partners) or 4, not 3"),
    ],
)
def test_a_wrong_number_of_bots_is_refused(rules: str, bots: int, needed: str) -> None:
    """The error says how many the game takes and how many were given."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the text is looked at
        _field(rules, bots, SeatingScheme.ROTATIONS)

    assert needed in str(caught.value)
