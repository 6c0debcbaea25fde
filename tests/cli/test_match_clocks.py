"""Whole matches at the ends of the clock: one millisecond, a long silence, a stopped arena."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from growing_record import wait_until_grown

from euchre_server.record.checking import verify_file
from euchre_server.record.reader import read_record
from euchre_server.referee.facts import (
    Acted,
    Actor,
    Faulted,
    SeatChange,
    SeatChanged,
    Stalled,
    TableEnded,
)
from euchre_server.session.messages import Limits

ARENA = (sys.executable, "-m", "euchre_server.cli.main", "match", "--isolation", "none", "--json")
RULES = ("--rules", "two-handed", "--bot", "rules")

THINKER = """
import time
import euchre_arena

class Thinker(euchre_arena.Bot):
    def decide(self, decision):
        if decision.id == 1:
            time.sleep({seconds})  # its right: its own process does nothing else meanwhile
        return decision.legal[0]

euchre_arena.run(Thinker)
"""


def _match(cwd: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*ARENA, *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _result(arena: subprocess.Popen[str]) -> tuple[dict[str, Any], str]:
    """Returns the result of a match that goes well, and what it said beside."""
    out, err = arena.communicate(timeout=200)
    assert 0 == arena.returncode, err
    assert "Traceback" not in err
    return json.loads(out), err


def _facts(cwd: Path, kind: type[Any]) -> list[Any]:
    (record,) = (cwd / "data").glob("*.euchre")
    assert verify_file(record).is_good
    return [entry.fact for entry in read_record(record) if isinstance(entry.fact, kind)]


def test_a_millisecond_is_enough_for_the_arena(tmp_path: Path) -> None:
    """Bots that cannot keep up lose by the rules; the arena ends every table, and says unrated."""
    clock = "budget=1ms,first=1ms,bank=0,grace=0"
    arguments = (*RULES, "--bot", "random", "--boards", "6", "--clock", clock)

    result, _ = _result(_match(tmp_path, *arguments))

    assert (6, True, False) == (result["boards"], result["complete"], result["rated"])
    assert [] == result["excluded"]
    assert 12 == result["hands"] + sum(
        fact.cause.name == "FAULTS" for fact in _facts(tmp_path, TableEnded)
    )
    acts = _facts(tmp_path, Acted)
    assert {0, 1} >= {act.charged_ms for act in acts}
    assert all(act.charged_ms == 0 for act in acts if act.actor is Actor.BOT)


@pytest.mark.long
def test_a_bot_may_think_in_silence(tmp_path: Path) -> None:
    """C-29: a bot that sleeps longer than every keepalive takes is still there, and on time."""
    seconds = 40
    assert 1000 * seconds > Limits().idle_ms + 20_000
    (tmp_path / "thinker.py").write_text(THINKER.format(seconds=seconds))
    bot = f"thinker=cmd:{sys.executable} thinker.py"
    arguments = (*RULES, "--bot", bot, "--boards", "1", "--clock", "first=60s,grace=0")

    result, err = _result(_match(tmp_path, *arguments))

    acts = _facts(tmp_path, Acted)
    assert {0} == {number for row in result["standings"] for number in row["faults"].values()}
    assert {SeatChange.JOINED} == {fact.change for fact in _facts(tmp_path, SeatChanged)}
    slept = [act.charged_ms + (act.stalled_ms or 0) for act in acts]
    assert 2 == sum(1000 * seconds <= slept_ms for slept_ms in slept)
    assert "dialling again" not in err


def _stopped_now_and_then(arena: subprocess.Popen[str], *, times: int, stop_s: float) -> int:
    """Stops an arena's process for a while, at random moments; returns how often."""
    chance = random.Random(7)
    for number in range(times):
        time.sleep(chance.uniform(0.01, 0.1))
        if arena.poll() is not None:
            return number
        os.kill(arena.pid, signal.SIGSTOP)
        time.sleep(stop_s)
        os.kill(arena.pid, signal.SIGCONT)
    return times


def test_an_arena_that_is_stopped_charges_nobody(tmp_path: Path) -> None:
    """C-12: the arena's process stands still again and again, longer than a budget; none pays."""
    clock = ("--clock", "budget=60ms,bank=60s,grace=0")
    arguments = (*RULES, "--bot", "random", "--boards", "30", *clock)

    arena = _match(tmp_path, *arguments)
    wait_until_grown(tmp_path / "data", 4_000)
    count = _stopped_now_and_then(arena, times=6, stop_s=0.3)
    _result(arena)

    acts = _facts(tmp_path, Acted)
    stalls = [fact.stalled_ms for fact in _facts(tmp_path, Stalled)]
    assert [] == _facts(tmp_path, Faulted)
    assert {Actor.BOT} == {act.actor for act in acts}
    assert count > 0
    assert sum(ms >= 290 for ms in stalls) >= count // 2
    assert max(act.stalled_ms or 0 for act in acts) >= 290
    assert all(act.charged_ms < 250 for act in acts)
