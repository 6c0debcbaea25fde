"""The texts of the options that say how bots are kept apart."""

from pathlib import Path

import pytest

from euchre_server.cli.failure import CommandFailed
from euchre_server.cli.isolation_option import (
    USUAL_LIMITS,
    chosen_sandbox,
    parse_folders,
    parse_limits,
)
from euchre_server.hosting.bot_plan import plan_bots
from euchre_server.launch.isolation import Isolation
from euchre_server.launch.limits import UNLIMITED, ProcessLimits


def test_limits_change_what_they_name() -> None:
    """Parts that are not given stay as usual, and the help shows those as they are read."""
    assert ProcessLimits() == parse_limits("") == parse_limits(USUAL_LIMITS)
    assert ProcessLimits(memory=3 << 29, cpu_s=5400, files=99) == parse_limits(
        "memory=1.5g, cpu=90m, files=99"
    )
    assert ProcessLimits(filesize=64 << 10, disk=1 << 40) == parse_limits("filesize=64KB,disk=1t")


def test_the_page_on_isolation_has_the_usual_limits() -> None:
    """What is documented is what is set."""
    page = Path(__file__).parents[2] / "docs" / "isolation.md"

    assert f"--limits {USUAL_LIMITS}\n" in page.read_text()


def test_every_limit_can_be_taken_away() -> None:
    """`none` is no limit."""
    parts = ("memory", "processes", "cpu", "files", "filesize", "disk")

    assert UNLIMITED == parse_limits(",".join(f"{part}=none" for part in parts))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "memroy=1g",
            r"no limit 'memroy' \(did you mean 'memory'\?\); there are memory, processes",
        ),
        ("memory", "memory= is no size; write memory=512m"),
        ("memory=1000", "memory=1000 is no size"),
        ("memory=0g", "memory=0g is no size"),
        (f"memory={'9' * 400}g", "memory=9+g is no size"),
        ("memory=1g,memory=2g", "memory is given twice"),
        ("files=many", "files=many is no number; write files=256"),
        ("processes=0", "processes=0 is no number"),
        ("cpu=0", "cpu=0 is no whole number of seconds; write cpu=90s"),
        ("cpu=1500ms", "cpu=1500ms is no whole number of seconds"),
        ("cpu=long", "'long' is no duration"),
    ],
)
def test_what_is_no_limit(text: str, message: str) -> None:
    """The error names the part that is wrong, and what would be right."""
    with pytest.raises(ValueError, match=message):
        parse_limits(text)


def test_a_bot_works_in_its_own_folder(tmp_path: Path) -> None:
    """Programs and files of its command are found from there."""
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o700)

    ann, bob = plan_bots(["ann=cmd:./bot.sh", "bob=cmd:sh"], parse_folders([f"ann={tmp_path}"]))

    assert ann.command is not None
    assert bob.command is not None
    assert ((str(script),), tmp_path) == (ann.command.argv, ann.command.folder)
    assert Path.cwd() == bob.command.folder


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["bots"], "'bots' is no folder of a bot; write NAME=FOLDER"),
        (["a=/no/such"], "bot 'a': there is no folder '/no/such'"),
        (["a=/", "a=/"], "bot 'a' is given two folders"),
    ],
)
def test_what_is_no_folder(texts: list[str], message: str) -> None:
    """The sentence says which bot, and how to write it."""
    with pytest.raises(ValueError, match=message):
        parse_folders(texts)


def test_without_bubblewrap_the_level_is_not_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asked for isolation is refused; who did not is told why there is none."""
    monkeypatch.setenv("PATH", str(tmp_path))

    sandbox, why = chosen_sandbox(None)

    assert sandbox is None
    assert why is not None
    assert why.startswith("bubblewrap (bwrap) ")
    assert (None, None) == chosen_sandbox(Isolation.NONE)
    with pytest.raises(CommandFailed, match=r"bubblewrap \(bwrap\) .*; with --isolation none bots"):
        chosen_sandbox(Isolation.BWRAP)


def test_a_match_goes_on_in_isolation_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that were isolated before the arena was killed are not let loose after it."""
    monkeypatch.setenv("PATH", "/nonexistent")

    with pytest.raises(CommandFailed, match="begun with isolated bots, and goes on with no others"):
        chosen_sandbox(Isolation.BWRAP, resumed=True)
