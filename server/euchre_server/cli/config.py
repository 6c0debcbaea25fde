"""Owns where the settings of a command come from, and that whatever is wrong there is named.

The precedence, stated here and kept by click: a flag comes before the environment, that before the
file, that before the default. A command `serve` takes each of its options `--some-thing` as the
variable EUCHRE_ARENA_SERVE_SOME_THING, and as `some-thing` in the table `[serve]` of the TOML file
that `--config` names; one that may be repeated is a list in the file, and no variable. What is said
to the command about one run, such as `--json`, is a flag only.
Must not know what any setting means.
"""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from euchre_engine.quoting import did_you_mean, quoted
from euchre_server.record.show import columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "ConfiguredCommand",
    "Setting",
    "Source",
    "flag_only",
    "print_settings",
    "settings",
]

_F = TypeVar("_F", bound="Callable[..., Any]")

_PREFIX: Final = "EUCHRE_ARENA"
_SECTIONS: Final = ("match", "serve")
_CONFIG: Final = "config"


class Source(StrEnum):
    """Where a setting came from, the strongest first."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


_WRITTEN: Final = (str, int, float, Path, list, tuple)
"""What a default can be; click has a mark of its own for none."""
_SOURCES: Final = {
    ParameterSource.COMMANDLINE: Source.FLAG,
    ParameterSource.ENVIRONMENT: Source.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP: Source.FILE,
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is in force."""

    key: str
    value: object
    """As it was written; None where there is none."""
    source: Source
    origin: str | None
    """The flag, variable or file; None for a default."""


def flag_only(*names: str, **attributes: Any) -> Callable[[_F], _F]:  # noqa: ANN401  # as click's
    """Returns an option that is said of one run: neither environment nor file have it."""
    return click.option(*names, allow_from_autoenv=False, **attributes)


class ConfiguredCommand(click.Command):
    """A command whose options may also come from the environment and from a file."""

    def __init__(self, name: str | None, **attributes: Any) -> None:  # noqa: ANN401  # click's
        """Makes the command, and gives it `--config`."""
        super().__init__(name, **attributes)
        self.params.append(
            click.Option(
                ["--config"],
                type=click.Path(path_type=Path),
                is_eager=True,
                expose_value=False,
                callback=_read_file,
                help=f"A TOML file; its table [{name}] has what is not given otherwise.",
            )
        )
        for option in _configurable(self):
            if not option.multiple:
                option.envvar = _variable(self, _key(option))
        self.params[-1].envvar = _variable(self, _CONFIG)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the arguments; a variable that is wrong is called by its name.

        Raises:
            click.UsageError: Something is wrong.
        """
        _check_environment(ctx)
        ctx.meta[__name__] = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            parameter = error.param
            if (
                parameter is not None
                and ctx.get_parameter_source(str(parameter.name)) is ParameterSource.ENVIRONMENT
            ):
                error.param_hint = variable = str(parameter.envvar)
                if isinstance(parameter, click.Option) and parameter.is_flag:
                    given = quoted(os.environ.get(variable, ""))
                    raise click.BadParameter(
                        f"{given} is neither true nor false; write one of them",
                        ctx,
                        param_hint=variable,
                    ) from None
            raise


def settings(ctx: click.Context) -> list[Setting]:
    """Returns all settings of a command as they are in force, in the order of its help."""
    given, _, _ = ctx.command.make_parser(ctx).parse_args(list(ctx.meta[__name__]))
    return [_setting(ctx, parameter, given) for parameter in _configurable(ctx.command)]


def print_settings(ctx: click.Context, in_force: Mapping[str, object], *, as_json: bool) -> None:
    """Prints all settings of a command as they are in force, and where each came from.

    Args:
        ctx: The command's.
        in_force: What stands for settings that nobody gave, where no default says it.
        as_json: Whether to print one JSON object.
    """
    found = [
        replace(each, value=in_force.get(each.key, each.value)) if each.value is None else each
        for each in settings(ctx)
    ]
    if as_json:
        shown = {
            each.key: {"value": each.value, "source": each.source, "origin": each.origin}
            for each in found
        }
        click.echo(json.dumps(shown, indent=2, default=str, ensure_ascii=False))
        return
    lines = [("setting", "value", "from")]
    lines += [(each.key, _text(each.value), each.origin or each.source) for each in found]
    click.echo("\n".join(line.rstrip() for line in columns(lines)))


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _setting(ctx: click.Context, parameter: click.Option, given: Mapping[str, Any]) -> Setting:
    name, key = str(parameter.name), _key(parameter)
    found = ctx.get_parameter_source(name)
    match _SOURCES.get(found, Source.DEFAULT) if found is not None else Source.DEFAULT:
        case Source.FLAG as source:
            return Setting(key, given.get(name), source, f"--{key}")
        case Source.ENVIRONMENT as source:
            variable = str(parameter.envvar)
            return Setting(key, os.environ.get(variable), source, variable)
        case Source.FILE as source:
            return Setting(key, (ctx.default_map or {}).get(name), source, str(ctx.meta[_CONFIG]))
        case Source.DEFAULT as source:
            value = parameter.get_default(ctx)
            return Setting(key, value if isinstance(value, _WRITTEN) else None, source, None)


def _configurable(command: click.Command) -> list[click.Option]:
    """Returns the options that may come from anywhere."""
    return [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
        and parameter.allow_from_autoenv
        and parameter.name != _CONFIG
    ]


def _key(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len).removeprefix("--")


def _variable(command: click.Command, key: str) -> str:
    return f"{_PREFIX}_{command.name}_{key}".upper().replace("-", "_")


def _check_environment(ctx: click.Context) -> None:
    """Refuses a variable that looks like a setting and is none."""
    command = ctx.command
    options = {_variable(command, _key(each)): each for each in _configurable(command)}
    known = [name for name, option in options.items() if option.envvar]
    known.append(_variable(command, _CONFIG))
    for name in os.environ:
        if name in options and name not in known:
            key = _key(options[name])
            raise click.UsageError(
                f"the environment's {name} cannot hold a list; repeat --{key}, or write "
                f"`{key} = [...]` under [{command.name}] in a file that --config names",
                ctx,
            )
        if name.startswith(_variable(command, "")) and name not in known:
            raise click.UsageError(
                f"the environment's {name} is no setting of {command.name}"
                f"{did_you_mean(name, known)}",
                ctx,
            )


def _read_file(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Makes what a file says the defaults.

    Raises:
        click.UsageError: It cannot be read, or says what is no setting or no value of one.
    """
    if path is None:
        return
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {str(error.strerror).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise click.UsageError(f"{path} is no TOML file: {error}") from None
    section = str(ctx.command.name)
    for key in whole:
        if key not in _SECTIONS:
            raise click.UsageError(
                f"{path}: there is no {quoted(key)}{did_you_mean(key, _SECTIONS)}; settings stand "
                f"under [{section}]"
            )
    table = whole.get(section, {})
    if not isinstance(table, dict):
        raise click.UsageError(f"{path}: {section} must be a table, [{section}]")
    ctx.meta[_CONFIG] = path
    ctx.default_map = _checked(ctx, table, f"{path}: {section}.")


def _checked(ctx: click.Context, table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Returns a file's values by the names of their parameters."""
    parameters = {_key(parameter): parameter for parameter in _configurable(ctx.command)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        parameter = parameters.get(key)
        if parameter is None:
            raise click.UsageError(
                f"{where}{key} is no setting{did_you_mean(key, parameters)}; "
                f"`euchre-arena {ctx.command.name} --help` lists them, written without the dashes"
            )
        _check_type(parameter, value, where + key)
        try:
            parameter.type_cast_value(ctx, value)
        except click.BadParameter as error:
            raise click.UsageError(f"{where}{key}: {error.message}") from None
        values[str(parameter.name)] = value
    return values


def _check_type(parameter: click.Option, value: object, where: str) -> None:
    """Refuses a value of another type than the setting's, which click would try to convert."""
    kind, wanted = _kind(parameter)
    if parameter.multiple:
        if not isinstance(value, list) or not all(_is(one, kind) for one in value):
            raise click.UsageError(f"{where} must be a list, each {wanted}; it is {quoted(value)}")
    elif not _is(value, kind):
        raise click.UsageError(f"{where} must be {wanted}; it is {quoted(value)}")
    if any("\0" in str(one) for one in (value if isinstance(value, list) else [value])):
        raise click.UsageError(f"{where} has a null character in it, which no value may have")


def _kind(parameter: click.Option) -> tuple[type, str]:
    """Returns which type of value a setting has in a file, and how it is called."""
    if parameter.is_flag:
        return bool, "true or false"
    if isinstance(parameter.type, click.types.IntParamType):
        return int, "a whole number"
    if isinstance(parameter.type, click.types.FloatParamType):
        return float, "a number"
    return str, 'a text, "in quotes"'


def _is(value: object, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind
