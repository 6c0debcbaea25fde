"""The naive second engine, part 2: presets and options as one plain table.

Owns RULES.md section 4's table of options with their defaults, and the presets of sections 2, 3
and 8. Written from RULES.md alone; it must not know ``euchre_engine``.
"""

from typing import Any

__all__ = [
    "OPTIONS",
    "PRESETS",
    "BadRules",
    "Rules",
    "effective_rules",
    "option_values",
]

Rules = dict[str, Any]

BOOL = [False, True]
AT_LEAST_0 = "integer >= 0"
AT_LEAST_1 = "integer >= 1"

# name, values, default two-handed, three-handed, four-handed (None: does not apply to that game)
OPTIONS: list[tuple[str, Any, Any, Any, Any]] = [
    ("deck", ["24", "25", "32", "33", "28"], "24", "24", "24"),
    ("target", AT_LEAST_1, 10, 10, 10),
    ("stick_the_dealer", BOOL, False, False, False),
    ("allow_turned_down_suit", BOOL, False, False, False),
    ("dealer_pickup", ["optional", "forced"], "optional", "optional", "forced"),
    ("may_discard_upcard", BOOL, False, False, False),
    ("dealer_dummy_discard", ["sequential", "combined"], None, "sequential", None),
    ("alone_decision", ["before_dummy", "after_dummy"], None, "before_dummy", None),
    (
        "exchange_timing",
        ["after_declarations", "before_defenders"],
        None,
        "after_declarations",
        None,
    ),
    ("maker_alone", BOOL, None, True, True),
    ("defend_alone", ["always", "vs_lone_maker_only", "never"], None, "always", "never"),
    (
        "defender_alone_order",
        ["bidding_order", "left_of_maker"],
        None,
        "bidding_order",
        "bidding_order",
    ),
    ("alone_lead", ["left_of_loner", "left_of_dealer"], None, "left_of_loner", "left_of_dealer"),
    (
        "both_alone_leader",
        ["left_of_maker", "left_of_defender", "left_of_dealer"],
        None,
        "left_of_maker",
        "left_of_dealer",
    ),
    ("alone_march_points", AT_LEAST_0, None, 3, 4),
    ("alone_make_points", AT_LEAST_0, None, 1, 1),
    ("alone_euchred_points", AT_LEAST_0, None, 2, 2),
    ("lone_defender_scores", ["both", "lone_only"], None, "both", None),
    ("lone_defender_march_points", AT_LEAST_0, None, 4, 4),
    ("lone_defender_euchre_points", AT_LEAST_0, None, 2, 4),
    ("defender_march_points", AT_LEAST_0, None, 2, 2),
    ("two_handed_four_tricks", AT_LEAST_0, 1, None, None),
    (
        "tie_rule",
        [
            "highest_else_play_on",
            "highest_else_shared",
            "any_reaching_shared",
            "left_of_dealer_first",
            "lone_defender_first",
        ],
        None,
        "highest_else_play_on",
        None,
    ),
    ("end_hand_early", BOOL, False, False, False),
    (
        "joker_upcard",
        ["hearts", "fixed:C", "fixed:D", "fixed:H", "fixed:S", "dealer_names_blind"],
        "hearts",
        "hearts",
        "hearts",
    ),
    (
        "dummy_seat",
        ["right_of_dealer", "across", "fixed_chair"],
        None,
        "right_of_dealer",
        None,
    ),
    ("deal_pattern", ["3-2", "2-3", "ones"], "3-2", "3-2", "3-2"),
    ("redeal_dealer", ["next", "same"], "next", "next", "next"),
    ("first_dealer", ["seeded", 0, 1, 2, 3], "seeded", "seeded", "seeded"),
    ("min_trump_to_call", [0, 1, 2], 0, 0, 0),
    ("max_consecutive_redeals", AT_LEAST_0, 50, 50, 50),
    ("max_hands", AT_LEAST_1, 500, 500, 500),
    ("reveal", ["never", "after_game", "after_hand"], "after_game", "after_game", "after_game"),
    ("canadian_loner", BOOL, None, None, False),
    ("farmers_hand", ["none", "three_swap", "redeal_no_ace_no_face"], None, None, "none"),
]

# name: number of seats, options that differ from the game's defaults (sections 3, 8)
PRESETS: dict[str, tuple[int, dict[str, Any]]] = {
    "two-handed": (2, {}),
    "three-handed": (3, {}),
    "three-handed-bonus": (3, {"alone_march_points": 6}),
    "four-handed": (4, {}),
    "british": (4, {"deck": "25", "joker_upcard": "dealer_names_blind"}),
    "british-two-handed": (2, {"deck": "25", "joker_upcard": "dealer_names_blind"}),
    "british-three-handed": (3, {"deck": "25", "joker_upcard": "dealer_names_blind"}),
}


class BadRules(Exception):  # noqa: N818 - the tests read better without "Error"
    """A ruleset that RULES.md section 4 does not allow; the argument is the offending key."""


def option_values(name: str, seats: int) -> Any:  # noqa: ANN401 - a list of values or a sentence
    """Returns what an option may be in a game of so many seats: a list, or a sentence on integers.

    Returns None where the option does not apply to the game.
    """
    for row in OPTIONS:
        if row[0] == name:
            if row[seats] is None:
                return None
            if name == "deck" and seats != 4:
                return [value for value in row[1] if value != "28"]
            if name == "first_dealer":
                return ["seeded", *range(seats)]
            return row[1]
    return None


def allows(values: Any, value: Any) -> bool:  # noqa: ANN401 - option values are of three types
    """Returns whether a value is one of those that an option may have."""
    if values in (AT_LEAST_0, AT_LEAST_1):
        lowest = 0 if values == AT_LEAST_0 else 1
        return isinstance(value, int) and not isinstance(value, bool) and value >= lowest
    return any(type(value) is type(good) and value == good for good in values)


def effective_rules(given: str | dict[str, Any]) -> Rules:
    """Returns every effective option of a ruleset, with `preset` and `seats` (section 4).

    Raises:
        BadRules: the preset or an option is unknown, does not apply, or has a value that is none.
    """
    wanted = {"preset": given} if isinstance(given, str) else dict(given)
    preset = wanted.pop("preset", None)
    if preset not in PRESETS:
        raise BadRules("preset")
    seats, differing = PRESETS[preset]
    rules: Rules = {row[0]: row[seats] for row in OPTIONS if row[seats] is not None}
    rules.update(differing)
    for name, value in wanted.items():
        values = option_values(name, seats)
        if values is None:
            raise BadRules(name)
        text = value
        if name == "deck" and isinstance(value, int) and not isinstance(value, bool):
            text = str(value)
        if not allows(values, text):
            raise BadRules(name)
        rules[name] = text
    rules["preset"] = preset
    rules["seats"] = seats
    return rules
