"""What each seat may know of a hand, card by card: a small naive tracker.

Owns RULES.md section 6 as a positive list: the cards that may stand in what a seat, or an
onlooker, is sent. It follows the raw hand on the naive second engine, whose tables hold all cards,
and must not know ``euchre_engine``, least of all its views.
"""

import json
import re
from typing import Any

import naive_games

__all__ = ["Knowledge", "cards_written", "is_hidden_from"]

SECRET_KINDS = {"discard", "keep", "swap", "bury", "best"}
BEFORE_TRUMP = {"SWAP", "NAME_BLIND", "BID1", "BID2", "BID"}
BEFORE_DECLARING = {*BEFORE_TRUMP, "PICKUP", "DISCARD"}


def cards_written(value: object) -> set[str]:
    """Returns every card that is named anywhere in a value once it is written as JSON."""
    return set(re.findall(r"\b(?:JK|[2-9TJQKA][CDHS])\b", json.dumps(value)))


def is_hidden_from(seat: int | None, actor: int, text: str) -> bool:
    """Returns whether the cards of an action are not told to a seat (None: to the onlookers).

    The receiver of a partner's best card has it in his hand.
    """
    word = text.split(" ", maxsplit=1)[0]
    receives = word == "best" and seat == (actor + 2) % 4
    return word in SECRET_KINDS and seat != actor and not receives


class Knowledge:
    """The cards that each seat has seen so far in one hand."""

    def __init__(self, hand: dict[str, Any]) -> None:
        self.table = naive_games.start(
            hand["rules"],
            dealer=hand["dealer"],
            deck=hand["deck"],
            scores=hand["scores"],
            redeals=hand["redeals"],
            number=hand["hand"],
        )
        self.seats = range(self.table["rules"]["seats"])
        self.seen: list[set[str]] = [set() for _ in self.seats]
        self.said_with_dummy = False
        self._look()

    def act(self, text: str) -> None:
        """Carries out an action and lets everybody look."""
        self.said_with_dummy |= text == "with_dummy"
        naive_games.act(self.table, text)
        self._look()

    def known(self, seat: int | None) -> set[str]:
        """Returns the cards that a seat knows, by itself or with everybody; None: an onlooker."""
        table = self.table
        tricks = [*table["tricks"], *([table["trick"]] if table["trick"] else [])]
        public = {card for trick in tricks for card in trick["cards"]}
        if table.get("up") is not None:
            public.add(table["up"])
        return public if seat is None else public | self.seen[seat]

    def told_by_the_rules(self) -> tuple[object, ...]:
        """Returns what the law lets everybody conclude from hidden cards.

        A farmer's redeal tells that somebody has a hand without ace and face card; after four
        passes in Hasenpfeffer the joker's holder is the one who is asked.
        """
        over_at_once = not self.table["history"] and self.table["phase"] == "DONE"
        forced = self.table.get("joker_holder_asked", False)
        passed_out = self.table["phase"] == "DONE" and not self.table["tricks"]
        return over_at_once, passed_out, self.table["to_act"] if forced else None

    def _look(self) -> None:
        table = self.table
        for seat in self.seats:
            blind = table["phase"] == "NAME_BLIND" and seat == table["dealer"]
            if not blind:
                self.seen[seat] |= set(table["hands"][seat])
        if self._maker_sees_dummy():
            self.seen[table["maker"]] |= set(table["dummy"])

    def _maker_sees_dummy(self) -> bool:
        """Returns whether the dummy lies open to the maker (RULES.md section 4, `after_dummy`)."""
        table = self.table
        rules = table["rules"]
        if table["maker"] is None or not table.get("dummy"):
            return False
        if not rules["maker_alone"]:  # counts as said once trump and pick-up are settled
            return self.said_with_dummy or table["phase"] not in BEFORE_DECLARING
        asked = table["phase"] not in BEFORE_DECLARING or bool(table["alone"])
        return self.said_with_dummy or (rules["alone_decision"] == "after_dummy" and asked)
