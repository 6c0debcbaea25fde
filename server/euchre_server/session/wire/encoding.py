"""Owns the few rules of the protocol buffers encoding that messages built by hand need.

Must not know any message. Field numbers are given by whoever has the descriptor.
"""

__all__ = ["number_field", "sized", "sized_field", "varint"]

_VARINT, _SIZED = 0, 2
_MASK = 0xFFFF_FFFF_FFFF_FFFF


def _varint(value: int) -> bytes:
    value &= _MASK
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


_SMALL = tuple(map(_varint, range(16_384)))


def varint(value: int) -> bytes:
    """Returns a number in base 128, low digits first; a negative one as 64 bits."""
    return _SMALL[value] if 0 <= value < 16_384 else _varint(value)


def sized(body: bytes) -> bytes:
    """Returns a body with its length before it."""
    return varint(len(body)) + body


def sized_field(number: int) -> bytes:
    """Returns what begins a field of text, bytes, a message or a packed list."""
    return _varint(number << 3 | _SIZED)


def number_field(number: int) -> bytes:
    """Returns what begins a field of a number."""
    return _varint(number << 3 | _VARINT)
