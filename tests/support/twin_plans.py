"""What happens in twin sessions: answers of every kind, and everything that can go wrong.

Owns the drawing of what happens next, the same for both arenas; what bots other than the observer
do with cards that he cannot see is mirrored. Must not know what may be told to whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drawn_hands import draw_text
from session_fakes import bot_frame
from twin_arenas import SIDES
from twin_tables import Leak, Public

from euchre_arena.v1 import action_pb2
from euchre_arena.v1.arena_service_pb2 import Answer, BotMessage, Goodbye, Hello, Pong
from euchre_arena.v1.event_pb2 import ViewRequest
from euchre_engine import Seat
from euchre_engine.actions import Action, flat, parse_action
from euchre_engine.errors import ActionError
from euchre_engine.hand import is_legal
from euchre_server.referee.facts import EndCause
from euchre_server.session import GoodbyeReason

if TYPE_CHECKING:
    from collections.abc import Callable

    from twin_arenas import TwinBot
    from twin_sessions import Pair

    from euchre_engine.state import State
    from euchre_server.session.tables import Table

__all__ = ["play_pair"]

TRIES = 8
"""How many actions are looked at for one that both sides can take."""


class _Put(NamedTuple):
    """A question that waits for its answer, and where the hand stands that it is about."""

    bot: TwinBot
    table_id: str
    states: tuple[State, State]


async def play_pair(pair: Pair, *, steps: int = 150) -> None:
    """Plays twin sessions until their tables are over, or the difference is public.

    Raises:
        Leak: Somebody was shown what he may not know.
    """
    with pair.arenas:
        try:
            _begin(pair)
            for _ in range(steps):
                if not _goes_on(pair):
                    break
                _draw(pair)(pair)
                pair.settle()
            await _finish(pair)
            pair.tally["alike to the end"] += 1
        except Public as reason:
            pair.tally[f"public: {reason}"] += 1


def _begin(pair: Pair) -> None:
    for bot in pair.bots:
        pair.arenas.expect(bot)
        if bot is pair.observer or pair.rng.random() < 0.9:
            pair.dial(bot)
    pair.open_table()
    pair.settle()


def _goes_on(pair: Pair) -> bool:
    """Returns whether there is a table to be played, after opening one that is waited for."""
    open_tables = len(pair.arenas.sides[0].driver.tables)
    if pair.unopened and (not open_tables or pair.rng.random() < 0.05):
        pair.open_table()
        pair.settle()
    return bool(pair.unopened or pair.arenas.sides[0].driver.tables)


async def _finish(pair: Pair) -> None:
    """Ends the match as a match is ended: tables, standings, goodbyes."""
    arenas = pair.arenas
    if arenas.sides[0].driver.tables:
        cause = pair.rng.choice([EndCause.STOPPED, EndCause.ARENA_FAULT])
        arenas.both(lambda side: arenas.sides[side].server.stop_tables(cause))
        pair.settle()
    standings = pair.standings()
    if standings is not None:
        for side in SIDES:
            await arenas.sides[side].server.announce_match_end("match", standings)
    reason = pair.rng.choice([GoodbyeReason.DONE, GoodbyeReason.DRAINING])
    for bot in pair.bots:
        session = bot.session
        if session is not None:
            for side in SIDES:
                session.conversations[side].end(reason, "the match is over")
    pair.settle()
    for bot in pair.bots:
        if bot.session is not None:
            pair.read(bot, bot.session)


# What happens


def _draw(pair: Pair) -> Callable[[Pair], None]:
    if pair.rng.random() > pair.trouble:
        return _answer
    (happening,) = pair.rng.choices(list(_HAPPENINGS), list(_HAPPENINGS.values()))
    return happening


def _questions(pair: Pair) -> list[_Put]:
    """Returns the questions that wait, and are still what is asked."""
    waiting = []
    for bot in pair.bots:
        for table_id in bot.asked:
            one, other = (pair.arenas.hand_at(side, table_id) for side in SIDES)
            seat = pair.tables[table_id].spec.bots.index(bot.name)
            if one is not None and other is not None and one.to_act == seat == other.to_act:
                waiting.append(_Put(bot, table_id, (one, other)))
    return waiting


def _answer(pair: Pair) -> None:
    """A bot answers, rightly."""
    put = _questions(pair)
    if not put:
        pair.arenas.advance(pair.rng.choice([1, 7]))
        return
    chosen = pair.rng.choice(put)
    for _ in range(pair.rng.choice([1, TRIES])):
        action = pair.style.choose(pair.rng, chosen.states[0])
        twin = _twin_of(pair, chosen, action)
        if is_legal(chosen.states[1], twin):
            _send(pair, chosen, (action, twin))
            del chosen.bot.asked[chosen.table_id]
            return
        if chosen.bot is pair.observer:
            raise Leak(f"{action} is legal on one side only")
    raise pair.tables[chosen.table_id].public("no action is open on both sides")


def _wrong(pair: Pair) -> None:
    """A bot answers something that is refused, or might be."""
    put = _questions(pair)
    if not put:
        return
    chosen = pair.rng.choice(put)
    text = draw_text(pair.rng, chosen.states[0])
    seat = Seat(pair.tables[chosen.table_id].spec.bots.index(chosen.bot.name))
    held = [{card.text for card in state.hand(seat)} for state in chosen.states]
    if held[0] != held[1] and pair.rng.random() < 0.7:  # wrong for another reason on each side
        text = f"play {pair.rng.choice(sorted(held[0] ^ held[1]))}"
    elif pair.rng.random() < 0.1:
        text = pair.rng.choice(["pass", f"discard {chosen.states[0].upcard}"])
    elif held[0] and pair.rng.random() < 0.3:
        text = f"play {pair.rng.choice(sorted(held[0]))}"
    try:
        action = parse_action(text)
    except ActionError:
        return
    twin = action if chosen.bot is pair.observer else _twin_of(pair, chosen, action)
    if chosen.bot is pair.observer or not any(
        is_legal(state, one) for state, one in zip(chosen.states, (action, twin), strict=True)
    ):
        _send(pair, chosen, (action, twin))


def _garbled(pair: Pair) -> None:
    """A bot answers with something that is no action."""
    put = _questions(pair)
    if put:
        chosen = pair.rng.choice(put)
        wrong = pair.rng.choice(
            [
                action_pb2.Action(),
                action_pb2.Action(kind=99),  # type: ignore[arg-type]  # no such kind
                action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, cards=[60]),  # type: ignore[list-item]
                action_pb2.Action(kind=action_pb2.ACTION_KIND_CALL),
                action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, cards=[1, 2, 3]),  # type: ignore[list-item]
            ]
        )
        _send_raw(pair, chosen.bot, chosen.table_id, (wrong, wrong))


def _stale(pair: Pair) -> None:
    """A bot answers a question that is over, was never put, or is of no table of its."""
    bot = pair.rng.choice(pair.bots)
    table_id, number = pair.rng.choice(bot.answered or [("nowhere", 1)])
    number = pair.rng.choice([number, number + 7, -1])
    action = action_pb2.Action(kind=action_pb2.ACTION_KIND_PASS)
    answer = Answer(table_id=table_id, decision_id=number, action=action)
    _say(pair, bot, BotMessage(answer=answer))


def _flood(pair: Pair) -> None:
    """A bot answers much more than it was asked."""
    bot = pair.rng.choice(pair.bots)
    table_id, number = pair.rng.choice(bot.answered or [("nowhere", 1)])
    answer = Answer(table_id=table_id, decision_id=number)
    if bot.session is not None:
        frame = bot_frame(*[answer] * pair.rng.choice([10, 60]))
        pair.arenas.receive(bot.session, [frame, frame])


def _send(pair: Pair, put: _Put, actions: tuple[Action, Action]) -> None:
    rows = tuple(flat(action) for action in actions)
    one, other = (
        action_pb2.Action(kind=int(row.kind), suit=int(row.suit or 0), bid=row.bid, cards=row.cards)  # type: ignore[arg-type]
        for row in rows
    )
    put.bot.named |= {card.text for card in rows[0].cards}
    _send_raw(pair, put.bot, put.table_id, (one, other))


def _send_raw(
    pair: Pair, bot: TwinBot, table_id: str, actions: tuple[action_pb2.Action, action_pb2.Action]
) -> None:
    """Answers, with a note that betrays the hand wherever it is another's."""
    session = bot.session
    if session is None or session.is_over:
        return
    asked = bot.asked[table_id]
    frames = []
    for side in SIDES:
        state = pair.arenas.hand_at(side, table_id)
        seat = Seat(pair.tables[table_id].spec.bots.index(bot.name))
        held = "" if state is None else " ".join(card.text for card in state.hand(seat))
        own = bot is pair.observer
        answer = Answer(
            table_id=table_id,
            decision_id=asked[side].decision_id,
            action=actions[side],
            annotation="my own note" if own else f"I hold {held}",
            think_ms=7 if own else 7 + side,
        )
        frames.append(bot_frame(answer))
    bot.answered.append((table_id, asked[0].decision_id))
    pair.arenas.receive(session, frames)


def _twin_of(pair: Pair, put: _Put, action: Action) -> Action:
    table = pair.tables[put.table_id]
    seat = table.spec.bots.index(put.bot.name)
    return parse_action(table.mirrored(seat, str(action)))


# Time


def _wait(pair: Pair) -> None:
    """Time passes, perhaps so much that clocks play."""
    pair.arenas.advance(pair.rng.choice([1, 20, 49, 50, 51, 400, 1_000, 5_001]))


def _wait_for_joining(pair: Pair) -> None:
    """So much time passes that nobody is waited for any more."""
    pair.arenas.advance(10_000)


def _stall(pair: Pair) -> None:
    """The arena stands still."""
    pair.arenas.stall(pair.rng.choice([30, 200, 3_000]))


# Sessions


def _say(pair: Pair, bot: TwinBot, message: BotMessage | Pong | Hello) -> None:
    if bot.session is not None:
        frame = bot_frame(message)
        pair.arenas.receive(bot.session, [frame, frame])


def _pong(pair: Pair) -> None:
    bot = pair.rng.choice(pair.bots)
    if bot.nonces and bot.session is not None:
        nonces = bot.nonces.pop()
        pair.arenas.receive(bot.session, [bot_frame(Pong(nonce=nonce)) for nonce in nonces])


def _look(pair: Pair) -> None:
    """A bot asks to be shown where a table stands, whether it may or not."""
    table_id = pair.rng.choice([*pair.tables, "nowhere"])
    request = BotMessage(view_request=ViewRequest(table_id=table_id))
    _say(pair, pair.rng.choice(pair.bots), request)


def _nonsense(pair: Pair) -> None:
    """A bot says what is of no use."""
    bot = pair.rng.choice(pair.bots)
    if bot.session is None:
        return
    rng = pair.rng
    frame = rng.choice(
        [
            b"\xff" + rng.randbytes(9),
            b"\x0a" * (LONG + 1),
            bot_frame(Hello(protocol_version=1)),
            bot_frame(BotMessage()),
            bot_frame(BotMessage(), BotMessage(), BotMessage(), BotMessage()),
        ]
    )
    pair.arenas.receive(bot.session, [frame, frame])


LONG = 65_536


def _lose(pair: Pair) -> None:
    """A connection breaks."""
    bot = pair.rng.choice(pair.bots)
    if bot.session is not None:
        pair.arenas.lose(bot.session)


def _redial(pair: Pair) -> None:
    """A bot comes, or comes back, or comes twice."""
    rng = pair.rng
    bot = rng.choice(pair.bots)
    if bot.session is not None and not bot.session.is_over and rng.random() < 0.5:
        return
    if rng.random() < 0.1:
        wrong = Hello(protocol_version=rng.choice([0, 1, 9]), bot_name="else")
        pair.arenas.dial(bot, rng.choice([None, wrong]))
    else:
        bot.asked.clear()
        pair.dial(bot, resumes=bool(bot.tokens[0]) and rng.random() < 0.8)


def _leave(pair: Pair) -> None:
    """A bot says goodbye."""
    _say(pair, pair.rng.choice(pair.bots), BotMessage(goodbye=Goodbye(text="bye")))


def _die(pair: Pair) -> None:
    """A bot's process ends."""
    bot = pair.rng.choice(pair.bots)
    arenas = pair.arenas
    arenas.both(lambda side: arenas.sides[side].server.bot_died(bot.name, "exit status 1"))


def _stop(pair: Pair) -> None:
    """The match is stopped."""
    arenas = pair.arenas
    cause = pair.rng.choice([EndCause.STOPPED, EndCause.ARENA_FAULT])
    arenas.both(lambda side: arenas.sides[side].server.stop_tables(cause))


def _drain(pair: Pair) -> None:
    """The arena is told to stop: hands are finished, games rest."""
    arenas = pair.arenas
    arenas.both(lambda side: arenas.sides[side].driver.drain(_tables(pair, side)))


def _tables(pair: Pair, side: int) -> list[Table]:
    return list(pair.arenas.sides[side].driver.tables.values())


_HAPPENINGS: dict[Callable[[Pair], None], float] = {
    _answer: 60,
    _wrong: 8,
    _garbled: 3,
    _stale: 5,
    _flood: 1,
    _wait: 10,
    _wait_for_joining: 0.5,
    _stall: 2,
    _pong: 4,
    _look: 6,
    _nonsense: 2,
    _lose: 2,
    _redial: 5,
    _leave: 0.5,
    _die: 0.5,
    _stop: 0.3,
    _drain: 0.3,
}
