"""Whole matches of isolated bots: what is stamped on them, what they see, what survives them."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from growing_record import wait_until_grown
from isolated import WHY_NONE, alive, below, needs_bwrap

from euchre_server.record.entries import BotSeated
from euchre_server.record.reader import read_record

ARENA = (sys.executable, "-m", "euchre_server.cli.main")
PRYING = """
import os, socket, sys
from euchre_arena import run

def seen(what):
    try:
        return what()
    except OSError as error:
        return type(error).__name__

arena = int(sys.argv[1])
print("data", seen(lambda: os.listdir("data")))
print("home", seen(lambda: os.listdir(os.environ["HOME"])))
print("port", seen(lambda: socket.create_connection(("127.0.0.1", arena), 5)))
print("note", seen(lambda: open("note", "w")))
print("others", len([name for name in os.listdir("/proc") if name.isdigit()]) - 2)
sys.stdout.flush()
run(lambda decision: decision.legal[0])
"""


def _environment(tmp_path: Path) -> dict[str, str]:
    """Returns an environment in which what is left behind is in the test's own folder."""
    return {**os.environ, "TMPDIR": str(tmp_path)}


def _match(
    *arguments: str, cwd: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ARENA, "match", "--rules", "two-handed", *arguments],
        cwd=cwd,
        env=environment or _environment(cwd),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _stamps(result: dict[str, Any]) -> list[tuple[str, str]]:
    return [(row["isolation"], row["memory"]) for row in result["standings"]]


@needs_bwrap
def test_isolated_bots_play_a_match(tmp_path: Path) -> None:
    """Bots without a network play over sockets of their own; record and standings say so."""
    arguments = ("--bot", "rules", "--bot", "random", "--boards", "3", "--isolation", "bwrap")

    ended = _match(*arguments, "--json", cwd=tmp_path)

    result = json.loads(ended.stdout)
    record = tmp_path / result["record"]
    seated = [entry.fact for entry in read_record(record) if isinstance(entry.fact, BotSeated)]
    verified = subprocess.run([*ARENA, "replay", "verify", record], check=False)
    assert 0 == ended.returncode
    assert (3, 6) == (result["boards"], result["hands"])
    assert {0} == {number for row in result["standings"] for number in row["faults"].values()}
    assert [("bwrap", "excluded")] * 2 == _stamps(result)
    assert {"rules", "random"} == {row["bot"] for row in result["usage"]}
    assert all(row["memory_bytes"] > 1 << 20 for row in result["usage"])
    assert [("bwrap", 1), ("bwrap", 1), ("bwrap", 2), ("bwrap", 2)] == [
        (fact.isolation, fact.leg) for fact in seated
    ]
    assert 0 == verified.returncode
    assert ["data"] == [path.name for path in tmp_path.iterdir()]


@needs_bwrap
def test_an_isolated_bot_sees_nothing_but_the_arena(tmp_path: Path) -> None:
    """It plays, but finds no data, no other process and no network, and can keep no note."""
    (tmp_path / "bot.py").write_text(PRYING)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ended = _match(
        *("--bot", f"pry=cmd:{sys.executable} bot.py {port}", "--bot", "random"),
        *("--boards", "2", "--port", str(port), "--isolation", "bwrap", "--json"),
        cwd=tmp_path,
    )

    result = json.loads(ended.stdout)
    (output,) = (tmp_path / "data").glob("*.output/pry.leg1.log")
    assert 0 == ended.returncode
    assert 4 == result["hands"]
    assert [
        "data []",
        "home []",
        "port ConnectionRefusedError",
        "note OSError",
        "others 0",
    ] == output.read_text().splitlines()
    assert not (tmp_path / "note").exists()


@needs_bwrap
def test_a_lost_bot_s_trouble_says_that_it_was_isolated(tmp_path: Path) -> None:
    """Who wonders why a bot works elsewhere is told, with what it printed."""
    ended = _match(
        *("--bot", "rules", "--bot", "bad=cmd:sh -c 'echo x > note; exit 3'"),
        *("--boards", "1", "--isolation", "bwrap", "--json"),
        cwd=tmp_path,
    )

    assert 2 == ended.returncode
    assert (
        "bot 'bad' could not be started: it exited with status 3 before it dialled in "
        "(it ran isolated: no network, read-only files; see docs/isolation.md)\n" in ended.stderr
    )
    assert "Read-only file system" in ended.stderr


@needs_bwrap
def test_a_bot_over_its_limits_loses_and_the_cause_is_told(tmp_path: Path) -> None:
    """The other bot gets the result; nobody waits for the one that was ended."""
    eater = "held = []\nwhile True: held.append(b'x' * 2**24)"
    (tmp_path / "eat.py").write_text(eater)

    ended = _match(
        *("--bot", "rules", "--bot", f"eat=cmd:{sys.executable} eat.py", "--boards", "1"),
        *("--isolation", "bwrap", "--limits", "memory=200m", "--json"),
        cwd=tmp_path,
    )

    rows = {row["bot"]: row for row in json.loads(ended.stdout)["standings"]}
    assert 2 == ended.returncode
    assert (
        "bot 'eat' could not be started: it was ended by the arena before it dialled in: "
        in ended.stderr
    )
    assert "the limit is memory=200m" in ended.stderr
    assert 2 == rows["eat"]["faults"]["start_failed"]
    assert 2 == rows["rules"]["wins"]


@needs_bwrap
def test_a_bot_that_lives_in_the_data_folder_is_refused(tmp_path: Path) -> None:
    """Nothing was made or started."""
    ended = _match("--bot", "rules", "--bot", "x=cmd:sleep 1", "--data", ".", cwd=tmp_path)

    assert (2, "") == (ended.returncode, ended.stdout)
    assert "bot 'x': " in ended.stderr
    assert (
        f"which lies in {tmp_path}: no isolated bot may see that folder; choose another --data, "
        "or keep the bot elsewhere"
    ) in ended.stderr
    assert [] == list(tmp_path.iterdir())


@needs_bwrap
def test_the_arenas_own_python_is_no_data_folder(tmp_path: Path) -> None:
    """A house bot cannot be kept elsewhere: its user is told what can be done."""
    ended = _match(
        *("--bot", "a=rules", "--bot", "b=rules", "--data", sys.prefix),
        *("--isolation", "bwrap"),
        cwd=tmp_path,
    )

    assert 2 == ended.returncode
    assert ended.stderr.endswith("no isolated bot may see that folder; choose another --data\n")


@needs_bwrap
def test_nothing_survives_a_killed_arena_and_the_next_cleans_up(tmp_path: Path) -> None:
    """Bots end with the arena's SIGKILL; its folder of sockets goes at the next start."""
    arguments = ("--bot", "rules", "--bot", "random", "--isolation", "bwrap")
    with subprocess.Popen(
        [*ARENA, "match", "--rules", "two-handed", *arguments, "--boards", "100000", "--json"],
        cwd=tmp_path,
        env=_environment(tmp_path),
        stdout=subprocess.DEVNULL,
    ) as arena:
        wait_until_grown(tmp_path / "data", 20_000)
        bots = below(arena.pid)
        arena.kill()
    left = alive(bots)
    for process in left:
        process.kill()
    stale = list(tmp_path.glob("euchre-arena-*/*.sock"))

    ended = _match(*arguments, "--boards", "1", "--json", "--log-level", "info", cwd=tmp_path)

    assert len(bots) >= 6  # two of each sandbox, and the bot
    assert [] == left
    assert 2 == len(stale)
    assert 0 == ended.returncode
    assert "cleaned up after an interrupted arena" in ended.stderr
    assert [] == list(tmp_path.glob("euchre-arena-*"))


def test_by_default_the_strongest_that_works_is_in_force(tmp_path: Path) -> None:
    """Where isolation works it is used; where it does not, that is said and never claimed."""
    arguments = ("--bot", "rules", "--bot", "random", "--boards", "1")

    told = _match(*arguments, cwd=tmp_path)
    result = json.loads(_match(*arguments, "--json", cwd=tmp_path).stdout)

    if WHY_NONE:
        assert f"bots run without isolation: {WHY_NONE}; see docs/isolation.md" in told.stderr
        assert [("none", "not excluded")] * 2 == _stamps(result)
    else:
        assert "without isolation" not in told.stderr
        assert [("bwrap", "excluded")] * 2 == _stamps(result)
    assert "isolation" in told.stdout
    assert "memory" in told.stdout


def test_isolation_that_does_not_work_is_refused(tmp_path: Path) -> None:
    """Who asks for it gets it, or a reason and status 2."""
    empty = tmp_path / "empty"
    empty.mkdir()
    arguments = ("--bot", "rules", "--bot", "random", "--isolation", "bwrap")

    ended = _match(*arguments, cwd=tmp_path, environment={"PATH": str(empty)})

    assert (2, "") == (ended.returncode, ended.stdout)
    assert "bubblewrap (bwrap) " in ended.stderr
    assert not (tmp_path / "data").exists()
