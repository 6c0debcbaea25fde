"""What a bot can do wrong at a table on the bench: one function a class of docs/faults.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fault_bench import LIMITS, Bench
from phase_positions import BUDGET_MS
from session_fakes import bot_frame

from euchre_arena.v1.action_pb2 import Action
from euchre_arena.v1.arena_service_pb2 import Answer, BotMessage, Hello
from euchre_engine import Card, Play, Seat, legal_actions

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DEEDS"]


def _say(bench: Bench, seat: Seat, *messages: Answer | BotMessage | Hello) -> None:
    bench.bot(seat).say(*messages)


def _silence(bench: Bench, _: Seat) -> None:
    bench.pass_time(BUDGET_MS)


def _late(bench: Bench, seat: Seat) -> None:
    answer = bench.answer(bench.number)
    bench.pass_time(BUDGET_MS)
    _say(bench, seat, answer)


def _illegal(bench: Bench, seat: Seat) -> None:
    hand = bench.state.hand
    assert hand is not None
    legal = legal_actions(hand)
    wrong = next(play for play in map(Play, Card) if play not in legal)
    _say(bench, seat, bench.answer(bench.number, wrong))


def _unknown_decision(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, bench.answer(bench.number + 1))


def _garbled(bench: Bench, seat: Seat) -> None:
    unreadable = Action(kind=99)  # type: ignore[arg-type]  # a kind that there is not
    _say(bench, seat, bench.answer(bench.number, unreadable))


def _unset_action(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, bench.answer(bench.number, Action()))


def _stale(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, bench.answer(bench.number - 1))


def _duplicate(bench: Bench, seat: Seat) -> None:
    answer = bench.answer(bench.number)
    _say(bench, seat, answer, answer)


def _foreign_seat(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, bench.answer(bench.number))


def _foreign_table(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, _about_another_table(bench))


def _about_another_table(bench: Bench) -> Answer:
    answer = bench.answer(bench.number)
    answer.table_id = "another"
    return answer


def _unset_message(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, BotMessage())


def _undecodable(bench: Bench, seat: Seat) -> None:
    bench.bot(seat).conversation.receive(b"\xff\xff")


def _oversized(bench: Bench, seat: Seat) -> None:
    answer = bench.answer(bench.number)
    answer.annotation = "x" * LIMITS.max_frame_bytes
    bench.bot(seat).conversation.receive(bot_frame(answer))


def _out_of_place(bench: Bench, seat: Seat) -> None:
    _say(bench, seat, Hello(protocol_version=1))


def _flood(bench: Bench, seat: Seat) -> None:
    for _ in range(100):
        _undecodable(bench, seat)


def _flood_of_answers(bench: Bench, seat: Seat) -> None:
    answer = _about_another_table(bench)
    for _ in range(100):
        _say(bench, seat, answer)


def _crashed(bench: Bench, seat: Seat) -> None:
    bench.bot(seat).conversation.lost()


def _process_died(bench: Bench, seat: Seat) -> None:
    _crashed(bench, seat)
    bench.arena.server.bot_died(bench.spec.bots[seat], "exit status 1")


def _left(bench: Bench, seat: Seat) -> None:
    bench.bot(seat).leave()


def _not_back(bench: Bench, _: Seat) -> None:
    bench.pass_time(bench.spec.join_within_ms + BUDGET_MS)


def _start_failed(bench: Bench, seat: Seat) -> None:
    bench.arena.server.bot_died(bench.spec.bots[seat], "no such command")


DEEDS: Final[dict[str, Callable[[Bench, Seat], None]]] = {
    "silence": _silence,
    "late": _late,
    "illegal": _illegal,
    "unknown decision": _unknown_decision,
    "garbled": _garbled,
    "unset action": _unset_action,
    "stale": _stale,
    "duplicate": _duplicate,
    "foreign seat": _foreign_seat,
    "foreign table": _foreign_table,
    "unset message": _unset_message,
    "undecodable": _undecodable,
    "oversized": _oversized,
    "out of place": _out_of_place,
    "flood": _flood,
    "flood of answers": _flood_of_answers,
    "crashed": _crashed,
    "process died": _process_died,
    "left": _left,
    "crashed, not to act": _crashed,
    "left, not to act": _left,
    "not back": _not_back,
    "start failed": _start_failed,
}
