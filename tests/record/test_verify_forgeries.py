"""Tests of the check against a forger who makes all checksums and hashes fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from record_forge import first, forge
from record_matches import match_spec, write_match

from euchre_engine import Card, Discard, Order, Pass, Play, Seat
from euchre_server.match.spec import canonical_json
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import BotSeated, MatchOpened, MatchSealed, TableOpened
from euchre_server.record.reader import read_record
from euchre_server.record.verdict import FindingKind
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Blame,
    EndCause,
    HandEnded,
    HandStarted,
    SeatChanged,
    TableEnded,
)
from euchre_server.referee.spec import ClockSpec

if TYPE_CHECKING:
    from pathlib import Path

    from euchre_server.record.entries import RecordFact

Change = Callable[[Any], "RecordFact | None"]


def _swap_first_two(deck: tuple[Card, ...]) -> tuple[Card, ...]:
    return (deck[1], deck[0], *deck[2:])


def _in_result(**new: object) -> Callable[[MatchSealed], MatchSealed]:
    return lambda fact: replace(fact, result=canonical_json({**json.loads(fact.result), **new}))


def _in_standing(**new: object) -> Callable[[MatchSealed], MatchSealed]:
    def change(fact: MatchSealed) -> MatchSealed:
        result = json.loads(fact.result)
        result["standings"][0].update(new)
        return replace(fact, result=canonical_json(result))

    return change


FORGERIES: dict[str, tuple[type[RecordFact], Change, str]] = {
    "commitment": (
        MatchOpened,
        lambda f: replace(f, commitment=bytes(32)),
        "the commitment is not the one",
    ),
    "specification": (
        MatchOpened,
        lambda f: replace(f, specification=f.specification.replace(b'"boards":2', b'"boards":3')),
        "the commitment is not the one",
    ),
    "specification that is none": (
        MatchOpened,
        lambda f: replace(f, specification=b"{}"),
        "the specification is none of format 1",
    ),
    "bot names": (
        MatchOpened,
        lambda f: replace(f, bot_names=("ann", "bob", "eve")),
        "bot_names or public_seed",
    ),
    "public seed": (
        MatchOpened,
        lambda f: replace(f, public_seed=True),
        "bot_names or public_seed",
    ),
    "strange bot": (BotSeated, lambda f: replace(f, bot_name="eve"), "eve is none of"),
    "source of a bot": (
        BotSeated,
        lambda f: replace(f, source="rules"),
        "ann is another program than before",
    ),
    "seats": (TableOpened, lambda f: replace(f, bots=f.bots[::-1]), "bots of table 1"),
    "clock": (
        TableOpened,
        lambda f: replace(f, clock=ClockSpec(budget_ms=400)),
        "clock of table 1",
    ),
    "first dealer": (
        TableOpened,
        lambda f: replace(f, first_dealer=Seat((f.first_dealer + 1) % 3)),
        "first_dealer of table 1",
    ),
    "relabelling": (
        TableOpened,
        lambda f: replace(f, relabelling=f.relabelling[::-1]),
        "relabelling of table 1",
    ),
    "bot seed": (TableOpened, lambda f: replace(f, bot_seeds=(1, 2, 3)), "bot_seeds of table 1"),
    "table left out": (TableOpened, lambda _: None, "table 2 opened where table 1 was due"),
    "joining left out": (
        SeatChanged,
        lambda _: None,
        "a hand was dealt before every seat had joined",
    ),
    "session that went back": (
        SeatChanged,
        lambda f: replace(f, session_epoch=0),
        "session 0 came after 0",
    ),
    "deck": (HandStarted, lambda f: replace(f, deck=_swap_first_two(f.deck)), "deck is"),
    "dealer": (HandStarted, lambda f: replace(f, dealer=Seat((f.dealer + 1) % 3)), "dealer is"),
    "scores before": (HandStarted, lambda f: replace(f, scores=(1, 0, 0)), "scores is 1 0 0"),
    "redeals": (HandStarted, lambda f: replace(f, redeals=1), "redeals is 1"),
    "hand number": (HandStarted, lambda f: replace(f, hand_number=2), "hand is 2"),
    "hand left out": (HandStarted, lambda _: None, "acted with no decision open"),
    "seat of an action": (
        Acted,
        lambda f: f._replace(seat=Seat((f.seat + 1) % 3)),
        "seat is",
    ),
    "illegal action": (
        Acted,
        lambda f: f._replace(action=Discard(Card["9C"])),
        "is against the rules",
    ),
    "action left out": (Acted, lambda _: None, "seat is"),
    "decision number": (Acted, lambda f: f._replace(decision_id=2), "decision is 2"),
    "played by the clock": (
        Acted,
        lambda f: f._replace(actor=Actor.CLOCK, action=Pass()),
        "the clock played without a time-out",
    ),
    "default that is none": (
        Acted,
        lambda f: f._replace(actor=Actor.CLOCK, action=Order()),
        "what the clock played is order, but must be pass",
    ),
    "bank": (Acted, lambda f: f._replace(bank_left_ms=9_999), "bank_left_ms is 9999"),
    "answer after the time": (
        Acted,
        lambda f: f._replace(charged_ms=15_000, bank_left_ms=0),
        "an answer was taken after 15000 ms",
    ),
    "negative charge": (Acted, lambda f: f._replace(charged_ms=-1), "charged_ms is -1"),
    "points": (HandEnded, lambda f: replace(f, points=(9, 9, 9)), "points is 9 9 9"),
    "scores after": (HandEnded, lambda f: replace(f, scores=(9, 9, 9)), "scores is 9 9 9"),
    "tricks": (HandEnded, lambda f: replace(f, tricks_won=(5, 0, 5)), "tricks_won is 5 0 5"),
    "passed out": (HandEnded, lambda f: replace(f, passed_out=not f.passed_out), "passed_out"),
    "end of hand left out": (HandEnded, lambda _: None, "not played to its end"),
    "score of a table": (TableEnded, lambda f: replace(f, scores=(7, 7, 7)), "scores is 7 7 7"),
    "winners": (TableEnded, lambda f: replace(f, winners=()), "winners is nobody"),
    "cause": (
        TableEnded,
        lambda f: replace(f, cause=EndCause.FAULTS, blame=Blame.SEAT, blamed_seat=Seat(0)),
        "seat 0 is blamed for FAULTS",
    ),
    "stopped": (
        TableEnded,
        lambda f: replace(f, cause=EndCause.STOPPED, scores=(7, 7, 7), winners=()),
        "scores is 7 7 7",
    ),
    "void without fault": (
        TableEnded,
        lambda f: replace(f, cause=EndCause.ARENA_FAULT, winners=()),
        "blame is NONE, but must be ARENA",
    ),
    "rated": (TableEnded, lambda f: replace(f, rated=False), "rated is False"),
    "blamed seat": (TableEnded, lambda f: replace(f, blamed_seat=Seat(1)), "blamed_seat is 1"),
    "end of table left out": (TableEnded, lambda _: None, "never ended"),
    "secret": (MatchSealed, lambda f: replace(f, secret=bytes(32)), "the commitment is not"),
    "short secret": (MatchSealed, lambda f: replace(f, secret=b"x"), "the secret has 1 bytes"),
    "table hash": (
        MatchSealed,
        lambda f: replace(f, table_hashes=(*f.table_hashes[:-1], bytes(32))),
        "table 6's entries do not give the hash in the seal",
    ),
    "match hash": (
        MatchSealed,
        lambda f: replace(f, table_hashes=(bytes(32), *f.table_hashes[1:])),
        "the match's own entries do not give the hash in the seal",
    ),
    "table hash left out": (
        MatchSealed,
        lambda f: replace(f, table_hashes=f.table_hashes[:-1]),
        "the seal lists 6 hashes, the record has 7",
    ),
    "result that is none": (MatchSealed, lambda f: replace(f, result=b"["), "is no JSON"),
    "result that is a list": (MatchSealed, lambda f: replace(f, result=b"[]"), "is no object"),
    "points of a bot": (MatchSealed, _in_standing(points=99), "result.standings[0].points"),
    "interval": (MatchSealed, _in_standing(ci95=[-9, 9]), "result.standings[0].ci95[0]"),
    "number of hands": (MatchSealed, _in_result(hands=5), "result.hands in the seal is 5"),
    "truth for a number": (MatchSealed, _in_result(boards_incomplete=False), "result.boards_inc"),
    "standings left out": (MatchSealed, _in_result(standings=[]), "the length of result.standings"),
    "match id": (MatchSealed, _in_result(match_id="m2"), "result.match_id"),
    "bots that are no rows": (MatchSealed, _in_result(bots=[1, {"bot": []}]), "result.bots"),
    "more than is told": (MatchSealed, _in_result(extra=1), "result in the seal has ['extra']"),
    "another spelling": (
        MatchSealed,
        lambda f: replace(f, result=f.result + b" "),
        "is not written as this version writes it",
    ),
    "not complete": (
        MatchSealed,
        lambda f: replace(f, complete=False),
        "result.complete in the seal is True",
    ),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a good record of six tables."""
    return write_match(tmp_path_factory.mktemp("honest"), match_spec(boards=2))


@pytest.mark.parametrize("name", FORGERIES)
def test_forgery_is_named_by_entry_and_in_words(honest: Path, name: str) -> None:
    """A fact that does not follow is found although every checksum and hash fits."""
    kind, change, words = FORGERIES[name]

    verdict = verify_file(forge(honest, first(kind, change)))

    assert verdict.finding is not None
    assert FindingKind.DISAGREES is verdict.finding.kind
    assert words in verdict.finding.what
    assert verdict.entries == (verdict.finding.entry or 0) - 1


def test_forging_nothing_leaves_the_record_good(honest: Path) -> None:
    """The forger's hand does not give itself away: it writes the very same bytes."""
    forged = forge(honest, lambda entry: (entry.fact,))

    assert honest.read_bytes() == forged.read_bytes()


def test_tables_of_another_match_are_found(honest: Path) -> None:
    """A table moved to another number is not what the schedule has there."""
    seen: list[TableOpened] = []

    def swap(fact: TableOpened) -> TableOpened:
        seen.append(fact)
        return replace(fact, board=fact.board + 1)

    verdict = verify_file(forge(honest, first(TableOpened, swap)))

    assert verdict.finding is not None
    assert "board of table 1 is not what the schedule has" == verdict.finding.what


def test_match_sealed_as_complete_must_have_all_tables(tmp_path: Path) -> None:
    """A table left out with all of its entries is missed at the end."""
    path = write_match(tmp_path, match_spec(boards=2))

    verdict = verify_file(
        forge(path, lambda entry: () if entry.table_number == 6 else (entry.fact,))
    )

    assert verdict.finding is not None
    assert "the match is sealed as complete without table 6" == verdict.finding.what


def test_unsealed_record_is_ruled_and_scored_too(tmp_path: Path) -> None:
    """Without the secret everything but the deal itself is checked."""
    path = write_match(tmp_path, match_spec(boards=1), sealed=False)
    forged = forge(path, first(HandEnded, lambda f: replace(f, points=(9, 9, 9))))

    verdict = verify_file(forged)

    assert verdict.finding is not None
    assert "points is 9 9 9" in verdict.finding.what


def test_card_that_was_never_held_is_found(honest: Path) -> None:
    """A card put in the place of the last one played is named at its entry."""
    plays = [e for e in read_record(honest) if isinstance(e.fact, Acted) and e.table_number == 1]
    last = next(e for e in reversed(plays) if isinstance(getattr(e.fact, "action", None), Play))

    def change(fact: Any) -> Any:  # noqa: ANN401
        return fact._replace(action=Play(Card["JK"]))

    verdict = verify_file(
        forge(
            honest,
            lambda e: (change(e.fact),) if e.number == last.number else (e.fact,),
        )
    )

    assert verdict.finding is not None
    assert last.number == verdict.finding.entry
