"""Looks for a difference between the engine found on the path and the naive second engine.

Run as a program by ``test_engine_mutants`` with a patched copy of the engine first on the path.
Owns the order of the hunt: rulesets, hands worked out by hand, then random hands; of the Euchre
games, or of the wider family if the second argument is `family`. Exit status:
0 nothing found, 1 a difference (told on standard output), 2 the patched engine is no program.
"""

import sys
from random import Random

NO_PROGRAM = (SyntaxError, ImportError, NameError, AttributeError, TypeError)


def hunt(hands: int, *, family: bool) -> str | None:
    """Returns what noticed the fault, None if nothing did."""
    from family_worked_napoleon import NAPOLEON_HANDS  # noqa: PLC0415
    from family_worked_railroad import RAILROAD_HANDS  # noqa: PLC0415
    from family_worked_teams import HASENPFEFFER_HANDS, PEPPER_HANDS  # noqa: PLC0415
    from naive_family_rules import FAMILY, family_rules  # noqa: PLC0415
    from naive_rules import PRESETS, effective_rules  # noqa: PLC0415
    from naive_worked import WORKED_HANDS  # noqa: PLC0415
    from naive_worked_auction import AUCTION_HANDS  # noqa: PLC0415
    from naive_worked_options import OPTION_HANDS  # noqa: PLC0415
    from second_compare import compare_random_hand, compare_written_hand  # noqa: PLC0415
    from second_tally import Tally  # noqa: PLC0415

    import euchre_engine  # noqa: PLC0415 - a patched engine may not even be importable

    presets = list(FAMILY if family else PRESETS)
    for preset in presets:
        naive = family_rules(preset) if family else effective_rules(preset)
        if any(
            value != naive[n] for n, value in euchre_engine.make_ruleset(preset).options.items()
        ):
            return f"options of {preset}"
    worked = [*WORKED_HANDS, *AUCTION_HANDS, *OPTION_HANDS]
    if family:
        worked = [*HASENPFEFFER_HANDS, *PEPPER_HANDS, *NAPOLEON_HANDS, *RAILROAD_HANDS]
    for name, hand, _ in worked:
        try:
            compare_written_hand(hand)
        except NO_PROGRAM:
            raise
        except Exception as noticed:  # noqa: BLE001 - whatever breaks is noticed
            return f"hand {name!r}: {noticed!r:.100}"
    for number in range(hands):
        try:
            compare_random_hand(Random(number), presets[number % len(presets)], Tally())
        except NO_PROGRAM:
            raise
        except Exception as noticed:  # noqa: BLE001 - whatever breaks is noticed
            return f"random hand {number}: {noticed!r:.100}"
    return None


def main() -> int:
    """Hunts, and tells what was found."""
    try:
        found = hunt(int(sys.argv[1]), family="family" in sys.argv[2:])
    except NO_PROGRAM as broken:
        sys.stdout.write(f"no program: {broken!r}\n")
        return 2
    sys.stdout.write(f"{found}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
