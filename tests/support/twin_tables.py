"""What the records of two arenas say of one table, side by side, and what one seat may know of it.

Owns the decks of the second arena (those of the first, with cards exchanged that the observer may
not know), and the ruling whether what the arenas do differently is public. What a seat may know
comes from `twin_deals_knowledge`, what a clock plays from the naive second engine: nothing here
trusts the engine.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import naive_games
from twin_deals_knowledge import Knowledge, is_hidden_from

from euchre_engine.notation import HandRecord, hand_to_json
from euchre_server.referee.facts import Acted, Actor, Faulted, HandStarted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from euchre_engine.cards import Card
    from euchre_server.record.entries import RecordFact
    from euchre_server.referee.spec import TableSpec

__all__ = ["Leak", "Public", "TwinTable"]

TimedFact = tuple[int, "RecordFact"]


class Leak(AssertionError):  # noqa: N818  # it is what it says
    """Somebody was shown what he may not know."""


class Public(Exception):  # noqa: N818  # not an error
    """The difference is public from now on; the message says by what."""


class TwinTable:
    """A table on both sides."""

    def __init__(self, spec: TableSpec, observer: str, moves: str, first_hand: int) -> None:
        """Begins with no hand dealt.

        Args:
            spec: The table, alike on both sides.
            observer: The bot for whom both sides must look alike.
            moves: Which cards are exchanged: `deep` (those in nobody's hand), `few`, or `all`.
            first_hand: The first hand with cards exchanged.
        """
        self.spec = spec
        self.observer = spec.bots.index(observer)
        self.known: dict[int, tuple[Knowledge, Knowledge]] = {}
        """By hand, of each side."""
        self.moved: dict[int, dict[str, str]] = {}
        """By hand: what stands on the second side where a card stands on the first."""
        self.hand_number = 0
        self.hands: dict[tuple[int, int], int] = {}
        """In which hand a seat's decision was made."""
        self.unlike: set[int] = set()
        """The seats that have seen what differs, and may be told apart."""
        self._moves = moves
        self._first_hand = first_hand

    # Decks

    def twin_deck(self, rng: Random, dealt: HandStarted) -> tuple[Card, ...]:
        """Returns the deck of the second side for a hand that the first has dealt."""
        number = dealt.hand_number
        moved: dict[Card, Card] = {}
        if number >= self._first_hand:
            knowledge = self._knowledge(dealt)
            held = {card for cards in knowledge.table["hands"] for card in cards}
            known = knowledge.known(self.observer)
            hidden = [card for card in dealt.deck if card.text not in known]
            moved = _moved(rng, hidden, {card.text for card in hidden} - held, self._moves)
        self.moved[number] = {card.text: new.text for card, new in moved.items()}
        return tuple(moved.get(card, card) for card in dealt.deck)

    def same_deck(self, hand_number: int, deck: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the deck of a hand without an exchange."""
        self.moved[hand_number] = {}
        return deck

    def _knowledge(self, dealt: HandStarted) -> Knowledge:
        return Knowledge(
            hand_to_json(
                HandRecord(
                    rules=self.spec.rules,
                    dealer=dealt.dealer,
                    deck=dealt.deck,
                    scores=dealt.scores,
                    redeals=dealt.redeals,
                    hand_number=dealt.hand_number,
                    actions=(),
                )
            )
        )

    def mirrored(self, seat: int, text: str) -> str:
        """Returns what looks the same to the observer on the second side as this on the first."""
        if seat not in self.unlike or not is_hidden_from(self.observer, seat, text):
            return text
        moved = self.moved[self.hand_number]
        return " ".join(moved.get(word, word) for word in text.split(" "))

    # Facts

    def follow(self, one: Sequence[TimedFact], other: Sequence[TimedFact]) -> None:
        """Takes what both sides have recorded since.

        Raises:
            Public: It differs, rightly.
            Leak: It differs, and must not.
        """
        for pair in zip_longest(one, other):
            self._take(*pair)

    def _take(self, one: TimedFact | None, other: TimedFact | None) -> None:
        if one is None or other is None:
            raise Leak(f"only one side has {one or other}")
        if one[0] != other[0]:
            raise Leak(f"not at the same time: {one} and {other}")
        match one[1], other[1]:
            case HandStarted() as dealt, HandStarted() as twin:
                self._same(replace(dealt, deck=()), replace(twin, deck=()))
                self.hand_number = dealt.hand_number
                self.known[dealt.hand_number] = self._knowledge(dealt), self._knowledge(twin)
                self._look()
            case Acted() as act, Acted() as twin_act:
                self._acted(act, twin_act)
            case Faulted() as fault, Faulted() as twin_fault:
                mine = fault.seat == self.observer
                self._same(_outline(fault, whole=mine), _outline(twin_fault, whole=mine))
            case fact, twin_fact:
                self._same(fact, twin_fact)

    def _same(self, one: object, other: object) -> None:
        if one != other:
            raise Leak(f"{one} and {other}")

    def _acted(self, one: Acted, other: Acted) -> None:
        mine = one.seat == self.observer
        self._same(_timing(one, whole=mine), _timing(other, whole=mine))
        texts = str(one.action), str(other.action)
        known = self.known[self.hand_number]
        self.hands[one.seat, one.decision_id] = self.hand_number
        if one.actor is Actor.CLOCK:
            for text, side in zip(texts, known, strict=True):
                default = naive_games.default_text(side.table)
                if text != default:
                    raise Leak(f"the clock played {text!r}, not {default!r}")
        hidden = is_hidden_from(self.observer, one.seat, texts[0])
        if texts[0] != texts[1] and not hidden:
            if mine or one.actor is Actor.BOT:
                raise Leak(f"one side took {texts[0]!r}, the other {texts[1]!r}")
            raise self.public("the clock played another card")
        for text, side in zip(texts, known, strict=True):
            side.act(text)
        self._look()

    def _look(self) -> None:
        """Finds out whether what differs has come to light."""
        one, other = self.known[self.hand_number]
        if one.told_by_the_rules() != other.told_by_the_rules():
            raise self.public("the rules tell it")
        moved = self.moved[self.hand_number].keys()
        self.unlike |= {seat for seat in one.seats if one.known(seat) & moved}
        if self.observer in self.unlike:
            raise self.public("a card was seen")

    def public(self, by: str) -> Public:
        """Returns what to raise where the difference becomes public."""
        table = self.known[self.hand_number][0].table
        where = table["phase"]
        if where == "PLAY":
            where = f"trick {len(table['tricks']) + 1}"
        return Public(f"{by} in {where}")

    def known_to(self, seat: int, body: Any) -> set[str]:  # noqa: ANN401  # any message of a table
        """Returns the cards that a message to a seat may name."""
        names = body.DESCRIPTOR.fields_by_name
        if "view" in names and body.HasField("view"):
            hands = {body.view.hand_number}
        elif "played" in names and body.HasField("played"):
            if (seat, body.decision_id) not in self.hands:
                raise Leak(f"seat {seat} is told of a decision that was not its own: {body}")
            hands = {self.hands[seat, body.decision_id]}
        else:  # it may have waited to be read since the hand before
            hands = {self.hand_number, self.hand_number - 1}
        return {card for hand in hands if hand > 0 for card in self.known[hand][0].known(seat)}


def _timing(act: Acted, *, whole: bool) -> object:
    """Returns all but the action; of others also not what only they and the record know."""
    bare = act._replace(action=None)  # type: ignore[arg-type]  # only to be compared
    return bare if whole else bare._replace(annotation="", think_ms=None)


def _outline(fault: Faulted, *, whole: bool) -> object:
    """Returns a fault; another's without what only that seat is told of it."""
    return fault if whole else replace(fault, reason=None, text="", raw=b"")


def _moved(rng: Random, hidden: list[Card], undealt: set[str], moves: str) -> dict[Card, Card]:
    """Returns which card stands on the second side where a hidden one stands on the first.

    The fewer, and the less likely to be played, the longer both sides can be played alike.
    """
    deep = [card for card in hidden if card.text in undealt]
    pool = deep if moves == "deep" and len(deep) > 1 else hidden
    into = list(pool)
    if moves == "all":
        rng.shuffle(into)
    else:
        for _ in range(rng.choice([1, 1, 2])):
            one, other = (rng.randrange(len(into)) for _ in range(2))
            if moves == "ranks":
                alike = [at for at, card in enumerate(into) if card.rank == into[one].rank]
                other = rng.choice(alike)
            elif moves == "few" and deep:
                one = into.index(rng.choice(deep))
            into[one], into[other] = into[other], into[one]
    return {card: new for card, new in zip(pool, into, strict=True) if card is not new}
