"""Owns ``euchre-arena hand``: reads hands as JSON, plays their actions, prints where they stand.

DESIGN.md section 8 states the input, the output and the exit statuses. Whatever is wrong with one
hand is told in its own line of output, and the next one is read; rules are the engine's alone.
"""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Final

import click

from euchre_engine.errors import PositionError, RulesetError
from euchre_engine.legal import legal_texts
from euchre_engine.notation import HandRecord, RefusedAction, hand_from_json, replay
from euchre_engine.option_values import TieRule
from euchre_engine.quoting import quoted
from euchre_engine.state_json import state_to_json
from euchre_engine.strict_json import read_json
from euchre_server.cli.hand_text import hand_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_engine.state import State

__all__ = ["hand_command"]

_PLAYED_ON: Final = (TieRule.HIGHEST_ELSE_PLAY_ON, TieRule.LONE_DEFENDER_FIRST)
"""Under which a game may go on beyond its target, with several level at the top."""


class _Status(IntEnum):
    """The exit statuses, worse ones higher."""

    DONE = 0
    REFUSED = 1
    UNREADABLE = 2


@click.command("hand")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each hand.")
@click.pass_context
def hand_command(context: click.Context, file: BinaryIO, *, as_json: bool) -> None:
    """Play the actions of hands written as JSON and print where they stand.

    FILE holds one hand, or one on each line; without it they are read from standard input.
    """
    worst = _Status.DONE
    number = 0
    for number, raw in enumerate(_written_hands(file), start=1):
        answer = _answer(raw)
        worst = max(worst, answer.status)
        if as_json:
            click.echo(json.dumps(answer.to_json()))
        else:
            if number > 1:
                click.echo("\n" + "-" * 72 + "\n")
            answer.show(number)
    if not number:
        raise click.UsageError("there is no hand in the input")
    context.exit(worst)


def _written_hands(file: BinaryIO) -> Iterator[bytes]:
    """Yields each hand's text: each line that is not blank, or all lines if they are one value."""
    first = next((line for line in file if line.strip()), b"").removeprefix(codecs.BOM_UTF8)
    if first and not _is_json(first):
        lines = [first, *file]
        whole = b"".join(lines)
        yield from [whole] if _is_json(whole) else filter(bytes.strip, lines)
    elif first:
        yield first
        yield from filter(bytes.strip, file)


def _is_json(text: bytes) -> bool:
    try:
        read_json(text.decode())
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Standing:
    """A hand whose actions are all allowed."""

    state: State
    status: ClassVar = _Status.DONE

    def to_json(self) -> dict[str, Any]:
        return state_to_json(self.state)

    def show(self, _number: int) -> None:
        click.echo(hand_text(self.state))


@dataclass(frozen=True, slots=True)
class _Refused:
    """A hand with an action that is not allowed."""

    hand: HandRecord
    error: RefusedAction
    status: ClassVar = _Status.REFUSED

    def to_json(self) -> dict[str, Any]:
        error = self.error
        return {
            "error": {
                "index": error.index,
                "seat": error.seat,
                "text": error.text,
                "reason": error.reason,
                "message": error.message,
                "legal": legal_texts(error.legal),
            }
        }

    def show(self, number: int) -> None:
        allowed = replace(self.hand, actions=self.hand.actions[: self.error.index])
        click.echo(hand_text(replay(allowed)))
        click.echo(
            f"euchre-arena: hand {number}: actions[{self.error.index}], {quoted(self.error.text)}, "
            f"is refused ({self.error.reason}): {self.error.message}",
            err=True,
        )


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """What is no hand; `key` says where, None where the text is not even JSON."""

    key: str | None
    message: str
    status: ClassVar = _Status.UNREADABLE

    def to_json(self) -> dict[str, Any]:
        return {"error": {"key": self.key, "message": self.message}}

    def show(self, number: int) -> None:
        click.echo(f"euchre-arena: hand {number}: {self.message}", err=True)


def _check_goes_on(hand: HandRecord) -> None:
    """Makes sure that the game was not over before the hand.

    Raises:
        PositionError: It was.
    """
    rules, best = hand.rules, max(hand.scores, default=0)
    if hand.hand_number > rules.max_hands:
        raise PositionError(
            f"hand must be at most {rules.max_hands}, the max_hands of its rules, "
            f"not {hand.hand_number}",
            key="hand",
        )
    # Where there are no tie rules a hand counts for one side only: nobody else gets so far.
    plays_on = "tie_rule" in rules.options and rules.tie_rule in _PLAYED_ON
    is_level = hand.scores.count(best) > (2 if rules.has_partners else 1)
    if best < rules.target or (plays_on and is_level):
        return
    or_level = f", or level at the top (tie_rule={rules.tie_rule})" if plays_on else ""
    raise PositionError(
        f"scores are those before the hand, and with {' '.join(map(str, hand.scores))} the game "
        f"was over then: each must be below the target, {rules.target}{or_level}",
        key="scores",
    )


def _answer(raw: bytes) -> _Standing | _Refused | _Unreadable:
    try:
        value = read_json(raw.decode())
    except UnicodeDecodeError as error:
        return _Unreadable(None, f"not readable as UTF-8: byte {error.start} is wrong")
    except ValueError as error:
        return _Unreadable(None, str(error))
    try:
        hand = hand_from_json(value)
        _check_goes_on(hand)
        try:
            return _Standing(replay(hand))
        except RefusedAction as error:
            return _Refused(hand, error)
    except RulesetError as error:
        key = "rules" if error.key == "rules" else f"rules.{error.key}"
        return _Unreadable(key, f"rules: {error.message}")
    except PositionError as error:
        return _Unreadable(error.key, error.message)
