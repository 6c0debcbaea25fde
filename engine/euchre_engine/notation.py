"""Owns the written forms of a hand: the JSON object, and a position as one line of text.

DESIGN.md section 8 names the keys of the object; exports, test vectors and the `hand` command all
use it. A hand's actions stay texts until they are played, so that a record can hold what was
refused. It knows nothing of files or command lines, and leaves every rule to the engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from euchre_engine.actions import parse_action
from euchre_engine.cards import Card, Seat
from euchre_engine.errors import ActionError, EngineError, PositionError
from euchre_engine.hand import apply, legal_actions
from euchre_engine.opening import start_hand
from euchre_engine.options import OPTION_BY_NAME
from euchre_engine.presets import PRESETS
from euchre_engine.quoting import did_you_mean, quoted
from euchre_engine.variants import parse_ruleset, ruleset_from_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from euchre_engine.legal import LegalSet
    from euchre_engine.state import State
    from euchre_engine.variants import Ruleset

__all__ = [
    "WRONG_SEAT",
    "HandRecord",
    "PlayedBy",
    "RefusedAction",
    "WrittenAction",
    "format_position",
    "hand_from_json",
    "hand_of",
    "hand_to_json",
    "parse_position",
    "replay",
]

WRONG_SEAT: Final = "wrong_seat"
"""The reason of a refusal that only a written hand can meet: it names another seat to act."""

_LARGEST: Final = 1_000_000_000


class PlayedBy(StrEnum):
    """Who chose an action."""

    BOT = "bot"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class WrittenAction:
    """One action as a hand object holds it; all but the text may be left out."""

    text: str
    seat: Seat | None = None
    by: PlayedBy | None = None
    ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """A hand as it was dealt and played, whether or not its actions are allowed."""

    rules: Ruleset
    dealer: Seat
    deck: tuple[Card, ...]
    scores: tuple[int, ...]
    """Before the hand, by seat."""
    actions: tuple[WrittenAction, ...] = ()
    redeals: int = 0
    hand_number: int = 1


class RefusedAction(EngineError):  # noqa: N818  # what happened, as its siblings are named
    """An action of a written hand that the rules refuse."""

    def __init__(
        self,
        message: str,
        *,
        index: int,
        seat: Seat | None,
        text: str,
        reason: str,
        legal: LegalSet,
    ) -> None:
        super().__init__(message)
        self.index = index
        self.seat = seat
        """The seat to act; None after the end of the hand."""
        self.text = text
        self.reason = reason
        self.legal = legal


def replay(hand: HandRecord) -> State:
    """Returns where a hand stands after its actions.

    Raises:
        PositionError: The deal does not fit the rules; ``key`` names the part.
        RefusedAction: An action is not readable or not allowed where it stands.
    """
    state = start_hand(
        hand.rules,
        dealer=hand.dealer,
        deck=hand.deck,
        scores=hand.scores,
        redeals=hand.redeals,
        hand_number=hand.hand_number,
    )
    for index, written in enumerate(hand.actions):
        if written.seat not in (None, state.to_act):
            raise RefusedAction(
                f"seat {written.seat} is not to act"
                + ("" if state.to_act is None else f", seat {state.to_act} is"),
                index=index,
                seat=state.to_act,
                text=written.text,
                reason=WRONG_SEAT,
                legal=legal_actions(state),
            )
        try:
            state = apply(state, parse_action(written.text))
        except ActionError as error:
            raise RefusedAction(
                error.message,
                index=index,
                seat=state.to_act,
                text=written.text,
                reason=error.reason.value,
                legal=legal_actions(state),
            ) from None
    return state


def hand_of(state: State) -> HandRecord:
    """Returns the written hand that leads to a state."""
    return HandRecord(
        rules=state.rules,
        dealer=state.dealer,
        deck=state.deal.deck,
        actions=tuple(WrittenAction(str(step.action), seat=step.seat) for step in state.steps),
        scores=state.scores,
        redeals=state.redeals,
        hand_number=state.hand_number,
    )


# --- the JSON object ------------------------------------------------------------------------------

_KEYS: Final = ("rules", "dealer", "deck", "actions", "scores", "redeals", "hand", "players")
_NEEDED: Final = _KEYS[:4]


def hand_to_json(hand: HandRecord) -> dict[str, Any]:
    """Returns the hand object, with every option of the rules; `hand_from_json` reads it."""
    return {
        "rules": hand.rules.to_json(),
        "dealer": hand.dealer,
        "deck": [card.text for card in hand.deck],
        "actions": [_action_to_json(action) for action in hand.actions],
        "scores": list(hand.scores),
        "redeals": hand.redeals,
        "hand": hand.hand_number,
        **({"players": hand.rules.players} if "players" in hand.rules.options else {}),
    }


def _action_to_json(action: WrittenAction) -> object:
    known = {"seat": action.seat, "text": action.text, "by": action.by, "ms": action.ms}
    told = {key: value for key, value in known.items() if value is not None}
    return told if len(told) > 1 else action.text


def hand_from_json(value: object) -> HandRecord:
    """Returns the hand that a JSON value holds.

    Keys that an export adds are passed over; one that looks like a slip for a key of the hand is
    an error. Whether the deck is complete and the actions are allowed is seen when it is played.

    Raises:
        RulesetError: The rules cannot be; ``key`` names the option or ``preset``.
        PositionError: Anything else that is wrong; ``key`` names the part.
    """
    if not isinstance(value, dict):
        raise PositionError(
            f"a hand is an object with {', '.join(_NEEDED)}, not {quoted(value)}", key="hand"
        )
    _check_keys(value)
    rules = _rules(value)
    scores = value.get("scores", [0] * rules.seat_count)
    return HandRecord(
        rules=rules,
        dealer=Seat(_integer(value["dealer"], "dealer", high=rules.seat_count - 1)),
        deck=_deck(value["deck"]),
        actions=tuple(
            _action_from_json(item, f"actions[{index}]", rules.seat_count)
            for index, item in enumerate(_list(value["actions"], "actions"))
        ),
        scores=tuple(
            _integer(score, f"scores[{seat}]", low=-_LARGEST if rules.scores_fall else 0)
            for seat, score in enumerate(_list(scores, "scores"))
        ),
        redeals=_integer(value.get("redeals", 0), "redeals"),
        hand_number=_integer(value.get("hand", 1), "hand", low=1),
    )


def _rules(value: Mapping[str, object]) -> Ruleset:
    """Returns the rules; the key ``players`` gives that option where the rules leave it out."""
    given, players = value["rules"], value.get("players")
    if players is None:
        return ruleset_from_json(given)
    options = {"preset": given} if isinstance(given, str) else given
    if isinstance(options, dict) and _takes_players(options) and "players" not in options:
        return ruleset_from_json({**options, "players": players})
    rules = ruleset_from_json(given)
    _integer(players, "players", low=rules.seat_count, high=rules.seat_count)
    return rules


def _takes_players(options: Mapping[str, object]) -> bool:
    preset = PRESETS.get(str(options.get("preset")))
    return preset is not None and preset.game in OPTION_BY_NAME["players"].kinds


def _check_keys(value: Mapping[str, object]) -> None:
    for name in value:
        if near := _slip(name):
            raise PositionError(f"{quoted(name)} is no key of a hand{near}", key=name)
    for key in _NEEDED:
        if key not in value:
            raise PositionError(f"{key} is missing; a hand has {', '.join(_NEEDED)}", key=key)


@lru_cache(maxsize=256)  # an export's many lines have the same few further keys
def _slip(name: str) -> str:
    """Returns what an unknown key may be a slip for; empty if it resembles no key of a hand."""
    return "" if name in _KEYS else did_you_mean(name, _KEYS, cutoff=0.82)


def _integer(value: object, key: str, *, low: int = 0, high: int = _LARGEST) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    wanted = str(low) if low == high else f"an integer from {low} to {high}"
    raise PositionError(f"{key} must be {wanted}, not {quoted(value)}", key=key)


def _list(value: object, key: str) -> list[object]:
    if not isinstance(value, list):
        raise PositionError(f"{key} must be a list, not {quoted(value)}", key=key)
    return value


def _deck(value: object) -> tuple[Card, ...]:
    texts = _list(value, "deck")
    if len(texts) > len(Card):
        raise PositionError(f"deck must not have {len(texts)} cards", key="deck")
    try:
        return tuple(Card[cast("str", text)] for text in texts)
    except (KeyError, TypeError):
        pass
    for index, text in enumerate(texts):
        if not isinstance(text, str) or text not in Card.__members__:
            key = f"deck[{index}]"
            raise PositionError(
                f"{key} must be a card such as 9H, or JK for the joker, not {quoted(text)}", key=key
            )
    raise AssertionError("one of the texts is no card")


def _action_from_json(value: object, key: str, seat_count: int) -> WrittenAction:
    if isinstance(value, str):
        return WrittenAction(value)
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise PositionError(
            f"{key} must be a text such as 'play JD', or an object with such a text, "
            f"not {quoted(value)}",
            key=key,
        )
    seat, by, ms = value.get("seat"), value.get("by"), value.get("ms")
    if by not in (None, *PlayedBy):
        raise PositionError(f"{key}.by must be bot or clock, not {quoted(by)}", key=f"{key}.by")
    return WrittenAction(
        value["text"],
        seat=None if seat is None else Seat(_integer(seat, f"{key}.seat", high=seat_count - 1)),
        by=None if by is None else PlayedBy(by),
        ms=None if ms is None else _integer(ms, f"{key}.ms"),
    )


# --- a position on one line -----------------------------------------------------------------------

_PARTS: Final = ("dealer", "deck", "scores", "redeals", "hand", "actions")


def format_position(state: State) -> str:
    """Returns a state as one line of text, such as `two-handed; dealer 1; deck TS KS ...`.

    The rules come first, then the parts by name, those at their usual values left out; actions
    are parted by commas. `parse_position` gives the state again.
    """
    written = {
        "dealer": str(state.dealer),
        "deck": " ".join(card.text for card in state.deal.deck),
        "scores": " ".join(map(str, state.scores)) if any(state.scores) else "",
        "redeals": str(state.redeals) if state.redeals else "",
        "hand": str(state.hand_number) if state.hand_number != 1 else "",
        "actions": ", ".join(map(str, state.actions)),
    }
    return "; ".join(
        (str(state.rules), *(f"{name} {text}" for name, text in written.items() if text))
    )


def parse_position(text: str) -> State:
    """Returns the state of one line of text.

    Raises:
        RulesetError: The rules cannot be; ``key`` names the option or ``preset``.
        PositionError: Another part is missing, given twice, unknown or wrong; ``key`` names it.
        RefusedAction: An action is not readable or not allowed where it stands.
    """
    rules, *rest = text.split(";")
    parts: dict[str, str] = {}
    for part in rest:
        name, _, written = part.strip().partition(" ")
        if name not in _PARTS:
            raise PositionError(
                f"{quoted(name)} is no part of a position{did_you_mean(name, _PARTS)}; "
                f"parts: {', '.join(_PARTS)}",
                key=name,
            )
        if name in parts:
            raise PositionError(f"{name} is given twice", key=name)
        parts[name] = written.strip()
    for name in ("dealer", "deck"):
        if name not in parts:
            raise PositionError(f"{name} is missing", key=name)
    ruleset = parse_ruleset(rules.strip())
    scores = parts["scores"].split() if "scores" in parts else ["0"] * ruleset.seat_count
    actions = [action.strip() for action in parts.get("actions", "").split(",")]
    return replay(
        HandRecord(
            rules=ruleset,
            dealer=Seat(_number(parts["dealer"], "dealer")),
            deck=_deck(parts["deck"].split()),
            actions=tuple(map(WrittenAction, actions)) if actions != [""] else (),
            scores=tuple(_number(score, "scores", signed=True) for score in scores),
            redeals=_number(parts.get("redeals", "0"), "redeals"),
            hand_number=_number(parts.get("hand", "1"), "hand"),
        )
    )


def _number(text: str, key: str, *, signed: bool = False) -> int:
    sign = "-?" if signed else ""
    read: Sequence[str] = re.findall(rf"\A{sign}[0-9]{{1,9}}\Z", text)
    if not read:
        raise PositionError(f"{key} must be written in digits, not {quoted(text)}", key=key)
    return int(read[0])
