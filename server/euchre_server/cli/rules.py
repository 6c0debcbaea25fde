"""Owns ``euchre-arena rules``: the presets, and one ruleset in full, as printed or as JSON.

All words and numbers are those of the engine's tables. It decides nothing about rules.
"""

from __future__ import annotations

import json
import shutil
from typing import Any

import click

from euchre_engine.errors import RulesetError
from euchre_engine.options import OPTION_BY_NAME
from euchre_engine.points import points_table
from euchre_engine.variants import PRESETS, Ruleset, make_ruleset, parse_ruleset
from euchre_server.cli.invoked import invoked

__all__ = ["rules_command"]


@click.command("rules")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules_command(name: str | None, *, as_json: bool) -> None:
    """List the presets, or print one ruleset in full.

    NAME is a preset, with options to change: three-handed,target=15,deck=32.
    """
    if name is None:
        _list_presets(as_json=as_json)
        return
    try:
        rules = parse_ruleset(name)
    except RulesetError as error:
        raise click.UsageError(error.message) from None
    if as_json:
        click.echo(json.dumps(_ruleset_json(rules), indent=2))
    else:
        _print_ruleset(rules)


def _list_presets(*, as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "preset": preset.name,
                "game": preset.game.value,
                "players": make_ruleset(preset.name).seat_count,
                "sentence": preset.sentence,
                "changes": {name: _plain(value) for name, value in preset.changes.items()},
            }
            for preset in PRESETS.values()
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for preset in PRESETS.values():
        _print_entry(f"{preset.name:<22}", preset.sentence, indent=22)
    click.echo(
        f"\nIn full: {invoked('rules')} NAME, with options changed if you like: british,target=21"
    )


def _ruleset_json(rules: Ruleset) -> dict[str, Any]:
    return {
        "preset": rules.preset,
        "game": rules.game.value,
        "players": rules.seat_count,
        "sentence": PRESETS[rules.preset].sentence,
        "rules": rules.to_json(),
        "points": [
            {"points": points, "to": to, "when": when} for points, to, when in points_table(rules)
        ],
        "options": [
            {
                "name": name,
                "value": _plain(value),
                "default": _plain(spec.defaults[rules.game]),
                "allowed": spec.kinds[rules.game].words,
                "sentence": spec.sentences[rules.game],
            }
            for name, value in rules.options.items()
            for spec in (OPTION_BY_NAME[name],)
        ],
    }


def _print_ruleset(rules: Ruleset) -> None:
    shown = _ruleset_json(rules)
    _heading(str(rules))
    click.echo(shown["sentence"])
    preset, _, changed = str(rules).partition(",")
    if changed:
        click.echo(f"So is {preset} itself; here with {changed.replace(',', ', ')}.")

    _heading("\nPoints of a hand")
    for row in shown["points"]:
        _print_entry(f"{row['points']:>5}  ", f"to {row['to']}: {row['when']}", indent=7)

    _heading("\nOptions")
    for row in shown["options"]:
        changed = row["value"] != row["default"]
        usual = f", in {rules.game} play usually {_text(row['default'])}" if changed else ""
        line = f"{click.style(row['name'], bold=True)} = {_text(row['value'])}{usual}"
        click.echo(f"\n  {line}  {click.style('[' + row['allowed'] + ']', dim=True)}")
        _print_entry("      ", row["sentence"], indent=6)


def _heading(text: str) -> None:
    click.echo(click.style(text, bold=True, underline=True))


def _print_entry(first: str, text: str, *, indent: int) -> None:
    """Prints a text that goes on under itself, after a first part of so many characters."""
    width = min(shutil.get_terminal_size().columns, 100)
    click.echo(click.wrap_text(text, width, initial_indent=first, subsequent_indent=" " * indent))


def _plain(value: bool | int | str) -> bool | int | str:  # noqa: FBT001  # any option's value
    return str(value) if isinstance(value, str) else value


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
