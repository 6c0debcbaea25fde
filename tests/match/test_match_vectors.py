"""docs/vectors/boards.json against the schedule: what others may build on does not move."""

import json
from pathlib import Path
from typing import Any

import pytest

from euchre_engine.relabel import Relabelling
from euchre_engine.variants import parse_ruleset
from euchre_server.match.boards import SeatingScheme
from euchre_server.match.schedule import Schedule
from euchre_server.match.spec import MatchSpec

VECTORS = Path(__file__).parents[2] / "docs" / "vectors" / "boards.json"
ENTRIES: list[dict[str, Any]] = json.loads(VECTORS.read_text())


def _tables(entry: dict[str, Any]) -> list[dict[str, Any]]:
    spec = MatchSpec(
        rules=parse_ruleset(entry["rules"]),
        bots=tuple(entry["bots"]),
        boards=10,
        seatings=SeatingScheme(entry["seatings"]),
        secret=bytes.fromhex(entry["secret"]),
    )
    schedule = Schedule(spec)
    return [
        {
            "number": table.number,
            "table_id": table.table_id,
            "bots": list(table.bots),
            "first_dealer": table.first_dealer,
            "relabelling": str(Relabelling(table.relabelling)),
            "bot_seeds": list(table.bot_seeds),
        }
        for leg in schedule.legs(schedule.first_round())
        for table in schedule.tables(leg)
        if table.board == entry["board"]
    ]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['rules']}-{entry['board']}")
def test_a_board_is_laid_out_as_published(entry: dict[str, Any]) -> None:
    """Seats, dealers, relabellings, ids and seeds are those of the vector."""
    assert entry["tables"] == _tables(entry)


def test_every_scheme_and_game_has_a_vector() -> None:
    """The vectors cover each scheme, partners, and a joker that keeps its suit."""
    assert {scheme.value for scheme in SeatingScheme} == {entry["seatings"] for entry in ENTRIES}
    assert {"two-handed", "three-handed", "three-handed,deck=25", "four-handed"} == {
        entry["rules"] for entry in ENTRIES
    }
