"""What log lines hold, and what they never do."""

import json

import pytest

from euchre_server.cli.logs import LogForm, LogLevel, configure_logging


def _crash(deck: str) -> None:
    raise ValueError(len(deck))


@pytest.mark.parametrize("form", list(LogForm))
def test_a_logged_exception_shows_no_local_variables(
    capsys: pytest.CaptureFixture[str], form: LogForm
) -> None:
    """A table that crashes has decks and secrets in its variables; the log has none of them."""
    log = configure_logging(form, LogLevel.WARNING)
    deck = "JD TC KS"

    try:
        _crash(deck)
    except ValueError:
        log.exception("table crashed")

    line = capsys.readouterr().err
    assert "ValueError" in line
    assert "JD TC KS" not in line


def test_json_lines_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Every line is one object with the event, its level and the keys bound to it."""
    log = configure_logging(LogForm.JSON, LogLevel.INFO).bind(table="t1", seat=2)

    log.info("seat joined", bot="ann")

    line = json.loads(capsys.readouterr().err)
    assert {
        "event": "seat joined",
        "level": "info",
        "table": "t1",
        "seat": 2,
        "bot": "ann",
    } == {key: value for key, value in line.items() if key != "timestamp"}
