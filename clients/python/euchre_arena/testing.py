"""Owns a stand-in for the arena, so that bots can be tested without one.

The bot meets its real session machine; only the network and the other seats are missing:

    arena = ScriptedArena(MyBot())
    table = arena.open_table(game=Game.THREE_HANDED, seat=1)
    action = table.ask("play AS, play KS", hand="AS KS 9D", trump="S", maker=0)
    assert action == Action.play(Card["AS"])

Must not know rules: what is legal is what the test says, and views are as true as the test makes
them.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from itertools import count
from typing import Any, Final

from euchre_arena.actions import Action, ActionKind, write_action
from euchre_arena.bot import Bot
from euchre_arena.cards import Card, Suit
from euchre_arena.decision import Decision
from euchre_arena.events import Blame, EndCause, GoodbyeReason, RejectReason
from euchre_arena.games import Game, Table
from euchre_arena.player import Player
from euchre_arena.run import introduction_of
from euchre_arena.session import Session
from euchre_arena.trumps import trumps_for
from euchre_arena.v1 import action_pb2, rules_pb2, table_pb2, view_pb2
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.view import Phase, UpcardStatus

__all__ = ["ScriptedArena", "ScriptedTable", "legal_message", "view_message"]

_OPTIONS: Final[dict[str, bool | int | str]] = {
    "deck": "24",
    "target": 10,
    "joker_upcard": "hearts",
    "alone_march_points": 3,
}
_SEATS: Final = {Game.TWO_HANDED: 2, Game.THREE_HANDED: 3}
_PHASES: Final = {
    ActionKind.ORDER: Phase.BID1,
    ActionKind.CALL: Phase.BID2,
    ActionKind.TAKE: Phase.PICKUP,
    ActionKind.DECLINE: Phase.PICKUP,
    ActionKind.DISCARD: Phase.DISCARD,
    ActionKind.WITH_DUMMY: Phase.ALONE_MAKER,
    ActionKind.TOGETHER: Phase.ALONE_DEFENDER,
    ActionKind.KEEP: Phase.EXCHANGE,
    ActionKind.PLAY: Phase.PLAY,
    ActionKind.SWAP: Phase.SWAP,
    ActionKind.BID: Phase.BID,
    ActionKind.NAME: Phase.NAME,
    ActionKind.BURY: Phase.BURY,
    ActionKind.BEST: Phase.BEST,
}


class ScriptedArena:
    """Plays the arena to one bot.

    Attributes:
        sent: Every message that the bot has sent, Hello first.
    """

    def __init__(self, bot: Bot, *, bot_name: str = "bot") -> None:
        self._session = Session(introduction_of(bot, bot_name))
        self._player = Player(bot, self._session, self._at_once)
        self.sent: list[pb.BotMessage] = []
        self._numbers = count(1)
        self.tell(
            welcome=pb.Welcome(
                protocol_version=1,
                instance_id="instance",
                session_id="session",
                resume_token="resume",  # noqa: S106 - a stand-in
                bot_name=bot_name,
                limits=pb.Limits(
                    max_frame_bytes=65_536,
                    max_annotation_bytes=256,
                    max_name_bytes=64,
                    max_queue_bytes=1 << 20,
                    max_tables=64,
                    max_open_decisions=64,
                    max_session_faults=16,
                    idle_ms=60_000,
                    max_useless_messages=1_000,
                    useless_per_second=20,
                ),
            )
        )

    def tell(self, **arms: Any) -> list[pb.BotMessage]:  # noqa: ANN401 - arms of the oneof
        """Sends messages in one frame, each named by its arm, and returns what the bot sent.

        Raises:
            BotError: The bot's own code failed.
        """
        frame = pb.ConnectResponse(
            messages=[pb.ArenaMessage(**{name: message}) for name, message in arms.items()]
        )
        self._player.receive(frame)
        new = [message for out in self._session.take() for message in out.messages]
        self.sent += new
        return new

    def open_table(
        self,
        *,
        game: Game = Game.THREE_HANDED,
        seat: int = 0,
        options: dict[str, bool | int | str] | None = None,
        bot_seed: int = 1,
        table_id: str | None = None,
    ) -> "ScriptedTable":
        """Opens a table. Options that are not given stand at 24 cards and ten points."""
        table_id = table_id or f"table-{next(self._numbers)}"
        seat_count = _SEATS.get(game, 4)
        values: dict[str, bool | int | str] = {**_OPTIONS, **(options or {})}
        self.tell(
            table_opened=table_pb2.TableOpened(
                table_id=table_id,
                seat=seat,
                ruleset=rules_pb2.Ruleset(
                    preset=game.name.lower().replace("_", "-"),
                    game=game.value,  # type: ignore[arg-type]  # the numbers are the same
                    seat_count=seat_count,
                    options=[_option(name, value) for name, value in values.items()],
                ),
                seats=[
                    table_pb2.SeatName(seat=place, bot_name=f"bot-{place}")
                    for place in range(seat_count)
                ],
                clock=table_pb2.Clock(budget_ms=500, bank_ms=10_000, grace_ms=50, first_ms=5_000),
                fault_policy=table_pb2.FaultPolicy(
                    kind=table_pb2.FAULT_POLICY_KIND_LENIENT, fault_limit=10
                ),
                bot_seed=bot_seed,
            )
        )
        return ScriptedTable(self, self._session.tables[table_id])

    def say_goodbye(self, reason: GoodbyeReason = GoodbyeReason.DONE, text: str = "") -> None:
        """Ends the session."""
        self.tell(goodbye=pb.Goodbye(reason=reason.value, text=text))  # type: ignore[arg-type]

    def _at_once(self, decision: Decision, action: Awaitable[Action], asked_at: float) -> None:
        async def wait() -> Action:
            return await action

        self._player.settle(decision, asyncio.run(wait()), asked_at)


class ScriptedTable:
    """One table of a `ScriptedArena`.

    Attributes:
        table: The table as the bot knows it.
        decision_id: The number of the last decision.
    """

    def __init__(self, arena: ScriptedArena, table: Table) -> None:
        self._arena = arena
        self.table = table
        self.decision_id = 0
        self._legal: Sequence[str] = ()

    def ask(self, legal: str, **view: Any) -> Action | None:  # noqa: ANN401 - see view_message
        """Puts a decision and returns the bot's answer; None if it gave none.

        Args:
            legal: The legal actions, such as `play AS, play KS` or `keep 5 of AC KC ...`.
            **view: What the seat knows, as arguments of `view_message`.

        Raises:
            BotError: The bot's own code failed.
            ValueError: A text cannot be read.
        """
        self.decision_id += 1
        self._legal = [text.strip() for text in legal.split(",")]
        listed, choose = legal_message(self._legal)
        view.setdefault("phase", _phase(self._legal))
        message = table_pb2.Decision(
            table_id=self.table.id,
            decision_id=self.decision_id,
            time_left_ms=500,
            bank_left_ms=10_000,
            view=view_message(self.table, **view),
            legal=listed,
            choose=choose,
        )
        return self._answer(self._arena.tell(decision=message))

    def reject(
        self, text: str = "refused", *, reason: RejectReason = RejectReason.NOT_ALLOWED
    ) -> Action | None:
        """Refuses the last answer and returns the next one; None if the bot gives none."""
        listed, choose = legal_message(self._legal)
        rejected = table_pb2.Rejected(
            table_id=self.table.id,
            decision_id=self.decision_id,
            reason=reason.value,  # type: ignore[arg-type]
            text=text,
            legal=listed,
            choose=choose,
            time_left_ms=400,
            fault_count=1,
        )
        return self._answer(self._arena.tell(rejected=rejected))

    def time_out(self, played: str) -> None:
        """Lets the clock play for the seat."""
        message = table_pb2.TimedOut(
            table_id=self.table.id,
            decision_id=self.decision_id,
            charged_ms=500,
            bank_left_ms=10_000,
            fault_count=1,
        )
        write_action(Action.parse(played), message.played)
        self._arena.tell(timed_out=message)

    def end_hand(self, *, points: Sequence[int], **view: Any) -> None:  # noqa: ANN401 - as in ask
        """Ends the hand with these points, per seat."""
        message = view_message(self.table, phase=Phase.DONE, points=points, **view)
        self._arena.tell(
            hand_ended=table_pb2.HandEnded(table_id=self.table.id, view=message, scores=points)
        )

    def close(self, *, scores: Sequence[int], winners: Sequence[int] = (0,)) -> None:
        """Closes the table."""
        self._arena.tell(
            table_closed=table_pb2.TableClosed(
                table_id=self.table.id,
                scores=scores,
                winners=winners,
                cause=EndCause.PLAYED.value,  # type: ignore[arg-type]
                blame=Blame.NONE.value,  # type: ignore[arg-type]
                rated=True,
            )
        )

    def _answer(self, messages: Sequence[pb.BotMessage]) -> Action | None:
        for message in messages:
            answer = message.answer
            if answer.table_id == self.table.id and answer.decision_id == self.decision_id:
                return Action(
                    ActionKind(answer.action.kind),
                    suit=Suit(answer.action.suit) if answer.action.suit else None,
                    bid=answer.action.bid,
                    cards=tuple(map(Card, answer.action.cards)),
                )
        return None


def legal_message(
    texts: Sequence[str],
) -> tuple[list[action_pb2.Action], action_pb2.Choose | None]:
    """Returns legal actions as the arena writes them: a list, or one choice of cards.

    Raises:
        ValueError: A text cannot be read.
    """
    words = texts[0].split()
    if len(texts) == 1 and words[2:3] == ["of"]:
        choose = action_pb2.Choose(count=int(words[1]), pool=_cards(words[3:]))  # type: ignore[arg-type]
        choose.kind = ActionKind[words[0].upper()].value  # type: ignore[assignment]
        return [], choose
    listed = [action_pb2.Action() for _ in texts]
    for text, message in zip(texts, listed, strict=True):
        write_action(Action.parse(text), message)
    return listed, None


def view_message(
    table: Table,
    *,
    phase: Phase,
    hand: str = "",
    dealer: int | None = None,
    history: Sequence[str] = (),
    upcard: str = "",
    trump: str = "",
    maker: int | None = None,
    dummy: str = "",
    discarded: str = "",
    scores: Sequence[int] = (),
    points: Sequence[int] = (),
    alone: Sequence[int] = (),
    sitting_out: Sequence[int] = (),
) -> view_pb2.View:
    """Returns a view made of texts; what is left out follows from the history.

    Args:
        table: The table.
        phase: The phase.
        hand: The own cards, such as `AS KS 9D`.
        dealer: The dealer; by default the last seat.
        history: What happened, oldest first, such as `["0 order", "1 play AC"]`.
        upcard: The turned card.
        trump: The trump suit.
        maker: The maker.
        dummy: The dummy's cards, as the maker sees them.
        discarded: What this seat put away.
        scores: Before the hand, per seat.
        points: Of the hand, per seat, when it is over.
        alone: The seats that play alone.
        sitting_out: The seats that do not play.

    Raises:
        ValueError: A text cannot be read.
    """
    steps = [(int(step[0]), Action.parse(step[2:])) for step in history]
    for seat, action in steps:
        if action.kind in (ActionKind.ORDER, ActionKind.CALL):
            maker = seat if maker is None else maker
            trump = trump or (action.suit.name if action.suit else upcard[1:])
    plays = [(seat, action.cards[0]) for seat, action in steps if action.kind is ActionKind.PLAY]
    size = table.seat_count - len(sitting_out)
    tricks = [plays[at : at + size] for at in range(0, len(plays), size)]
    worth = trumps_for(Suit[trump] if trump else None, bowers=table.game.has_bowers)
    winners = [
        trick[worth.winner([card for _, card in trick])][0]
        for trick in tricks
        if len(trick) == size
    ]
    current = tricks[-1] if tricks and len(tricks[-1]) < size else []
    taken = any(action.kind is ActionKind.TAKE for _, action in steps)
    status = UpcardStatus.FACE_UP if maker is None else UpcardStatus.DECLINED
    message = view_pb2.View(
        seat=table.seat,
        phase=phase.value,  # type: ignore[arg-type]
        dealer=table.seat_count - 1 if dealer is None else dealer,
        hand_number=1,
        hand=_cards(hand.split()),  # type: ignore[arg-type]
        card_counts=[
            5 - sum(1 for seat, _ in plays if seat == place) for place in range(table.seat_count)
        ],
        dummy=_cards(dummy.split()),  # type: ignore[arg-type]
        discarded=_cards(discarded.split()),  # type: ignore[arg-type]
        history_seats=[seat for seat, _ in steps],
        history_kinds=[action.kind.value for _, action in steps],  # type: ignore[misc]
        history_values=[_shown(action) for _, action in steps],
        trick_leaders=[trick[0][0] for trick in tricks],
        trick_winners=winners,
        trick_cards=[card for _, card in current],  # type: ignore[misc]
        trick_seats=[seat for seat, _ in current],
        alone=alone,
        sitting_out=sitting_out,
        tricks_won=[winners.count(place) for place in range(table.seat_count)],
        scores=scores or [0] * table.seat_count,
        points=points,
        maker=maker,
        to_act=None if phase is Phase.DONE else table.seat,
    )
    if trump:
        message.trump = Suit[trump].value  # type: ignore[assignment]
    if upcard:
        message.upcard = Card[upcard].value  # type: ignore[assignment]
        message.upcard_status = (UpcardStatus.TAKEN if taken else status).value  # type: ignore[assignment]
    return message


def _cards(texts: Iterable[str]) -> list[int]:
    try:
        return [Card[text].value for text in texts]
    except KeyError as error:
        raise ValueError(f"{error} is no card: write the rank first, such as JD") from None


def _shown(action: Action) -> int:
    hidden = (ActionKind.DISCARD, ActionKind.KEEP, ActionKind.SWAP, ActionKind.BURY)
    if action.cards and action.kind not in hidden:
        return action.cards[0]
    return action.suit or action.bid


def _phase(legal: Sequence[str]) -> Phase:
    kinds = [ActionKind[text.split()[0].upper()] for text in legal]
    return next((_PHASES[kind] for kind in kinds if kind in _PHASES), Phase.BID1)


def _option(name: str, value: bool | int | str) -> rules_pb2.RuleOption:  # noqa: FBT001 - a value
    if isinstance(value, bool):
        return rules_pb2.RuleOption(name=name, flag=value)
    if isinstance(value, int):
        return rules_pb2.RuleOption(name=name, number=value)
    return rules_pb2.RuleOption(name=name, text=value)
