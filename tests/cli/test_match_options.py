"""The texts of `match` options: clocks, durations and bots."""

import sys
from pathlib import Path

import pytest

from euchre_server.cli.durations import parse_clock, parse_duration_ms
from euchre_server.hosting.bot_plan import plan_bots
from euchre_server.hosting.house import house_bot_names
from euchre_server.referee.spec import ClockSpec


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("0", 0),
        ("500ms", 500),
        ("1.5s", 1500),
        ("10s", 10_000),
        ("2m", 120_000),
        ("1 h", 3_600_000),
    ],
)
def test_durations(text: str, milliseconds: int) -> None:
    """A number and a unit; only nothing needs no unit."""
    assert milliseconds == parse_duration_ms(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", "'5' is no duration; write 500ms"),
        ("-5ms", "'-5ms' is no duration"),
        ("ms", "'ms' is no duration"),
        ("5 weeks", "'5 weeks' is no duration"),
        ("0.5ms", "not a whole number of milliseconds"),
        ("25h", "longer than a day"),
        ("9" * 400 + "h", "longer than a day"),
    ],
)
def test_what_is_no_duration(text: str, message: str) -> None:
    """The error says what would be right."""
    with pytest.raises(ValueError, match=message):
        parse_duration_ms(text)


def test_a_clock_changes_what_it_names() -> None:
    """Parts that are not given stay as usual."""
    assert ClockSpec(budget_ms=70, bank_ms=0) == parse_clock("budget=70ms, bank=0")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("budgte=5s", r"has no 'budgte'.*did you mean 'budget'"),
        ("", "it is empty; write a part such as budget=500ms"),
        (" , ", "it is empty"),
        ("budget", "budget has no value"),
        ("budget=1s,budget=2s", "budget is given twice"),
        ("bank=soon", "'soon' is no duration"),
        ("budget=0", "budget_ms is 0; it must be at least 1"),
    ],
)
def test_what_is_no_clock(text: str, message: str) -> None:
    """The error names the part that is wrong."""
    with pytest.raises(ValueError, match=message):
        parse_clock(text)


def test_bots_name_themselves() -> None:
    """A house bot is called as it is, one that comes again gets a number, a program its file."""
    plans = plan_bots(["rules", "random", "rules", f"cmd:{sys.executable} -u bots/my_bot.py"])

    assert ["rules", "random", "rules-2", "my_bot"] == [plan.name for plan in plans]


def test_given_names_come_first() -> None:
    """A bot without a name does not take one that another was given."""
    plans = plan_bots(["rules", "rules=random", "b=remote"])

    assert [("rules-2", "rules"), ("rules", "random"), ("b", "remote")] == [
        (plan.name, plan.source) for plan in plans
    ]


def test_only_remote_bots_have_no_command() -> None:
    """House bots and commands are started, a remote one dials by itself."""
    house, command, remote = plan_bots(["rules", "x=cmd:true a=b", "r=remote"])

    assert (False, False, True) == (house.remote, command.remote, remote.remote)
    assert house.command is not None
    assert (sys.executable, "-m", "euchre_arena.bots", "rules") == house.command.argv
    assert command.command is not None
    assert "a=b" == command.command.argv[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rulez", r"no house bot 'rulez' \(did you mean 'rules'\?\); house bots: random, rules"),
        ("x=", "bot 'x' has no SPEC"),
        ("x=cmd:no-such-program", "bot 'x': there is no program 'no-such-program'"),
        ("x=cmd:'", "bot 'x': the command line"),
    ],
)
def test_bots_that_cannot_be(text: str, message: str) -> None:
    """The sentence says which bot and what is wrong with it."""
    with pytest.raises(ValueError, match=message):
        plan_bots([text])


def test_house_bots_have_names_of_their_own() -> None:
    """The bots that every description names are there."""
    assert {"random", "rules"} <= set(house_bot_names())


@pytest.mark.parametrize("text", ["a b=rules", "c:d=remote", "e/f=cmd:true x=1"])
def test_what_stands_before_a_source_is_a_name(text: str) -> None:
    """Also where no bot can have it: the match refuses it as a name, not as a house bot."""
    (plan,) = plan_bots([text])

    assert text.split("=", 1) == [plan.name, plan.source]


def test_a_command_may_hold_an_equals_sign(tmp_path: Path) -> None:
    """A path or an argument with = in it does not become a name."""
    script = tmp_path / "a=b.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o700)

    (plan,) = plan_bots([f"cmd:{script} --x=1"])

    assert "1" == plan.name.rpartition("-")[2] or "a-b" == plan.name
    assert plan.command is not None
    assert (str(script), "--x=1") == plan.command.argv
