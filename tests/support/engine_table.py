"""Plays hands of the real engine with client bots in this process, without server and network.

Owns the way from an engine's view to a decision as a bot gets it.
"""

from collections.abc import Sequence
from typing import Any

from euchre_arena import Bot, Decision, Table
from euchre_arena.player import Player
from euchre_arena.session import Introduction, Session
from euchre_arena.v1 import arena_service_pb2, rules_pb2, table_pb2, view_pb2
from euchre_engine import (
    Action,
    ActionKind,
    Choose,
    Outcome,
    Ruleset,
    Seat,
    State,
    View,
    apply,
    flat,
    legal_actions,
    outcome,
    start_hand,
    unflatten,
    view_for,
)

__all__ = [
    "EngineSeat",
    "decision_message",
    "play_hand",
    "play_out",
    "table_message",
    "view_message",
]

GAMES = {"two-handed": 1, "three-handed": 2, "four-handed": 3}
_SHOWN_CARD = (ActionKind.PLAY, ActionKind.BEST)


def table_message(rules: Ruleset, seat: int, bot_seed: int = 1) -> table_pb2.TableOpened:
    """Returns the first message about a table."""
    options = [
        rules_pb2.RuleOption(name=name, flag=value)
        if isinstance(value, bool)
        else rules_pb2.RuleOption(name=name, number=value)
        if isinstance(value, int)
        else rules_pb2.RuleOption(name=name, text=str(value))
        for name, value in rules.options.items()
    ]
    return table_pb2.TableOpened(
        table_id=f"table-{seat}",
        seat=seat,
        ruleset=rules_pb2.Ruleset(
            preset=rules.preset,
            game=GAMES[rules.game],  # type: ignore[arg-type]
            seat_count=rules.seat_count,
            options=options,
        ),
        seats=[table_pb2.SeatName(seat=s, bot_name=f"bot-{s}") for s in rules.seats],
        bot_seed=bot_seed,
    )


def view_message(view: View) -> view_pb2.View:
    """Returns an engine's view as a bot gets it."""
    numbers: dict[str, Any] = {
        "seat": view.seat,
        "to_act": view.to_act,
        "maker": view.maker,
        "trump": view.trump or 0,
        "upcard": view.upcard or 0,
    }
    leaders = [trick.leader for trick in view.tricks]
    if view.trick:
        leaders.append(view.trick.leader)
    plays = [(item.seat, item.card) for item in view.history if item.kind == ActionKind.PLAY]
    on_table = plays[len(plays) - len(view.trick.cards) :] if view.trick else []
    return view_pb2.View(
        phase=view_pb2.Phase.Value(f"PHASE_{view.phase}"),
        dealer=view.dealer,
        hand_number=view.hand_number,
        hand=view.hand,  # type: ignore[arg-type]  # cards have the protocol's numbers
        card_counts=view.card_counts,
        upcard_status=view.upcard_status,  # type: ignore[arg-type]
        dummy=view.dummy,  # type: ignore[arg-type]
        discarded=view.discarded,  # type: ignore[arg-type]
        history_seats=[item.seat for item in view.history],
        history_kinds=[item.kind for item in view.history],  # type: ignore[misc]
        history_values=[
            item.suit or item.bid or (item.card if item.kind in _SHOWN_CARD and item.card else 0)
            for item in view.history
        ],
        trick_leaders=leaders,
        trick_winners=[trick.winner or 0 for trick in view.tricks],
        trick_cards=[card or 0 for _, card in on_table],  # type: ignore[misc]
        trick_seats=[seat for seat, _ in on_table],
        alone=view.alone,
        sitting_out=view.sitting_out,
        tricks_won=view.tricks_won,
        scores=view.scores,
        points=view.points or (),
        redeals=view.redeals,
        **numbers,
    )


def decision_message(state: State, seat: Seat, number: int) -> table_pb2.Decision:
    """Returns the question that the seat to act would be asked."""
    message = table_pb2.Decision(
        table_id=f"table-{seat}",
        decision_id=number,
        time_left_ms=500,
        bank_left_ms=10_000,
        view=view_message(view_for(state, seat)),
    )
    legal = legal_actions(state)
    if isinstance(legal, Choose):
        message.choose.kind = legal.kind.value  # type: ignore[assignment]
        message.choose.count = legal.count
        message.choose.pool.extend(legal.pool)  # type: ignore[arg-type]
        return message
    for action in legal:
        row = flat(action)
        one = message.legal.add(kind=row.kind.value, bid=row.bid)
        one.suit = row.suit.value if row.suit else 0  # type: ignore[assignment]
        one.cards.extend(row.cards)  # type: ignore[arg-type]
    return message


class EngineSeat:
    """A client bot at a seat of an engine's table, behind a real session machine."""

    def __init__(self, bot: Bot, rules: Ruleset, seat: int, bot_seed: int = 1) -> None:
        self.session = Session(Introduction())
        self.player = Player(bot, self.session, _no_waiting)
        self.session.take()
        self.decisions = 0
        self._tell(table_opened=table_message(rules, seat, bot_seed))
        self.table: Table = self.session.tables[f"table-{seat}"]

    def choose(self, state: State, seat: Seat) -> Action:
        """Returns the bot's answer.

        Raises:
            AssertionError: It gave none.
        """
        self.decisions += 1
        self._tell(decision=decision_message(state, seat, self.decisions))
        answers = [m.answer for frame in self.session.take() for m in frame.messages]
        if [answer.decision_id for answer in answers] != [self.decisions]:
            raise AssertionError(f"asked {self.decisions}, answered {answers}")
        action = answers[0].action
        return unflatten(action.kind, action.suit, action.bid, action.cards)

    def _tell(self, **message: Any) -> None:  # noqa: ANN401 - an arm of the oneof
        frame = arena_service_pb2.ConnectResponse(
            messages=[arena_service_pb2.ArenaMessage(**message)]
        )
        self.player.receive(frame)


def play_out(state: State, seats: Sequence[EngineSeat]) -> State:
    """Plays a hand to its end.

    Raises:
        AssertionError: A bot's answer was not legal.
    """
    while state.to_act is not None:
        action = seats[state.to_act].choose(state, state.to_act)
        if action not in legal_actions(state):
            raise AssertionError(f"{action} is not among {legal_actions(state)}")
        state = apply(state, action)
    return state


def play_hand(
    rules: Ruleset, dealer: int, deck: Sequence[int], seats: Sequence[EngineSeat]
) -> Outcome:
    """Plays one hand and returns what it did to the game.

    Raises:
        AssertionError: A bot's answer was not legal.
    """
    state = start_hand(rules, dealer=Seat(dealer), deck=deck)  # type: ignore[arg-type]
    result = outcome(play_out(state, seats))
    if result is None:
        raise AssertionError("a hand without anybody to act is not done")
    return result


def _no_waiting(decision: Decision, action: object, asked_at: float) -> None:
    raise AssertionError(f"{decision} was not answered at once: {action}, {asked_at}")
