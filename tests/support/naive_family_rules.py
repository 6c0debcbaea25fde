"""The naive second engine, the wider family: presets and options as one plain table.

Owns the options of Railroad, Hasenpfeffer, Pepper and Napoleon (docs/family.md section 1) and the
key `players` of a hand object. Written from the rules alone; it must not know ``euchre_engine``.
"""

from typing import Any

from naive_rules import AT_LEAST_0, AT_LEAST_1, BOOL, OPTIONS, BadRules, Rules, allows

__all__ = ["FAMILY", "family_option_values", "family_rules", "rules_with_players"]

FAMILY = ["railroad", "hasenpfeffer", "pepper", "napoleon"]

# Options of all four games: name, values, default.
COMMON: list[tuple[str, Any, Any]] = [
    ("stick_the_dealer", BOOL, False),
    ("redeal_dealer", ["next", "same"], "next"),
    ("first_dealer", "a seat", "seeded"),
    ("max_consecutive_redeals", AT_LEAST_0, 50),
    ("max_hands", AT_LEAST_1, 500),
    ("reveal", ["never", "after_game", "after_hand"], "after_game"),
]
TEAM_TIES = ["highest_else_play_on", "makers_first"]
OWN_TIES = [
    *["highest_else_play_on", "highest_else_shared"],
    *["any_reaching_shared", "left_of_dealer_first"],
]

# Railroad has every option of the four-handed game (section 1: "as 4") with these differences.
RAILROAD: list[tuple[str, Any, Any]] = [
    ("deck", ["24", "25", "28", "32", "33"], "25"),
    ("defend_alone", ["always", "vs_lone_maker_only", "never"], "vs_lone_maker_only"),
    ("call_for_best", BOOL, True),
    ("laps", BOOL, False),
    ("slam", BOOL, False),
]
HASENPFEFFER: list[tuple[str, Any, Any]] = [
    ("deck", ["25"], "25"),
    ("target", AT_LEAST_1, 10),
    ("deal_pattern", ["3-3", "ones"], "3-3"),
    ("tie_rule", TEAM_TIES, "highest_else_play_on"),
    ("bidding", ["rounds", "once"], "rounds"),
    ("minimum_bid", [1, 2, 3, 4, 5, 6], 1),
    ("failed_bid_costs", ["bid", "all_tricks"], "bid"),
    ("see_widow_first", BOOL, False),
]
PEPPER: list[tuple[str, Any, Any]] = [
    ("deck", ["24"], "24"),
    ("target", AT_LEAST_1, 30),
    ("deal_pattern", ["3-3", "ones"], "ones"),
    ("tie_rule", TEAM_TIES, "highest_else_play_on"),
    ("bidding", ["rounds", "once"], "rounds"),
    ("minimum_bid", [1, 2, 3, 4, 5], 1),
    ("failed_bid_costs", ["bid", "all_tricks"], "all_tricks"),
    ("no_trump", BOOL, True),
    ("big_pepper", BOOL, True),
]
NAPOLEON: list[tuple[str, Any, Any]] = [
    ("players", [2, 3, 4, 5, 6, 7], 5),
    ("deck", ["24", "28", "32", "52"], "52"),
    ("target", AT_LEAST_1, 10),
    ("deal_pattern", ["3-2", "2-3", "ones"], "ones"),
    ("tie_rule", OWN_TIES, "highest_else_play_on"),
    ("end_hand_early", BOOL, False),
    ("minimum_bid", [2, 3], 2),
    ("misere", BOOL, True),
    ("misere_lost_points", AT_LEAST_0, 3),
    ("wellington", BOOL, False),
    ("blucher", BOOL, False),
    ("overcall_wins", ["multiplied", "as_nap"], "multiplied"),
]


def option_rows(game: str) -> list[tuple[str, Any, Any]]:
    """Returns the options of a game: name, values, default (section 1, both tables)."""
    if game == "railroad":
        own = [row[0] for row in RAILROAD]
        as_four_handed = [
            (row[0], "a seat" if row[0] == "first_dealer" else row[1], row[4])
            for row in OPTIONS
            if row[4] is not None and row[0] not in own
        ]
        return as_four_handed + RAILROAD
    return COMMON + {"hasenpfeffer": HASENPFEFFER, "pepper": PEPPER, "napoleon": NAPOLEON}[game]


def family_option_values(game: str, players: int = 4) -> dict[str, Any]:
    """Returns what each option of a game may be, a list or a sentence, by its name."""
    seats = ["seeded", *range(players)]
    return {name: seats if values == "a seat" else values for name, values, _ in option_rows(game)}


def family_rules(given: str | dict[str, Any]) -> Rules:
    """Returns every effective option of a ruleset of the family, with `preset` and `seats`.

    Raises:
        BadRules: the preset or an option is unknown, does not apply, or has a value that is none.
    """
    wanted = {"preset": given} if isinstance(given, str) else dict(given)
    game = wanted.pop("preset", None)
    if game not in FAMILY:
        raise BadRules("preset")
    rules: Rules = {name: default for name, _, default in option_rows(game)}
    players: Any = wanted.get("players", 5) if game == "napoleon" else 4
    if not allows([2, 3, 4, 5, 6, 7], players):
        raise BadRules("players")
    values = family_option_values(game, players)
    for name, value in wanted.items():
        number = isinstance(value, int) and not isinstance(value, bool)
        wanted_value = str(value) if name == "deck" and number else value
        if name not in values or not allows(values[name], wanted_value):
            raise BadRules(name)
        rules[name] = wanted_value
    if game == "napoleon" and 5 * players > int(rules["deck"]):
        raise BadRules("deck")
    if game == "napoleon" and rules["blucher"] and not rules["wellington"]:
        raise BadRules("blucher")
    return {**rules, "preset": game, "seats": players}


def rules_with_players(rules: str | dict[str, Any], players: int | None) -> dict[str, Any]:
    """Returns the ruleset of a hand object whose key `players` may set the option.

    Raises:
        BadRules: `players` differs from the option, or from the number of seats of the game.
    """
    given = {"preset": rules} if isinstance(rules, str) else dict(rules)
    if players is None:
        return given
    if given.get("preset") == "napoleon":
        if given.get("players", players) != players:
            raise BadRules("players")
        return {**given, "players": players}
    if family_rules(given)["seats"] != players:
        raise BadRules("players")
    return given
