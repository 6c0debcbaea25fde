"""What is told on the way ends nothing, whoever has ceased to listen."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import pytest
import structlog

from euchre_server.cli.logs import LogForm, LogLevel, configure_logging
from euchre_server.cli.serve import _told
from euchre_server.cli.terminal_bar import TerminalBar
from euchre_server.cli.unheard import unheard

if TYPE_CHECKING:
    from collections.abc import Iterator


def _broken() -> TextIO:
    """Returns a stream whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w")


def _full() -> TextIO:
    """Returns a stream to a disk that has no room."""
    return Path("/dev/full").open("w", encoding="utf-8")


@pytest.fixture(params=[_broken, _full])
def stderr(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """Yields a standard error output that takes nothing."""
    stream: TextIO = request.param()
    monkeypatch.setattr(sys, "stderr", stream)
    yield stream
    structlog.reset_defaults()
    os.dup2(nowhere := os.open(os.devnull, os.O_WRONLY), stream.fileno())  # to be closed in peace
    os.close(nowhere)
    stream.close()


@pytest.mark.parametrize("form", list(LogForm))
def test_a_log_that_nobody_takes_ends_nothing(stderr: TextIO, form: LogForm) -> None:
    """A line is lost, and so may be the next; whatever logs goes on."""
    log = configure_logging(form, LogLevel.INFO)

    for number in range(3):
        log.warning("arena stalled", number=number)

    assert not stderr.closed


def test_what_an_arena_tells_ends_nothing(stderr: TextIO) -> None:
    """Not even its last words, before it drains."""
    _told(None, as_json=False)("draining", "stopping")

    assert not stderr.closed


def test_what_a_match_tells_ends_nothing(stderr: TextIO) -> None:
    """Neither a line, as in `euchre-arena match 2>&1 | head`, nor a bar."""
    with TerminalBar(wanted=True, goes_on=True) as bar:
        bar._console.print("leg 1 of 2")

    assert not stderr.closed


def test_a_reader_that_has_gone_is_written_to_no_more() -> None:
    """Else what was left over would fail when the process ends."""
    stream = _broken()
    unheard(stream).write("a line\n" * 10_000)

    stream.flush()
    stream.close()


def test_without_an_output_all_is_lost() -> None:
    """A process may be started without one."""
    stream = unheard(None)

    assert 2 == stream.write("a\n")
    assert not stream.isatty()
    stream.close()
