"""Owns how log lines look: on one line for people, as JSON for machines, always on stderr."""

from __future__ import annotations

import logging
import sys
import traceback
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import structlog

from euchre_server.cli.unheard import unheard

if TYPE_CHECKING:
    from structlog.typing import EventDict, FilteringBoundLogger, Processor

__all__ = ["LogForm", "LogLevel", "configure_logging"]


class LogForm(StrEnum):
    """The form of a log line."""

    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """The least important kind of line that is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def configure_logging(form: LogForm, level: LogLevel) -> FilteringBoundLogger:
    """Sets up logging for the process and returns its root logger."""
    renderer: Processor
    stderr = unheard(sys.stderr)
    match form:
        case LogForm.CONSOLE:
            renderer = structlog.dev.ConsoleRenderer(colors=stderr.isatty())
        case LogForm.JSON:
            renderer = structlog.processors.JSONRenderer()
        case _:
            assert_never(form)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_words,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(stderr),
        cache_logger_on_first_use=False,
    )
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger


def _without_words(_: object, __: str, event: EventDict) -> EventDict:
    """Replaces an error by its kind and where it came from, causes first.

    Not what it says, nor any variable: that may be decks, secrets, and cards still to be played.
    """
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        chain = [error]
        while (before := chain[0].__cause__ or chain[0].__context__) is not None:
            chain.insert(0, before)
        event["error"] = ", then ".join(type(each).__name__ for each in chain)
        event["where"] = [
            f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
            for each in chain
            for frame in traceback.extract_tb(each.__traceback__)
        ]
    return event
