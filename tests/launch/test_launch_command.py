"""Command lines of bots: read without a shell, and checked before anything starts."""

import sys
from pathlib import Path

import pytest

from euchre_server.launch.command import CommandError, command_from_line, python_module


def test_a_line_is_split_as_a_shell_would() -> None:
    """Quotes group, and nothing is expanded."""
    command = command_from_line(f"{sys.executable} 'my bot.py' --name \"a b\" $HOME;ls")

    assert (sys.executable, "my bot.py", "--name", "a b", "$HOME;ls") == command.argv


def test_a_program_is_found_on_the_search_path() -> None:
    """A bare name becomes the path of the program."""
    assert "/" in command_from_line("sh -c true").argv[0]


def test_a_module_runs_in_this_python() -> None:
    """House bots run in the environment of the arena."""
    assert (sys.executable, "-m", "bots", "rules") == python_module("bots", "rules").argv


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the command line is empty"),
        ("bot 'open", "cannot be read: No closing quotation"),
        ("no-such-program-here --x", "there is no program 'no-such-program-here' on the search"),
        ("./no/such/program", "there is no program './no/such/program'"),
    ],
)
def test_a_line_that_cannot_be_started_is_refused(line: str, message: str) -> None:
    """One sentence says what is wrong."""
    with pytest.raises(CommandError, match=message):
        command_from_line(line)


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    """A bot and the folder that it was built in often have the same name."""
    with pytest.raises(CommandError, match="is a folder, not a program"):
        command_from_line(str(tmp_path))


def test_a_file_that_may_not_be_executed_is_refused(tmp_path: Path) -> None:
    """A script without its x bit is the commonest mistake, and has a sentence of its own."""
    script = tmp_path / "bot.py"
    script.write_text("#!/usr/bin/env python3\n")

    with pytest.raises(CommandError, match="is not executable"):
        command_from_line(str(script))
