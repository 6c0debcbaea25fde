"""Matches whose arena is killed: gone on with by `match --resume`, as if nothing had happened."""

import fcntl
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from record_forge import positions
from resumed_matches import play_hashes

from euchre_server.cli.main import main
from euchre_server.cli.replay import replay_group
from euchre_server.record.checking import verify_file
from euchre_server.record.entries import BotSeated, MatchResumed, MatchSealed
from euchre_server.record.reader import read_last, read_record

ARENA = (sys.executable, "-m", "euchre_server.cli.main", "match")
# Nobody may run out of time on a busy machine: the clock would play, at other moments each time.
MATCH = (
    *("--rules", "two-handed", "--bot", "rules", "--bot", "random", "--seed", "kill me"),
    *("--isolation", "none", "--clock", "budget=60s,first=60s", "--join-within", "60s"),
)
BOARDS = 20


def _start(*arguments: str, cwd: Path, file_size: int | None = None) -> subprocess.Popen[str]:
    """Returns a started arena, whose files may have so many bytes."""
    arena = subprocess.Popen(
        [*ARENA, *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if file_size is not None:
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(arena.pid, resource.RLIMIT_FSIZE, (file_size, most))
    return arena


def _run(*arguments: str, cwd: Path) -> tuple[int, str]:
    """Returns exit status and standard error of an arena."""
    arena = _start(*arguments, cwd=cwd)
    _, err = arena.communicate(timeout=300)
    assert "Traceback" not in err
    return arena.returncode, err


def _kill(arena: subprocess.Popen[str]) -> None:
    """Kills an arena as the kernel would, and then the bots that it could not end any more."""
    bots = psutil.Process(arena.pid).children(recursive=True)
    arena.kill()
    arena.communicate()
    for bot in bots:
        try:
            bot.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(bots)


def _size(record: Path) -> int:
    return record.stat().st_size if record.exists() else 0


def _record(cwd: Path) -> Path | None:
    return next((cwd / "data").glob("*.euchre"), None)


def _wait_for(cwd: Path, arena: subprocess.Popen[str], size: int) -> None:
    """Waits until a record has grown so large, or the arena has ended."""
    while arena.poll() is None:
        record = _record(cwd)
        if record is not None and _size(record) >= size:
            return
        time.sleep(0.002)


def _kill_often(cwd: Path, chance: random.Random, *, kills: int, boards: int) -> int:
    """Plays a match to its end, killing the arena at random instants.

    Returns after how many kills it went on.
    """
    whole_size = 0
    arena = _start(*MATCH, "--boards", str(boards), cwd=cwd)
    for number in range(kills):
        record = _record(cwd)
        at = whole_size if record is None else _size(record)
        _wait_for(cwd, arena, at + 1 + chance.randrange(boards * 3_000 * 2 // (kills + 1)))
        if arena.poll() is not None:
            _, err = arena.communicate()
            assert 0 == arena.returncode, err
            return number
        _kill(arena)
        record = _record(cwd)
        last = None if record is None else read_last(record)
        if last is not None and isinstance(last.fact, MatchSealed):
            return number  # that was after the seal: there is nothing to go on with
        arena = _start("--resume", "data", cwd=cwd)
    _, err = arena.communicate(timeout=300)
    assert 0 == arena.returncode, err
    return kills


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], bytes]:
    """Returns the play hashes of the match when nobody kills it."""
    folder = tmp_path_factory.mktemp("unbroken")
    status, err = _run(*MATCH, "--boards", str(BOARDS), cwd=folder)
    assert 0 == status, err
    record = _record(folder)
    assert record is not None
    return play_hashes(record)


def test_a_killed_match_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, unbroken: dict[tuple[int, int], bytes]
) -> None:
    """Killed at random instants, it is played to the same end, and its record verifies."""
    seed = time.time_ns()
    kills = _kill_often(tmp_path, random.Random(seed), kills=3, boards=BOARDS)

    record = _record(tmp_path)
    assert record is not None
    assert verify_file(record).is_good, f"seed {seed}"
    assert unbroken == play_hashes(record), f"seed {seed}"
    assert kills == sum(isinstance(entry.fact, MatchResumed) for entry in read_record(record))


@pytest.mark.long
def test_two_hundred_kills_change_nothing(
    tmp_path: Path, unbroken: dict[tuple[int, int], bytes]
) -> None:
    """Every match that is killed again and again is played as without a kill."""
    seed = time.time_ns()
    chance, kills, matches = random.Random(seed), 0, 0
    while kills < 200:
        matches += 1
        folder = tmp_path / str(matches)
        folder.mkdir()
        kills += _kill_often(folder, chance, kills=20, boards=BOARDS)
        record = _record(folder)
        assert record is not None
        assert verify_file(record).is_good, f"seed {seed}, match {matches}"
        assert unbroken == play_hashes(record), f"seed {seed}, match {matches}"


def test_a_full_disk_ends_the_match_and_loses_nothing(
    tmp_path: Path, unbroken: dict[tuple[int, int], bytes]
) -> None:
    """The sentence says how to go on; what was recorded is whole, and the match goes on from it."""
    arena = _start(*MATCH, "--boards", str(BOARDS), cwd=tmp_path, file_size=20_000)
    _, err = arena.communicate(timeout=120)

    record = _record(tmp_path)
    assert record is not None
    assert 2 == arena.returncode
    assert "file too large; the match ends here, what was played is kept." in err
    assert f"go on with: euchre-arena match --resume data/{record.name}\n" in err
    assert "Traceback" not in err
    assert "unsealed" in str(verify_file(record))
    assert "cut off" not in str(verify_file(record))

    assert 0 == _run("--resume", f"data/{record.name}", cwd=tmp_path)[0]
    assert verify_file(record).is_good
    assert unbroken == play_hashes(record)


def test_a_match_that_no_bot_goes_on_with_is_not_given_up(tmp_path: Path) -> None:
    """Its record stays unsealed, the sentence says how to go on, and so it does."""
    away = tmp_path / "away"
    line = f"test -e {away} && exit 3; exec {sys.executable} -m euchre_arena.bots rules"
    bots = [text for name in "ab" for text in ("--bot", f'{name}=cmd:sh -c "{line}"')]
    arena = _start(*MATCH[:2], *bots, *MATCH[6:], "--boards", str(BOARDS), cwd=tmp_path)
    _wait_for(tmp_path, arena, 10_000)
    _kill(arena)
    record = _record(tmp_path)
    assert record is not None

    away.touch()
    status, err = _run("--resume", "data", cwd=tmp_path)

    assert 2 == status
    assert "none of its bots came to go on with it; the match ends here, what was played" in err
    assert f"go on with: euchre-arena match --resume data/{record.name}\n" in err
    assert "unsealed" in str(verify_file(record))
    away.unlink()
    assert 0 == _run("--resume", "data", cwd=tmp_path)[0]
    assert verify_file(record).is_good


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the record of a match that was killed."""
    folder = tmp_path_factory.mktemp("killed")
    bot = folder / "my bot"
    bot.mkdir()
    (bot / "first.py").write_text(
        "from euchre_arena import run\nrun(lambda decision: decision.legal[0])\n"
    )
    mine = ("--bot", f"mine=cmd:{sys.executable} first.py", "--folder", f"mine={bot}")
    arguments = (*MATCH[:2], *mine, *MATCH[4:], "--boards", str(BOARDS))
    arena = _start(*arguments, "--limits", "memory=1g", "--tables", "3", cwd=folder)
    _wait_for(folder, arena, 10_000)
    _kill(arena)
    record = _record(folder)
    assert record is not None
    return record


@pytest.fixture
def left(killed: Path, tmp_path: Path) -> Path:
    """Returns a copy of that record with its secret."""
    for file in (killed, killed.with_suffix(".secret")):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / killed.name


def test_everything_needed_is_in_the_record(left: Path, tmp_path: Path) -> None:
    """From any folder: bots, their folders, tables and clock are as they were begun."""
    status, err = _run("--resume", str(left), cwd=tmp_path)

    assert 0 == status, err
    assert f"going on with {left.stem}: " in err
    seated = {e.fact.bot_name: e.fact for e in read_record(left) if isinstance(e.fact, BotSeated)}
    assert {"mine": f"cmd:{sys.executable} first.py", "random": "random"} == {
        name: fact.source for name, fact in seated.items()
    }
    assert verify_file(left).is_good
    shown = CliRunner().invoke(replay_group, ["show", str(left)])
    assert "Its arena was killed; another went on" in shown.output


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(("match", "--resume", *arguments))
    captured = capsys.readouterr()
    assert (2, "") == (ended.value.code, captured.out)
    assert 1 == captured.err.count("\n")
    return captured.err


@pytest.mark.parametrize("option", ["--boards 3", "--bot rules", "--seed x", "--isolation none"])
def test_nothing_that_the_record_says_may_be_said_again(
    capsys: pytest.CaptureFixture[str], left: Path, option: str
) -> None:
    """An option that would change the match is refused by name."""
    line = _refused(capsys, str(left), *option.split())

    assert f"{option.split(maxsplit=1)[0]} cannot be given with --resume" in line


def test_a_folder_without_an_unfinished_match_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The folder is named."""
    assert f"there is no unfinished match in {tmp_path}" in _refused(capsys, str(tmp_path))


def test_an_unknown_match_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The match is named."""
    line = _refused(capsys, "nosuch", "--data", str(tmp_path))

    assert "there is no record nosuch" in line


def test_a_match_without_its_secret_is_refused(
    capsys: pytest.CaptureFixture[str], left: Path
) -> None:
    """The missing file is named."""
    left.with_suffix(".secret").unlink()

    line = _refused(capsys, left.stem, "--data", str(left.parent))

    assert f"cannot read the secret {left.with_suffix('.secret')}: no such file" in line


@pytest.mark.parametrize("number", [None, -3])
def test_a_damaged_record_is_named(
    capsys: pytest.CaptureFixture[str], left: Path, number: int | None
) -> None:
    """Whether it shows at the beginning or when all is read; nothing is changed."""
    content = bytearray(left.read_bytes())
    content[0 if number is None else positions(left)[number][0] + 12] ^= 1
    left.write_bytes(content)

    line = _refused(capsys, str(left))

    assert line.startswith(f"euchre-arena: {left}: ")
    assert content == left.read_bytes()


@pytest.fixture
def locked(left: Path) -> Iterator[Path]:
    """Yields the record while an arena writes it."""
    descriptor = os.open(left, os.O_WRONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield left
    os.close(descriptor)


def test_a_match_that_is_being_played_is_refused(
    capsys: pytest.CaptureFixture[str], locked: Path
) -> None:
    """Two arenas never go on with one match."""
    before = locked.read_bytes()

    line = _refused(capsys, str(locked))

    assert f"{locked} is still being written: an arena plays that match now" in line
    assert before == locked.read_bytes()


def test_a_bot_that_is_gone_is_named(
    capsys: pytest.CaptureFixture[str], killed: Path, left: Path
) -> None:
    """A match whose bot cannot be started any more is refused, its record unchanged."""
    folder = killed.parent.parent / "my bot"
    before = left.read_bytes()

    folder.rename(folder.with_name("elsewhere"))
    try:
        line = _refused(capsys, str(left))
    finally:
        folder.with_name("elsewhere").rename(folder)

    assert "cannot be gone on with: bot 'mine': there is no folder" in line
    assert before == left.read_bytes()


def test_a_finished_match_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A sealed record says that the match is over."""
    status, err = _run(*MATCH, "--boards", "1", cwd=tmp_path)
    assert 0 == status, err
    record = _record(tmp_path)

    line = _refused(capsys, str(record))

    assert f"{record} is sealed: that match is over" in line
