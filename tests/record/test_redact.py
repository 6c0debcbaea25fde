"""Tests of what each audience may know of a recorded hand (RULES.md section 6)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from record_matches import Behaviour, match_spec, write_match

from euchre_engine import PRESETS, Seat, view_for
from euchre_server.record.export import seen_object
from euchre_server.record.reader import read_record
from euchre_server.record.redact import PUBLIC, REFEREE, REVEALED, redact
from euchre_server.record.show import hand_text
from euchre_server.record.tables import tables_of
from euchre_server.referee.facts import Actor, FaultKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from euchre_server.record.redact import SeenHand
    from euchre_server.record.tables import HandPlay, TablePlay

CARD = re.compile(r"\b(?:[2-9TJQKA][CDHS]|JK)\b")
FAULTS = Behaviour(timeout=0.05, illegal=0.1, note="I hold a secret")


def hands(path: Path) -> Iterator[tuple[TablePlay, HandPlay]]:
    """Yields all hands of a record."""
    for table in tables_of(read_record(path)):
        for hand in table.hands:
            yield table, hand


def cards_named(seen: SeenHand) -> set[str]:
    """Returns every card that is named anywhere in what an audience is given."""
    return set(CARD.findall(json.dumps(seen_object(seen)))) | set(CARD.findall(hand_text(seen)))


def cards_in_views(table: TablePlay, hand: HandPlay, seat: Seat | None) -> set[str]:
    """Returns every card that was in a view of a seat, or of the public."""
    known: set[str] = set()
    for state in hand.states(table):
        view = view_for(state, PUBLIC if seat is None else seat)
        known |= set(CARD.findall(repr(view)))
    return known


@pytest.mark.parametrize("preset", PRESETS)
def test_seat_is_shown_no_card_that_it_was_not_shown_in_play(tmp_path: Path, preset: str) -> None:
    """No card appears in what a seat or the public is given that was not in its views."""
    path = write_match(tmp_path, match_spec(preset, boards=2), behaviour=FAULTS)

    for table, hand in hands(path):
        for seat in table.opened.rules.seats:
            own_errors = {
                card
                for happening in hand.happenings
                if getattr(happening.fact, "seat", None) == seat
                for card in CARD.findall(getattr(happening.fact, "text", ""))
            }
            known = cards_in_views(table, hand, seat) | own_errors
            assert cards_named(redact(table, hand, seat)) <= known
        public = cards_in_views(table, hand, None)
        assert cards_named(redact(table, hand, PUBLIC)) <= public


def test_referee_sees_the_whole_deck(tmp_path: Path) -> None:
    """The referee's hand accounts for every card of the deck."""
    for table, hand in hands(write_match(tmp_path, match_spec(boards=1))):
        seen = redact(table, hand, REFEREE)
        held = [card for cards in seen.dealt for card in cards or ()]
        rest = [*(seen.dummy or ()), *(seen.buried or ())]
        assert seen.upcard is not None
        assert sorted(table.opened.rules.deck_cards) == sorted([*held, *rest, seen.upcard])


def test_seat_sees_its_own_cards_and_nobody_elses(tmp_path: Path) -> None:
    """A seat's five cards as dealt are shown to it, the others' are not."""
    for table, hand in hands(write_match(tmp_path, match_spec(boards=2))):
        whole = redact(table, hand, REFEREE)
        for seat in table.opened.rules.seats:
            expected = tuple(
                cards if other == seat else None for other, cards in enumerate(whole.dealt)
            )
            assert expected == redact(table, hand, seat).dealt


def test_blind_dealer_is_shown_his_own_cards_as_dealt(tmp_path: Path) -> None:
    """A dealer who named trump blind sees the five he was dealt, without the joker he took."""
    spec = match_spec("british-three-handed", boards=60)
    blind = 0
    for table, hand in hands(write_match(tmp_path, spec)):
        states = hand.states(table)
        if states[0].phase.value == "NAME_BLIND":
            blind += 1
            dealer = Seat(hand.started.dealer)
            assert states[0].hand(dealer) == redact(table, hand, dealer).dealt[dealer]
    assert blind


def test_only_its_own_maker_sees_the_dummy(tmp_path: Path) -> None:
    """The dummy is shown to a maker who used it, to nobody else but the referee."""
    for table, hand in hands(write_match(tmp_path, match_spec(boards=6))):
        used = "with_dummy" in {str(act.action) for act in hand.acts}
        for seat in table.opened.rules.seats:
            seen = redact(table, hand, seat)
            assert (seen.dummy is not None) == (used and seat == seen.maker)


def test_notes_and_refusals_are_their_own_seats(tmp_path: Path) -> None:
    """A bot's notes, times and refused answers are shown to nobody else."""
    path = write_match(tmp_path, match_spec(boards=3), behaviour=FAULTS)

    for table, hand in hands(path):
        for seat in table.opened.rules.seats:
            seen = redact(table, hand, seat)
            assert {seat} >= {step.item.seat for step in seen.steps if step.note}
            assert {seat} >= {step.item.seat for step in seen.steps if step.ms is not None}
            assert {seat} >= {fault.seat for fault in seen.faults}
        public = redact(table, hand, PUBLIC)
        assert not any(step.note or step.ms for step in public.steps)
        assert not any(fault.text for fault in public.faults)


def test_revealed_is_every_card_and_else_what_the_public_knows(tmp_path: Path) -> None:
    """Who is shown the cards afterwards learns no note, time or refused answer with them."""
    path = write_match(tmp_path, match_spec("railroad", boards=3), behaviour=FAULTS)

    for table, hand in hands(path):
        whole, public = redact(table, hand, REFEREE), redact(table, hand, PUBLIC)
        seen = redact(table, hand, REVEALED)
        assert (whole.dealt, whole.buried) == (seen.dealt, seen.buried)
        assert [step.item for step in whole.steps] == [step.item for step in seen.steps]
        assert [(step.by, step.ms, step.time, step.note) for step in public.steps] == [
            (step.by, step.ms, step.time, step.note) for step in seen.steps
        ]
        assert public.faults == seen.faults
        assert "with all cards open" in hand_text(seen)


def test_referee_sees_every_fault_and_clock_play(tmp_path: Path) -> None:
    """Every time-out is there, each followed by a play of the clock."""
    path = write_match(tmp_path, match_spec(boards=6), behaviour=FAULTS)

    timeouts = plays = 0
    for table, hand in hands(path):
        seen = redact(table, hand, REFEREE)
        timeouts += sum(fault.kind is FaultKind.TIMEOUT for fault in seen.faults)
        plays += sum(step.by is Actor.CLOCK for step in seen.steps)

    assert timeouts
    assert timeouts == plays
