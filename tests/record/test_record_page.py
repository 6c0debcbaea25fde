"""Tests that docs/record.md says what the code does."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from euchre_engine import Seat, parse_action
from euchre_server.record.chain import CHAIN_START, FORMAT_VERSION, HEADER, MAGIC, frame, link
from euchre_server.record.codec import encode
from euchre_server.referee.facts import Acted, Actor, Blame, EndCause

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text()


def values(name: str) -> list[bytes]:
    """Returns the byte strings of the test vector that stand behind a name."""
    return [
        bytes.fromhex(found)
        for found in re.findall(rf"^    {name} +([0-9a-f]+)$", PAGE, re.MULTILINE)
    ]


def test_header_of_the_page_is_the_header() -> None:
    """Header, magic and version are as the page has them."""
    assert [HEADER] == values("header")
    assert MAGIC.hex(" ").upper() in PAGE
    assert f"The format version is {FORMAT_VERSION}." in PAGE


def test_entries_of_the_page_are_written_so() -> None:
    """The two entries of the vector have the payloads, frames and hashes that the page states."""
    order = Acted(
        seat=Seat(0),
        action=parse_action("order"),
        actor=Actor.BOT,
        decision_id=1,
        written_ms=100,
        charged_ms=20,
        bank_left_ms=10_000,
    )
    decline = Acted(
        seat=Seat(1),
        action=parse_action("decline"),
        actor=Actor.BOT,
        decision_id=1,
        written_ms=121,
        charged_ms=24,
        bank_left_ms=10_000,
    )
    payloads = [encode(9, 1, 120, order), encode(11, 1, 145, decline)]
    once = link(CHAIN_START, payloads[0])

    assert payloads == values("payload")
    assert list(map(frame, payloads)) == values("entry")
    assert [once, link(once, payloads[1])] == values("running hash")


def test_play_text_of_the_page_has_its_hash() -> None:
    """The play hash of the page is SHA-256 over the text of the page."""
    (text,) = re.findall(r"```text\n(euchre-arena play.*?)```", PAGE, re.DOTALL)

    assert [hashlib.sha256(text.encode()).digest()] == values("play hash")


def test_page_names_every_cause_and_blame() -> None:
    """The export's words for how a table ended are all on the page."""
    row = next(line for line in PAGE.splitlines() if line.startswith("| `rated`"))

    words = {f"`{member.name.lower()}`" for member in (*EndCause, *Blame)}
    assert set() == {word for word in words if word not in row}
