"""Owns how a match is run beyond what it commits to: bots, isolation, limits, shared files.

It is kept in the opening of the record, so that a killed match can be gone on with from the record
alone. Must not know processes or records.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from euchre_server.hosting.bot_plan import COMMAND, plan_named_bots
from euchre_server.launch.isolation import Isolation
from euchre_server.launch.limits import ProcessLimits
from euchre_server.match.spec import canonical_json

if TYPE_CHECKING:
    from euchre_server.hosting.bot_plan import BotPlan

__all__ = ["Hosted", "RunPlan"]


@dataclass(frozen=True, slots=True)
class Hosted:
    """Who had a match created that is served."""

    request_id: str
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """What plays a match, and how it is kept apart."""

    bots: tuple[BotPlan, ...]
    isolation: Isolation | None  # None: the strongest that works here
    limits: ProcessLimits
    shared: tuple[Path, ...]
    remote_within_s: float
    hosted: Hosted | None = None
    """Of a match of `serve`: that goes on with it, and nobody else."""

    def to_json(self) -> bytes:
        """Returns the plan as canonical JSON."""
        hosted = {} if self.hosted is None else {"hosted": asdict(self.hosted)}
        return canonical_json(
            hosted
            | {
                "bots": [_bot(bot) for bot in self.bots],
                "isolation": None if self.isolation is None else self.isolation.value,
                "limits": asdict(self.limits),
                "shared": [str(path.absolute()) for path in self.shared],
                "remote_within_ms": round(self.remote_within_s * 1000),
            }
        )

    @classmethod
    def from_json(cls, text: bytes) -> RunPlan:
        """Returns the plan that a record holds.

        Raises:
            ValueError: It holds none, or a bot cannot be started any more: its folder or program
                is gone.
        """
        if not text:
            raise ValueError("it does not say how its bots are started")
        try:
            read = json.loads(text)
            named = [(str(bot["name"]), bot["source"]) for bot in read["bots"]]
            folders = {
                bot["name"]: Path(bot["folder"])
                for bot in read["bots"]
                if bot["source"].startswith(COMMAND)
            }
            isolation = read["isolation"]
            limits = ProcessLimits(**read["limits"])
            shared = tuple(map(Path, read["shared"]))
            remote_within_s = read["remote_within_ms"] / 1000
            hosted = Hosted(**read["hosted"]) if "hosted" in read else None
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"how its bots are started cannot be read: {error!r}") from None
        return cls(
            bots=plan_named_bots(named, folders),
            isolation=None if isolation is None else Isolation(isolation),
            limits=limits,
            shared=shared,
            remote_within_s=remote_within_s,
            hosted=hosted,
        )


def _bot(bot: BotPlan) -> dict[str, object]:
    folder = None if bot.command is None else bot.command.folder
    return {
        "name": bot.name,
        "source": bot.source,
        "folder": None if folder is None else str(folder),
    }
