"""Whole matches of real processes over gRPC on loopback: results, records, failures, interrupts."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from growing_record import wait_until_grown

from euchre_arena.bots.rules_bot import RulesBot
from euchre_arena.games import Game
from euchre_server.cli.main import main
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import MatchSealed
from euchre_server.record.reader import read_record
from euchre_server.referee.facts import HandEnded

ARENA = (sys.executable, "-m", "euchre_server.cli.main")
MATCH = ("match", "--isolation", "none")  # the same everywhere; test_match_isolated.py has the rest
TWO_BOTS = ("--rules", "two-handed", "--bot", "rules", "--bot", "random")


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(
        [*ARENA, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )
    assert "Traceback" not in ended.stderr + ended.stdout
    assert [] == _bots()
    return ended


def _bots() -> list[int]:
    """Returns the processes on this machine that were started for a bot by our own arenas."""
    ours = []
    for process in psutil.process_iter():
        try:
            environment = process.environ()
        except psutil.Error:
            continue
        if (
            "EUCHRE_ARENA_TOKEN" in environment
            and environment.get("PYTEST_CURRENT_TEST") == os.environ["PYTEST_CURRENT_TEST"]
        ):
            ours.append(process.pid)
    return ours


def _result(ended: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    result = json.loads(ended.stdout)
    assert isinstance(result, dict)
    return result


def _record(result: dict[str, Any], cwd: Path) -> Path:
    return cwd / str(result["record"])


def _play_hashes(path: Path) -> dict[tuple[int, int], bytes]:
    return {
        (entry.table_number, entry.fact.hand_number): entry.play_hash
        for entry in read_record(path)
        if isinstance(entry.fact, HandEnded)
    }


def test_a_match_is_played_recorded_and_told(tmp_path: Path) -> None:
    """The JSON object is all that stdout holds, agrees with itself, and is sealed in the record."""
    ended = _run(*MATCH, *TWO_BOTS, "--boards", "4", "--json", cwd=tmp_path)

    result = _result(ended)
    (sealed,) = (
        entry.fact
        for entry in read_record(_record(result, tmp_path))
        if isinstance(entry.fact, MatchSealed)
    )
    a, b = result["comparisons"][0]["a"], result["comparisons"][0]["b"]
    points = {row["bot"]: row["points"] for row in result["standings"]}
    assert (0, "") == (ended.returncode, ended.stderr)
    assert (4, 8, True) == (result["boards"], result["hands"], result["complete"])
    assert "two-handed" == result["rules"]["preset"]
    assert 10 == result["rules"]["target"]
    assert (points[a] - points[b]) / 4 == result["comparisons"][0]["mean_per_board"]
    assert {0} == {number for row in result["standings"] for number in row["faults"].values()}
    assert sealed.complete
    assert {
        name: value for name, value in result.items() if name not in {"record", "seconds", "usage"}
    } == json.loads(sealed.result)
    assert not list(tmp_path.rglob("*.secret"))


def test_three_play_games(tmp_path: Path) -> None:
    """`--games` plays to the target, in every seating."""
    arguments = ("--bot", "rules", "--bot", "random", "--bot", "c=random", "--games", "1")

    ended = _run(*MATCH, *arguments, "--json", cwd=tmp_path)

    result = _result(ended)
    assert 0 == ended.returncode
    assert ["rules", "random", "c"] == [bot["bot"] for bot in result["bots"]]
    assert 3 == sum(row["wins"] for row in result["standings"])
    assert result["hands"] >= 12


def test_a_seed_repeats_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With bots that play alike, every hand of two runs has the same play hash.

    So it has when the bots of one run are told LEAN views, as a variable asks of all of them.
    """
    options = ("--boards", "4", "--seed", "x", "--json", "--log", "json", "--log-level", "info")
    runs = []
    for mode in ("full", "lean"):
        monkeypatch.setenv("EUCHRE_ARENA_VIEW_MODE", mode)
        ended = _run(*MATCH, *TWO_BOTS, *options, cwd=tmp_path)
        events = map(json.loads, ended.stderr.splitlines())
        assert [mode] * 4 == [event["views"] for event in events if "views" in event]
        runs.append(_result(ended))
    first, second = runs

    hashes = _play_hashes(_record(first, tmp_path))
    assert 8 == len(hashes) == len(set(hashes.values()))
    assert hashes == _play_hashes(_record(second, tmp_path))
    assert first["match_id"] != second["match_id"]
    assert first["standings"] == second["standings"]
    assert (False, True) == (first["rated"], first["public_seed"])


def test_a_person_reads_tables_and_where_the_record_is(tmp_path: Path) -> None:
    """Without `--json` standings, comparisons and the next command are printed."""
    ended = _run(*MATCH, *TWO_BOTS, "--boards", "2", "--seed", "x", cwd=tmp_path)

    (record,) = (tmp_path / "data").glob("*.euchre")
    assert 0 == ended.returncode
    for text in ("Standings", "rules - random", "95 % interval", "unrated"):
        assert text in ended.stdout
    assert f"show it: euchre-arena replay show data/{record.name}\n" in ended.stdout
    assert "leg 2 of 2" in ended.stderr


@pytest.mark.parametrize(
    ("option", "leg", "headline"),
    [
        ("--boards", "leg 1 of 2: 1 board\n", "two-handed: 1 board in every seating, 2 hands, "),
        ("--games", "leg 1 of 2: 1 game\n", "two-handed: 1 game in every seating, "),
    ],
)
def test_one_board_or_game_is_called_so(
    tmp_path: Path, option: str, leg: str, headline: str
) -> None:
    """What is played has its own word, in the right number."""
    ended = _run(*MATCH, *TWO_BOTS, option, "1", cwd=tmp_path)

    assert ended.stdout.startswith(headline)
    assert leg in ended.stderr
    assert "boards" not in ended.stdout.split("Difference")[0]


def test_all_of_the_log_is_json_where_that_is_asked_for(tmp_path: Path) -> None:
    """Whatever is told on the way is an event, troubles with what the bot printed included."""
    bad = "bad=cmd:sh -c 'echo no cards today; exit 7'"

    ended = _run(
        *(*MATCH, "--rules", "two-handed", "--bot", bad, "--bot", "rules", "--boards", "1"),
        *("--log", "json", "--log-level", "info"),
        cwd=tmp_path,
    )

    events = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [("info", "leg 1 of 2: 1 board"), ("info", "leg 2 of 2: 1 board")] == [
        (event["level"], event["event"]) for event in events if event["event"].startswith("leg ")
    ]
    assert 1 == sum("\n  | no cards today" in event["event"] for event in events)
    assert "bad did not come and forfeited every table from then on" == events[-1]["event"]


def test_a_bot_that_exits_at_start_forfeits(tmp_path: Path) -> None:
    """The other gets the result, the sentence shows what the bot printed, the status is 2."""
    bad = "bad=cmd:sh -c 'echo no cards today; exit 7'"

    ended = _run(
        *(*MATCH, "--rules", "two-handed", "--bot", "rules", "--bot", bad),
        *("--boards", "3", "--json"),
        cwd=tmp_path,
    )

    result = _result(ended)
    good, offender = result["standings"]
    assert 2 == ended.returncode
    assert "bot 'bad' could not be started: it exited with status 7" in ended.stderr
    assert "| no cards today" in ended.stderr
    assert ("rules", 12, 6) == (good["bot"], good["points"], good["wins"])
    assert ("bad", 0, 6) == (
        offender["bot"],
        offender["points"],
        offender["faults"]["start_failed"],
    )


def test_a_bot_that_does_not_come_again_forfeits_what_is_left(tmp_path: Path) -> None:
    """It has played its first leg, and nobody says that it never came."""
    once = f"test -e once && exit 3; touch once; exec {sys.executable} -m euchre_arena.bots rules"

    ended = _run(
        *(*MATCH, "--rules", "two-handed", "--bot", "rules", "--bot", f"bad=cmd:sh -c '{once}'"),
        *("--boards", "3", "--json"),
        cwd=tmp_path,
    )

    _, offender = _result(ended)["standings"]
    assert (2, 3) == (ended.returncode, offender["faults"]["start_failed"])
    assert ended.stderr.endswith(
        "euchre-arena: bad did not come and forfeited every table from then on\n"
    )


@pytest.mark.parametrize("options", [(), ("--json",)], ids=" ".join)
@pytest.mark.parametrize(("other", "status"), [("random", 0), ("bad=cmd:false", 2)])
def test_a_reader_that_leaves_changes_no_status(
    tmp_path: Path, options: tuple[str, ...], other: str, status: int
) -> None:
    """`match | head -0` ends as the match did, whoever has read its result."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as broken:
        ended = subprocess.run(
            [
                *(*ARENA, *MATCH, "--rules", "two-handed", "--boards", "1", *options),
                *("--bot", "rules", "--bot", other),
            ],
            cwd=tmp_path,
            stdout=broken,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (status, False) == (ended.returncode, "Error" in ended.stderr)
    assert verify_file(next((tmp_path / "data").glob("*.euchre"))).is_good


def test_who_outlives_the_process_of_its_bot_is_told(tmp_path: Path) -> None:
    """What was started is the bot: a child of it that plays on sits at no table, and hears why."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os\n"
        "reading, writing = os.pipe()\n"
        "if os.fork():\n"
        "    os._exit(len(os.read(reading, 1)))\n"
        "from euchre_arena import Bot, run\n"
        "class Child(Bot):\n"
        "    def decide(self, decision):\n"
        "        os.write(writing, b'.')\n"
        "        return decision.legal[0]\n"
        "    def on_goodbye(self, goodbye):\n"
        "        print('goodbye', goodbye.reason.name, goodbye.text, flush=True)\n"
        "run(Child())\n"
    )
    slow = tmp_path / "slow.py"  # so that the leg is not over before it is told
    slow.write_text(
        "import time\n"
        "from euchre_arena import run\n"
        "run(lambda decision: time.sleep(0.05) or decision.legal[0])\n"
    )

    ended = _run(
        *(*MATCH, "--rules", "two-handed", "--boards", "10", "--json"),
        *("--bot", f"slow=cmd:{sys.executable} {slow}"),
        *("--bot", f"forked=cmd:{sys.executable} {script}"),
        cwd=tmp_path,
    )

    _, forked = _result(ended)["standings"]
    (output,) = (tmp_path / "data").glob("*.output/forked.leg1.log")
    assert "bot 'forked' is gone: its process exited with status 1" in ended.stderr
    assert forked["faults"]["crash"] > 0
    assert "goodbye REFUSED the bot is gone: its process exited with status 1" in output.read_text()


def test_a_bot_that_never_dials_in_forfeits(tmp_path: Path) -> None:
    """Nobody waits longer than the time to join."""
    ended = _run(
        *(*MATCH, "--rules", "two-handed", "--bot", "rules", "--bot", "bad=cmd:sleep 1000"),
        *("--boards", "2", "--join-within", "5s", "--json"),
        cwd=tmp_path,
    )

    assert 2 == ended.returncode
    assert "bot 'bad' could not be started: it did not dial in within 5 s" in ended.stderr
    assert 4 == _result(ended)["standings"][1]["faults"]["start_failed"]


def test_a_bot_that_answers_nonsense_is_faulted(tmp_path: Path) -> None:
    """Illegal answers are counted against their bot alone, and the match goes on."""
    script = tmp_path / "nonsense.py"
    script.write_text(
        "from euchre_arena import Action, ActionKind, run\n"
        "run(lambda decision: Action(ActionKind.BURY))\n"
    )

    ended = _run(
        *(*MATCH, "--rules", "two-handed", "--bot", "rules"),
        *("--bot", f"bad=cmd:{sys.executable} {script}"),
        *("--boards", "1", "--policy", "strict", "--json"),
        cwd=tmp_path,
    )

    faults = {row["bot"]: row["faults"] for row in _result(ended)["standings"]}
    assert 0 == ended.returncode
    assert 2 == faults["bad"]["illegal"] + faults["bad"]["garbled"]
    assert 0 == sum(faults["rules"].values())


def test_a_remote_bot_dials_in_by_itself(tmp_path: Path) -> None:
    """Address and token are printed once; with them any program plays through all legs."""
    arguments = ("--rules", "two-handed", "--bot", "rules", "--bot", "far=remote", "--boards", "2")
    with subprocess.Popen(
        [*ARENA, *MATCH, *arguments, "--json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as arena:
        assert arena.stderr is not None
        told = arena.stderr.readline()
        variables = dict(re.findall(r"(EUCHRE_ARENA_\w+)=(\S+)", told))
        bot = subprocess.run([*ARENA, "bot", "random"], env=os.environ | variables, check=False)
        out, err = arena.communicate(timeout=60)

    result = json.loads(out)
    assert told.startswith("waiting for bot 'far'; start it with ")
    assert (0, 0, "") == (arena.returncode, bot.returncode, err)
    assert (2, 4) == (result["boards"], result["hands"])
    assert ["none", "remote"] == [entry["isolation"] for entry in result["bots"]]
    assert variables["EUCHRE_ARENA_TOKEN"].encode() not in _record(result, tmp_path).read_bytes()


@pytest.fixture
def taken_port() -> Iterator[int]:
    """Yields a port that somebody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Returns the one line of a match that was refused before anything began."""
    with pytest.raises(SystemExit) as ended:
        main(("match", *arguments))
    captured = capsys.readouterr()
    assert (2, "") == (ended.value.code, captured.out)
    assert 1 == captured.err.count("\n")
    return captured.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "three-handed play takes 3 bots, not 0"),
        ("--bot rules", "three-handed play takes 3 bots, not 1"),
        ("--rules two-handed --bot a=rules --bot b=rules --bot c=rules", "takes 2 bots, not 3"),
        ("--bot a=rules --bot a=rules --bot rules", "two bots are named 'a'"),
        ("--bot rules --bot rulez --bot rules", "did you mean 'rules'?"),
        ("--bot rules --bot a=cmd:nosuch --bot rules", "there is no program 'nosuch'"),
        ("--bot rules --bot a*=rules --bot rules", "'a*' is no bot name"),
        ("--bot rules --bot é=rules --bot rules", "'é' is no bot name: use 1 to 32 of a-z, A-Z"),
        ("--resume=", "--resume is empty; name a match id"),
        ("--clock=", "'--clock': it is empty; write a part"),
        ("--seed=", "'--seed': it is empty; write a text"),
        ("--rules three-hande", "there is no preset 'three-hande'"),
        ("--rules two-handed,joker=1", "there is no option 'joker'"),
        ("--rules two-handed,target=x", "option target must be"),
        ("--rules two-handed,maker_alone=true", "option maker_alone applies to"),
        ("--boards 0", "0 is not in the range"),
        ("--boards 1 --games 1", "give --boards or --games, not both"),
        ("--clock budget=5", "'5' is no duration"),
        ("--policy mild", "'mild' is not one of"),
        ("--seatings some", "'some' is not one of"),
        ("--port 70000", "70000 is not in the range"),
        ("--isolation some", "'some' is not one of"),
        ("--limits memory=2", "memory=2 is no size"),
        ("--bot rules --folder rules=.", "bot 'rules' is no cmd:COMMAND LINE, so it has no folder"),
        ("--bot rules --folder mine=.", "a folder is given for 'mine', but there is no such bot"),
        ("--share nosuch", "'nosuch' does not exist"),
        ("--boards x", "'x' is not a valid whole number"),
        (f"--boards {10**19}", "is not in the range 1<=x<=50000000"),
        (f"--games {10**26}", "is not in the range 1<=x<=50000000"),
    ],
)
def test_wrong_options_are_refused_in_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: str,
    sentence: str,
) -> None:
    """The line says what is wrong; nothing was made."""
    monkeypatch.chdir(tmp_path)

    assert sentence in _refused(capsys, *arguments.split())
    assert [] == list(tmp_path.iterdir())


def test_a_house_bot_is_not_asked_for_another_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What it plays is known beforehand: nothing is made."""
    monkeypatch.setattr(RulesBot, "games", (Game.TWO_HANDED, Game.THREE_HANDED))
    bots = [f"--bot={name}=rules" for name in "abcd"]

    line = _refused(capsys, "--rules", "pepper", *bots, "--data", str(tmp_path / "data"))

    assert line == (
        "euchre-arena: house bot rules does not play pepper; it plays two-handed, three-handed\n"
    )
    assert [] == list(tmp_path.iterdir())


def test_a_taken_port_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, taken_port: int
) -> None:
    """Two arenas never share a port (C-30); no record is left of the attempt."""
    data = tmp_path / "data"

    line = _refused(capsys, *TWO_BOTS, "--data", str(data), "--port", str(taken_port))

    assert f"cannot listen on 127.0.0.1:{taken_port}: the port is taken" in line
    assert [] == list(data.iterdir())


def test_a_data_folder_that_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The folder and the reason are named."""
    (tmp_path / "file").touch()

    line = _refused(capsys, *TWO_BOTS, "--data", str(tmp_path / "file" / "data"))

    assert f"cannot make the data folder {tmp_path}/file/data: not a directory" in line


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_was_played(tmp_path: Path, number: signal.Signals) -> None:
    """The match says how far it got, seals its record as incomplete, and leaves no process."""
    with subprocess.Popen(
        [*ARENA, *MATCH, *TWO_BOTS, "--boards", "100000", "--json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as arena:
        try:
            wait_until_grown(tmp_path / "data", 40_000)
            started = psutil.Process(arena.pid).children(recursive=True)
            arena.send_signal(number)
            out, err = arena.communicate(timeout=30)
        finally:
            arena.kill()  # else a failed assertion would wait for 100,000 boards

    result = json.loads(out)
    *_, last = read_record(_record(result, tmp_path))
    assert 130 == arena.returncode
    said, how_far = err.splitlines()
    assert "euchre-arena: interrupted: the match ends here; once more kills its bots" == said
    assert f"euchre-arena: interrupted after {result['hands']:,} of 200,000 tables" in how_far
    assert result["hands"] >= 20
    assert isinstance(last.fact, MatchSealed)
    assert not last.fact.complete
    assert 2 <= len(started)
    assert [] == [process for process in started if process.is_running()]
