"""What log lines hold, and what they never do."""

import json

import pytest

from euchre_server.cli.logs import LogForm, LogLevel, configure_logging

_NOTHING: dict[str, int] = {}


def _crash(deck: str) -> None:
    try:
        _NOTHING[deck]
    except KeyError as error:
        raise ValueError(f"{deck} cannot be dealt") from error


@pytest.mark.parametrize("form", list(LogForm))
def test_a_logged_exception_tells_where_and_no_more(
    capsys: pytest.CaptureFixture[str], form: LogForm
) -> None:
    """A crash has decks and secrets in its variables and words; the log has none of them."""
    log = configure_logging(form, LogLevel.WARNING)
    deck = "JD TC KS"

    try:
        _crash(deck)
    except ValueError as error:
        log.exception("table crashed")
        caught = error
    log.error("unhandled", exc_info=caught)

    lines = capsys.readouterr().err
    assert 2 == lines.count("KeyError, then ValueError")
    assert 4 == lines.count("test_logs.py:") - lines.count("in test_a_logged")
    assert "JD" not in lines
    assert "Traceback" not in lines


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
