"""Interrupts: at whatever moment they come, the process ends in order and says how far it got."""

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from growing_record import wait_until_grown

from euchre_server.cli import match_setup
from euchre_server.cli.interrupts import Interrupts
from euchre_server.cli.main import main
from euchre_server.record.checking import verify_file

ARENA = (sys.executable, "-m", "euchre_server.cli.main", "match", "--isolation", "none")
SILENT = f"cmd:{shutil.which('sleep')} 600"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("number", SIGNALS)
def test_an_interrupt_is_raised_unless_held(number: signal.Signals) -> None:
    """It ends what the program is doing, but not what must be made to its end."""
    interrupts = Interrupts()
    made = []

    with interrupts.handled():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        interrupts.count = 0
        with interrupts.held():
            signal.raise_signal(number)
            made.append("the rest")
        with pytest.raises(KeyboardInterrupt), interrupts.held():
            made.append("never")

    assert ["the rest"] == made


def test_handlers_are_given_back() -> None:
    """Whoever had the signals before has them again."""
    before = [signal.getsignal(number) for number in SIGNALS]

    with Interrupts().handled():
        within = [signal.getsignal(number) for number in SIGNALS]

    assert before == [signal.getsignal(number) for number in SIGNALS]
    assert all(a is not b for a, b in zip(before, within, strict=True))


def test_an_interrupt_is_of_one_run_alone() -> None:
    """Once signals are handled no more, an interrupt that came before stops nobody."""
    interrupts = Interrupts()
    with interrupts.handled(), interrupts.held():
        signal.raise_signal(signal.SIGINT)

    interrupts.check()

    assert 0 == interrupts.count


def test_nohup_is_respected() -> None:
    """Where SIGHUP is ignored, as under nohup, it stays so."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interrupts = Interrupts()
    try:
        with interrupts.handled():
            signal.raise_signal(signal.SIGHUP)
            count = interrupts.count
    finally:
        signal.signal(signal.SIGHUP, before)

    assert 0 == count


def test_a_listener_is_told_of_early_and_late_interrupts() -> None:
    """What came before it listened is not lost, and what comes later arrives in its loop."""
    interrupts = Interrupts()

    async def listen() -> int:
        told: asyncio.Queue[int] = asyncio.Queue()
        with interrupts.told(lambda: told.put_nowait(1), asyncio.get_running_loop()):
            early = told.qsize()
            signal.raise_signal(signal.SIGTERM)
            async with asyncio.timeout(10):
                return early + await told.get() + await told.get()

    with interrupts.handled(), interrupts.held():
        signal.raise_signal(signal.SIGINT)
        total = asyncio.run(listen())

    assert 3 == total


@pytest.mark.parametrize("number", SIGNALS)
def test_an_interrupt_before_there_is_a_record_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    number: signal.Signals,
) -> None:
    """While the match is set up nothing is left half made, and one sentence says so."""
    monkeypatch.setattr(match_setup, "_check_bots", lambda *_: signal.raise_signal(number))

    with pytest.raises(SystemExit) as ended:
        main(["match", *(f"--bot={name}=rules" for name in "abc"), f"--data={tmp_path}"])

    captured = capsys.readouterr()
    assert 130 == ended.value.code
    assert (
        "euchre-arena: interrupted before the match began; nothing was recorded\n" == captured.err
    )
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("number", SIGNALS)
def test_an_interrupt_while_bots_start_seals_the_record(
    tmp_path: Path, number: signal.Signals
) -> None:
    """No table was opened, the record is complete as a file, its secret and the bots are gone."""
    bots = [text for name in "abc" for text in ("--bot", f"{name}={SILENT}")]
    with subprocess.Popen(
        [*ARENA, *bots, "--join-within", "10m", "--json"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as arena:
        try:
            wait_until_grown(tmp_path / "data", 0)
            started = psutil.Process(arena.pid).children(recursive=True)
            arena.send_signal(number)
            _, err = arena.communicate(timeout=30)
        finally:
            arena.kill()

    (record,) = (tmp_path / "data").iterdir()
    assert 130 == arena.returncode
    assert (
        "euchre-arena: interrupted: the match ends here; once more kills its bots\n"
        "euchre-arena: interrupted after 0 of 120 tables, 0 of 40 boards complete; "
        "what was played is kept\n"
    ) == err
    assert verify_file(record).is_good
    assert [] == [process for process in started if process.is_running()]


def test_a_second_interrupt_leaves_a_whole_record(tmp_path: Path) -> None:
    """Bots that take no notice of being asked are killed; the match is sealed and counted."""
    deaf = "cmd:sh -c \"trap '' TERM; sleep 600 & wait; sleep 600\""
    bots = [text for name in "abc" for text in ("--bot", f"{name}={deaf}")]
    with subprocess.Popen(
        [*ARENA, *bots, "--join-within", "10m", "--json"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as arena:
        try:
            wait_until_grown(tmp_path / "data", 0)
            started = psutil.Process(arena.pid).children(recursive=True)
            arena.send_signal(signal.SIGINT)
            assert arena.stderr is not None
            first = arena.stderr.readline()
            arena.send_signal(signal.SIGINT)
            _, err = arena.communicate(timeout=30)
        finally:
            arena.kill()

    (record,) = (tmp_path / "data").iterdir()
    assert "euchre-arena: interrupted: the match ends here; once more kills its bots\n" == first
    assert 130 == arena.returncode
    assert err.startswith("euchre-arena: interrupted after 0 of 120 tables")
    assert verify_file(record).is_good
    assert [] == [process for process in started if process.is_running()]
