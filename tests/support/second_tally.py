"""What a run of the comparison has reached, and what it must reach.

Owns the list of everything that random hands have to have met before a comparison means anything:
every phase, option value, points row, leader rule, ending. It knows the naive engine only.
"""

from collections import Counter

from naive_legal import enough_trump, is_stuck, suits_of_second_round
from naive_rules import AT_LEAST_0, AT_LEAST_1, OPTIONS, option_values
from naive_score import points_row, tricks_of_makers
from naive_table import Table

__all__ = ["Tally", "must_reach", "note_action", "note_end", "note_rules"]

Tally = Counter[str]

PHASES = {
    2: ["NAME_BLIND", "BID1", "PICKUP", "DISCARD", "BID2", "PLAY"],
    3: [
        *["NAME_BLIND", "BID1", "PICKUP", "DISCARD", "BID2", "PLAY"],
        *["ALONE_MAKER", "ALONE_DEFENDER", "EXCHANGE"],
    ],
    4: [
        *["NAME_BLIND", "SWAP", "BID1", "PICKUP", "DISCARD", "BID2", "PLAY"],
        *["ALONE_MAKER", "ALONE_DEFENDER"],
    ],
}
TWO_HANDED_ROWS = ["makers five", "makers four", "makers three", "makers fail"]
ROWS = [
    *["makers five", "makers three or four", "makers fail", "defenders five"],
    *["lone maker five", "lone maker three or four", "lone maker fails"],
    *["lone defender five", "lone defender three or four"],
]
ENDS = ["stuck", "stuck, no suit qualifies", "passed out", "ended early", "game over at the cap"]


def note_rules(tally: Tally, table: Table) -> None:
    """Notes the options, and the up-card's joker."""
    rules = table["rules"]
    seats = rules["seats"]
    for name, value in rules.items():
        tally[f"{seats}: {name}={value}"] += 1
    if table["up"] == "JK":
        tally[f"{seats}: joker up, {rules['joker_upcard']}"] += 1
    if table["phase"] == "DONE":
        tally["4: farmer's redeal"] += 1


def note_action(tally: Tally, table: Table, text: str) -> None:
    """Notes where the hand stands before an action, and which action it is."""
    seats = table["rules"]["seats"]
    phase = table["phase"]
    word = text.split(" ", maxsplit=1)[0]
    tally[f"{seats}: {phase}"] += 1
    tally[f"{seats}: {phase} {word}"] += 1
    if phase == "BID2" and table["to_act"] == table["dealer"] and is_stuck(table):
        tally[f"{seats}: stuck"] += 1
        suits = suits_of_second_round(table)
        enough = [suit for suit in suits if enough_trump(table, table["to_act"], suit)]
        if not enough:
            tally[f"{seats}: stuck, no suit qualifies"] += 1
    if word == "swap" and any(table["discarded"]):
        tally["4: a second swap"] += 1
    if phase == "DISCARD" and table["called_blind"]:
        tally[f"{seats}: blind discard, {table['rules'].get('dealer_dummy_discard')}"] += 1
    if phase == "EXCHANGE":
        own = len(table["hands"][table["maker"]])
        tally[f"3: exchange with {own}, {table['rules']['exchange_timing']}"] += 1
    if phase == "BID1" and word == "order" and table["rules"].get("canadian_loner"):
        partner = table["to_act"] == (table["dealer"] + 2) % 4
        tally[f"4: Canadian partner {partner}"] += 1
    if phase == "PLAY" and not table["tricks"] and table["trick"] is None:
        tally[f"{seats}: leader, {leader_case(table)}"] += 1


def leader_case(table: Table) -> str:
    """Returns who is alone when the first card is led, with the option that decides."""
    rules = table["rules"]
    if not table["alone"]:
        return "together"
    if len(table["alone"]) == 2:
        return f"both alone, {rules['both_alone_leader']}"
    case = "lone maker" if table["maker"] in table["alone"] else "lone defender"
    return f"{case}, {rules['alone_lead']}"


def note_end(tally: Tally, table: Table) -> None:
    """Notes how the hand and the game ended."""
    seats = table["rules"]["seats"]
    if table["passed_out"]:
        tally[f"{seats}: passed out"] += 1
    else:
        row, _ = points_row(table, tricks_of_makers(table))
        tally[f"{seats}: {row}"] += 1
        if len(table["tricks"]) < 5:
            tally[f"{seats}: ended early"] += 1
    if table["game_over"]:
        tally[f"{seats}: game over, {len(table['winners'])} winners"] += 1
        if table["number"] >= table["rules"]["max_hands"]:
            tally[f"{seats}: game over at the cap"] += 1
    level = table["scores"].count(max(table["scores"]))
    if seats == 3 and max(table["scores"]) >= table["rules"]["target"] and level > 1:
        tie = f"3: level, {table['rules']['tie_rule']}"
        tally[tie + (", over" if table["game_over"] else ", plays on")] += 1


def must_reach(seats: int) -> list[str]:
    """Returns everything that a long enough run of a game has to have met."""
    return [f"{seats}: {what}" for what in (*in_every_game(seats), *IN_ONE_GAME[seats])]


def in_every_game(seats: int) -> list[str]:
    """Returns phases, refusals, results, jokers and option values."""
    wanted = [*PHASES[seats], *(f"refused in {phase}" for phase in PHASES[seats]), *ENDS]
    wanted += TWO_HANDED_ROWS if seats == 2 else ROWS
    for row in OPTIONS:
        values = option_values(row[0], seats)
        if row[0] == "joker_upcard":
            wanted += [f"joker up, {value}" for value in values]
        if values in (AT_LEAST_0, AT_LEAST_1):
            values = [1, 2]
        wanted += [f"{row[0]}={value}" for value in values or []]
    return wanted


LEADERS = [
    "leader, together",
    "leader, lone maker, left_of_loner",
    "leader, lone maker, left_of_dealer",
    "leader, lone defender, left_of_loner",
    "leader, lone defender, left_of_dealer",
    "leader, both alone, left_of_maker",
    "leader, both alone, left_of_defender",
    "leader, both alone, left_of_dealer",
]
IN_ONE_GAME = {
    2: ["blind discard, None"],
    3: [
        *LEADERS,
        "blind discard, combined",
        "exchange with 5, after_declarations",
        "exchange with 5, before_defenders",
        "exchange with 6, after_declarations",
        "exchange with 6, before_defenders",
        "level, highest_else_play_on, plays on",
        "level, highest_else_shared, over",
        "level, any_reaching_shared, over",
        "level, left_of_dealer_first, over",
        "level, lone_defender_first, over",
        "level, lone_defender_first, plays on",
        "game over, 3 winners",
    ],
    4: [
        *LEADERS,
        "blind discard, None",
        "SWAP swap",
        "a second swap",
        "farmer's redeal",
        "Canadian partner True",
        "Canadian partner False",
    ],
}
