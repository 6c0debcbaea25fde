"""Promises that docs/limits.md has the limits and reasons that are in force."""

import re
from dataclasses import fields
from pathlib import Path

from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_server.session.messages import Limits
from euchre_server.session.refusal import Reason

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")


def test_every_limit_is_on_the_page_with_its_number() -> None:
    """Nothing is bounded that is not stated, and nothing is stated that is not so."""
    stated = {
        name: int(number)
        for name, number in re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE, re.MULTILINE)
    }

    assert {field.name: getattr(Limits(), field.name) for field in fields(Limits)} == stated


def test_what_is_told_in_welcome_is_told_to_be() -> None:
    """The page says yes for exactly the fields of the message."""
    told = set(re.findall(r"^\| `(\w+)` \| \d+ \| yes \|", PAGE, re.MULTILINE))

    assert {field.name for field in pb.Limits.DESCRIPTOR.fields} == told


def test_every_reason_is_explained() -> None:
    """A program that reads a reason finds it here."""
    explained = set(re.findall(r"^\| ([A-Z_]+) \| [A-Z_]+ \|", PAGE, re.MULTILINE))

    assert {reason.value for reason in Reason} <= explained
