"""Whether what a bot is told is kept, and holds no card that its seat may not know.

Owns the checks of every frame that goes out. Must not know how it was made.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from twin_deals_knowledge import Knowledge

from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_server.referee import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sim_kept import Kept
    from sim_scene import Scene, SessionTruth, TableTruth

    from euchre_engine import Ruleset

__all__ = ["ToldCheck"]


class ToldCheck:
    """Watches all that bots are told in a match."""

    def __init__(self, scene: Scene, kept: Kept) -> None:
        self.scene = scene
        self._kept = kept

    def frame_out(self, session: SessionTruth, data: bytes, written: list[tuple[str, int]]) -> None:
        """Checks a frame that goes out, in the making of which these questions were written."""
        frame = pb.ConnectResponse.FromString(data)
        asked = []
        self._kept.make_safe()
        for message in frame.messages:
            kind = message.WhichOneof("message")
            self.scene.seen[f"told {kind}"] += 1
            if kind == "decision":
                asked.append((message.decision.table_id, message.decision.decision_id))
                session.put[message.decision.table_id] = message.decision.decision_id
            if kind == "goodbye" and message.goodbye.reason == pb.GOODBYE_REASON_DONE:
                self._check_all_closed(session)
            if kind in _OF_TABLES:
                self._check_told(session, kind, getattr(message, kind))
        missing = [
            row
            for row in asked
            if row not in written and self.scene.tables[row[0]].judge.stage != "over"
        ]
        if missing and session.conversation.is_live and self.scene.live.get(session.bot) is session:
            self.scene.violate(f"questions {missing} went out, but no clock was told")
        self._check_open(session)
        if self.scene.world.lines is not None:
            kinds = [message.WhichOneof("message") for message in frame.messages]
            session.process.trace(f"-> {session.bot}: {' '.join(map(str, kinds))} {asked or ''}")

    def _check_open(self, session: SessionTruth) -> None:
        """Checks that a bot has no more questions before it than it wants."""
        for table_id, number in list(session.put.items()):
            table = self.scene.tables[table_id]
            opened = table.judge.open
            seat = table.spec.bots.index(session.bot)
            if opened is None or (opened.seat, opened.number) != (seat, number):
                del session.put[table_id]
        info = session.conversation.info
        if info is not None and len(session.put) > info.max_open_decisions:
            self.scene.violate(
                f"{session.bot} has {len(session.put)} questions before it, and wants "
                f"{info.max_open_decisions}"
            )

    def _check_told(self, session: SessionTruth, kind: str, body: Any) -> None:  # noqa: ANN401
        table = self.scene.tables.get(body.table_id)
        if table is None or session.bot not in table.spec.bots:
            if kind != "rejected":
                self.scene.violate(f"{session.bot} was told {kind} of a table where it has no seat")
            return
        seat = table.spec.bots.index(session.bot)
        self._check_time_outs(table, seat, session, kind, body)
        match kind:
            case "table_opened":
                is_kept = table.told_open
            case "decision" if not body.HasField("view"):  # LEAN: what is new alone
                table.sent.setdefault((seat, body.decision_id), session.process.now)
                is_kept = table.turns[seat] >= body.decision_id - 1
            case "decision":
                view = body.view
                self._check_cards(table, seat, view, [*body.legal, body.choose])
                now = session.process.now
                table.sent.setdefault((seat, body.decision_id), now)
                is_kept = (
                    table.acted[view.hand_number] >= len(view.history_kinds)
                    and table.hand >= view.hand_number
                )
            case "hand_ended":
                self._check_cards(table, seat, body.view, [])
                is_kept = table.hands_over >= body.view.hand_number
            case "timed_out":
                # Where the time-out ends the table, nothing is played any more.
                is_kept = (seat, body.decision_id) in table.timed_out | table.faulted
            case "rejected":
                is_kept = body.reason == _UNKNOWN_TABLE or (
                    (seat, body.decision_id) in table.faulted
                )
            case _:
                is_kept = table.ended
        failed = kind == "table_closed" and body.cause == facts.EndCause.ARENA_FAULT
        if not is_kept and not (failed and self.scene.disk_failed):  # docs/record.md, a full disk
            self.scene.violate(
                f"table {table.spec.number}: {session.bot} was told {kind} before it was kept"
            )

    def _check_time_outs(
        self,
        table: TableTruth,
        seat: int,
        session: SessionTruth,
        kind: str,
        body: Any,  # noqa: ANN401  # a message
    ) -> None:
        """Checks that a bot was told when the clock played for it, before anything else comes."""
        if kind == "table_opened":
            session.tables.add(body.table_id)
        elif kind == "table_closed":
            session.tables.discard(body.table_id)
        if kind == "timed_out":
            session.timed_out.add((body.table_id, body.decision_id))
        elif kind == "rejected":
            session.refusals_told += body.reason != _UNKNOWN_TABLE
        elif kind in {"decision", "table_closed"}:
            before = session.asked.pop(body.table_id, 0)
            if (seat, before) in table.by_clock and (
                (body.table_id, before) not in session.timed_out
            ):
                self.scene.violate(
                    f"table {table.spec.number}: {session.bot} was not told that the clock played "
                    f"decision {before}"
                )
            if kind == "decision":
                session.asked[body.table_id] = body.decision_id

    def _check_all_closed(self, session: SessionTruth) -> None:
        """Checks that a bot was told of the end of every table, unless it counts as dead there."""
        if session.tables and session.bot not in self.scene.dead_bots:
            self.scene.violate(
                f"{session.bot} was not told that {len(session.tables)} tables ended"
            )

    def _check_cards(
        self,
        table: TableTruth,
        seat: int,
        view: Any,  # noqa: ANN401  # a message
        actions: Iterable[Any],
    ) -> None:
        self._learn(table)
        knowledge = table.knowledge.get(view.hand_number)
        if knowledge is None:
            self.scene.violate(
                f"table {table.spec.number}: hand {view.hand_number} was never dealt"
            )
            return
        known = knowledge.known(seat)
        shown = {_CARD_TEXTS[number] for number in _cards_of(view, actions)}
        if not shown <= known:
            self.scene.violate(
                f"table {table.spec.number}: seat {seat} was shown {sorted(shown - known)}"
            )
        if view.seat != seat:
            self.scene.violate(
                f"table {table.spec.number}: seat {seat} was shown seat {view.seat}'s view"
            )

    def _learn(self, table: TableTruth) -> None:
        for _, fact in table.booked[table.known_until :]:
            match fact:
                case facts.HandStarted():
                    table.knowledge[fact.hand_number] = Knowledge(
                        {
                            "rules": _rules(table.spec.rules),
                            "dealer": fact.dealer,
                            "deck": [card.text for card in fact.deck],
                            "scores": list(fact.scores),
                            "redeals": fact.redeals,
                            "hand": fact.hand_number,
                        }
                    )
                case facts.Acted():
                    table.knowledge[max(table.knowledge)].act(str(fact.action))
                case _:
                    pass
        table.known_until = len(table.booked)


_OF_TABLES = {
    "table_opened",
    "decision",
    "rejected",
    "timed_out",
    "hand_ended",
    "game_ended",
    "table_closed",
}
_UNKNOWN_TABLE = facts.RejectReason.UNKNOWN_TABLE


@lru_cache(maxsize=64)
def _rules(rules: Ruleset) -> Any:  # noqa: ANN401  # JSON
    return rules.to_json()


_CARD_TEXTS = {
    13 * (suit - 1) + (rank - 2) + 1: "23456789TJQKA"[rank - 2] + "CDHS"[suit - 1]
    for suit in range(1, 5)
    for rank in range(2, 15)
} | {53: "JK"}
_WITH_CARDS = {6, 10, 11, 12, 15, 16}
"""Actions whose value in a history is a card: DISCARD, KEEP, PLAY, SWAP, BURY, BEST."""


def _cards_of(view: Any, actions: Iterable[Any]) -> Iterator[int]:  # noqa: ANN401  # messages
    for name in ("hand", "dummy", "discarded", "trick_cards", "widow"):
        yield from getattr(view, name)
    for card in (view.upcard, view.best_card):
        if card:
            yield card
    for kind, value in zip(view.history_kinds, view.history_values, strict=True):
        if kind in _WITH_CARDS and value:
            yield value
    for action in actions:
        yield from getattr(action, "cards", ()) or getattr(action, "pool", ())
