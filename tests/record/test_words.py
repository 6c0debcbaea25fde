"""Tests of the words that `replay show` has for what happens in a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from record_matches import match_spec, write_match

from euchre_engine import ActionKind, Phase
from euchre_server.record.reader import read_record
from euchre_server.record.redact import PUBLIC, SeenHand, redact
from euchre_server.record.show import hand_text
from euchre_server.record.tables import tables_of
from euchre_server.record.words import action_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def _seen(folder: Path, preset: str, **options: object) -> Iterator[SeenHand]:
    """Yields the hands of a match of random players, as the public saw them."""
    path = write_match(folder, match_spec(preset, boards=30, options=options))
    for table in tables_of(read_record(path)):
        for hand in table.hands:
            yield redact(table, hand, PUBLIC)


def test_a_pass_is_told_by_what_was_asked(tmp_path: Path) -> None:
    """Who swaps nothing, or calls for no card, is not told of as one who passes in the bidding."""
    hands = _seen(tmp_path, "railroad", farmers_hand="three_swap")
    said = {
        (step.phase, action_words(hand, step))
        for hand in hands
        for step in hand.steps
        if step.item.kind is ActionKind.PASS
    }

    assert {
        (Phase.SWAP, "swaps nothing"),
        (Phase.BID1, "passes"),
        (Phase.BID2, "passes"),
        (Phase.BURY, "calls for no card"),
    } == said


def test_a_farmers_hand_is_no_hand_that_all_passed(tmp_path: Path) -> None:
    """A deal that nobody was asked about says why, and that nobody will be."""
    hands = _seen(tmp_path, "four-handed", deck="33", farmers_hand="redeal_no_ace_no_face")
    texts = [hand_text(hand) for hand in hands if not hand.steps]

    assert texts
    for text in texts:
        assert "  nobody was asked\n" in text
        assert "Somebody held neither ace nor face card: nobody scores." in text
