"""What a run of the comparison has reached in the wider family, and what it must reach.

Owns the list of everything that random hands of Railroad, Hasenpfeffer, Pepper and Napoleon have to
have met before a comparison means anything; hands of the other games are noted in
``second_tally``. It knows the naive engine only.
"""

import second_tally
from naive_family_bids import pass_is_barred
from naive_family_rules import FAMILY, family_option_values
from naive_family_score import makers_tricks, result_row
from naive_rules import AT_LEAST_0, AT_LEAST_1
from naive_score import points_row, tricks_of_makers
from naive_table import Table
from second_tally import ROWS, Tally

__all__ = ["family_must_reach", "note_action", "note_end", "note_rules"]

RAILROAD_PHASES = [
    *["NAME_BLIND", "SWAP", "BID1", "BID2", "ALONE_MAKER", "PICKUP", "DISCARD"],
    *["BURY pass", "BURY bury", "BEST best", "ALONE_DEFENDER alone", "ALONE_DEFENDER together"],
    *["PLAY", "called by maker", "called by defender", "called by both", "called by dealer"],
    *["slam", "laps", "best of five for a lone defender against two", "passed out", "over"],
]
TEAM_BIDDING = [
    *["BID pass", "BID bid", "NAME name", "PLAY play", "pass barred", "came back", "once"],
    *["passed out", "over", "over at the cap", "both at the target, makers_first"],
    *["both at the target, highest_else_play_on", "below zero"],
]


def note_rules(tally: Tally, table: Table) -> None:
    """Notes the options of a hand."""
    game = table["rules"]["preset"]
    if game not in FAMILY:
        second_tally.note_rules(tally, table)
        return
    for name, value in table["rules"].items():
        tally[f"{game}: {name}={value}"] += 1
    if game == "railroad" and table["phase"] == "DONE":
        tally["railroad: farmer's redeal"] += 1


def note_action(tally: Tally, table: Table, text: str) -> None:
    """Notes where the hand stands before an action, and which action it is."""
    game = table["rules"]["preset"]
    if game not in FAMILY:
        second_tally.note_action(tally, table, text)
        return
    phase = table["phase"]
    verb, _, word = text.partition(" ")
    tally[f"{game}: {phase}"] += 1
    tally[f"{game}: {phase} {verb}"] += 1
    if game == "railroad":
        note_call(tally, table, verb)
        return
    if phase == "BID":
        note_bid(tally, table, verb)
    if phase == "NAME":
        tally[f"{game}: name {word}"] += 1
    if phase == "BURY" and word == "JK":
        tally[f"{game}: joker buried"] += 1
    if phase == "BURY" and word == table["widow_card"]:
        tally[f"{game}: widow buried"] += 1


def note_bid(tally: Tally, table: Table, verb: str) -> None:
    """Notes what is special about a bid or a pass."""
    game = table["rules"]["preset"]
    if table["joker_holder_asked"]:
        tally[f"{game}: joker's holder"] += 1
    if pass_is_barred(table):
        tally[f"{game}: pass barred"] += 1
    spoken = [text for seat, text in table["history"] if seat == table["to_act"]]
    if verb == "bid" and "pass" in spoken and not table["joker_holder_asked"]:
        tally[f"{game}: came back"] += 1
    if table["rules"].get("bidding") == "once" and len(table["history"]) == 3:
        tally[f"{game}: once"] += 1


def note_call(tally: Tally, table: Table, verb: str) -> None:
    """Notes who calls for his partner's best card."""
    if table["phase"] != "BEST":
        return
    caller = table["caller"]
    who = "maker" if caller == table["maker"] else "defender"
    tally[f"railroad: called by {who}"] += 1
    if caller == table["dealer"]:
        tally["railroad: called by dealer"] += 1
    if who == "defender" and table["maker"] not in table["alone"]:
        tally["railroad: best of five for a lone defender against two"] += 1
    best = [text for _, text in table["history"] if text.startswith(verb)]
    if len(best) == 1:
        tally["railroad: called by both"] += 1


def note_end(tally: Tally, table: Table) -> None:
    """Notes how the hand and the game ended."""
    rules = table["rules"]
    game = rules["preset"]
    if game not in FAMILY:
        second_tally.note_end(tally, table)
        return
    if table["passed_out"]:
        tally[f"{game}: passed out"] += 1
    elif game == "railroad":
        row, _ = points_row(table, tricks_of_makers(table))
        tally[f"railroad: {row}"] += 1
    else:
        tally[f"{game}: {result_row(table, makers_tricks(table))}"] += 1
    if not table["passed_out"] and any(table["hands"][table["maker"]]):
        tally[f"{game}: ended early"] += 1
    if table["game_over"]:
        note_game(tally, table)
    if min(table["scores"]) < 0:
        tally[f"{game}: below zero"] += 1
    if game != "railroad" and table["scores"].count(max(table["scores"])) > rules["seats"] // 4 + 1:
        tally[f"{game}: level, {rules['tie_rule']}"] += 1
    reached = [score for score in table["scores"] if score >= rules["target"]]
    if game != "railroad" and len(reached) == rules["seats"]:
        tally[f"{game}: both at the target, {rules['tie_rule']}"] += 1


def note_game(tally: Tally, table: Table) -> None:
    """Notes what is special about the end of a game."""
    rules = table["rules"]
    game = rules["preset"]
    tally[f"{game}: over"] += 1
    if max(table["scores"]) < rules["target"]:
        tally[f"{game}: over at the cap"] += 1
    if game != "railroad":
        return
    losers = [table["scores"][seat] for seat in range(4) if seat not in table["winners"]]
    if rules["slam"] and losers and max(losers) == 0:
        tally["railroad: slam"] += 1
    if rules["laps"] and max(table["scores"]) > rules["target"] > 1:
        tally["railroad: laps"] += 1


def family_must_reach(game: str) -> list[str]:
    """Returns everything that a long enough run of a game has to have met."""
    wanted: list[str] = []
    for name, values in family_option_values(game, 7 if game == "napoleon" else 4).items():
        seen = [1, 2] if values in (AT_LEAST_0, AT_LEAST_1) else values
        wanted += [f"{name}={value}" for value in seen]
    if game == "railroad":
        wanted += [*RAILROAD_PHASES, *ROWS, "farmer's redeal", "ended early"]
    else:
        wanted += TEAM_BIDDING if game != "napoleon" else []
    if game in {"hasenpfeffer", "pepper"}:
        wanted += ["made", "failed, bid", "failed, all_tricks"]
        wanted += ["name C", "name D", "name H", "name S", "level, highest_else_play_on"]
    if game == "hasenpfeffer":
        wanted += ["BURY bury", "joker buried", "widow buried", "joker's holder"]
    if game == "pepper":
        wanted += ["name NT", "big pepper made", "big pepper failed"]
    if game == "napoleon":
        wanted += [f"bid {bid} {how}" for bid in range(1, 9) for how in ["made", "failed"]]
        ties = family_option_values("napoleon")["tie_rule"]
        wanted += [f"level, {rule}" for rule in ties]
        wanted += ["BID pass", "BID bid", "PLAY play", "pass barred", "passed out", "ended early"]
        wanted += ["over", "over at the cap", "below zero"]
    return [f"{game}: {what}" for what in wanted]
