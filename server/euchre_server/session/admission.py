"""Owns the checks of Hello: who is let in, and within which limits.

Must not know protobuf, sessions or tables.
"""

from euchre_engine.games import Game
from euchre_server.session.messages import Hello, Limits, SessionInfo, ViewMode

__all__ = ["PROTOCOL_VERSION", "Refused", "admit"]

PROTOCOL_VERSION = 1


class Refused(Exception):  # noqa: N818  # a refusal, told to the bot; not an error of ours
    """A Hello that the arena does not accept; the message says why and what would be right."""


def admit(hello: Hello, *, bot_name: str, session_id: str, limits: Limits) -> SessionInfo:
    """Returns what is agreed with a bot.

    Args:
        hello: What it said.
        bot_name: The name that its token was made for.
        session_id: The session that it gets.
        limits: What the arena accepts.

    Raises:
        Refused: The Hello is not acceptable.
    """
    if hello.protocol_version != PROTOCOL_VERSION:
        raise Refused(
            f"protocol_version is {hello.protocol_version}; this arena speaks {PROTOCOL_VERSION}"
        )
    if hello.bot_name not in {"", bot_name}:
        raise Refused("bot_name is not the one that the token was made for; leave it empty")
    for field, text in (
        ("bot_version", hello.bot_version),
        ("client_library", hello.client_library),
    ):
        size = len(text.encode())
        if size > limits.max_name_bytes:
            raise Refused(f"{field} has {size} bytes; at most {limits.max_name_bytes} are allowed")
    if hello.view_mode not in set(ViewMode):
        raise Refused(
            f"view_mode is {hello.view_mode}; this arena knows FULL (1, or unset) and LEAN (2)"
        )
    for field, number in (
        ("max_tables", hello.max_tables),
        ("max_open_decisions", hello.max_open_decisions),
    ):
        if number < 0:
            raise Refused(f"{field} is {number}; it must not be negative")
    if not hello.games:
        raise Refused(
            "games names none that this arena plays; leave it empty, or name some of "
            + ", ".join(game.name for game in Game)
        )
    return SessionInfo(
        session_id=session_id,
        bot_name=bot_name,
        bot_version=hello.bot_version,
        client_library=hello.client_library,
        max_tables=min(hello.max_tables or limits.max_tables, limits.max_tables),
        max_open_decisions=min(hello.max_open_decisions or 1, limits.max_open_decisions),
        games=hello.games,
        is_lean=hello.view_mode == ViewMode.LEAN,
    )
