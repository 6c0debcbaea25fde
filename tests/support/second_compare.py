"""Plays one random hand on both engines and compares them after every action.

Owns the comparison: what the engine says of a state, put into the words of the naive engine, and
how a disagreement is told: as a hand object that anybody can run again.
"""

import json
from random import Random
from typing import TYPE_CHECKING, Any

from naive_family_default import refusal_reason
from naive_family_rules import FAMILY, rules_with_players
from naive_games import act, default_text, is_legal, legal_texts, outline, start, view
from naive_table import Table
from second_family import choose, random_hand, random_text
from second_family_tally import note_action, note_end, note_rules
from second_generator import random_style
from second_tally import Tally

import euchre_engine

if TYPE_CHECKING:
    from euchre_engine import State

__all__ = [
    "Disagreement",
    "compare_random_hand",
    "compare_written_hand",
    "engine_play",
    "engine_start",
]


IN_ALL_VIEWS = ["phase", "to_act", "trump", "maker", "alone", "sitting_out", "scores", "points"]


class Disagreement(AssertionError):  # noqa: N818 - it is what it says
    """The engines differ: the hand as JSON, and what each says."""

    def __init__(self, hand: dict[str, Any], what: str, naive: object, engine: object) -> None:
        self.hand = hand
        self.what = what
        super().__init__(
            f"{what}\n  naive:  {naive}\n  engine: {engine}\n  hand: {json.dumps(hand)}"
        )


def engine_start(hand: dict[str, Any]) -> "State":
    """Returns the engine's state after the deal of a hand object."""
    return euchre_engine.start_hand(
        euchre_engine.ruleset_from_json(rules_with_players(hand["rules"], hand.get("players"))),
        dealer=euchre_engine.Seat(hand["dealer"]),
        deck=[euchre_engine.card_from_text(card) for card in hand["deck"]],
        scores=hand.get("scores"),
        redeals=hand.get("redeals", 0),
        hand_number=hand.get("hand", 1),
    )


def engine_play(hand: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """Returns where the engine's hand stands after its actions, as `hand --json` prints it."""
    state = engine_start(hand)
    for text in hand["actions"]:
        state = euchre_engine.apply(state, euchre_engine.parse_action(text))
    return euchre_engine.state_to_json(state)


def engine_outline(state: "State") -> dict[str, Any]:
    """Returns where the engine's state stands, the views left out."""
    end = euchre_engine.outcome(state)
    return {
        "phase": str(state.phase),
        "to_act": state.to_act,
        "legal": euchre_engine.legal_texts(euchre_engine.legal_actions(state)),
        "trump": state.trump.name if state.trump is not None else None,
        "maker": state.maker,
        "alone": list(state.alone),
        "sitting_out": list(state.sitting_out),
        "tricks": [
            {
                "leader": trick.leader,
                "cards": [card.text for card in trick.cards],
                "winner": trick.winner,
            }
            for trick in state.tricks
        ],
        "points": list(end.points) if end else None,
        "scores": list(end.scores if end else state.scores),
        "game_over": end.game_over if end else False,
        "winners": list(end.winners) if end else [],
        "next_dealer": end.next_dealer if end else None,
    }


def expect(hand: dict[str, Any], what: str, naive: object, engine: object) -> None:
    """Compares two values.

    Raises:
        Disagreement: they differ.
    """
    if naive != engine:
        raise Disagreement(hand, what, naive, engine)


UNORDERED = {"legal", "alone", "sitting_out", "winners"}


def expect_keys(
    hand: dict[str, Any], what: str, naive: dict[str, Any], engine: dict[str, Any]
) -> None:
    """Compares the keys that the naive engine knows; legal texts and lone seats have no order.

    Raises:
        Disagreement: they differ.
    """
    for key, value in naive.items():
        other = engine[key]
        same = sorted(value) == sorted(other) if key in UNORDERED else value == other
        if not same:
            raise Disagreement(hand, f"{what}, {key}", value, other)


def compare(hand: dict[str, Any], table: Table, state: "State", *, views: bool = True) -> None:
    """Compares where both hands stand, the default action, and what each seat may know.

    Raises:
        Disagreement: the engines differ.
    """
    stands = outline(table)
    in_family = table["rules"]["preset"] in FAMILY  # whose outlines have keys of their own
    told: Any = euchre_engine.state_to_json(state) if in_family else engine_outline(state)
    expect_keys(hand, "state", stands, told)
    if views:
        compare_views(hand, table, state, stands)
    if table["phase"] == "DONE":
        end = euchre_engine.outcome(state)
        assert end is not None
        expect(hand, "passed_out", table["passed_out"], end.passed_out)
        expect(hand, "next_redeals", table["next_redeals"], end.next_redeals)
    else:
        default = str(euchre_engine.default_action(state))
        expect(hand, "default action", default_text(table), default)


def compare_views(
    hand: dict[str, Any], table: Table, state: "State", stands: dict[str, Any]
) -> None:
    """Compares what `hand --json` prints, the views of all seats and of the onlookers with it.

    After a pass or a card, which change little, only the seat to act has its view compared.

    Raises:
        Disagreement: the engines differ.
    """
    views: list[tuple[int | None, Any]]
    last = hand["actions"][-1] if hand["actions"] else ""
    if last.startswith(("pass", "play")) and table["phase"] != "DONE":
        seat = euchre_engine.Seat(table["to_act"])
        views = [(seat, euchre_engine.view_to_json(euchre_engine.view_for(state, seat)))]
    else:
        printed: Any = euchre_engine.state_to_json(state)
        expect_keys(hand, "printed", stands, printed)
        views = [*enumerate(printed["views"]), (None, printed["public"])]
    in_all_views = {key: stands[key] for key in IN_ALL_VIEWS}
    for audience, known in views:
        what = f"view of {audience}"
        expect_keys(hand, what, {**in_all_views, **view(table, audience)}, known)


def compare_refusal(hand: dict[str, Any], table: Table, state: "State", text: str) -> bool:
    """Compares whether an action is refused; returns whether both refuse it.

    Raises:
        Disagreement: only one of the engines refuses it, or the refusal has another legal set.
    """
    legal = is_legal(table, text)
    try:
        action = euchre_engine.parse_action(text)
    except euchre_engine.UnreadableAction:
        if legal:
            raise Disagreement(hand, f"{text!r}", "readable", "unreadable") from None
        return True
    if euchre_engine.is_legal(state, action) != legal:
        raise Disagreement(hand, f"is_legal {text!r}", legal, not legal)
    try:
        euchre_engine.apply(state, action)
    except euchre_engine.ActionError as refusal:
        told = sorted(euchre_engine.legal_texts(refusal.legal))
        if legal or told != sorted(legal_texts(table)):
            raise Disagreement(
                hand, f"refusal of {text!r}", sorted(legal_texts(table)), told
            ) from None
        if table["rules"]["preset"] in FAMILY:
            reason = refusal_reason(table, text) or refusal.reason.name
            expect(hand, f"reason against {text!r}", reason, refusal.reason.name)
        return True
    if not legal:
        raise Disagreement(hand, f"apply {text!r}", "refused", "accepted")
    return False


def both_start(hand: dict[str, Any]) -> tuple[Table, "State"]:
    """Returns a hand's deal on both engines."""
    table = start(
        rules_with_players(hand["rules"], hand.get("players")),
        dealer=hand["dealer"],
        deck=hand["deck"],
        scores=hand.get("scores"),
        redeals=hand.get("redeals", 0),
        number=hand.get("hand", 1),
    )
    return table, engine_start(hand)


def both_act(table: Table, state: "State", text: str) -> "State":
    """Carries out an action on both engines; returns the engine's new state."""
    act(table, text)
    return euchre_engine.apply(state, euchre_engine.parse_action(text))


def compare_written_hand(hand: dict[str, Any]) -> None:
    """Plays a written hand on both engines, comparing after every action."""
    table, state = both_start(hand)
    so_far: dict[str, Any] = {**hand, "actions": []}
    compare(so_far, table, state)
    for text in hand["actions"]:
        so_far["actions"].append(text)
        try:
            state = both_act(table, state, text)
        except euchre_engine.ActionError as refusal:
            raise Disagreement(so_far, "last action", "accepted", refusal.message) from None
        compare(so_far, table, state)


def compare_random_hand(
    rng: Random, preset: str, tally: Tally, *, views: bool = True
) -> dict[str, Any]:
    """Plays a random hand on both engines, comparing after every action; returns the hand.

    Without `views`, which take most of the time, what each seat may know is left out.

    Raises:
        Disagreement: the engines differ; it tells the hand up to there.
    """
    hand = random_hand(rng, preset)
    style = random_style(rng)
    table, state = both_start(hand)
    note_rules(tally, table)
    compare(hand, table, state, views=views)
    while table["phase"] != "DONE":
        if rng.random() < 0.3:
            tried = random_text(rng, table)
            if compare_refusal(hand, table, state, tried):
                tally[f"{table['rules']['seats']}: refused in {table['phase']}"] += 1
        text = choose(rng, table, style)
        note_action(tally, table, text)
        hand["actions"].append(text)
        try:
            state = both_act(table, state, text)
        except euchre_engine.ActionError as refusal:
            raise Disagreement(hand, "last action", "accepted", refusal.message) from None
        compare(hand, table, state, views=views)
    note_end(tally, table)
    return hand
