"""The naive tracker of what each seat may know, held to hands whose cards are written out.

Owns the promise that the judge of the views is itself neither too generous nor too strict
(RULES.md section 6). It must not know ``euchre_engine``.
"""

from __future__ import annotations

from typing import Any

import pytest
from family_writing import hasenpfeffer, napoleon, railroad
from naive_worked import WORKED_HANDS
from naive_writing import G1_JOKER, four, three, two
from twin_deals_knowledge import Knowledge, cards_written, is_hidden_from

G1_N, G1_D = "TS KS JC KD TD", "TC 9H 9S AS KC"
G2_L, G2_A, G2_D = "AC KC QH TD KH", "TH AD JC KD 9S", "AS JS JD 9D QS"
G2_X = "JH KS QC 9H TC"
WITH_DUMMY = "order, take, discard 9D, with_dummy"
COMBINED = {"dealer_dummy_discard": "combined"}
AFTER = {"alone_decision": "after_dummy"}
NEVER = {"maker_alone": False}


def _after(hand: dict[str, Any]) -> Knowledge:
    knowledge = Knowledge({"scores": None, "redeals": 0, "hand": 1, **hand})
    for text in hand["actions"]:
        knowledge.act(text)
    return knowledge


@pytest.mark.parametrize(
    ("hand", "seat", "known"),
    [
        (two(""), 0, f"{G1_N} JS"),
        (two(""), 1, f"{G1_D} JS"),
        (two(""), None, "JS"),
        (two("order, take, discard 9H, play JC"), 0, f"{G1_N} JS"),
        (two("order, take, discard 9H, play JC"), 1, f"{G1_D} JS JC"),
        (two("order, take, discard 9H, play JC"), None, "JS JC"),
        (three("order, take, discard 9D"), 0, f"{G2_L} 9C"),
        (three("order, take, discard 9D"), 1, f"{G2_A} 9C"),
        (three("order, take, discard 9D"), 2, f"{G2_D} 9C"),
        (three(WITH_DUMMY), 0, f"{G2_L} 9C {G2_X}"),
        (three(WITH_DUMMY), 1, f"{G2_A} 9C"),
        (three(WITH_DUMMY), 2, f"{G2_D} 9C"),
        (three(WITH_DUMMY), None, "9C"),
        (three("order, decline", **AFTER), 0, f"{G2_L} 9C {G2_X}"),
        (three("order", **AFTER), 0, f"{G2_L} 9C"),
        (three("order, decline", **NEVER), 0, f"{G2_L} 9C {G2_X}"),
        (three("order, decline", **NEVER), 1, f"{G2_A} 9C"),
        (three("pass, pass, order", **COMBINED), 2, f"{G2_D} 9C"),
        (three("pass, pass, order", **COMBINED, **AFTER), 2, f"{G2_D} 9C {G2_X}"),
        (three("pass, pass, order", **COMBINED, **NEVER), 2, f"{G2_D} 9C {G2_X}"),
    ],
)
def test_known_cards(hand: dict[str, Any], seat: int | None, known: str) -> None:
    """A seat knows its own cards, what is public, and as the maker the dummy once it is open."""
    assert set(known.split()) == _after(hand).known(seat)


def test_blind_dealer_knows_nothing_but_the_joker() -> None:
    """Who names trump blind sees his cards only then."""
    rules = {"deck": "25", "joker_upcard": "dealer_names_blind"}

    assert {"JK"} == _after(two("", G1_JOKER, **rules)).known(1)
    assert {*G1_D.split(), "JK"} == _after(two("call C", G1_JOKER, **rules)).known(1)


@pytest.mark.parametrize(
    ("seat", "known"),
    [
        (0, "JS JC AS KS QS TS"),
        (2, "9C TC 9D TD 9H TS 9S JD JH"),
        (None, "TS"),
    ],
)
def test_swapped_cards_stay_known(seat: int | None, known: str) -> None:
    """Who swaps knows what he gave and what he got; the others learn nothing."""
    # Seat 2 holds 9C TC 9D TD 9H; 9S JD JH lie under the up-card TS.
    knowledge = _after(four("pass, pass, swap 9C 9D 9H", farmers_hand="three_swap"))

    assert set(known.split()) == knowledge.known(seat)


H1_MAKER = "9H 9C KS JS JK 9D"
NAMED = "pass, bid 2, pass, pass, pass, name S"
GIVEN = "pass, order, alone, bury TC, best JH"


@pytest.mark.parametrize(
    ("hand", "seat", "known"),
    [
        (hasenpfeffer("pass, bid 2, pass, pass, pass"), 1, H1_MAKER),
        (hasenpfeffer("pass, bid 2, pass, pass, pass", see_widow_first=True), 1, f"{H1_MAKER} TC"),
        (hasenpfeffer(NAMED), 1, f"{H1_MAKER} TC"),
        (hasenpfeffer(f"{NAMED}, bury 9C"), 1, f"{H1_MAKER} TC"),
        (hasenpfeffer(f"{NAMED}, bury 9C"), 3, "QH 9S QS AD AS JC"),
        (hasenpfeffer(f"{NAMED}, bury 9C"), None, ""),
        (railroad(GIVEN), 1, "TC TD KC JK 9D QD JH"),
        (railroad(GIVEN), 3, "KD JH QH 9C TH QD"),
        (railroad(GIVEN), 0, "AS KH 9H 9S QS QD"),
        (railroad(GIVEN), None, "QD"),
        (napoleon("bid 2, pass, pass, pass", "9H"), 1, "AD TD AS QS QD 9H"),
    ],
)
def test_known_cards_of_the_family(hand: dict[str, Any], seat: int | None, known: str) -> None:
    """The widow is the maker's to know, a best card its giver's and receiver's."""
    assert set(known.split()) == _after(hand).known(seat)


@pytest.mark.parametrize("row", WORKED_HANDS[:4], ids=[row[0] for row in WORKED_HANDS[:4]])
def test_at_the_end_all_that_was_played_is_known(row: tuple[str, dict[str, Any], Any]) -> None:
    """After a hand an onlooker knows the cards of the tricks and the up-card, nothing else."""
    hand = row[1]
    played = {text.removeprefix("play ") for text in hand["actions"] if text.startswith("play")}
    upcard = hand["deck"][20 if hand["rules"] == "three-handed" else 10]

    assert played | {upcard} == _after(hand).known(None)


@pytest.mark.parametrize(
    ("seat", "text", "hidden"),
    [
        (0, "discard 9D", True),
        (1, "discard 9D", False),
        (None, "keep AC KC QC TC KH", True),
        (2, "swap 9C 9D 9H", True),
        (0, "bury 9C", True),
        (0, "best 9C", True),
        (3, "best 9C", False),
        (None, "play 9C", False),
        (0, "call C", False),
    ],
)
def test_hidden_actions(seat: int | None, text: str, hidden: bool) -> None:  # noqa: FBT001
    """What seat 1 does with hidden cards is told to it, and to a partner who gets one, alone."""
    assert hidden == is_hidden_from(seat, 1, text)


def test_cards_written() -> None:
    """Every card in a JSON value is found, and words are no cards."""
    value = {"hand": ["AC", "JK"], "text": "keep TS 9H", "phase": "DISCARD", "legal": ["play 2D"]}

    assert {"AC", "JK", "TS", "9H", "2D"} == cards_written(value)
