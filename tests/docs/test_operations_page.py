"""docs/operations.md says what is there: events, metrics, settings, roles and exit statuses."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from euchre_server.cli.config import settings
from euchre_server.cli.failure import ExitStatus
from euchre_server.cli.main import program
from euchre_server.operations.metrics import ArenaCollector
from euchre_server.session.access import CALLS, Role
from euchre_server.session.counts import Counts
from euchre_server.session.readings import Readings

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "operations.md").read_text()
LEVELS = {"debug", "info", "warning", "error", "exception"}


def rows(heading: str) -> Iterator[list[str]]:
    """Yields the cells of the rows of all tables under a heading, without their heads."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        for line in table.splitlines()[2:]:
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def words(cell: str) -> list[str]:
    """Returns what stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def logged() -> set[str]:
    """Returns every event that the server's code logs."""
    found: set[str] = set()
    for path in (REPOSITORY / "server").rglob("*.py"):
        if path.name == "quantiles.py":
            continue  # its log is a logarithm
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args and _is_log(node.func):
                texts = [n for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)]
                assert texts, f"{path}: an event is a text that stands there"
                assert not isinstance(node.args[0], ast.JoinedStr), f"{path}: as above"
                found |= {text.value for text in texts if isinstance(text.value, str)}
    return found


def _is_log(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr in LEVELS and ast.unparse(function.value).endswith("log")
    return isinstance(function, ast.Name) and function.id == "log"


def test_every_event_is_listed() -> None:
    """What the code logs, no more and no less; events are fixed texts."""
    assert {event for row in rows("Events") for event in words(row[0])} == {
        event for event in logged() if " " in event or event in {"fault", "serving", "unhandled"}
    }


def test_every_metric_is_listed() -> None:
    """What the page for Prometheus has, by name and label."""
    readings = Readings(
        counts=Counts(),
        tables=0,
        sessions=0,
        streams=0,
        queue_bytes=0,
        longest_queue_bytes=0,
        refused={},
    )
    families = [
        f"{family.name}{suffix}"
        for family in ArenaCollector(lambda: (readings, {})).collect()
        for suffix in [{"counter": "_total", "info": "_info"}.get(family.type, "")]
    ]
    listed = [name for row in rows("Metrics") for name in words(row[0])]

    assert set(families) == {name for name in listed if name.startswith("euchre_arena_")}
    assert len(families) == len(set(families))


def test_every_setting_of_serve_is_listed() -> None:
    """The keys of the file, and the example has no others."""
    command = program.get_command(click.Context(program), "serve")
    assert command is not None
    context = command.make_context("serve", [])
    keys = [setting.key for setting in settings(context)]
    example = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None

    assert keys == [key for row in rows("Settings") for key in words(row[0])]
    assert set(tomllib.loads(example[1])["serve"]) < set(keys)


def test_every_exit_status_is_listed() -> None:
    """The numbers and no others."""
    assert sorted(ExitStatus) == sorted(int(row[0]) for row in rows("Stopping"))


@pytest.mark.parametrize("role", list(Role))
def test_what_each_role_may_call_is_listed(role: Role) -> None:
    """The calls by name, or the whole service."""
    (row,) = [row for row in rows("Tokens") if words(row[0]) == [role.value]]
    may = {
        call.rpartition(".")[2].replace("/", ".") for call, roles in CALLS.items() if role in roles
    }
    named = set(words(row[1]))

    if role is Role.OPERATOR:
        assert {"MatchService"} == named == {call.partition(".")[0] for call in may}
    else:
        service = next(iter(may)).partition(".")[0]
        assert may == {call if "." in call else f"{service}.{call}" for call in named - {service}}
