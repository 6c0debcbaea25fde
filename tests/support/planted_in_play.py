"""Planted faults in cards, tricks, points and the end of a game."""

from planted_fault import Mutant

__all__ = ["PLANTED_IN_PLAY"]

TRUMPS = "trumps.py"
CARDS = "cards.py"
PLAYING = "phases/playing.py"
SCORING = "scoring.py"
POINTS = "points.py"

CARDS_AND_PLAY = [
    Mutant(
        "left bower stays in its printed suit",
        TRUMPS,
        "if card.suit is None or (card.rank is Rank.JACK and card.suit is trump.partner):",
        "if card.suit is None:",
    ),
    Mutant("right bower beats the joker", TRUMPS, "return 15", "return 17"),
    Mutant("right bower is an ordinary jack", TRUMPS, "return 15", "return 10"),
    Mutant("left bower beats the right", TRUMPS, "return 14", "return 16"),
    Mutant("left bower is an ordinary jack", TRUMPS, "return 14", "return 10"),
    Mutant("joker is below the ace of trumps", TRUMPS, "return 16", "return 12.5"),
    Mutant("trump does not beat a plain suit", TRUMPS, "return 20 + height", "return height"),
    Mutant(
        "any plain suit can take a trick",
        *(TRUMPS, "return heights[card] if suit is led else 0", "return heights[card]"),
    ),
    Mutant("bowers of the wrong colours", CARDS, "Suit(5 - self)", "Suit((self + 1) % 4 + 1)"),
    Mutant(
        "the printed suit of the led card is demanded",
        TRUMPS,
        "follow=(0, *(masks[suits[card]] for card in Card))",
        "follow=(0, *(masks[card.suit or trump] for card in Card))",
    ),
    Mutant(
        "no duty to follow",
        PLAYING,
        "playable = hand & plan.follow[on_table[0]] or hand",
        "playable = hand",
    ),
    Mutant(
        "a card that does not follow is taken",
        *(PLAYING, "if not playable & bit:", "if not held[seat] & ~played & bit:"),
    ),
    Mutant(
        "a card played before is taken",
        PLAYING,
        "if not playable & bit:",
        "if not held[seat] & bit:",
    ),
    Mutant(
        "duty to trump when void",
        PLAYING,
        "playable = hand & plan.follow[on_table[0]] or hand",
        "playable = hand & plan.follow[on_table[0]] or "
        "hand & TRUMPS[contract.trump].suit_masks[contract.trump] or hand",
    ),
    Mutant(
        "the seat after the winner takes the trick",
        PLAYING,
        "plan.turns[leader][on_table.index(best)]",
        "plan.turns[leader][(on_table.index(best) + 1) % len(on_table)]",
    ),
    Mutant("the lowest card takes the trick", PLAYING, "max(on_table, key=", "min(on_table, key="),
    Mutant("the dealer leads", PLAYING, "= next_seat[state.deal.dealer]", "= state.deal.dealer"),
    Mutant("a loner leads", PLAYING, "return next_seat[loner]", "return loner"),
    Mutant(
        "alone_lead the wrong way round",
        PLAYING,
        "rules.alone_lead is AloneLead.LEFT_OF_LONER",
        "rules.alone_lead is not AloneLead.LEFT_OF_LONER",
    ),
    Mutant("both alone: the maker leads", PLAYING, "return next_seat[maker]", "return maker"),
    Mutant(
        "both alone: left_of_defender is left of the maker",
        PLAYING,
        "for seat in loners if seat != maker",
        "for seat in loners if seat == maker",
    ),
    Mutant(
        "both alone: left_of_dealer is left of the maker",
        PLAYING,
        "case BothAloneLeader.LEFT_OF_DEALER:\n            return left_of_dealer",
        "case BothAloneLeader.LEFT_OF_DEALER:\n            return next_seat[maker]",
    ),
    Mutant(
        "who sits out plays",
        PLAYING,
        "[seat for seat in range(seat_count) if seat not in sitting_out]",
        "list(range(seat_count))",
    ),
    Mutant("a hand has four tricks", PLAYING, "(playable and not", "(len(finished) != 4 and not"),
    Mutant(
        "a hand never ends early",
        PLAYING,
        "end_hand_early and is_settled(after)",
        "end_hand_early and False",
    ),
    Mutant(
        "every hand ends early",
        PLAYING,
        "deal.rules.end_hand_early and is_settled(after)",
        "is_settled(after)",
    ),
    Mutant("a hand ends early too early", SCORING, "range(left + 1)", "range(left)"),
]

POINTS_AND_END = [
    Mutant("two tricks make", SCORING, "_MAKING = 3", "_MAKING = 2"),
    Mutant("only four tricks make", SCORING, "_MAKING = 3", "_MAKING = 4"),
    Mutant(
        "alone and five tricks is a common march",
        SCORING,
        "HandResult.ALONE_MARCH if maker_alone else HandResult.MARCH",
        "HandResult.MARCH",
    ),
    Mutant(
        "alone and three tricks is a common make",
        SCORING,
        "        if maker_alone:\n            return HandResult.ALONE_MAKE\n",
        "",
    ),
    Mutant(
        "two-handed three tricks paid as four",
        SCORING,
        "maker_tricks > _MAKING",
        "maker_tricks >= _MAKING",
    ),
    Mutant("a lone defender never marches", SCORING, "swept = maker_tricks == 0", "swept = False"),
    Mutant(
        "a lone maker's loss counts before a lone defender's win",
        SCORING,
        "    if defender_alone:",
        "    if defender_alone and not maker_alone:",
    ),
    Mutant(
        "four tricks are the defenders' march",
        SCORING,
        "if maker_tricks == 0 and HandResult.DEFENDER_MARCH",
        "if maker_tricks <= 1 and HandResult.DEFENDER_MARCH",
    ),
    Mutant(
        "a lone maker's loss is paid as a common one",
        SCORING,
        "    if maker_alone:\n        return HandResult.ALONE_EUCHRE\n",
        "",
    ),
    Mutant(
        "lone_only and both the wrong way round",
        SCORING,
        "is LoneDefenderScores.LONE_ONLY",
        "is LoneDefenderScores.BOTH",
    ),
    Mutant(
        "one defender is paid",
        SCORING,
        "paid = tuple(seat for seat in rules.seats if seat not in side)",
        "paid = tuple(seat for seat in rules.seats if seat not in side)[:1]",
    ),
    Mutant("partners do not share", SCORING, "(one - other) % 2 == 0", "(one - other) % 4 == 0"),
    Mutant(
        "one more than the target", SCORING, "if best >= rules.target", "if best > rules.target"
    ),
    Mutant(
        "one more hand than max_hands",
        SCORING,
        "deal.hand_number >= rules.max_hands",
        "deal.hand_number > rules.max_hands",
    ),
    Mutant(
        "any_reaching_shared: more than the target",
        SCORING,
        "if scores[seat] >= rules.target)",
        "if scores[seat] > rules.target)",
    ),
    Mutant(
        "level at the top wins",
        SCORING,
        "case TieRule.HIGHEST_ELSE_PLAY_ON:\n            return ()",
        "case TieRule.HIGHEST_ELSE_PLAY_ON:\n            return level",
    ),
    Mutant(
        "left_of_dealer_first goes by seat numbers",
        SCORING,
        "next(seat for seat in deal.order if seat in level)",
        "next(seat for seat in rules.seats if seat in level)",
    ),
    Mutant(
        "lone_defender_first also helps a lone maker",
        SCORING,
        "seat in contract.alone and seat != contract.maker",
        "seat in contract.alone",
    ),
    Mutant("the deal stays", SCORING, "else deal.order[0]", "else deal.dealer"),
    Mutant("the deal goes right", SCORING, "else deal.order[0]", "else deal.order[-2]"),
    Mutant("redeal_dealer same also after play", SCORING, "stays = passed_out and", "stays ="),
    Mutant(
        "played hands count as redeals",
        SCORING,
        "deal.redeals + 1 if passed_out else 0",
        "deal.redeals + 1",
    ),
    Mutant("three-handed march 2", POINTS, "{_3: 3, _4: 2, _R: 2}", "{_3: 2, _4: 2, _R: 2}"),
    Mutant("four-handed march 3", POINTS, "{_3: 3, _4: 2, _R: 2}", "{_3: 3, _4: 3, _R: 2}"),
    Mutant("four-handed make 2", POINTS, "{_3: 1, _4: 1, _R: 1}", "{_3: 1, _4: 2, _R: 1}"),
    Mutant("three-handed euchre 1", POINTS, "{_3: 2, _4: 2, _R: 2}", "{_3: 1, _4: 2, _R: 2}"),
    Mutant("four-handed euchre 4", POINTS, "{_3: 2, _4: 2, _R: 2}", "{_3: 2, _4: 4, _R: 2}"),
    Mutant(
        "two-handed euchre 1", POINTS, "HandResult.EUCHRE, {_2: 2}", "HandResult.EUCHRE, {_2: 1}"
    ),
    Mutant("two-handed march 3", POINTS, "HandResult.MARCH, {_2: 2}", "HandResult.MARCH, {_2: 3}"),
    Mutant("two-handed make 2", POINTS, "{_2: 1}", "{_2: 2}"),
]

PLANTED_IN_PLAY = [*CARDS_AND_PLAY, *POINTS_AND_END]
