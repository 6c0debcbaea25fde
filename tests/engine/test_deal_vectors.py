"""docs/vectors/deals.json against the engine, and against the program printed in docs/deals.md."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from pathlib import Path
from typing import Any

import pytest

from euchre_engine import Card
from euchre_engine.deal import (
    Stream,
    commitment,
    deal_key,
    secret_from_seed,
    shuffle,
    stream_key,
)
from euchre_engine.relabel import parse_relabelling
from euchre_engine.variants import make_ruleset

DOCS = Path(__file__).parents[2] / "docs"
VECTORS: dict[str, list[dict[str, Any]]] = json.loads((DOCS / "vectors" / "deals.json").read_text())


def _printed_program() -> dict[str, Any]:
    """Returns the names that the Python program in docs/deals.md defines."""
    [program] = re.findall(r"```python\n(.*?)```", (DOCS / "deals.md").read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(program, "docs/deals.md", "exec"), names)  # noqa: S102  # our own documentation
    return names


def test_there_are_vectors_of_every_kind() -> None:
    """The file holds what docs/deals.md says that it holds."""
    table = re.findall(r"^\| `([a-z_]+)` \|", (DOCS / "deals.md").read_text(), re.MULTILINE)

    assert list(VECTORS) == table
    assert all(VECTORS.values())
    assert {entry["deck"] for entry in VECTORS["decks"]} == {"24", "25", "28", "32", "33"}


@pytest.mark.parametrize("entry", VECTORS["seeds"], ids=lambda entry: repr(entry["seed"]))
def test_seeds(entry: dict[str, Any]) -> None:
    """A seed text gives the written secret, computed in two ways."""
    message = b"euchre-arena seed v1" + entry["seed"].encode()

    assert secret_from_seed(entry["seed"]).hex() == entry["secret"]
    assert hashlib.sha256(message).hexdigest() == entry["secret"]


def test_commitments() -> None:
    """Secret and specification give the written commitment."""
    for entry in VECTORS["commitments"]:
        secret, specification = (
            bytes.fromhex(entry["secret"]),
            bytes.fromhex(entry["specification"]),
        )
        message = b"euchre-arena commit v1" + secret + hashlib.sha256(specification).digest()

        assert commitment(secret, specification).hex() == entry["commitment"]
        assert hashlib.sha256(message).hexdigest() == entry["commitment"]


def test_deal_keys() -> None:
    """Secret and beacon give the written key."""
    for entry in VECTORS["deal_keys"]:
        secret, beacon = bytes.fromhex(entry["secret"]), bytes.fromhex(entry["beacon"])

        assert deal_key(secret, beacon).hex() == entry["key"]
        assert hmac.new(secret, beacon, hashlib.sha256).hexdigest() == entry["key"]


@pytest.mark.parametrize("entry", VECTORS["streams"], ids=lambda entry: entry["label"])
def test_streams(entry: dict[str, Any]) -> None:
    """Key, label and numbers give the written stream, its bytes and its draws."""
    program = _printed_program()
    message = b"euchre-arena stream v1" + entry["label"].encode() + b"\0"
    message += b"".join(program["number"](number) for number in entry["numbers"])
    key = stream_key(bytes.fromhex(entry["key"]), entry["label"], *entry["numbers"])
    stream = Stream(key)
    printed = program["stream"](key, b"")

    assert key.hex() == entry["stream_key"]
    assert hmac.new(bytes.fromhex(entry["key"]), message, hashlib.sha256).digest() == key
    assert Stream(key).take(len(entry["bytes"]) // 2).hex() == entry["bytes"]
    assert [[bound, stream.below(bound)] for bound, _ in entry["draws"]] == entry["draws"]
    assert [[bound, program["below"](printed, bound)] for bound, _ in entry["draws"]] == (
        entry["draws"]
    )


def test_decks() -> None:
    """Key, board and hand give the written deck, by the engine and by the printed program."""
    deal = _printed_program()["deal"]
    for entry in VECTORS["decks"]:
        cards = make_ruleset("four-handed", {"deck": entry["deck"]}).deck_cards
        key, board, hand = bytes.fromhex(entry["key"]), entry["board"], entry["hand"]

        dealt = shuffle(key, board=board, hand=hand, cards=cards)

        assert [str(card) for card in dealt] == entry["cards"]
        assert deal(key, board, hand, [str(card) for card in cards]) == entry["cards"]


@pytest.mark.parametrize("entry", VECTORS["relabellings"], ids=lambda entry: entry["relabelling"])
def test_relabellings(entry: dict[str, Any]) -> None:
    """A relabelling makes of the written cards the written cards, letter by letter."""
    letters = str.maketrans(dict(zip("CDHS", entry["relabelling"], strict=True)))
    relabelled = parse_relabelling(entry["relabelling"]).cards(
        Card[text] for text in entry["cards"]
    )

    assert [str(card) for card in relabelled] == entry["become"]
    assert [text if text == "JK" else text.translate(letters) for text in entry["cards"]] == entry[
        "become"
    ]
