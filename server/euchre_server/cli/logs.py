"""Owns how log lines look: on one line for people, as JSON for machines, always on stderr."""

from __future__ import annotations

import logging
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

import structlog

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger, Processor

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
    exceptions: list[Processor]
    match form:
        case LogForm.CONSOLE:
            renderer = structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
            exceptions = []
        case LogForm.JSON:
            renderer = structlog.processors.JSONRenderer()
            # Never the local variables: they hold decks, secrets and tokens.
            transformer = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
            exceptions = [structlog.processors.ExceptionRenderer(transformer)]
        case _:
            assert_never(form)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *exceptions,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger
