"""The naive second engine, the wider family: a hand of Railroad.

Owns what Railroad adds to the four-handed game: BURY and BEST (docs/family.md section 2).
All the rest is the four-handed hand of the naive engine. Written from the rules alone; it must not
know ``euchre_engine``.
"""

from typing import Any

import naive_hand
import naive_legal
from naive_family_cards import in_print_order
from naive_family_hand import check_scores
from naive_family_rules import family_rules
from naive_hand import Refused
from naive_rules import BadRules
from naive_table import Table

__all__ = ["act_in_railroad", "is_legal_in_railroad", "legal_in_railroad", "start_railroad"]

ITS_OWN = ["call_for_best", "laps", "slam"]


def start_railroad(given: str | dict[str, Any], **deal: Any) -> Table:  # noqa: ANN401 - as dealt_table
    """Returns the table after the deal, the first phase open.

    Raises:
        BadRules: the ruleset or the scores are not allowed.
    """
    rules = family_rules(given)
    given_scores = deal.get("scores")
    scores = [0] * 4 if given_scores is None else given_scores
    check_scores(rules, scores)
    if min(scores) < 0:
        raise BadRules("scores")
    as_four_handed = {
        name: value for name, value in rules.items() if name not in [*ITS_OWN, "seats"]
    }
    table = naive_hand.start({**as_four_handed, "preset": "four-handed"}, **deal)
    return {
        **table,
        "rules": rules,
        "asked_to_call": [],
        "caller": None,
        "goes_on_with": None,
        "best_cards": [None] * 4,
        "contract": None,
    }


def legal_in_railroad(table: Table) -> list[str]:
    """Returns the legal actions (section 2)."""
    phase = table["phase"]
    if phase == "BURY":
        hand = in_print_order(table["hands"][table["to_act"]])
        return ["pass", *("bury " + card for card in hand)]
    if phase == "BEST":
        return ["best " + card for card in in_print_order(table["hands"][table["to_act"]])]
    return naive_legal.legal_texts(table)


def is_legal_in_railroad(table: Table, text: str) -> bool:
    """Returns whether an action text is legal now."""
    if table["phase"] in {"BURY", "BEST"}:
        return text in legal_in_railroad(table)
    return naive_legal.is_legal(table, text)


def act_in_railroad(table: Table, text: str) -> None:
    """Carries out one action of the seat to act.

    Raises:
        Refused: the action is not legal; the table is unchanged.
    """
    if not is_legal_in_railroad(table, text):
        raise Refused(text)
    phase = table["phase"]
    if phase == "BURY":
        answer_bury(table, text)
    elif phase == "BEST":
        answer_best(table, text)
    else:
        naive_hand.act(table, text)
    ask_lone_player(table)


def ask_lone_player(table: Table) -> None:
    """Asks a lone player for a card before the hand goes on (section 2, "Order of a hand").

    The maker is asked when pick-up and discard are behind him, so before the defenders; the lone
    defender as soon as he is alone, so before the first card.
    """
    if not table["rules"]["call_for_best"] or table["phase"] not in {"ALONE_DEFENDER", "PLAY"}:
        return
    for seat in table["alone"]:
        if seat not in table["asked_to_call"]:
            table["asked_to_call"].append(seat)
            table["goes_on_with"] = [table["phase"], table["to_act"]]
            table["phase"] = "BURY"
            table["to_act"] = seat
            return


def answer_bury(table: Table, text: str) -> None:
    """Buries a card of the lone player, or leaves his cards as they are (section 2 BURY)."""
    seat = table["to_act"]
    table["history"].append((seat, text))
    if text == "pass":
        table["phase"], table["to_act"] = table["goes_on_with"]
        return
    card = text.removeprefix("bury ")
    table["hands"][seat].remove(card)
    table["discarded"][seat].append(card)
    table["caller"] = seat
    table["phase"] = "BEST"
    table["to_act"] = (seat + 2) % 4


def answer_best(table: Table, text: str) -> None:
    """Hands the partner's card over (section 2 BEST)."""
    giver = table["to_act"]
    caller = table["caller"]
    table["history"].append((giver, text))
    card = text.removeprefix("best ")
    table["hands"][giver].remove(card)
    table["hands"][caller].append(card)
    table["best_cards"][giver] = card
    table["best_cards"][caller] = card
    table["phase"], table["to_act"] = table["goes_on_with"]
