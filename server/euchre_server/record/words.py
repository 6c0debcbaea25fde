"""Owns the words for what happens in a hand: actions, faults, endings. Must not know layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from euchre_engine import ActionKind, Phase, Suit
from euchre_server.referee.facts import EndCause, FaultKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from euchre_engine import Card
    from euchre_server.record.redact import SeenHand, SeenStep

__all__ = ["CAUSES", "FAULTS", "SUITS", "action_words", "cards_text", "result_words"]

SUITS: Final = {Suit.C: "clubs", Suit.D: "diamonds", Suit.H: "hearts", Suit.S: "spades"}

FAULTS: Final = {
    FaultKind.TIMEOUT: "let its time run out",
    FaultKind.ILLEGAL: "gave an answer that is not allowed",
    FaultKind.GARBLED: "gave an answer that could not be read",
    FaultKind.STALE: "answered too late or twice, without harm",
    FaultKind.CRASH: "lost its connection or crashed",
    FaultKind.START_FAILED: "did not start",
    FaultKind.LEFT: "left",
}

CAUSES: Final = {
    EndCause.PLAYED: "played to its end",
    EndCause.FAULTS: "forfeited: too many faults",
    EndCause.NEVER_JOINED: "forfeited: the bot never joined",
    EndCause.LEFT: "forfeited: the bot left",
    EndCause.ARENA_FAULT: "void: the arena failed",
    EndCause.STOPPED: "stopped before its end",
}

_MAKING: Final = 3
_PASSES: Final = {Phase.SWAP: "swaps nothing", Phase.BURY: "calls for no card"}
"""What a pass means where it is no turn in the bidding."""


def cards_text(cards: Iterable[Card]) -> str:
    """Returns cards as they are written."""
    return " ".join(card.text for card in cards)


def action_words(hand: SeenHand, step: SeenStep) -> str:
    """Returns what a seat did, without its name: `calls hearts`."""
    item, dealer = step.item, step.item.seat == hand.dealer
    cards = cards_text(item.cards)
    suit = SUITS[item.suit] if item.suit else "no-trump"
    match item.kind:
        case ActionKind.PASS:
            return _PASSES.get(step.phase, "passes")
        case ActionKind.ORDER:
            does = "accepts" if dealer else "orders up"
            return f"{does} {hand.upcard}: {SUITS[hand.trump]} are trump" if hand.trump else does
        case ActionKind.CALL:
            return f"calls {suit}"
        case ActionKind.TAKE:
            return f"takes the {hand.upcard}"
        case ActionKind.DECLINE:
            return f"leaves the {hand.upcard}"
        case ActionKind.DISCARD | ActionKind.BURY:
            return f"puts away {cards or 'a card, face down'}"
        case ActionKind.ALONE:
            return "plays alone"
        case ActionKind.WITH_DUMMY:
            return "plays with the dummy"
        case ActionKind.TOGETHER:
            return "does not play alone"
        case ActionKind.KEEP:
            return f"keeps {cards or 'five cards, unseen'}"
        case ActionKind.PLAY:
            return f"plays {cards}"
        case ActionKind.SWAP:
            return f"swaps {cards or 'cards, unseen'}"
        case ActionKind.BID:
            return f"bids {_bid(hand, item.bid)}"
        case ActionKind.NAME:
            return f"names {suit}"
        case ActionKind.BEST:
            return f"gives {cards or 'a card, unseen'}"
        case _:
            assert_never(item.kind)


def result_words(hand: SeenHand) -> str:
    """Returns how the hand came out, in one sentence."""
    if hand.points is None:
        return "The hand was not finished."
    if hand.maker is None and not hand.steps:
        return "Somebody held neither ace nor face card: nobody scores."
    if hand.maker is None:
        return "Everybody passed: nobody scores."
    rules, maker = hand.rules, hand.maker
    side = [
        seat
        for seat in rules.seats
        if seat == maker or (rules.has_partners and (seat - maker) % 2 == 0)
    ]
    taken = sum(hand.tricks_won[seat] for seat in side)
    who = " and ".join(hand.bots[seat] for seat in side)
    took = f"took {taken} of {len(hand.tricks)} tricks"
    if hand.contract is None:
        return f"{who} {took}: {'made it' if taken >= _MAKING else 'euchred'}."
    need = rules.bids.by_number[hand.contract].tricks if rules.bids else 0
    made = taken >= need if need else not taken
    bid = _bid(hand, hand.contract)
    return f"{who} had bid {bid} and {took}: {'made it' if made else 'failed'}."


def _bid(hand: SeenHand, number: int) -> str:
    return hand.rules.bids.by_number[number].name if hand.rules.bids else str(number)
