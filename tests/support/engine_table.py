"""Plays hands of the real engine with client bots in this process, without referee and network.

Owns the shortest way from a position to a bot and back: the server's own wire on one side, the
client's own session machine on the other.
"""

from collections.abc import Sequence

from euchre_arena import Bot, Decision
from euchre_arena.player import Player
from euchre_arena.session import Introduction, Session
from euchre_arena.v1 import arena_service_pb2
from euchre_engine import (
    Action,
    Card,
    Outcome,
    Ruleset,
    Seat,
    State,
    Suit,
    View,
    apply,
    legal_actions,
    outcome,
    start_hand,
    unflatten,
    view_for,
)
from euchre_server.referee.outputs import Ask, Message, Seated
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode, TableSpec
from euchre_server.session.wire import Lean, frame, seat_message

__all__ = ["EngineSeat", "play_hand", "play_out"]


class EngineSeat:
    """A client bot at a seat of an engine's table.

    Attributes:
        decisions: How many questions the bot has been asked.
    """

    def __init__(
        self, bot: Bot, rules: Ruleset, seat: int, bot_seed: int = 1, *, is_lean: bool = False
    ) -> None:
        self.decisions = 0
        self._seat = Seat(seat)
        self._spec = TableSpec(
            table_id="table",
            number=1,
            rules=rules,
            bots=tuple(f"bot-{number}" for number in rules.seats),
            mode=TableMode.BOARD,
            board=1,
            seating=1,
            first_dealer=Seat(0),
            deal_key=b"",
            relabelling=(Suit.C, Suit.D, Suit.H, Suit.S),
            clock=ClockSpec(),
            policy=FaultPolicy(),
            commitment=b"",
            bot_seeds=(bot_seed,) * rules.seat_count,
        )
        self._words = Lean().seat_message if is_lean else seat_message
        self._session = Session(Introduction(is_lean=is_lean))
        self._session.take()
        self._player = Player(bot, self._session, _no_waiting)
        self._tell(Seated())

    def choose(self, state: State, view: View | None = None) -> Action:
        """Returns the bot's answer in a position, to its true view or to another one.

        Raises:
            AssertionError: It gave none.
        """
        self.decisions += 1
        view = view_for(state, self._seat) if view is None else view
        self._tell(Ask(self.decisions, 500, 10_000, view, legal_actions(state)))
        answers = [m.answer for out in self._session.take() for m in out.messages]
        if [answer.decision_id for answer in answers] != [self.decisions]:
            raise AssertionError(f"asked {self.decisions}, answered {answers}")
        action = answers[0].action
        return unflatten(action.kind, action.suit, action.bid, action.cards)

    def _tell(self, message: Message) -> None:
        data = frame([self._words(self._spec, self._seat, message)])
        self._player.receive(arena_service_pb2.ConnectResponse.FromString(data))


def play_out(state: State, seats: Sequence[EngineSeat]) -> State:
    """Returns the end of a hand that these seats play on.

    Raises:
        AssertionError: A bot's answer was not legal.
    """
    while state.to_act is not None:
        action = seats[state.to_act].choose(state)
        if action not in legal_actions(state):
            raise AssertionError(f"{action} is not among {legal_actions(state)}")
        state = apply(state, action)
    return state


def play_hand(
    rules: Ruleset, dealer: int, deck: Sequence[Card], seats: Sequence[EngineSeat]
) -> Outcome:
    """Plays one hand and returns what it did to the game.

    Raises:
        AssertionError: A bot's answer was not legal, or the hand has no end.
    """
    result = outcome(play_out(start_hand(rules, dealer=Seat(dealer), deck=deck), seats))
    if result is None:
        raise AssertionError("a hand without anybody to act is not done")
    return result


def _no_waiting(decision: Decision, action: object, asked_at: float) -> None:
    raise AssertionError(f"{decision} was not answered at once: {action}, {asked_at}")
