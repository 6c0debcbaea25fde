"""Owns tokens: a type that never shows what it holds, the books of who may come, and come back.

The books keep hashes only. Must not know sessions or gRPC.
"""

import hashlib
import hmac
import secrets
from typing import Final, NoReturn

__all__ = ["ResumeBook", "Secret", "TokenBook", "bearer_token"]

_SCHEME = "bearer"
_REMEMBERED: Final = 10_000
"""Of how many tokens it is known that they were good once."""


class Secret:
    """A text that is passed on but never printed, logged, formatted, compared or pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not text:
            raise ValueError("a token must not be empty")
        self._text = text

    @classmethod
    def fresh(cls) -> "Secret":
        """Returns a new token of 256 random bits."""
        return cls(secrets.token_urlsafe(32))

    def reveal(self) -> str:
        """Returns the text itself: for the one place that hands it to its owner."""
        return self._text

    def digest(self) -> bytes:
        """Returns what may be stored."""
        return hashlib.sha256(self._text.encode("utf-8", "surrogatepass")).digest()

    def __repr__(self) -> str:
        return "<Secret>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format("<Secret>", spec)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret cannot be pickled")


def bearer_token(authorization: str | None) -> Secret | None:
    """Returns the token of an `authorization` value, None where it holds none.

    The scheme is read in any case (RFC 9110, section 11.1).
    """
    scheme, _, text = (authorization or "").partition(" ")
    return Secret(text.strip()) if scheme.lower() == _SCHEME and text.strip() else None


class TokenBook:
    """Knows which token lets which bot in."""

    def __init__(self) -> None:
        self._digests: dict[str, bytes] = {}
        self._past: dict[bytes, None] = {}  # a set that keeps its order

    def expect(self, bot_name: str, token: Secret) -> None:
        """Lets a bot in with this token, and with no earlier one."""
        self.forget(bot_name)
        self._digests[bot_name] = token.digest()

    def forget(self, bot_name: str) -> None:
        """Lets a bot in no longer."""
        digest = self._digests.pop(bot_name, None)
        if digest is not None:
            self._past[digest] = None
            if len(self._past) > _REMEMBERED:
                del self._past[next(iter(self._past))]

    def was_good(self, token: Secret) -> bool:
        """Returns whether a token let a bot in not long ago, and does no longer."""
        return token.digest() in self._past

    def bot_of(self, token: Secret) -> str | None:
        """Returns the bot that the token was made for; looks at every entry, whatever matches."""
        found: str | None = None
        digest = token.digest()
        for bot_name, expected in self._digests.items():
            if hmac.compare_digest(expected, digest):
                found = bot_name
        return found


class ResumeBook:
    """Knows what proves that a bot's new session continues its last one."""

    def __init__(self) -> None:
        self._digests: dict[str, bytes] = {}

    def issue(self, bot_name: str) -> Secret:
        """Returns a bot's new resume token; an earlier one proves nothing any more."""
        token = Secret.fresh()
        self._digests[bot_name] = token.digest()
        return token

    def forget(self, bot_name: str) -> None:
        """Lets nothing be continued for a bot."""
        self._digests.pop(bot_name, None)

    def proves(self, bot_name: str, token: Secret | None) -> bool:
        """Returns whether a token is the last one that this bot was given."""
        expected = self._digests.get(bot_name)
        return (
            token is not None
            and expected is not None
            and hmac.compare_digest(expected, token.digest())
        )
