"""The naive second engine, the wider family: points of a hand and the end of a game.

Owns the result tables of docs/family.md sections 2-5, the tie rules, laps and slam, the largest and
smallest result of a hand. Written from the rules alone; it must not know ``euchre_engine``.
"""

from naive_rules import Rules
from naive_table import Table

__all__ = [
    "carry",
    "decided_early",
    "family_points",
    "family_winners",
    "game_worth",
    "largest_result",
    "makers_tricks",
    "result_row",
    "smallest_result",
]

# section 5: bid -> tricks needed, paid by each opponent when won, paid to each when lost
NAPOLEON_TABLE = {
    1: (1, 1, 1),
    2: (2, 2, 2),
    3: (3, 3, 3),
    4: (4, 4, 4),
    5: (5, 10, 5),
    6: (5, 20, 10),
    7: (5, 30, 15),
}


def team_of(rules: Rules, seat: int) -> list[int]:
    """Returns a seat and its partner; in Napoleon everybody is alone (sections 1, 5)."""
    return [seat] if rules["preset"] == "napoleon" else [seat, (seat + 2) % 4]


def makers_tricks(table: Table) -> int:
    """Returns the tricks of the maker and his partner."""
    makers = team_of(table["rules"], table["maker"])
    return len([trick for trick in table["tricks"] if trick["winner"] in makers])


def won_value(rules: Rules, bid: int) -> int:
    """Returns what each opponent pays for a made bid of Napoleon (section 5)."""
    if bid == 8:
        return 3
    if bid in {6, 7} and rules["overcall_wins"] == "as_nap":
        return 10
    return NAPOLEON_TABLE[bid][1]


def lost_value(rules: Rules, bid: int) -> int:
    """Returns what a failed bid of Napoleon pays each opponent (section 5)."""
    return int(rules["misere_lost_points"]) if bid == 8 else NAPOLEON_TABLE[bid][2]


def is_made(table: Table, tricks: int) -> bool:
    """Returns whether so many tricks make the contract (sections 3, 4, 5)."""
    bid = table["contract"]
    game = table["rules"]["preset"]
    if game == "napoleon" and bid == 8:
        return tricks == 0
    if game == "napoleon":
        return tricks >= NAPOLEON_TABLE[bid][0]
    return bool(tricks >= (6 if bid == 7 else bid))


def result_row(table: Table, tricks: int) -> str:
    """Returns the row of the result table by name, for so many tricks of the makers."""
    bid = table["contract"]
    made = "made" if is_made(table, tricks) else "failed"
    if table["rules"]["preset"] == "napoleon":
        return f"bid {bid} {made}"
    if bid == 7:
        return f"big pepper {made}"
    return made if made == "made" else f"failed, {table['rules']['failed_bid_costs']}"


def family_points(table: Table, tricks: int) -> list[int]:
    """Returns the points of every seat if the makers have so many tricks (sections 3, 4, 5)."""
    rules = table["rules"]
    bid = table["contract"]
    made = is_made(table, tricks)
    if rules["preset"] == "napoleon":
        others = rules["seats"] - 1
        value = won_value(rules, bid) if made else -lost_value(rules, bid)
        maker, opponent = others * value, -value
    else:
        opponent = 6 - tricks
        if bid == 7:
            maker = 12 if made else -12
        elif made:
            maker = tricks
        else:
            maker = -bid if rules["failed_bid_costs"] == "bid" else -6
    makers = team_of(rules, table["maker"])
    return [maker if seat in makers else opponent for seat in range(rules["seats"])]


def decided_early(table: Table) -> bool:
    """Returns whether a hand of Napoleon stops here (section 5, `end_hand_early`)."""
    if not table["rules"].get("end_hand_early", False):
        return False
    has = makers_tricks(table)
    if table["contract"] == 8:
        return has > 0
    need = NAPOLEON_TABLE[table["contract"]][0]
    return has >= need or has + 5 - len(table["tricks"]) < need


def family_winners(table: Table, scores: list[int]) -> list[int]:
    """Returns who has won the game after this hand, nobody while it goes on (section 1).

    Hasenpfeffer, Pepper and Napoleon; Railroad ends as the four-handed game does.
    """
    rules = table["rules"]
    target = rules["target"]
    highest = max(scores)
    level = [seat for seat, score in enumerate(scores) if score == highest]
    if highest >= target:
        winners = winners_by_tie_rule(table, scores, level)
        if winners:
            return winners
    return level if table["number"] >= rules["max_hands"] else []


def winners_by_tie_rule(table: Table, scores: list[int], level: list[int]) -> list[int]:
    """Returns who wins now that the target is reached; nobody if they play on (section 1)."""
    rules = table["rules"]
    rule = rules["tie_rule"]
    if rule == "makers_first" and min(scores) >= rules["target"] and table["maker"] is not None:
        return sorted(team_of(rules, table["maker"]))
    if rule == "any_reaching_shared":
        return [seat for seat, score in enumerate(scores) if score >= rules["target"]]
    if rule == "highest_else_shared":
        return level
    if rule == "left_of_dealer_first":
        seats = rules["seats"]
        order = [(table["dealer"] + step) % seats for step in range(1, seats + 1)]
        return [seat for seat in order if seat in level][:1]
    unique = len(level) == len(team_of(rules, 0))
    return level if unique else []


def carry(table: Table) -> list[int]:
    """Returns the scores at the start of the next game of Railroad (section 2, `laps`)."""
    rules = table["rules"]
    if not rules["laps"] or not table["game_over"]:
        return [0] * 4
    most = rules["target"] - 1
    above = [max(0, score - rules["target"]) for score in table["scores"]]
    return [min(above[seat], most) if seat in table["winners"] else 0 for seat in range(4)]


def game_worth(table: Table) -> int:
    """Returns how many games a game of Railroad counts (section 2, `slam`)."""
    if not table["game_over"]:
        return 0
    losers = [table["scores"][seat] for seat in range(4) if seat not in table["winners"]]
    return 2 if table["rules"]["slam"] and losers and max(losers) == 0 else 1


def napoleon_bids(rules: Rules) -> list[int]:
    """Returns the bids of Napoleon that a ruleset offers at all (section 5)."""
    bids = [2, 3, 4, 5] if rules["minimum_bid"] == 2 else [3, 4, 5]
    bids += [8] if rules["misere"] else []
    bids += [6] if rules["wellington"] else []
    return bids + ([7] if rules["blucher"] else [])


def largest_result(rules: Rules) -> int:
    """Returns the most points that a seat may get from a hand (section 1, the last table)."""
    if rules["preset"] == "railroad":
        return max(railroad_numbers(rules))
    if rules["preset"] == "hasenpfeffer":
        return 6
    if rules["preset"] == "pepper":
        return 12 if rules["big_pepper"] else 6
    won, lost = napoleon_extremes(rules)
    return max((int(rules["seats"]) - 1) * won, lost)


def smallest_result(rules: Rules) -> int:
    """Returns the fewest points that a seat may get from a hand (section 1, the last table)."""
    if rules["preset"] == "railroad":
        return 0
    if rules["preset"] != "napoleon":
        return -largest_result(rules)
    won, lost = napoleon_extremes(rules)
    return -max((int(rules["seats"]) - 1) * lost, won)


def railroad_numbers(rules: Rules) -> list[int]:
    """Returns the numbers of Railroad's points table that can occur under its options."""
    numbers = [1, 2, rules["defender_march_points"]]
    lone_maker = rules["maker_alone"] or rules["canadian_loner"]
    if lone_maker:
        names = ["alone_march_points", "alone_make_points", "alone_euchred_points"]
        numbers += [rules[name] for name in names]
    against_some = rules["defend_alone"] == "vs_lone_maker_only" and lone_maker
    if rules["defend_alone"] == "always" or against_some:
        names = ["lone_defender_march_points", "lone_defender_euchre_points"]
        numbers += [rules[name] for name in names]
    return numbers


def napoleon_extremes(rules: Rules) -> tuple[int, int]:
    """Returns the largest payment to a maker and the largest of a maker, by one opponent."""
    bids = napoleon_bids(rules)
    return max(won_value(rules, bid) for bid in bids), max(lost_value(rules, bid) for bid in bids)
