"""Owns where cards come from: secrets, commitments, derived streams and the shuffle.

Everything here is a function of its arguments, so that whoever knows a match's secret can deal its
cards again, in any language: docs/deals.md states each byte, docs/vectors/deals.json has examples.
It knows nothing of rules, seats or hands (who gets which card is decided by `start_hand`), and
never asks the machine for randomness: a fresh secret is the caller's to make.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "SECRET_BYTES",
    "Stream",
    "commitment",
    "deal_key",
    "derived_stream",
    "secret_from_seed",
    "shuffle",
    "stream_key",
]

_T = TypeVar("_T")

SECRET_BYTES: Final = 32

_COMMIT: Final = b"euchre-arena commit v1"
_DEAL: Final = b"euchre-arena deal v1"
_SEED: Final = b"euchre-arena seed v1"
_STREAM: Final = b"euchre-arena stream v1"


def secret_from_seed(text: str) -> bytes:
    """Returns the match secret that a seed text stands for; such a match is no secret at all."""
    return hashlib.sha256(_SEED + text.encode("utf-8", "surrogatepass")).digest()


def commitment(secret: bytes, specification: bytes) -> bytes:
    """Returns what is published before the first card, so that secret and match are fixed."""
    return hashlib.sha256(_COMMIT + secret + hashlib.sha256(specification).digest()).digest()


def deal_key(secret: bytes, beacon: bytes | None = None) -> bytes:
    """Returns the key that decks are dealt with.

    Args:
        secret: The match secret.
        beacon: A public value that nobody could know when the secret was committed to.
    """
    return secret if beacon is None else hmac.digest(secret, beacon, "sha256")


def stream_key(key: bytes, label: str, *numbers: int) -> bytes:
    """Returns the key of a derived stream; streams of different labels or numbers are unrelated.

    Args:
        key: The match secret.
        label: What the stream is for, in ASCII.
        numbers: What it is for in particular: a board, a seating, a seat.

    Raises:
        UnicodeEncodeError: The label is not ASCII.
        OverflowError: A number is negative or does not fit 64 bits.
    """
    message = _STREAM + label.encode("ascii") + b"\0" + b"".join(map(_number, numbers))
    return hmac.digest(key, message, "sha256")


def derived_stream(key: bytes, label: str, *numbers: int) -> Stream:
    """Returns the stream of `stream_key`.

    Raises:
        UnicodeEncodeError: The label is not ASCII.
        OverflowError: A number is negative or does not fit 64 bits.
    """
    return Stream(stream_key(key, label, *numbers))


def shuffle(key: bytes, *, board: int, hand: int, cards: Sequence[_T]) -> tuple[_T, ...]:
    """Returns the deck of one hand in dealing order.

    Args:
        key: The deal key.
        board: The number of the board, or of the game where there are no boards.
        hand: The number of the hand in it.
        cards: The deck in canonical order, `Ruleset.deck_cards`.

    Raises:
        OverflowError: A number is negative or does not fit 64 bits.
    """
    return Stream(key, _DEAL + _number(board) + _number(hand)).shuffled(cards)


class Stream:
    """An endless stream of bytes, HMAC-SHA256(key, prefix || counter), and fair draws from it."""

    __slots__ = ("_block", "_counter", "_key", "_prefix")

    def __init__(self, key: bytes, prefix: bytes = b"") -> None:
        self._key = key
        self._prefix = prefix
        self._counter = 0
        self._block = b""

    def take(self, count: int) -> bytes:
        """Returns the next bytes."""
        while len(self._block) < count:
            message = self._prefix + _number(self._counter)
            self._block += hmac.digest(self._key, message, "sha256")
            self._counter += 1
        taken, self._block = self._block[:count], self._block[count:]
        return taken

    def below(self, bound: int) -> int:
        """Returns an integer from 0 to bound - 1, each equally likely.

        Raises:
            ValueError: The bound is less than 1.
        """
        if bound < 1:
            raise ValueError(f"the bound must be at least 1, not {bound}")
        width = ((bound - 1).bit_length() + 7) // 8
        fair = 256**width // bound * bound
        while (drawn := int.from_bytes(self.take(width), "big")) >= fair:
            pass  # the last, incomplete run of values would favour the small ones
        return drawn % bound

    def choice(self, items: Sequence[_T]) -> _T:
        """Returns one of the items, each equally likely.

        Raises:
            ValueError: There are no items.
        """
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[_T]) -> tuple[_T, ...]:
        """Returns the items in an order drawn by Fisher and Yates' method, from the last place."""
        order = list(items)
        for place in range(len(order) - 1, 0, -1):
            other = self.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return tuple(order)


def _number(value: int) -> bytes:
    """Returns a number as everything here hashes it: eight bytes, big-endian, unsigned."""
    return value.to_bytes(8, "big")
