"""Owns the ways in which a bot's session fails, each with the exit status of its process.

Must not know how they are shown: `run` prints them as one line.
"""

__all__ = [
    "ArenaError",
    "BotError",
    "BotExitError",
    "BotInterruptedError",
    "LostError",
    "ProtocolError",
    "RefusedError",
    "SetupError",
]


class ArenaError(Exception):
    """A session ended otherwise than by the arena's clean goodbye.

    Attributes:
        exit_status: What the bot's process ends with.
    """

    exit_status = 1


class SetupError(ArenaError):
    """Something needed was not given, or the arena was not to be reached."""

    exit_status = 2


class RefusedError(ArenaError):
    """The arena did not let the bot in."""

    exit_status = 2


class LostError(ArenaError):
    """The session broke off, or the arena ended it for a fault."""


class ProtocolError(ArenaError):
    """The arena sent what this client cannot make sense of."""


class BotError(ArenaError):
    """The bot's own code failed; the cause is its exception."""


class BotExitError(BotError):
    """The bot's own code asked to end the process, as `sys.exit` does; `code` is what it gave.

    A SystemExit that crossed the event loop would end that in the middle of its work.
    """

    def __init__(self, code: "int | str | None") -> None:
        super().__init__(f"the bot ended its process: {code}")
        self.code = code


class BotInterruptedError(BotError):
    """An interrupt came while the bot's own code ran.

    A KeyboardInterrupt that crossed the event loop would end that in the middle of its work.
    """

    exit_status = 130

    def __init__(self) -> None:
        super().__init__("interrupted")
