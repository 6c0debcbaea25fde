"""Dealing: secrets, streams, the shuffle and relabelling (DESIGN.md section 7)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2  # type: ignore[import-untyped]  # scipy ships no types

from euchre_engine import Card, Suit
from euchre_engine.deal import (
    Stream,
    commitment,
    deal_key,
    derived_stream,
    secret_from_seed,
    shuffle,
    stream_key,
)
from euchre_engine.relabel import IDENTITY, parse_relabelling, relabellings
from euchre_engine.variants import make_ruleset, parse_ruleset

DECK = make_ruleset("three-handed").deck_cards
KEY = secret_from_seed("30")


def _chi_square(shuffles: int) -> tuple[float, int]:
    """Returns the statistic of the card x place table, and how often the last card stayed last."""
    counts = [[0] * 24 for _ in range(24)]
    place_of = {card: place for place, card in enumerate(DECK)}
    for board in range(shuffles):
        for place, card in enumerate(shuffle(KEY, board=board, hand=1, cards=DECK)):
            counts[place_of[card]][place] += 1
    expected = shuffles / 24
    statistic = sum((seen - expected) ** 2 / expected for row in counts for seen in row)
    return statistic, counts[23][23]


@pytest.mark.parametrize(
    "shuffles", [24_000, pytest.param(240_000, marks=pytest.mark.long)], ids=str
)
def test_shuffles_are_fair(shuffles: int) -> None:
    """Every card comes to every place equally often, the last one to the last included (B77)."""
    statistic, stayed_last = _chi_square(shuffles)

    sigma = (shuffles * (1 / 24) * (23 / 24)) ** 0.5
    assert chi2.ppf(0.001, 529) < statistic < chi2.ppf(0.999, 529)
    assert abs(stayed_last - shuffles / 24) < 3 * sigma


def test_a_shuffle_is_a_permutation() -> None:
    """A shuffled deck holds exactly the cards of the deck."""
    deck = parse_ruleset("four-handed,deck=33").deck_cards

    assert sorted(shuffle(KEY, board=3, hand=2, cards=deck)) == sorted(deck)


def test_ten_deals_of_one_seed_differ() -> None:
    """One seed gives another deal for every board and for every hand (B78, C-53)."""
    boards = {shuffle(KEY, board=board, hand=1, cards=DECK) for board in range(10)}
    hands = {shuffle(KEY, board=0, hand=hand, cards=DECK) for hand in range(10)}

    assert len(boards | hands) == 19  # board 0, hand 1 is in both


def test_deals_are_no_others_for_what_else_is_drawn() -> None:
    """A deal is a function of key, board and hand: no draw before it changes it (B78, C-21)."""
    before = [shuffle(KEY, board=board, hand=1, cards=DECK) for board in range(10)]
    draws = derived_stream(KEY, "house")
    after = []
    for board in range(10):
        draws.below(720)
        after.append(shuffle(KEY, board=board, hand=1, cards=DECK))

    assert before == after


def test_no_deal_repeats_in_many_matches() -> None:
    """Different match secrets and boards never meet the same deal (C-53)."""
    decks = {
        shuffle(secret_from_seed(f"seed {match}"), board=board, hand=1, cards=DECK)
        for match in range(20)
        for board in range(50)
    }

    assert len(decks) == 1000


def test_board_and_hand_are_kept_apart() -> None:
    """Numbers are hashed at a fixed width, so that (1, 11) is not (11, 1)."""
    assert shuffle(KEY, board=1, hand=11, cards=DECK) != shuffle(KEY, board=11, hand=1, cards=DECK)


def test_streams_are_kept_apart() -> None:
    """Every label and every list of numbers gives a key of its own."""
    keys = [
        stream_key(KEY, label, *numbers)
        for label in ("bot-seed", "bot-seed1", "house")
        for numbers in ((), (0,), (0, 0), (1,), (1, 0), (0, 1))
    ]

    assert len(set(keys)) == len(keys) == 18


@pytest.mark.parametrize("number", [-1, 2**64])
def test_numbers_that_do_not_fit_are_refused(number: int) -> None:
    """A board that eight bytes cannot hold is an error, not another board."""
    with pytest.raises(OverflowError):
        shuffle(KEY, board=number, hand=1, cards=DECK)


def test_seed_text_changes_the_secret() -> None:
    """The secret depends on each character of the seed, and any text can be one."""
    secrets = [secret_from_seed(text) for text in ("30", "31", "30 ", "", "\udc80", "ß")]

    assert len(set(secrets)) == 6
    assert {len(secret) for secret in secrets} == {32}


def test_commitment_binds_secret_and_specification() -> None:
    """Another secret or another specification gives another commitment."""
    commitments = {
        commitment(secret, specification)
        for secret in (KEY, secret_from_seed("31"))
        for specification in (b"", b"x")
    }

    assert len(commitments) == 4


def test_beacon_changes_the_deal_key() -> None:
    """Without a beacon the secret deals; with one, a key that nobody could foresee does."""
    assert deal_key(KEY) == KEY
    assert len({deal_key(KEY), deal_key(KEY, b""), deal_key(KEY, b"1")}) == 3


def test_bytes_do_not_depend_on_the_pieces_they_are_taken_in() -> None:
    """A stream read in pieces is the stream read whole."""
    whole = Stream(KEY).take(100)
    stream = Stream(KEY)

    assert b"".join(stream.take(n) for n in (0, 1, 31, 32, 33, 3)) == whole


@pytest.mark.parametrize("bound", [1, 2, 3, 24, 200, 256, 257, 65_537])
def test_draws_stay_below_their_bound(bound: int) -> None:
    """A draw below n is from 0 to n - 1."""
    stream = Stream(KEY)

    assert all(0 <= stream.below(bound) < bound for _ in range(500))


def test_draws_are_fair_where_a_byte_is_not() -> None:
    """Below 200 the remainder of a byte would give 0 to 55 twice as often: draws do not."""
    stream = Stream(KEY)
    seen = Counter(stream.below(200) for _ in range(40_000))
    statistic = sum((seen[value] - 200) ** 2 / 200 for value in range(200))

    assert chi2.ppf(0.001, 199) < statistic < chi2.ppf(0.999, 199)


def test_a_bound_below_one_is_refused() -> None:
    """There is no number below 0."""
    with pytest.raises(ValueError, match="at least 1, not 0"):
        Stream(KEY).below(0)


def test_choice_reaches_every_item() -> None:
    """A choice among three items gives each of them."""
    stream = Stream(KEY)

    assert {stream.choice("abc") for _ in range(50)} == set("abc")


def test_eight_relabellings_keep_the_colours() -> None:
    """Without a joker all eight that map colour to colour may be used, the identity among them."""
    permitted = relabellings(make_ruleset("three-handed"))

    assert len(set(permitted)) == len(permitted) == 8
    assert IDENTITY in permitted
    assert all(r.suit(suit).partner is r.suit(suit.partner) for r in permitted for suit in Suit)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("deck=25", ["CDHS", "SDHC"]),
        ("deck=33,joker_upcard=fixed:H", ["CDHS", "SDHC"]),
        ("deck=25,joker_upcard=fixed:D", ["CDHS", "SDHC"]),
        ("deck=25,joker_upcard=fixed:S", ["CDHS", "CHDS"]),
        ("deck=25,joker_upcard=fixed:C", ["CDHS", "CHDS"]),
    ],
)
def test_a_joker_of_a_suit_keeps_that_suit(options: str, expected: list[str]) -> None:
    """A joker that counts as a suit permits only the relabellings that keep this suit."""
    permitted = relabellings(parse_ruleset(f"three-handed,{options}"))

    assert [str(relabelling) for relabelling in permitted] == expected


@pytest.mark.parametrize("options", ["deck=25,joker_upcard=dealer_names_blind", "deck=32"])
def test_a_joker_of_no_suit_keeps_nothing(options: str) -> None:
    """Under blind naming, and without a joker, all eight relabellings may be used."""
    assert len(relabellings(parse_ruleset(f"three-handed,{options}"))) == 8


@given(
    st.sampled_from(relabellings(make_ruleset("two-handed"))), st.lists(st.sampled_from(list(Card)))
)
def test_relabelling_can_be_undone(relabelling_of: object, cards: list[Card]) -> None:
    """The inverse gives back every card, and ranks and the joker never change."""
    relabelling = parse_relabelling(str(relabelling_of))
    renamed = relabelling.cards(cards)

    assert list(relabelling.inverse.cards(renamed)) == cards
    assert [card.rank for card in renamed] == [card.rank for card in cards]


@pytest.mark.parametrize("text", ["", "CDSH", "cdhs", "CDHSX"])
def test_other_relabellings_are_refused(text: str) -> None:
    """A text that is none of the eight is an error that lists them."""
    with pytest.raises(ValueError, match="CDHS, CHDS, DCSH"):
        parse_relabelling(text)
