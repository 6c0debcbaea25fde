"""The golden replays: whole games and every way in which a table can end, as text.

Owns which games there are. `make golden` writes them, `tests/golden` compares.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from record_matches import Behaviour, match_spec, play_table

from euchre_engine.deal import secret_from_seed
from euchre_server.match.schedule import Schedule
from euchre_server.record.entries import MATCH, Entry, MatchOpened, TableOpened
from euchre_server.record.redact import REFEREE, redact
from euchre_server.record.show import hand_text, undealt_text
from euchre_server.record.tables import TablePlay, tables_of
from euchre_server.referee.spec import FaultPolicy, TableMode

if TYPE_CHECKING:
    from euchre_server.record.entries import RecordFact

__all__ = ["FOLDER", "GOLDEN", "golden_tables", "golden_text"]

FOLDER = Path(__file__).resolve().parent.parent / "golden"
_RULE = "\n\n" + "=" * 72 + "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    """Some tables of one match, played by seeded random players."""

    preset: str
    seed: str
    """Chosen so that the deals show what is worth seeing."""
    options: dict[str, object] = field(default_factory=dict)
    mode: TableMode = TableMode.GAME
    policy: FaultPolicy = field(default_factory=lambda: FaultPolicy(fault_limit=100))
    behaviours: tuple[Behaviour, ...] = (Behaviour(),)
    """One for each table."""


GOLDEN: dict[str, _Game] = {
    "two-handed": _Game(preset="two-handed", seed="1", behaviours=(Behaviour(passing=0.5),)),
    "three-handed": _Game(
        preset="three-handed",
        seed="50",
        behaviours=(Behaviour(timeout=0.02, illegal=0.06, stalled=0.02),),
    ),
    "three-handed-bonus-stick": _Game(
        preset="three-handed-bonus",
        seed="600",
        options={"deck": "32", "stick_the_dealer": True, "target": 7},
        behaviours=(
            Behaviour(passing=0.7, illegal=0.15, garbled=0.02, lost=0.02, note="as planned"),
        ),
    ),
    "british-three-handed": _Game(preset="british-three-handed", seed="18", options={"target": 6}),
    "four-handed-alone": _Game(
        preset="four-handed",
        seed="28",
        options={"defend_alone": "always", "farmers_hand": "three_swap", "target": 6},
        behaviours=(Behaviour(illegal=0.1),),
    ),
    "railroad": _Game(
        preset="railroad",
        seed="1",
        options={"target": 5},
        behaviours=(Behaviour(illegal=0.03),),
    ),
    "hasenpfeffer": _Game(
        preset="hasenpfeffer",
        seed="5",
        options={"target": 5},
        behaviours=(Behaviour(passing=0.7, illegal=0.05),),
    ),
    "pepper": _Game(
        preset="pepper", seed="2", options={"target": 5}, behaviours=(Behaviour(passing=0.7),)
    ),
    "napoleon": _Game(
        preset="napoleon", seed="2", options={"target": 5}, behaviours=(Behaviour(passing=0.5),)
    ),
    "endings": _Game(
        preset="three-handed",
        seed="1",
        mode=TableMode.BOARD,
        behaviours=(
            Behaviour(absent=frozenset({1})),
            Behaviour(left=0.5),
            Behaviour(died=0.2, timeout=0.3),
            Behaviour(arena_fault=0.2),
            Behaviour(stopped=0.5),
        ),
    ),
    "endings-strict": _Game(
        preset="two-handed",
        seed="1",
        mode=TableMode.BOARD,
        policy=FaultPolicy.named("strict"),
        behaviours=(
            Behaviour(illegal=0.2),
            Behaviour(garbled=0.2),
            Behaviour(timeout=0.2),
            Behaviour(left=0.2),
        ),
    ),
}


@lru_cache(maxsize=len(GOLDEN))
def golden_tables(name: str) -> tuple[TablePlay, ...]:
    """Returns the tables of a golden replay, played now."""
    game = GOLDEN[name]
    spec = match_spec(
        game.preset,
        boards=len(game.behaviours),
        options=game.options,
        mode=game.mode,
        policy=game.policy,
        secret=secret_from_seed(game.seed),
    )
    schedule = Schedule(spec)
    leg = next(schedule.legs(schedule.first_round()))
    facts: list[tuple[int, int, RecordFact]] = [(MATCH, 0, _opening(name))]
    for number, (table, behaviour) in enumerate(
        zip(islice(schedule.tables(leg), len(game.behaviours)), game.behaviours, strict=True)
    ):
        played, _ = play_table(table, Random(f"{game.seed}/{number}"), behaviour)
        facts.append((table.number, 0, TableOpened.of(table)))
        facts += [(table.number, at_ms, fact) for at_ms, fact in played]
    entries = (
        Entry(number=number, table_number=table_number, at_ms=at_ms, fact=fact)
        for number, (table_number, at_ms, fact) in enumerate(facts, 1)
    )
    return tuple(tables_of(entries))


def golden_text(name: str) -> str:
    """Returns a golden replay as a person reads it."""
    texts: list[str] = []
    for table in golden_tables(name):
        texts += [hand_text(redact(table, hand, REFEREE)) for hand in table.hands]
        if not table.hands:
            texts.append(undealt_text(table))
    return _RULE.join(texts) + "\n"


def _opening(name: str) -> MatchOpened:
    return MatchOpened(
        match_id=f"golden-{name}",
        arena_version="",
        started_unix_ms=0,
        commitment=b"",
        specification=b"",
        public_seed=True,
        bot_names=(),
    )
