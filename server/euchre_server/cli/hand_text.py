"""Owns how a hand is laid out for people: the deal, the bidding, the tricks, and where it stands.

It prints the whole truth, all cards face up, and leaves every rule to the engine.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from euchre_engine.cards import Suit, cards_in
from euchre_engine.hand import legal_actions
from euchre_engine.legal import legal_texts
from euchre_engine.scoring import outcome
from euchre_engine.state import Phase, UpcardStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from euchre_engine.actions import Action
    from euchre_engine.cards import Card, Seat
    from euchre_engine.scoring import Outcome
    from euchre_engine.state import State, Trick

__all__ = ["hand_text"]

_RED = (Suit.D, Suit.H)
_PLAYED = (Phase.PLAY, Phase.DONE)
_MARGIN = 11


def hand_text(state: State) -> str:
    """Returns a hand for a terminal, in several lines; suits are coloured where that can be."""
    blocks = [
        [_title(state)],
        _beside("dealt", _deal_lines(state)),
        _beside("bidding", _auction_lines(state)),
        _beside("play", _trick_lines(state)),
        _beside("now", _standing_lines(state)),
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def _beside(heading: str, lines: Iterable[str]) -> list[str]:
    """Returns lines with a heading left of the first one."""
    first = "  " + click.style(heading, bold=True) + " " * (_MARGIN - 2 - len(heading))
    return [(first if number == 0 else " " * _MARGIN) + line for number, line in enumerate(lines)]


def _title(state: State) -> str:
    parts = [str(state.rules), f"dealer seat {state.dealer}"]
    if any(state.scores):
        parts.append("scores before " + _numbers(state.scores))
    if state.redeals:
        parts.append(f"after {state.redeals} redeals")
    return click.style(", ".join(parts), bold=True)


def _deal_lines(state: State) -> Iterator[str]:
    for seat in state.rules.seats:
        yield f"seat {seat}   {_cards(cards_in(state.deal.hands[seat]))}"
    if state.dummy:
        yield f"dummy    {_cards(state.dummy)}"
    if state.upcard is not None:
        status = state.upcard_status
        fate = "" if status is UpcardStatus.NONE else f"   {status.name.lower().replace('_', ' ')}"
        yield f"up-card  {_card(state.upcard)}{fate}"
    if state.deal.widow is not None:
        yield f"widow    {_card(state.deal.widow)}"
    if state.deal.buried:
        yield f"buried   {_cards(state.deal.buried)}"


def _auction_lines(state: State) -> Iterator[str]:
    """Yields what was said before play; actions of one seat in a row share a line."""
    said = [step for step in state.steps if step.action.kind.word != "play"]
    for seat, steps in groupby(said, key=lambda step: step.seat):
        yield f"seat {seat}   " + ", ".join(_action(step.action) for step in steps)
    if state.maker is not None and (state.trump is not None or state.phase in _PLAYED):
        trump = "no trump" if state.trump is None else f"trump {_suit(state.trump)}"
        bid = "" if state.bid is None else f", bid {state.bid}"
        alone = "".join(f", seat {seat} alone" for seat in state.alone)
        out = "".join(f", seat {seat} sits out" for seat in state.sitting_out)
        yield f"{trump}, maker seat {state.maker}{bid}{alone}{out}"


def _trick_lines(state: State) -> Iterator[str]:
    """Yields a table of the tricks: `>` marks the card that led, `*` the one that won."""
    if not state.tricks:
        return
    yield "trick   " + "".join(f"seat {seat}  " for seat in state.rules.seats).rstrip()
    for number, trick in enumerate(state.tricks, start=1):
        by_seat = dict(_seats_and_cards(state, trick))
        cells = [_cell(trick, seat, by_seat.get(seat)) for seat in state.rules.seats]
        yield f"{number:>3}     " + "".join(cells).rstrip()
    if state.phase is Phase.DONE:
        yield "won     " + "".join(f"  {won}     " for won in state.tricks_won).rstrip()


def _seats_and_cards(state: State, trick: Trick) -> Iterator[tuple[Seat, Card]]:
    """Yields who played which card of a trick."""
    seats = state.rules.seats
    turns = [seats[(trick.leader + turn) % len(seats)] for turn in range(len(seats))]
    yield from zip(
        (seat for seat in turns if seat not in state.sitting_out), trick.cards, strict=False
    )


def _cell(trick: Trick, seat: Seat, card: Card | None) -> str:
    if card is None:
        return " " * 8
    lead = ">" if seat == trick.leader else " "
    won = seat == trick.winner
    return f" {lead}{_card(card, bold=won)}{'*' if won else ' '}   "


def _standing_lines(state: State) -> Iterator[str]:
    result = outcome(state)
    if result is None:
        yield f"{state.phase}: seat {state.to_act} is to act"
        yield ", ".join(_coloured(text) for text in legal_texts(legal_actions(state)))
        return
    if result.passed_out:
        yield "passed out, no score" if state.steps else "a farmer's hand, no score"
    else:
        yield f"points {_numbers(result.points)}, scores {_numbers(result.scores)}"
    yield _what_follows(result)


def _what_follows(result: Outcome) -> str:
    if result.game_over:
        return "the game is over, won by " + " and ".join(f"seat {s}" for s in result.winners)
    return f"seat {result.next_dealer} deals next"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(_card(card) for card in cards)


def _card(card: Card, *, bold: bool = False) -> str:
    if card.suit not in _RED and not bold:
        return card.text
    return click.style(card.text, fg="red" if card.suit in _RED else None, bold=bold)


def _suit(suit: Suit) -> str:
    return click.style(suit.name, fg="red") if suit in _RED else suit.name


def _action(action: Action) -> str:
    return _coloured(str(action))


def _coloured(text: str) -> str:
    """Returns a text with its red cards and suits in red."""
    return " ".join(
        click.style(word, fg="red") if word[-1:] in {"D", "H"} and len(word) <= 2 else word
        for word in text.split(" ")
    )
