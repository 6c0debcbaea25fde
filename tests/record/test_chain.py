"""Tests of the bytes around and over entries."""

from __future__ import annotations

import hashlib

import pytest

from euchre_engine import Seat, make_ruleset, parse_action
from euchre_engine.notation import hand_from_json
from euchre_server.record.chain import (
    CHAIN_START,
    HEADER,
    OVERHEAD_BYTES,
    checksum_holds,
    frame,
    header,
    link,
    play_hash,
    play_preamble,
    read_header,
    read_length,
)

G1_DECK = "TS KS JC TC 9H KD TD 9S AS KC JS 9D QH 9C JH QC JD AH AC QS AD QD TH KH"
G1_ACTIONS = (
    "0 order,1 decline,0 play JC,1 play 9S,0 play KS,1 play AS,1 play KC,0 play TS,0 play KD,"
    "1 play 9H,0 play TD,1 play TC"
)


def crc32c_by_the_book(data: bytes) -> int:
    """Returns CRC32C as its definition has it: bit by bit, polynomial 0x1EDC6F41 reflected."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0x82F63B78 if register & 1 else 0)
    return register ^ 0xFFFFFFFF


def test_header_is_magic_version_and_checksum() -> None:
    """The header is eight magic bytes, the version in four, and the checksum of those twelve."""
    start = b"\x89EUCHRE\n" + b"\x00\x00\x00\x01"

    assert start + crc32c_by_the_book(start).to_bytes(4, "big") == HEADER


@pytest.mark.parametrize("version", [1, 2, 77])
def test_header_tells_its_version(version: int) -> None:
    """A header of any version is read, so that a newer record can be named as such."""
    assert version == read_header(header(version))


@pytest.mark.parametrize("place", range(16))
def test_no_damaged_header_is_read(place: int) -> None:
    """A change in any byte of the header makes it none."""
    damaged = bytearray(HEADER)
    damaged[place] ^= 1

    assert read_header(bytes(damaged)) is None


@pytest.mark.parametrize("size", [0, 1, 511, 512, 70_000])
def test_frame_is_length_and_payload_each_with_its_checksum(size: int) -> None:
    """A frame is the length, its CRC32C, the payload, its CRC32C, all numbers big-endian."""
    payload = bytes(number % 251 for number in range(size))
    length = size.to_bytes(4, "big")
    expected = (
        length
        + crc32c_by_the_book(length).to_bytes(4, "big")
        + payload
        + crc32c_by_the_book(payload).to_bytes(4, "big")
    )

    framed = frame(payload)

    assert expected == framed
    assert size + OVERHEAD_BYTES == len(framed)
    assert size == read_length(framed[:8])
    assert checksum_holds(payload, framed[-4:])


def test_length_is_not_read_from_damaged_bytes() -> None:
    """A length whose checksum is wrong is no length: it could point anywhere."""
    assert read_length(b"\x00\x00\x00\x05\x00\x00\x00\x00") is None


def test_running_hash_is_a_chain_of_sha256() -> None:
    """Each link is SHA-256 over the one before and the entry; the first stands on zeros."""
    expected = hashlib.sha256(hashlib.sha256(bytes(32) + b"one").digest() + b"two").digest()

    assert expected == link(link(CHAIN_START, b"one"), b"two")


def test_play_hash_is_over_the_text_that_the_documentation_states() -> None:
    """Anybody can make the hash of a hand from lines of text (worked hand G1)."""
    rules = make_ruleset("two-handed")
    options = "".join(
        f"option {name} {str(value).lower() if isinstance(value, bool) else value}\n"
        for name, value in sorted(rules.to_json().items())
        if name != "preset"
    )
    text = (
        f"euchre-arena play v1\ngame two-handed\n{options}dealer 1\ndeck {G1_DECK}\n"
        f"scores 0 0\nredeals 0\n{G1_ACTIONS.replace(',', chr(10))}\npoints 1 0\n"
    )
    steps = [
        (Seat(int(seat)), parse_action(action))
        for seat, _, action in (line.partition(" ") for line in G1_ACTIONS.split(","))
    ]
    hand = hand_from_json(
        {"rules": "two-handed", "dealer": 1, "deck": G1_DECK.split(), "actions": []}
    )

    found = play_hash(
        play_preamble(rules.game, rules.options.items()),
        dealer=hand.dealer,
        deck=hand.deck,
        scores=hand.scores,
        redeals=hand.redeals,
        steps=steps,
        points=(1, 0),
    )

    assert hashlib.sha256(text.encode()).digest() == found
