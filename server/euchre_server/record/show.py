"""Owns how a hand and a match look to a person, as plain text. Must not know files or terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from euchre_engine import PUBLIC, ActionKind, UpcardStatus
from euchre_server.record.redact import REFEREE, REVEALED
from euchre_server.record.words import (
    CAUSES,
    FAULTS,
    SUITS,
    action_words,
    cards_text,
    result_words,
)
from euchre_server.referee.facts import Actor, EndCause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from euchre_engine import Card, Seat, Trick
    from euchre_server.record.redact import SeenHand, SeenStep
    from euchre_server.record.tables import TablePlay
    from euchre_server.referee.facts import TableEnded

__all__ = ["columns", "hand_text", "undealt_text"]

_STATUS = {
    UpcardStatus.NONE: "",
    UpcardStatus.FACE_UP: "face up",
    UpcardStatus.TAKEN: "taken by the dealer",
    UpcardStatus.DECLINED: "left by the dealer",
    UpcardStatus.TURNED_DOWN: "turned down",
}


def hand_text(hand: SeenHand) -> str:
    """Returns a hand as a person reads it: the deal, the bidding, the tricks, the result."""
    number = hand.hand_number if hand.table.game is not None else None
    lines = [
        _title(hand.table, number),
        f"{hand.rules}, match {hand.table.match_id}{_seen_by(hand)}",
        "",
    ]
    lines += _deal(hand)
    lines += ["", "Bidding", *_bidding(hand)]
    if hand.tricks:
        trump = f"{SUITS[hand.trump]} are trump" if hand.trump else "no trump"
        lines += ["", f"Tricks, {trump}", *_tricks(hand)]
    asides = list(_asides(hand))
    if asides:
        lines += ["", "During play", *columns(asides)]
    lines += list(_times(hand))
    lines += ["", *_result(hand)]
    return "\n".join(line.rstrip() for line in lines)


def undealt_text(table: TablePlay) -> str:
    """Returns what is to be said of a table at which no hand was dealt."""
    lines = [_title(table), "No hand was dealt."]
    bots = table.opened.bots
    lines += [f"  {bots[fault.seat]} {FAULTS[fault.kind]}" for fault in table.before]
    if table.ended is not None:
        lines += _ending(table, table.ended)
    return "\n".join(lines)


def columns(rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> Iterator[str]:
    """Yields rows as lines with their columns under each other, some aligned to the right."""
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    to_right = set(right)
    for row in table:
        yield "  " + "  ".join(
            cell.rjust(width) if place in to_right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )


def _title(table: TablePlay, hand: int | None = None) -> str:
    what = f"Board {table.board}" if table.board is not None else f"Game {table.game}"
    parts = [what, f"seating {table.opened.seating}", f"table {table.number}"]
    if hand is not None:
        parts.append(f"hand {hand}")
    return ", ".join(parts)


def _seen_by(hand: SeenHand) -> str:
    if hand.audience is REFEREE:
        return ""
    if hand.audience is REVEALED:
        return ", with all cards open"
    if hand.audience is PUBLIC:
        return ", as onlookers know it"
    return f", as {hand.bots[hand.audience]} in seat {hand.audience} knows it"


def _deal(hand: SeenHand) -> Iterator[str]:
    rows = [
        (str(seat), hand.bots[seat], _cards(hand.dealt[seat]), _standing(hand, seat))
        for seat in hand.rules.seats
    ]
    if hand.rules.has_dummy:
        rows.append(("", "dummy", _cards(hand.dummy), ""))
    if hand.rules.has_widow:
        rows.append(("", "widow", _cards(hand.widow), ""))
    if hand.upcard:
        rows.append(("", "up-card", hand.upcard.text, _STATUS[hand.upcard_status]))
    # The buried cards are many; they must not push what stands behind the others to the right.
    wide = max(len(cards) for _, _, cards, _ in rows)
    lines = [(seat, who, f"{cards:<{wide}}  {more}") for seat, who, cards, more in rows]
    if hand.buried:
        lines.append(("", "buried", _cards(hand.buried)))
    yield "Deal"
    yield from columns(lines)


def _cards(cards: tuple[Card, ...] | None) -> str:
    return "?" if cards is None else cards_text(cards)


def _standing(hand: SeenHand, seat: Seat) -> str:
    """Returns a seat's score, where there is one yet, and its part in the hand."""
    parts = [part for part, is_so in _marks(hand, seat) if is_so]
    if any(hand.scores):
        parts.insert(0, f"score {hand.scores[seat]}")
    return ", ".join(parts)


def _marks(hand: SeenHand, seat: Seat) -> Iterator[tuple[str, bool]]:
    yield "dealer", seat == hand.dealer
    yield "maker", seat == hand.maker
    yield "alone", seat in hand.alone
    yield "sits out", seat in hand.sitting_out


def _bidding(hand: SeenHand) -> Iterator[str]:
    rows: list[tuple[str, str]] = []
    for number, step in enumerate(_auction(hand)):
        rows += _fault_rows(hand, number)
        said = action_words(hand, step) + (" (by the clock)" if _by_clock(step) else "")
        rows.append((hand.bots[step.item.seat], said + _note(step)))
    if not hand.tricks:
        rows += _fault_rows(hand, len(hand.steps))
    nobody = "nobody has spoken yet" if hand.points is None else "nobody was asked"
    yield from columns(rows) if rows else [f"  {nobody}"]


def _auction(hand: SeenHand) -> list[SeenStep]:
    """Returns all steps before the first card was played."""
    return [step for step in hand.steps if step.item.kind is not ActionKind.PLAY]


def _asides(hand: SeenHand) -> Iterator[tuple[str, str, str]]:
    """Yields what is to be said of the play beyond the cards."""
    if not hand.tricks:
        return
    number, auction = 0, len(_auction(hand))
    for trick_number, trick in enumerate(hand.tricks, 1):
        for _ in trick.cards:
            step = hand.steps[auction + number]
            for who, what in _fault_rows(hand, auction + number):
                yield f"trick {trick_number}", who, what
            if step.note:
                said = f"{cards_text(step.item.cards)}:{_note(step)}"
                yield f"trick {trick_number}", hand.bots[step.item.seat], said
            number += 1
    for who, what in _fault_rows(hand, len(hand.steps)):
        yield "after", who, what


def _fault_rows(hand: SeenHand, after: int) -> Iterator[tuple[str, str]]:
    for fault in hand.faults:
        if fault.after == after:
            text = f" ({_printable(fault.text)})" if fault.text else ""
            yield hand.bots[fault.seat], f"! {FAULTS[fault.kind]}{text}"


def _tricks(hand: SeenHand) -> Iterator[str]:
    plays = [step for step in hand.steps if step.item.kind is ActionKind.PLAY]
    rows = [("", *hand.bots)]
    done = 0
    for number, trick in enumerate(hand.tricks, 1):
        steps = plays[done : done + len(trick.cards)]
        done += len(trick.cards)
        cells = {step.item.seat: _cell(trick, step) for step in steps}
        shown = (cells.get(seat, _absent(hand, seat)) for seat in hand.rules.seats)
        rows.append((str(number), *shown))
    yield from columns(rows)
    clock = ", ! played by the clock" if any(_by_clock(step) for step in plays) else ""
    yield f"  (> leads, * wins{clock})"


def _times(hand: SeenHand) -> Iterator[str]:
    """Yields how each seat's time was counted in this hand, as far as the audience may know."""
    rows: list[tuple[str, ...]] = []
    for seat in hand.rules.seats:
        times = [step.time for step in hand.steps if step.time and step.item.seat == seat]
        if times:
            says = [time.think for time in times if time.think is not None]
            rows.append(
                (
                    hand.bots[seat],
                    str(len(times)),
                    str(sum(time.charged for time in times)),
                    str(max(time.charged for time in times)),
                    str(sum(time.grace_used for time in times)),
                    _sum_known([time.stalled for time in times]),
                    str(sum(says)) if says else "-",
                    str(times[-1].bank_left),
                )
            )
    if rows:
        heads = "decisions charged longest network arena thought bank"
        yield ""
        yield "Time in milliseconds"
        yield from columns([("", *heads.split()), *rows], right=range(1, 8))
        yield "  (network and arena are not charged; thought is what the bot said)"


def _sum_known(numbers: Iterable[int | None]) -> str:
    """Returns the sum, a dash where one of them is not known."""
    known = list(numbers)
    return "-" if None in known else str(sum(filter(None, known)))


def _absent(hand: SeenHand, seat: Seat) -> str:
    """Returns what stands for no card: a seat that sits out, or has not played yet."""
    return " -" if seat in hand.sitting_out else ""


def _cell(trick: Trick, step: SeenStep) -> str:
    lead = ">" if step.item.seat == trick.leader else " "
    win = " *" if step.item.seat == trick.winner else ""
    return lead + cards_text(step.item.cards) + ("!" if _by_clock(step) else "") + win


def _by_clock(step: SeenStep) -> bool:
    return step.by is Actor.CLOCK


def _note(step: SeenStep) -> str:
    return f' "{_printable(step.note)}"' if step.note else ""


def _printable(text: str) -> str:
    """Returns a bot's words without what could move a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _result(hand: SeenHand) -> Iterator[str]:
    yield result_words(hand)
    if hand.points is not None:
        rows = [
            ("", *hand.bots),
            ("points", *(f"{points:+d}" if points else "0" for points in hand.points)),
        ]
        if hand.table.game is not None:
            rows.append(("scores", *map(str, hand.scores_after)))
        yield from columns(rows, right=range(1, len(hand.bots) + 1))
    if hand.ending is not None:
        yield from _ending(hand.table, hand.ending)


def _ending(table: TablePlay, ending: TableEnded) -> Iterator[str]:
    bots = table.opened.bots
    if ending.cause is not EndCause.PLAYED:
        who = "" if ending.blamed_seat is None else f" ({bots[ending.blamed_seat]})"
        yield f"The table was {CAUSES[ending.cause]}{who}."
        if ending.winners:
            rows = [("", *bots), ("counts", *map(str, ending.scores))]
            yield from columns(rows, right=range(1, len(bots) + 1))
    elif table.game is not None:
        winners = " and ".join(bots[seat] for seat in ending.winners)
        yield f"The game is over. Won by {winners}."
    if not ending.rated:
        yield "Unrated."
