"""The naive second engine, part 4: points of a hand and the end of a game.

Owns the points tables of RULES.md sections 2, 3 and 8, `end_hand_early`, the tie rules and the
caps. Written from RULES.md alone; it must not know ``euchre_engine``.
"""

from naive_table import Table

__all__ = ["cannot_change", "next_deal", "points_of_hand", "points_row", "winners_of_game"]


def maker_side(table: Table) -> list[int]:
    """Returns the maker, four-handed with the partner (sections 3 and 8)."""
    maker = table["maker"]
    if table["rules"]["seats"] == 4:
        return [maker, (maker + 2) % 4]
    return [maker]


def tricks_of_makers(table: Table) -> int:
    """Returns the tricks that the maker's side has won."""
    won = [trick for trick in table["tricks"] if trick["winner"] in maker_side(table)]
    return len(won)


def lone_defender(table: Table) -> int | None:
    """Returns the defender who plays alone, if one does."""
    lone = [seat for seat in table["alone"] if seat != table["maker"]]
    return lone[0] if lone else None


def points_row(table: Table, makers_tricks: int) -> tuple[str, int]:
    """Returns the row of the points table by name, and what the side that scores gets.

    RULES.md section 2 ("Score"), section 3 (the result table), section 8 ("Team score"), and the
    ruling "Points" of section 4: a lone defender's numbers go first, then a failing lone maker's,
    then the march of the defenders.
    """
    rules = table["rules"]
    maker_alone = table["maker"] in table["alone"]
    if rules["seats"] == 2:
        if makers_tricks == 5:
            return "makers five", 2
        if makers_tricks == 4:
            return "makers four", rules["two_handed_four_tricks"]
        if makers_tricks == 3:
            return "makers three", 1
        return "makers fail", 2
    if makers_tricks == 5:
        if maker_alone:
            return "lone maker five", rules["alone_march_points"]
        return "makers five", 3 if rules["seats"] == 3 else 2
    if makers_tricks >= 3:
        if maker_alone:
            return "lone maker three or four", rules["alone_make_points"]
        return "makers three or four", 1
    if lone_defender(table) is not None:
        if makers_tricks == 0:
            return "lone defender five", rules["lone_defender_march_points"]
        return "lone defender three or four", rules["lone_defender_euchre_points"]
    if maker_alone:
        return "lone maker fails", rules["alone_euchred_points"]
    if makers_tricks == 0:
        return "defenders five", rules["defender_march_points"]
    return "makers fail", 2


def points_of_hand(table: Table, makers_tricks: int) -> list[int]:
    """Returns the points of every seat if the maker's side takes so many tricks (sections 2-4)."""
    rules = table["rules"]
    _, points = points_row(table, makers_tricks)
    makers = maker_side(table)
    defenders = [seat for seat in range(rules["seats"]) if seat not in makers]
    lone = lone_defender(table)
    if makers_tricks >= 3:
        scoring = makers
    elif lone is not None and rules["seats"] == 3 and rules["lone_defender_scores"] == "lone_only":
        scoring = [lone]
    else:
        scoring = defenders
    return [points if seat in scoring else 0 for seat in range(rules["seats"])]


def cannot_change(table: Table) -> bool:
    """Returns whether no result of the tricks left changes the points (`end_hand_early`).

    Section 4's ruling: trick counts and the points table alone, never the cards.
    """
    so_far = tricks_of_makers(table)
    left = 5 - len(table["tricks"])
    possible = [points_of_hand(table, so_far + more) for more in range(left + 1)]
    return all(points == possible[0] for points in possible)


def winners_of_game(table: Table, scores: list[int]) -> list[int]:
    """Returns who has won the game after this hand; nobody while it goes on.

    Section 2 and section 3 "End", section 4 `tie_rule` and the rulings "Tie rules", `max_hands`.
    """
    rules = table["rules"]
    highest = max(scores)
    level = [seat for seat, score in enumerate(scores) if score == highest]
    if highest >= rules["target"]:
        if rules["seats"] != 3 and len(level) < rules["seats"]:
            return level  # two-handed one seat, four-handed the two of a team
        rule = rules.get("tie_rule")  # without the option level ones play on
        if rule == "any_reaching_shared":
            return [seat for seat, score in enumerate(scores) if score >= rules["target"]]
        if len(level) == 1 or rule == "highest_else_shared":
            return level
        if rule == "left_of_dealer_first":
            order = [(table["dealer"] + step) % 3 for step in (1, 2, 3)]
            return [seat for seat in order if seat in level][:1]
        if rule == "lone_defender_first" and table["maker"] is not None:
            lone = lone_defender(table)
            if lone in level:
                return [lone]
    if table["number"] >= rules["max_hands"]:
        return level
    return []


def next_deal(table: Table, *, passed_out: bool) -> tuple[int, int]:
    """Returns the next dealer and the redeals before his hand (section 5; `redeal_dealer`)."""
    seats = table["rules"]["seats"]
    left = (table["dealer"] + 1) % seats
    if not passed_out:
        return left, 0
    if table["rules"]["redeal_dealer"] == "same":
        return table["dealer"], table["redeals"] + 1
    return left, table["redeals"] + 1
