"""Planted faults in what the Euchre games lack: bids, calls, the widow, and their scoring."""

from planted_fault import Mutant

__all__ = ["PLANTED_IN_FAMILY"]

AUCTION = "phases/auction.py"
WIDOW = "phases/widow.py"
CALLING = "phases/calling.py"
PLAYING = "phases/playing.py"
FLOW = "phases/flow.py"
BIDS = "bids.py"
SCORING = "scoring.py"
POINTS = "points.py"

IN_THE_AUCTION = [
    Mutant(
        "bidding begins with the dealer",
        AUCTION,
        "return ask(state, place, state.deal.order[0])",
        "return ask(state, place, state.deal.dealer)",
    ),
    Mutant(
        "bidding skips a seat",
        AUCTION,
        "deal.order[auction.turns % len(deal.order)]",
        "deal.order[(auction.turns + 1) % len(deal.order)]",
    ),
    Mutant(
        "the last seat has no turn to bid",
        AUCTION,
        "return auction.turns >= seats",
        "return auction.turns >= seats - 1",
    ),
    Mutant(
        "an auction ends before the last has passed",
        AUCTION,
        "others = seats if auction.bidder is None else seats - 1",
        "others = seats - 1 if auction.bidder is None else seats - 2",
    ),
    Mutant(
        "passes before a bid count after it",
        AUCTION,
        "passes=0, high=number",
        "passes=auction.passes, high=number",
    ),
    Mutant(
        "the holder of the joker may pass",
        AUCTION,
        "return (FORCED_BY_JOKER,), False",
        "return (FORCED_BY_JOKER,), True",
    ),
    Mutant(
        "the joker in the widow forces the dealer",
        AUCTION,
        "return next(holders, None)",
        "return next(holders, state.deal.dealer)",
    ),
    Mutant(
        "the last bidder is stuck after bids too",
        AUCTION,
        "is_last = not auction.high and auction.turns",
        "is_last = auction.turns",
    ),
    Mutant(
        "a stuck last bidder may not bid less than the minimum",
        AUCTION,
        "return bids.stuck, False",
        "return bids.above[0], False",
    ),
    Mutant(
        "one redeal more before the last bidder is stuck",
        AUCTION,
        "deal.redeals >= deal.rules.max_consecutive_redeals",
        "deal.redeals > deal.rules.max_consecutive_redeals",
    ),
    Mutant(
        "no_trump the wrong way round",
        AUCTION,
        "if state.deal.rules.no_trump else _SUITS",
        "if not state.deal.rules.no_trump else _SUITS",
    ),
    Mutant(
        "see_widow_first the wrong way round",
        AUCTION,
        "if state.deal.rules.see_widow_first:",
        "if not state.deal.rules.see_widow_first:",
    ),
]

IN_THE_BIDS = [
    Mutant(
        "the joker forces a bid of four", BIDS, "FORCED_BY_JOKER: Final = 3", "FORCED_BY_JOKER = 4"
    ),
    Mutant(
        "a bid may be made over its equal",
        BIDS,
        "bids[max(place + 1, lowest) :]",
        "bids[max(place, lowest) :]",
    ),
    Mutant("bids under the minimum are open", BIDS, "free = bids[lowest:]", "free = bids"),
    Mutant(
        "misère ranks over four",
        BIDS,
        """    BidSpec(8, "misère", tricks=0, won=3, lost=3),
    BidSpec(4, "four", tricks=4, won=4, lost=4),
""",
        """    BidSpec(4, "four", tricks=4, won=4, lost=4),
    BidSpec(8, "misère", tricks=0, won=3, lost=3),
""",
    ),
    Mutant("Nap wins five", BIDS, '"Nap", tricks=5, won=10', '"Nap", tricks=5, won=5'),
    Mutant("Nap loses ten", BIDS, "tricks=5, won=10, lost=5", "tricks=5, won=10, lost=10"),
    Mutant("Wellington over any bid", BIDS, "won=20, lost=10, over=5", "won=20, lost=10"),
    Mutant("Blücher over Nap", BIDS, "won=30, lost=15, over=6", "won=30, lost=15, over=5"),
    Mutant(
        "failed_bid_costs the wrong way round",
        BIDS,
        "lost=_SIX if all_tricks else number",
        "lost=number if all_tricks else _SIX",
    ),
    Mutant(
        "big pepper costs what little pepper does",
        BIDS,
        "tricks=_SIX, won=12, lost=12",
        "tricks=_SIX, won=12, lost=6",
    ),
    Mutant(
        "a lost misère costs one more than was agreed",
        BIDS,
        'lost=int(options["misere_lost_points"])',
        'lost=1 + int(options["misere_lost_points"])',
    ),
    Mutant(
        "an overcall wins as Nap loses",
        BIDS,
        "won=bids[_NAP].won",
        "won=bids[_NAP].lost",
    ),
]

IN_WIDOW_AND_CALLS = [
    Mutant(
        "the widow goes to the dealer",
        WIDOW,
        "    maker = maker_of(state)\n    return settled(",
        "    maker = state.deal.dealer\n    return settled(",
    ),
    Mutant(
        "the maker does not get the widow",
        WIDOW,
        "state.held[maker] | 1 << widow",
        "state.held[maker]",
    ),
    Mutant(
        "the widow itself may not be buried",
        WIDOW,
        "cards_in(state.held[maker_of(state)])",
        "cards_in(state.held[maker_of(state)] & ~(1 << (state.deal.widow or 0)))",
    ),
    Mutant(
        "Hasenpfeffer is played with seven cards",
        FLOW,
        "(BID, NAME, BURY_FOR_WIDOW, PLAY, DONE)",
        "(BID, NAME, PLAY, DONE)",
    ),
    Mutant(
        "a maker who is not alone may call",
        CALLING,
        "state.deal.rules.call_for_best and maker in state.contract.alone",
        "state.deal.rules.call_for_best",
    ),
    Mutant(
        "a lone defender may not call",
        CALLING,
        "return state if caller is None else ask(state, place, caller)",
        "return state",
    ),
    Mutant(
        "a lone defender may call although nobody may",
        CALLING,
        "if not state.deal.rules.call_for_best:",
        "if state.deal.rules.call_for_best:",
    ),
    Mutant(
        "a loner must call",
        CALLING,
        "return (PASS, *(BURIES[card] for card in cards_in(state.held[actor(state)])))",
        "return tuple(BURIES[card] for card in cards_in(state.held[actor(state)]))",
    ),
    Mutant(
        "the best card is the left neighbour's",
        CALLING,
        "return Seat((seat + 2) % 4)",
        "return Seat((seat + 1) % 4)",
    ),
    Mutant(
        "the giver keeps the card that he gave",
        CALLING,
        "state.held[giver] & ~bit)",
        "state.held[giver])",
    ),
    Mutant(
        "everybody sees the card that was given",
        CALLING,
        "known[giver] = known[caller] = card",
        "known = [card] * len(held)",
    ),
]

IN_THE_SCORE = [
    Mutant(
        "a bid is made only by more tricks than it says",
        SCORING,
        "made = maker_tricks >= bid.tricks if",
        "made = maker_tricks > bid.tricks if",
    ),
    Mutant(
        "a misère may take one trick",
        SCORING,
        "if bid.tricks else maker_tricks == 0",
        "if bid.tricks else maker_tricks <= 1",
    ),
    Mutant(
        "a failed bid costs what it would have won",
        SCORING,
        "value = gain if made else -bid.lost",
        "value = gain if made else -gain",
    ),
    Mutant(
        "defenders get nothing for their tricks",
        SCORING,
        "others = rules.hand_size - maker_tricks",
        "others = 0",
    ),
    Mutant(
        "Napoleon is paid by himself too",
        SCORING,
        "value * (rules.seat_count - 1), -value",
        "value * rules.seat_count, -value",
    ),
    Mutant(
        "the first to lead is left of the dealer after bids too",
        PLAYING,
        "    if contract.bid is not None:\n        return maker_of(state)\n",
        "",
    ),
    Mutant(
        "five tricks are worth one point in Railroad",
        POINTS,
        "{_3: 3, _4: 2, _R: 2}",
        "{_3: 3, _4: 2, _R: 1}",
    ),
    Mutant(
        "a euchre is worth one point in Railroad",
        POINTS,
        "{_3: 2, _4: 2, _R: 2}",
        "{_3: 2, _4: 2, _R: 1}",
    ),
    Mutant(
        "a misère has trump",
        PLAYING,
        "bid is not None and bid.tricks > 0",
        "bid is not None and bid.tricks >= 0",
    ),
    Mutant("laps carry nothing", SCORING, "min(scores[seat] - rules.target, most)", "0"),
    Mutant("a slam counts once", SCORING, "return 2 if rules.slam", "return 1 if rules.slam"),
    Mutant("Napoleon has bowers", "games.py", "has_bowers=False", "has_bowers=True"),
]

PLANTED_IN_FAMILY = [*IN_THE_AUCTION, *IN_THE_BIDS, *IN_WIDOW_AND_CALLS, *IN_THE_SCORE]
