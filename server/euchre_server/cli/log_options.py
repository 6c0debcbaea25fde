"""Owns the options of log lines, which ``match`` and ``serve`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from euchre_server.cli.logs import LogForm, LogLevel, configure_logging
from euchre_server.cli.option_group import option_group

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from structlog.typing import FilteringBoundLogger

__all__ = ["log_options", "read_log"]

_F = TypeVar("_F", bound="Callable[..., Any]")


def log_options(usual: LogLevel) -> Callable[[_F], _F]:
    """Returns what adds the options.

    Args:
        usual: The level unless another is chosen.
    """
    return option_group(
        click.option(
            "--log",
            "log_form",
            type=click.Choice([form.value for form in LogForm]),
            default=LogForm.CONSOLE.value,
            show_default=True,
            help="The form of log lines, which go to stderr; with json whatever is told there is "
            "one.",
        ),
        click.option(
            "--log-level",
            type=click.Choice([level.value for level in LogLevel]),
            default=usual.value,
            show_default=True,
            help="The least important log lines to write.",
        ),
    )


def read_log(options: Mapping[str, Any]) -> FilteringBoundLogger:
    """Sets up logging as the options say, and returns the process's root logger."""
    return configure_logging(LogForm(options["log_form"]), LogLevel(options["log_level"]))
