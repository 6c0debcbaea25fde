"""What must hold of the messages of one session, as its bot sees them.

Must not know what a bot answers.
"""

from __future__ import annotations

from typing import Any

__all__ = ["StreamCheck"]


class StreamCheck:
    """What must hold of the messages of one session, as its bot sees them."""

    def __init__(self) -> None:
        self.tables: dict[str, int] = {}
        """The open tables, with the bot's seat."""
        self.closed: set[str] = set()
        self.asked: dict[str, int] = {}
        self.said_goodbye = False
        self.is_welcome = False
        self.pings = 0
        self.first = True

    def take(self, message: Any) -> str | None:  # noqa: ANN401  # a message
        """Returns what is wrong with the next message, None where nothing is."""
        kind = message.WhichOneof("message")
        body = getattr(message, kind)
        first, self.first = self.first, False
        if self.said_goodbye:
            return f"{kind} after goodbye"
        if first != (kind == "welcome") and kind != "goodbye":
            return f"{kind} at the wrong place"
        match kind:
            case "welcome":
                self.is_welcome = True
            case "goodbye":
                self.said_goodbye = True
            case "ping":
                if body.nonce <= self.pings:
                    return "a ping's number came again"
                self.pings = body.nonce
            case "session_fault" | "match_ended":
                pass
            case "table_opened":
                return self._opened(body)
            case _:
                return self._of_table(kind, body)
        return None

    def _opened(self, body: Any) -> str | None:  # noqa: ANN401
        if body.table_id in self.tables or body.table_id in self.closed:
            return "a table opened twice"
        self.tables[body.table_id] = body.seat
        return None

    def _of_table(self, kind: str, body: Any) -> str | None:  # noqa: ANN401
        table = body.table_id
        if table not in self.tables:
            return None if kind == "rejected" else f"{kind} of a table that is not open"
        match kind:
            case "decision":
                return self._decision(body)
            case "table_closed":
                del self.tables[table]
                self.closed.add(table)
            case "rejected":
                if body.legal and body.time_left_ms < 1:
                    return "a refusal leaves no time"
            case _:
                pass
        return None

    def _decision(self, body: Any) -> str | None:  # noqa: ANN401
        table, seat = body.table_id, self.tables[body.table_id]
        before = self.asked.get(table, 0)
        self.asked[table] = body.decision_id
        if body.decision_id <= before:
            return f"decision {body.decision_id} after {before}"
        is_lean = body.HasField("events") and not body.HasField("view")
        if not is_lean and (body.view.seat, body.view.to_act) != (seat, seat):
            return "a question of another seat"
        if body.time_left_ms < 1 or body.bank_left_ms < 0:
            return f"{body.time_left_ms} ms and {body.bank_left_ms} of the bank to answer"
        if not body.legal and not body.choose.count:
            return "a question without a legal answer"
        return None
