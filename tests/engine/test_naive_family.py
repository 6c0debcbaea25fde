"""The naive second engine on the wider family, held to what docs/family.md works out by hand.

Owns the promise that the engine which judges the real one is itself right in Railroad,
Hasenpfeffer, Pepper and Napoleon. It must not know ``euchre_engine``.
"""

import json
from pathlib import Path
from typing import Any

import naive_games
import pytest
from family_worked_napoleon import NAPOLEON_HANDS
from family_worked_railroad import RAILROAD_HANDS
from family_worked_teams import HASENPFEFFER_HANDS, PEPPER_HANDS
from family_writing import hasenpfeffer, napoleon, pepper, railroad
from naive_family_default import refusal_reason
from naive_family_rules import rules_with_players
from naive_hand import Refused
from naive_writing import part_of

GOLDEN = Path(__file__).parents[1] / "golden" / "family_hands.jsonl"
VECTORS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
WORKED = [*HASENPFEFFER_HANDS, *PEPPER_HANDS, *NAPOLEON_HANDS, *RAILROAD_HANDS]


def played(hand: dict[str, Any]) -> dict[str, Any]:
    """Returns the naive table after the actions of a hand object."""
    rules = rules_with_players(hand["rules"], hand.get("players"))
    deal = {name: hand[name] for name in ["dealer", "deck", "scores", "redeals"] if name in hand}
    table = naive_games.start(rules, **deal)
    for text in hand["actions"]:
        naive_games.act(table, text)
    return table


def told(hand: dict[str, Any]) -> dict[str, Any]:
    """Returns what a vector may tell of a hand, the lone seats in ascending order."""
    table = played(hand)
    stands = naive_games.standing(table)
    winners = [trick["winner"] for trick in stands["tricks"]]
    return {
        **stands,
        "tricks_won": [winners.count(seat) for seat in range(table["rules"]["seats"])],
        "winners_of_tricks": winners,
        "passed_out": table["passed_out"],
        "upcard_status": stands["public"]["upcard_status"],
    }


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    """A worked hand of docs/family.md section 7 ends as written there."""
    expected = dict(vector["expect"])
    for seats in ["alone", "sitting_out"]:
        expected[seats] = sorted(expected[seats])
    stands = told(vector)

    assert expected == {key: stands[key] for key in expected}


def test_all_vectors_are_there() -> None:
    """docs/family.md section 7 works out two hands a game and a third of Napoleon."""
    names = ["R1", "R2", "H1", "H2", "P1", "P2", "N1", "N2", "N3"]

    assert names == [vector["name"] for vector in VECTORS]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_points_of_a_vector_add_up(vector: dict[str, Any]) -> None:
    """Points of Napoleon sum to 0; made hands of six tricks give six points to both sides."""
    stands = told(vector)
    points = stands["points"]
    game = played(vector)["rules"]["preset"]

    if game == "napoleon":
        assert sum(points) == 0
    elif game != "railroad" and points[stands["maker"]] >= 0:
        assert points[0] + points[1] == 6
    assert sum(stands["tricks_won"]) == (6 if game in {"hasenpfeffer", "pepper"} else 5)


@pytest.mark.parametrize(
    ("hand", "expected"), [row[1:] for row in WORKED], ids=[row[0] for row in WORKED]
)
def test_worked_hand(hand: dict[str, Any], expected: dict[str, Any]) -> None:
    """A hand worked out from docs/family.md stands as written."""
    standing = naive_games.play(hand)
    if "upcard_status" in expected:
        standing["upcard_status"] = standing["public"]["upcard_status"]

    assert "error" not in standing
    assert expected == part_of(standing, expected)


LONE = "order, alone, discard 9C"


@pytest.mark.parametrize(
    ("hand", "phase", "default"),
    [
        (hasenpfeffer("bid 2"), "BID", "pass"),
        (hasenpfeffer("pass, pass, pass", stick_the_dealer=True), "BID", "bid 1"),
        (
            hasenpfeffer("pass, pass, pass", stick_the_dealer=True, minimum_bid=4),
            "BID",
            "bid 4",
        ),
        (hasenpfeffer("pass, pass, pass, pass"), "BID", "bid 3"),
        (pepper("bid 7"), "BID", "pass"),
        (napoleon("pass, pass, pass", stick_the_dealer=True), "BID", "bid 1"),
        (napoleon("bid 3"), "BID", "pass"),
        (hasenpfeffer("bid 2, pass, pass, pass"), "NAME", "name C"),
        (pepper("bid 2, pass, pass, pass"), "NAME", "name C"),
        # seven cards JK TC 9C 9D 9H KS JS: plain before trump, lowest, suits C D H S
        (hasenpfeffer("pass, bid 2, pass, pass, pass, name S"), "BURY", "bury 9C"),
        (hasenpfeffer("pass, bid 2, pass, pass, pass, name C"), "BURY", "bury 9D"),
        (hasenpfeffer("pass, bid 2, pass, pass, pass, name D"), "BURY", "bury 9C"),
        # six cards 9H QH KS TH JH KD and no trump: all plain
        (pepper("pass, pass, pass, bid 2, pass, pass, pass, name NT"), "PLAY", "play 9H"),
        (pepper("pass, pass, pass, bid 2, pass, pass, pass, name H"), "PLAY", "play KD"),
        # JC is the left bower, 9S the trump below it
        (pepper("bid 2, pass, pass, pass, name S, play JS"), "PLAY", "play 9S"),
        # before Napoleon's first card all of JC KD 9D 8H JS are plain
        (napoleon("pass, pass, pass, bid 2"), "PLAY", "play 8H"),
        # trump H: TC JD JH 8S are left, and nothing follows the diamond led
        (
            napoleon("pass, pass, bid 2, pass", "AH 8H 9H TD KH 9D JH QD 9S"),
            "PLAY",
            "play JS",
        ),
        (railroad("pass"), "BID1", "pass"),
        (railroad("order"), "ALONE_MAKER", "together"),
        (railroad("order, alone"), "DISCARD", "discard 9C"),
        (railroad(LONE), "BURY", "pass"),
        # partner's JC AD KS JS TS, trump D
        (railroad(f"{LONE}, bury 9H"), "BEST", "best AD"),
        (railroad(f"{LONE}, pass"), "ALONE_DEFENDER", "together"),
        # partner of the lone dealer: JK KC TC TD 9D
        (
            railroad("pass, pass, pass, order, alone, discard 9C, bury QD"),
            "BEST",
            "best JK",
        ),
        # partner's 9C KD QH JH TH, trump S: no trump, the highest rank
        (railroad("pass, pass, pass, pass, pass, call S, alone, bury TC"), "BEST", "best KD"),
        # the same, trump C: a trump goes before a higher plain card
        (railroad("pass, pass, pass, pass, pass, call C, alone, bury TC"), "BEST", "best 9C"),
        # the same, trump H: the right bower before the queen
        (railroad("pass, pass, pass, pass, pass, call H, alone, bury TC"), "BEST", "best JH"),
        (railroad(f"{LONE}, pass, together, together"), "PLAY", "play 9H"),
    ],
)
def test_default_action(hand: dict[str, Any], phase: str, default: str) -> None:
    """Section 1, "Default actions": what is done for a seat whose clock ran out."""
    table = played(hand)

    assert phase == table["phase"]
    assert default == naive_games.default_text(table)


@pytest.mark.parametrize(
    ("hand", "text", "reason"),
    [
        (hasenpfeffer("bid 3"), "bid 3", "BID_NOT_ALLOWED"),
        (hasenpfeffer("bid 3"), "bid 7", "BID_NOT_ALLOWED"),
        (hasenpfeffer("bid 3"), "name S", "WRONG_PHASE"),
        (hasenpfeffer("", minimum_bid=3), "bid 2", "BID_NOT_ALLOWED"),
        (hasenpfeffer("pass, pass, pass, pass"), "pass", "BID_NOT_ALLOWED"),
        (hasenpfeffer("pass, pass, pass, pass"), "bid 4", "BID_NOT_ALLOWED"),
        (hasenpfeffer("pass, pass, pass", stick_the_dealer=True), "pass", "BID_NOT_ALLOWED"),
        (hasenpfeffer("bid 3, pass, pass, pass"), "name NT", "SUIT_NOT_ALLOWED"),
        (pepper("bid 3, pass, pass, pass", no_trump=False), "name NT", "SUIT_NOT_ALLOWED"),
        (pepper("bid 3, pass, pass, pass"), "bid 4", "WRONG_PHASE"),
        (hasenpfeffer("bid 3, pass, pass, pass, name S"), "pass", "WRONG_PHASE"),
        (hasenpfeffer("bid 3, pass, pass, pass, name S"), "bury JK", "NOT_IN_HAND"),
        (hasenpfeffer("bid 3, pass, pass, pass, name S"), "discard QC", "WRONG_PHASE"),
        (napoleon("bid 5"), "bid 6", "BID_NOT_ALLOWED"),
        (napoleon("bid 4", wellington=True), "bid 6", "BID_NOT_ALLOWED"),
        (napoleon("bid 4"), "bid 8", "BID_NOT_ALLOWED"),
        (napoleon(""), "bid 1", "BID_NOT_ALLOWED"),
        (napoleon("bid 5, pass, pass, pass", "8S"), "play AD", "MUST_FOLLOW"),
        (napoleon("bid 5, pass, pass, pass", "8S"), "play KS", "NOT_IN_HAND"),
        (railroad(LONE), "bury AD", "NOT_IN_HAND"),
        (railroad(LONE), "best KH", "WRONG_PHASE"),
        (railroad(LONE), "together", "WRONG_PHASE"),
        (railroad(f"{LONE}, bury 9H"), "best 9H", "NOT_IN_HAND"),
        (railroad(f"{LONE}, bury 9H"), "pass", "WRONG_PHASE"),
    ],
)
def test_refusal(hand: dict[str, Any], text: str, reason: str) -> None:
    """Section 1, "Texts": an action that is not allowed is refused for the reason given there."""
    table = played(hand)
    before = json.dumps(table)

    with pytest.raises(Refused):
        naive_games.act(table, text)
    assert not naive_games.is_legal(table, text)
    assert reason == refusal_reason(table, text)
    assert before == json.dumps(table)


@pytest.mark.parametrize(
    ("hand", "item", "known", "hidden"),
    [
        (hasenpfeffer("bid 3, pass, pass, pass, name S, bury QC"), 5, {0: "bury QC"}, "bury"),
        (railroad(f"{LONE}, bury 9H"), 3, {0: "bury 9H"}, "bury"),
        (
            railroad(f"{LONE}, bury 9H, best AD"),
            4,
            {0: "best AD", 2: "best AD"},
            "best",
        ),
        (
            railroad(f"{LONE}, bury 9H, best AD, alone, bury TC, best QD"),
            7,
            {1: "best QD", 3: "best QD"},
            "best",
        ),
        (railroad(f"{LONE}, pass"), 3, {}, "pass"),
        (railroad(LONE), 2, {3: "discard 9C"}, "discard"),
        (pepper("bid 7, pass, pass, pass, name NT"), 4, {}, "name NT"),
        (napoleon("bid 8, pass"), 0, {}, "bid 8"),
    ],
)
def test_history(hand: dict[str, Any], item: int, known: dict[int, str], hidden: str) -> None:
    """Section 6: buried and best cards travel in histories as discards do."""
    stands = naive_games.play(hand)
    texts = {view["seat"]: view["history"][item]["text"] for view in stands["views"]}

    assert {seat: known.get(seat, hidden) for seat in range(4)} == texts
    assert hidden == stands["public"]["history"][item]["text"]


@pytest.mark.parametrize(
    "hand",
    [
        hasenpfeffer("bid 3, pass, pass, pass, name S, bury QC"),
        hasenpfeffer("bid 3, pass, pass, pass", see_widow_first=True),
        railroad(f"{LONE}, bury 9H, best AD, alone, bury TC, best QD"),
        napoleon("bid 8, pass"),
        pepper("bid 7, pass, pass, pass, name NT"),
    ],
)
def test_onlookers_see_no_cards(hand: dict[str, Any]) -> None:
    """Section 6: hands, widow, buried and best cards are for seats only; the contract for all."""
    stands = naive_games.play(hand)
    public = stands["public"]

    assert (None, [], [], [], None) == (
        public["seat"],
        public["hand"],
        public["discarded"],
        public["widow"],
        public["best_card"],
    )
    assert stands["contract"] == public["contract"]


def test_widow_is_the_makers_for_the_rest_of_the_hand() -> None:
    """Section 6: from `name` on the maker sees the widow, after burying it too; nobody else."""
    hand = hasenpfeffer("bid 3, pass, pass, pass, name S, bury TC, play AH")
    views = naive_games.play(hand)["views"]

    assert [["TC"], [], [], []] == [view["widow"] for view in views]
    assert [["TC"], [], [], []] == [view["discarded"] for view in views]
