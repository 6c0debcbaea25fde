"""Leaks to plant: each makes the arena tell somebody what he may not know.

Owns one function a leak, which changes the arena for the rest of a test. That the twin sessions
notice every one of them is what shows that they can fail.
"""
# ruff: noqa: ANN401, PLR0917  # what is replaced are functions of any kind

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from euchre_engine import Seat, legal_actions, view_for
from euchre_engine.cards import Rank
from euchre_engine.state import Phase
from euchre_server.referee import table, turn
from euchre_server.referee.dealing import deck_of
from euchre_server.referee.outputs import HandOver, Reject, TimedOut
from euchre_server.session import desk, wire
from euchre_server.session.conversation import Conversation
from euchre_server.session.desk import Desk
from euchre_server.session.driver import Driver
from euchre_server.session.messages import SessionFaultReason

if TYPE_CHECKING:
    import pytest

    from euchre_engine.state import State
    from euchre_server.referee.turn import Turn

__all__ = ["LEAKS"]


def _next(state: State, seat: int) -> Seat:
    return Seat((seat + 1) % state.rules.seat_count)


def _mixed(state: State | None) -> int:
    """Returns a small number that follows from cards which nobody sees."""
    buried = () if state is None else state.deal.buried
    return sum(place * card for place, card in enumerate(buried, 1)) % 5


def _wrapped(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, leak: Any) -> None:
    """Replaces a function by one that is given it, and what it is called with."""
    honest = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args, **named: leak(honest, *args, **named))


# --- what a seat is shown -------------------------------------------------------------------------


def neighbours_hand_in_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view names the next seat's cards, as the dummy."""

    def leak(honest: Any, state: State, seat: Seat) -> Any:
        return honest(state, seat)._replace(dummy=state.hand(_next(state, seat)))

    _wrapped(monkeypatch, turn, "view_for", leak)


def dealers_view_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a hand everybody is sent the dealer's view of it."""

    def leak(honest: Any, state: State, seat: Seat) -> Any:
        done = state.phase is Phase.DONE
        return honest(state, state.deal.dealer)._replace(seat=seat) if done else honest(state, seat)

    _wrapped(monkeypatch, turn, "view_for", leak)


def another_seats_view_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks to be shown a table is shown it as the next seat sees it."""

    def leak(honest: Any, state: State, seat: Seat) -> Any:
        return honest(state, _next(state, seat))

    _wrapped(monkeypatch, desk, "view_for", leak)


def another_seats_view_on_joining(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that comes back is sent the view of the next seat."""

    def leak(honest: Any, turn: Turn, event: Any) -> None:
        honest(turn, event)
        if turn.hand is not None:
            view = view_for(turn.hand, _next(turn.hand, event.seat))
            turn.tell(event.seat, HandOver(view, turn.scores))

    _wrapped(monkeypatch, table, "joined", leak)


def seed_from_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's seed follows from the deck of its table."""

    def leak(honest: Any, spec: Any, seat: Seat) -> bytes:
        seed = sum(place * card for place, card in enumerate(deck_of(spec, 1)))
        return honest(replace(spec, bot_seeds=(seed,) * len(spec.bots)), seat)  # type: ignore[no-any-return]

    _wrapped(monkeypatch, wire.tables, "_table_opened", leak)


def scores_of_an_unfinished_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is stopped counts what the hidden cards would have been worth."""

    def leak(honest: Any, turn: Turn, at: int, *args: Any, **named: Any) -> None:
        if named.get("scores") is None:
            named["scores"] = (_mixed(turn.hand),) * turn.spec.rules.seat_count
        honest(turn, at, *args, **named)

    _wrapped(monkeypatch, turn.Turn, "end", leak)


# --- refusals -------------------------------------------------------------------------------------


def refusal_names_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal says which card the next seat holds."""

    def leak(honest: Any, turn: Turn, event: Any, kind: Any, reason: Any, text: str) -> None:
        hand = turn.hand
        cards = () if hand is None else hand.hand(_next(hand, event.seat))
        honest(turn, event, kind, reason, text + "".join(f" ({card})" for card in cards[:1]))

    _wrapped(monkeypatch, table, "_refuse", leak)


def refusal_is_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal names no card, but is the longer by what is buried."""

    def leak(honest: Any, turn: Turn, event: Any, kind: Any, reason: Any, text: str) -> None:
        honest(turn, event, kind, reason, text + " " * _mixed(turn.hand))

    _wrapped(monkeypatch, table, "_refuse", leak)


def refusal_lists_anothers_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seat that is refused is told what the seat to act may do."""

    def leak(honest: Any, turn: Turn, *args: Any) -> None:
        before = len(turn.out)
        honest(turn, *args)
        for place, output in enumerate(turn.out[before:], before):
            if isinstance(output, Reject) and turn.hand is not None:
                turn.out[place] = replace(output, legal=legal_actions(turn.hand))

    _wrapped(monkeypatch, table, "_refuse", leak)


# --- when, and how much ---------------------------------------------------------------------------


def budget_by_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat has more time by what is buried."""

    def leak(honest: Any, turn: Turn, at: int) -> None:
        opened = turn.open
        if opened is not None:
            turn.open = opened._replace(budget_ms=opened.budget_ms + _mixed(turn.hand))
        honest(turn, at)

    _wrapped(monkeypatch, turn.Turn, "tell_decision", leak)


def forced_plays_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat with one legal action is not asked: it acts at once."""

    def leak(honest: Any, turn: Turn, at: int, seat: Seat) -> None:
        honest(turn, at, seat)
        if turn.hand is not None and turn.open is not None and len(legal_actions(turn.hand)) == 1:
            turn.out.pop()
            turn.play_default(at)
            turn.out.pop()

    _wrapped(monkeypatch, turn.Turn, "_ask", leak)


def writer_called_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writers of all sessions are called when a seat that holds a jack acts."""

    def leak(honest: Any, driver: Driver, seated: Any, outputs: Any) -> None:
        hand = seated.state.hand
        honest(driver, seated, outputs)
        if hand is not None and hand.to_act is not None:
            jacks = [card for card in hand.hand(hand.to_act) if card.rank is Rank.JACK]
            for line in filter(None, seated.lines if jacks else ()):
                line.outbox._notify()

    _wrapped(monkeypatch, Driver, "_carry_out", leak)


def default_looks_at_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock plays a seat's last choice, not its quietest, by what is buried."""

    def leak(honest: Any, state: State, *args: Any) -> Any:
        return legal_actions(state)[-1] if _mixed(state) > 2 else honest(state, *args)

    _wrapped(monkeypatch, turn, "default_action", leak)


# --- what is others' ------------------------------------------------------------------------------


def notes_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's note is sent to the others at its table."""

    def leak(honest: Any, desk: Desk, answer: Any) -> None:
        place = desk.line.places.get(answer.table_id)
        honest(desk, answer)
        for other in filter(None, place.table.lines if place and answer.annotation else ()):
            if other is not desk.line:
                text = wire.session_fault(SessionFaultReason.OUT_OF_PLACE, answer.annotation, 0)
                desk._driver.say(other, text)

    _wrapped(monkeypatch, Desk, "answered", leak)


def time_outs_are_told_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is told what the clock played, also where it put cards away."""

    def leak(honest: Any, turn: Turn, seat: Seat, message: Any) -> None:
        for each in turn.spec.rules.seats if isinstance(message, TimedOut) else [seat]:
            honest(turn, each, message)

    _wrapped(monkeypatch, turn.Turn, "tell", leak)


def goodbye_names_the_dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A goodbye says what was buried at the bot's tables."""

    def leak(honest: Any, conversation: Conversation, reason: Any, text: str) -> None:
        hands = [place.table.state.hand for place in conversation.line.places.values()]
        buried = [str(card) for hand in hands if hand is not None for card in hand.deal.buried]
        honest(conversation, reason, " ".join([text, *buried]))

    _wrapped(monkeypatch, Conversation, "end", leak)


# --- what the operator sees -----------------------------------------------------------------------


def log_binds_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log tells the hand of a seat that made a fault."""

    def leak(honest: Any, driver: Driver, seated: Any, fact: Any) -> None:
        honest(driver, seated, fact)
        hand = seated.state.hand
        cards = () if hand is None else hand.hand(fact.seat)
        seated.log.debug("fault", hand=[str(card) for card in cards])

    _wrapped(monkeypatch, Driver, "_count_fault", leak)


def log_tells_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log tells why an answer was refused, and so whether a suit could be followed."""

    def leak(honest: Any, driver: Driver, seated: Any, fact: Any) -> None:
        honest(driver, seated, fact)
        seated.log.info("refused", reason=fact.reason)

    _wrapped(monkeypatch, Driver, "_count_fault", leak)


def counts_by_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter counts what is buried."""

    def leak(honest: Any, driver: Driver, seated: Any, seat: Seat) -> None:
        honest(driver, seated, seat)
        driver.counts.steps += _mixed(seated.state.hand)

    _wrapped(monkeypatch, Driver, "_settled", leak)


LEAKS = (
    neighbours_hand_in_the_view,
    dealers_view_at_the_end,
    another_seats_view_on_request,
    another_seats_view_on_joining,
    seed_from_the_deck,
    scores_of_an_unfinished_hand,
    refusal_names_a_card,
    refusal_is_longer,
    refusal_lists_anothers_choices,
    budget_by_hidden_cards,
    forced_plays_are_not_asked,
    writer_called_for_nothing,
    default_looks_at_others,
    notes_are_passed_on,
    time_outs_are_told_to_all,
    goodbye_names_the_dummy,
    log_binds_a_hand,
    log_tells_the_reason,
    counts_by_cards,
)
