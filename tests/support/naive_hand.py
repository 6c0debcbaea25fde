"""The naive second engine, part 6: one hand from the deal to the score.

A slow and obvious player of RULES.md, one function a rule, on plain dicts, lists and card texts.
It exists only so that the real engine can be compared with it: it was written from RULES.md and
must never import ``euchre_engine``.

Where RULES.md can be read in two ways, this engine reads it as follows.

==========================  ======================================================================
question                    reading, and why
==========================  ======================================================================
``any_reaching_shared``     all who reach the target win, also with unequal totals: otherwise the
                            value would be ``highest_else_shared`` again. "Split only those level
                            at the top" is then about the two rules that do split.
target and ``max_hands``    the target and its tie rule are looked at first; the cap decides only
                            a game that would go on.
``lone_defender_first``     the lone *defender* of the hand just played, if level at the top.
``combined``, blind naming  he discards before he declares ("then he takes the joker and discards
                            ...; declarations follow as usual"); the 11 -> 5 follows ``order`` only.
four-handed blind naming    the alone question comes before the pick-up as in any four-handed hand:
                            five cards in hand, joker still face up.
``maker_alone=false``       trump and pick-up are settled once the dealer's discard is made.
``canadian_loner``          holds also with ``maker_alone=false``: it is no question.
``three_swap``              the three buried cards that come next in the deck; every seat is asked
                            once; from four nines any three; the pile is what the last swap left.
``three_swap``, blind       no SWAP phase: it stands "before bidding", and there is no bidding.
``redeal_no_ace_no_face``   no question: any such hand (a joker is no such hand's card) ends the
                            deal at once, as if passed out. ``max_consecutive_redeals`` does not
                            stop it.
own ``discarded``           also what the seat swapped away, since it knows it.
default of five of eleven   the least of his six, also the taken card: it may go in `combined`.
next dealer, winners        null and empty until DONE.
==========================  ======================================================================
"""

from typing import Any

from naive_cards import is_farmer_redeal_hand, trick_winner
from naive_legal import exchange_pool, is_legal
from naive_score import (
    cannot_change,
    next_deal,
    points_of_hand,
    tricks_of_makers,
    winners_of_game,
)
from naive_table import (
    Table,
    bidding_order,
    dealt_table,
    first_leader,
    is_defender,
    next_active,
    seats_from_left_of,
    upcard_suit,
)

__all__ = ["Refused", "act", "start"]


class Refused(Exception):  # noqa: N818 - the tests read better without "Error"
    """An action that is not legal where the hand stands; nothing has changed."""


def start(given: str | dict[str, Any], **deal: Any) -> Table:  # noqa: ANN401 - as dealt_table
    """Returns the table after the deal, its first phase open."""
    table = dealt_table(given, **deal)
    begin(table)
    return table


def begin(table: Table) -> None:
    """Opens the first phase: blind naming, farmer's hand, or the first round of bids."""
    rules = table["rules"]
    farmer = rules.get("farmers_hand")  # None but in four-handed games
    if farmer == "redeal_no_ace_no_face" and any(map(is_farmer_redeal_hand, table["hands"])):
        throw_in(table)
        return
    if table["up"] == "JK" and rules["joker_upcard"] == "dealer_names_blind":
        table["phase"] = "NAME_BLIND"
        table["to_act"] = table["dealer"]
    elif farmer == "three_swap":
        ask_all(table, "SWAP", bidding_order(table))
    else:
        ask_all(table, "BID1", bidding_order(table))


def ask_all(table: Table, phase: str, seats: list[int]) -> None:
    """Opens a phase in which the seats are asked one after the other."""
    table["phase"] = phase
    table["to_act"] = seats[0]
    table["waiting"] = seats[1:]


def act(table: Table, text: str) -> None:
    """Carries out one action of the seat to act.

    Raises:
        Refused: the action is not legal; the table is unchanged.
    """
    if not is_legal(table, text):
        raise Refused(text)
    table["history"].append((table["to_act"], text))
    words = text.split(" ")
    phase = table["phase"]
    if phase == "SWAP":
        answer_swap(table, words)
    elif phase in {"NAME_BLIND", "BID1", "BID2"}:
        answer_bid(table, words)
    elif phase == "PICKUP":
        answer_pickup(table, words[0])
    elif phase == "DISCARD":
        answer_discard(table, words[1])
    elif phase in {"ALONE_MAKER", "ALONE_DEFENDER"}:
        answer_alone(table, words[0])
    elif phase == "EXCHANGE":
        answer_keep(table, words[1:])
    else:
        answer_play(table, words[1])


def answer_swap(table: Table, words: list[str]) -> None:
    """Swaps three nines or tens with the three buried cards, or not (section 8)."""
    seat = table["to_act"]
    if words[0] == "swap":
        given = words[1:]
        hand = [card for card in table["hands"][seat] if card not in given]
        table["hands"][seat] = hand + table["three_buried"]
        table["three_buried"] = given
        table["discarded"][seat] += given
    if table["waiting"]:
        table["to_act"] = table["waiting"].pop(0)
    else:
        ask_all(table, "BID1", bidding_order(table))


def answer_bid(table: Table, words: list[str]) -> None:
    """Books a pass, an order or a call (sections 2, 3)."""
    seat = table["to_act"]
    phase = table["phase"]
    if words[0] == "pass":
        if table["waiting"]:
            table["to_act"] = table["waiting"].pop(0)
        elif phase == "BID1":
            table["up_status"] = "turned_down"
            ask_all(table, "BID2", bidding_order(table))
        else:
            throw_in(table)
        return
    table["maker"] = seat
    table["trump"] = upcard_suit(table) if words[0] == "order" else words[1]
    table["called_blind"] = phase == "NAME_BLIND"
    partner_ordered = (
        phase == "BID1" and table["rules"]["seats"] == 4 and seat == (table["dealer"] + 2) % 4
    )
    if partner_ordered and table["rules"]["canadian_loner"]:
        goes_alone(table, seat)  # section 8, `canadian_loner`: without a question
    table["to_come"] = questions_after_call(table, in_first_round=phase != "BID2")
    go_on(table)


def throw_in(table: Table) -> None:
    """Ends a hand in which nobody became maker: no score (section 5)."""
    finish(table, [0] * table["rules"]["seats"], passed_out=True)


def questions_after_call(table: Table, *, in_first_round: bool) -> list[str]:
    """Returns the phases that may follow once trump is named, in order (sections 2, 3, 4, 8)."""
    rules = table["rules"]
    pickup = ["PICKUP", "DISCARD"] if in_first_round else []
    if rules["seats"] == 2:
        return [*pickup, "PLAY"]
    if rules["seats"] == 4:
        return ["ALONE_MAKER", *pickup, "ALONE_DEFENDER", "PLAY"]
    if rules["exchange_timing"] == "after_declarations":
        declarations = ["ALONE_DEFENDER", "EXCHANGE"]
    else:
        declarations = ["EXCHANGE", "ALONE_DEFENDER"]
    if is_combined(table, in_first_round=in_first_round):
        return ["PICKUP", "ALONE_MAKER", "DISCARD", *declarations, "PLAY"]
    return [*pickup, "ALONE_MAKER", *declarations, "PLAY"]


def is_combined(table: Table, *, in_first_round: bool) -> bool:
    """Returns whether discard and dummy are one exchange (section 4, ruling "`combined`")."""
    return (
        table["rules"]["seats"] == 3
        and table["rules"]["dealer_dummy_discard"] == "combined"
        and table["maker"] == table["dealer"]
        and in_first_round
        and not table["called_blind"]
    )


def go_on(table: Table) -> None:
    """Opens the next phase that asks somebody something."""
    while True:
        phase = table["to_come"].pop(0)
        opened = {
            "PICKUP": open_pickup,
            "DISCARD": open_discard,
            "ALONE_MAKER": open_alone_maker,
            "ALONE_DEFENDER": open_alone_defender,
            "EXCHANGE": open_exchange,
            "PLAY": open_play,
        }[phase](table)
        if opened:
            table["phase"] = phase
            return


def open_pickup(table: Table) -> bool:
    """Asks the dealer, or gives him the card where he has no choice (sections 2, 3, 4, 8)."""
    dealer = table["dealer"]
    if dealer in table["sitting"]:  # section 8: the card is dead, status declined
        table["up_status"] = "declined"
        return False
    if table["maker"] == dealer or table["rules"]["dealer_pickup"] == "forced":
        take_upcard(table)
        return False
    table["to_act"] = dealer
    return True


def take_upcard(table: Table) -> None:
    """Gives the dealer the up-card."""
    table["hands"][table["dealer"]].append(table["up"])
    table["up_status"] = "taken"


def open_discard(table: Table) -> bool:
    """Asks the dealer who holds six, unless one exchange of eleven cards is to come."""
    if table["up_status"] != "taken":
        return False
    if table["with_dummy"]:
        return False
    table["to_act"] = table["dealer"]
    return True


def open_alone_maker(table: Table) -> bool:
    """Asks the maker whether he plays alone (section 3; `maker_alone`, `alone_decision`)."""
    rules = table["rules"]
    if table["maker"] in table["alone"]:
        return False
    if not rules["maker_alone"]:
        if rules["seats"] == 3:
            says_with_dummy(table)
        return False
    if rules["seats"] == 3 and rules["alone_decision"] == "after_dummy":
        table["sees_dummy"] = True
    table["to_act"] = table["maker"]
    return True


def says_with_dummy(table: Table) -> None:
    """Lets the maker use the dummy and see it (section 4, ruling "`after_dummy`")."""
    table["with_dummy"] = True
    table["sees_dummy"] = True


def open_alone_defender(table: Table) -> bool:
    """Asks the defenders in their order (section 3; `defend_alone`, `defender_alone_order`)."""
    rules = table["rules"]
    maker_is_alone = table["maker"] in table["alone"]
    if rules["defend_alone"] == "never":
        return False
    if rules["defend_alone"] == "vs_lone_maker_only" and not maker_is_alone:
        return False
    if rules["defender_alone_order"] == "bidding_order":
        order = bidding_order(table)
    else:
        order = seats_from_left_of(table, table["maker"])
    ask_all(table, "ALONE_DEFENDER", [seat for seat in order if is_defender(table, seat)])
    return True


def open_exchange(table: Table) -> bool:
    """Asks the maker who uses the dummy for five of his cards (section 3 EXCHANGE)."""
    if not table["with_dummy"]:
        return False
    table["to_act"] = table["maker"]
    return True


def answer_pickup(table: Table, word: str) -> None:
    """Books the dealer's answer about the up-card (sections 2, 3)."""
    if word == "take":
        take_upcard(table)
    else:
        table["up_status"] = "declined"
    go_on(table)


def answer_discard(table: Table, card: str) -> None:
    """Puts a card of the dealer away (section 6: only he knows which)."""
    table["hands"][table["dealer"]].remove(card)
    table["discarded"][table["dealer"]].append(card)
    go_on(table)


def answer_alone(table: Table, word: str) -> None:
    """Books a declaration (section 3 ALONE; section 5: one defender at most)."""
    seat = table["to_act"]
    if word == "alone":
        goes_alone(table, seat)
        table["waiting"] = []
    elif word == "with_dummy":
        says_with_dummy(table)
    if table["phase"] == "ALONE_DEFENDER" and table["waiting"]:
        table["to_act"] = table["waiting"].pop(0)
    else:
        go_on(table)


def goes_alone(table: Table, seat: int) -> None:
    """Marks a seat as alone; its partner, if it has one, sits out (sections 3, 8)."""
    table["alone"].append(seat)
    if table["rules"]["seats"] == 4:
        table["sitting"].append((seat + 2) % 4)
    elif seat != table["maker"]:
        others = [other for other in range(3) if other not in (seat, table["maker"])]
        table["sitting"] += others


def answer_keep(table: Table, kept: list[str]) -> None:
    """Exchanges with the dummy: five stay, the rest is buried (section 3 EXCHANGE)."""
    maker = table["maker"]
    rejects = [card for card in exchange_pool(table) if card not in kept]
    table["hands"][maker] = list(kept)
    table["discarded"][maker] += rejects
    go_on(table)


def open_play(table: Table) -> bool:
    """Lets the first leader lead."""
    table["to_act"] = first_leader(table)
    return True


def answer_play(table: Table, card: str) -> None:
    """Plays a card; a full trick goes to its winner, who leads next (section 1)."""
    seat = table["to_act"]
    table["hands"][seat].remove(card)
    if table["trick"] is None:
        table["trick"] = {"leader": seat, "cards": [], "winner": None}
        table["players"] = []
    trick = table["trick"]
    trick["cards"].append(card)
    table["players"].append(seat)
    if len(trick["cards"]) < table["rules"]["seats"] - len(table["sitting"]):
        table["to_act"] = next_active(table, seat)
        return
    winner = table["players"][trick_winner(trick["cards"], table["trump"])]
    trick["winner"] = winner
    table["tricks"].append(trick)
    table["trick"] = None
    table["to_act"] = winner
    stop = table["rules"]["end_hand_early"] and cannot_change(table)
    if len(table["tricks"]) == 5 or stop:
        finish(table, points_of_hand(table, tricks_of_makers(table)), passed_out=False)


def finish(table: Table, points: list[int], *, passed_out: bool) -> None:
    """Books the points and looks whether the game is over (sections 2, 3, 5)."""
    scores = [old + new for old, new in zip(table["scores"], points, strict=True)]
    table["phase"] = "DONE"
    table["to_act"] = None
    table["points"] = points
    table["scores"] = scores
    table["winners"] = winners_of_game(table, scores)
    table["game_over"] = table["winners"] != []
    table["passed_out"] = passed_out
    dealer, redeals = next_deal(table, passed_out=passed_out)
    table["next_dealer"] = None if table["game_over"] else dealer
    table["next_redeals"] = redeals
