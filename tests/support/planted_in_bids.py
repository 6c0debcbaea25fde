"""Planted faults in the deal, the auction, the declarations, views and defaults."""

from planted_fault import Mutant

__all__ = ["PLANTED_IN_BIDS"]

OPENING = "opening.py"
BIDDING = "phases/bidding.py"
PICKUP = "phases/pickup.py"
DECLARING = "phases/declaring.py"
EXCHANGE = "phases/exchange.py"
FLOW = "phases/flow.py"
VIEWS = "views.py"
DEFAULTS = "defaults.py"
OPTIONS = "options.py"
VALUES = "option_values.py"

DEAL_AND_BIDS = [
    Mutant("2-3 and 3-2 the wrong way round", OPENING, "((3, 2), (2, 3))", "((2, 3), (3, 2))"),
    Mutant("across is right of the dealer", OPENING, "insert(1, None)", "insert(2, None)"),
    Mutant(
        "the fixed chair is one seat on",
        OPENING,
        "order.insert(order.index(Seat(0)), None)",
        "order.insert(order.index(Seat(0)) + 1, None)",
    ),
    Mutant(
        "the dummy is dealt to after the dealer",
        OPENING,
        "order.insert(seat_count - 1, None)",
        "order.insert(seat_count, None)",
    ),
    Mutant(
        "the second card left is turned up",
        OPENING,
        "upcard = after_hands[0]",
        "upcard = after_hands[1]",
    ),
    Mutant("the dealer gets the first packet", OPENING, "(dealer + 1 + place)", "(dealer + place)"),
    Mutant("a jack is no face card", OPENING, "card.rank >= Rank.JACK", "card.rank > Rank.JACK"),
    Mutant("a redeal takes four bad hands", OPENING, "any(not hand", "all(not hand"),
    Mutant("a joker turned up is a diamond", VALUES, "return Suit.H", "return Suit.D"),
    Mutant(
        "one printed trump more than min_trump_to_call",
        BIDDING,
        "& PRINTED[suit]).bit_count() >= needed",
        "& PRINTED[suit]).bit_count() > needed",
    ),
    Mutant(
        "min_trump_to_call counts the up-card",
        BIDDING,
        "(state.held[actor(state)] & PRINTED[suit])",
        "((state.held[actor(state)] | 1 << state.deal.upcard) & PRINTED[suit])",
    ),
    Mutant(
        "allow_turned_down_suit the wrong way round",
        BIDDING,
        "if state.deal.rules.allow_turned_down_suit:",
        "if not state.deal.rules.allow_turned_down_suit:",
    ),
    Mutant(
        "a stuck dealer with too few trumps has no action",
        BIDDING,
        "return allowed if not enough and _is_stuck(state) else enough",
        "return enough",
    ),
    Mutant(
        "one redeal more than max_consecutive_redeals",
        BIDDING,
        "deal.redeals >= deal.rules.max_consecutive_redeals",
        "deal.redeals > deal.rules.max_consecutive_redeals",
    ),
    Mutant("everybody is stuck", BIDDING, "return state.to_act == deal.dealer and (", "return ("),
    Mutant(
        "stick_the_dealer does nothing",
        BIDDING,
        "deal.rules.stick_the_dealer or deal.redeals",
        "deal.redeals",
    ),
    Mutant(
        "a turned-down card is called declined",
        BIDDING,
        "upcard_status=UpcardStatus.TURNED_DOWN",
        "upcard_status=UpcardStatus.DECLINED",
    ),
    Mutant("who names blind may pass", BIDDING, "_SUITS, may_pass=False", "_SUITS, may_pass=True"),
    Mutant("up-card orders are not remembered", BIDDING, "isinstance(action, Order)\n", "False\n"),
]

UPCARD_AND_ALONE = [
    Mutant(
        "a dealer who ordered may decline",
        PICKUP,
        "if maker_of(state) == deal.dealer or deal.rules",
        "if deal.rules",
    ),
    Mutant(
        "dealer_pickup=forced does nothing",
        PICKUP,
        " or deal.rules.dealer_pickup is DealerPickup.FORCED:",
        ":",
    ),
    Mutant(
        "a dealer who sits out takes the card",
        PICKUP,
        "if deal.dealer in contract.sitting_out:",
        "if deal.dealer in contract.alone and deal.dealer in contract.sitting_out:",
    ),
    Mutant(
        "the joker taken blind may be discarded",
        PICKUP,
        "deal.rules.may_discard_upcard and not blind",
        "deal.rules.may_discard_upcard",
    ),
    Mutant(
        "may_discard_upcard does nothing",
        PICKUP,
        "(deal.rules.may_discard_upcard and not blind)",
        "(deal.rules.may_discard_upcard and blind)",
    ),
    Mutant(
        "the card taken may be discarded", PICKUP, "return hand & ~(1 << upcard)", "return hand"
    ),
    Mutant("combined also after blind naming", PICKUP, "contract.ordered\n        and ", ""),
    Mutant(
        "combined, alone: he plays with six",
        PICKUP,
        "\n        and state.deal.dealer not in contract.alone",
        "",
    ),
    Mutant(
        "combined also when another is maker",
        PICKUP,
        "\n        and contract.maker == state.deal.dealer",
        "",
    ),
    Mutant(
        "canadian_loner also in the second round",
        DECLARING,
        "rules.canadian_loner and contract.ordered and",
        "rules.canadian_loner and",
    ),
    Mutant(
        "canadian_loner for the dealer",
        DECLARING,
        "maker == _partner(state, state.deal.dealer)",
        "maker == state.deal.dealer",
    ),
    Mutant(
        "maker_alone=false hides the dummy",
        DECLARING,
        "dummy_open=rules.has_dummy",
        "dummy_open=False",
    ),
    Mutant(
        "after_dummy and before_dummy the wrong way round",
        DECLARING,
        "is AloneDecision.AFTER_DUMMY",
        "is AloneDecision.BEFORE_DUMMY",
    ),
    Mutant(
        "with_dummy does not show the dummy",
        DECLARING,
        "contract = contract._replace(dummy_open=True)",
        "contract = contract._replace(dummy_open=False)",
    ),
    Mutant(
        "vs_lone_maker_only the wrong way round",
        DECLARING,
        "and contract.maker not in contract.alone:",
        "and contract.maker in contract.alone:",
    ),
    Mutant(
        "the second defender is not asked",
        DECLARING,
        "if defender == first:",
        "if first == second:",
    ),
    Mutant(
        "defender_alone_order the wrong way round",
        DECLARING,
        "is DefenderAloneOrder.LEFT_OF_MAKER",
        "is DefenderAloneOrder.BIDDING_ORDER",
    ),
    Mutant(
        "left of the maker begins with the dealer's left",
        DECLARING,
        "order = order[after:] + order[:after]",
        "order = order[:after] + order[after:]",
    ),
    Mutant("a loner's opponent sits out", DECLARING, "Seat((seat + 2) %", "Seat((seat + 1) %"),
    Mutant(
        "a lone defender sits out himself",
        DECLARING,
        "for other in _defenders(state) if other != seat",
        "for other in _defenders(state) if other == seat",
    ),
    Mutant(
        "a lone maker exchanges too",
        EXCHANGE,
        "return state if maker in state.contract.alone else ask(state, place, maker)",
        "return ask(state, place, maker)",
    ),
    Mutant(
        "exchange_timing the wrong way round",
        FLOW,
        "if exchange_timing is ExchangeTiming.BEFORE_DEFENDERS",
        "if exchange_timing is ExchangeTiming.AFTER_DECLARATIONS",
    ),
    Mutant(
        "the maker forgets his rejects",
        EXCHANGE,
        "contract.away[maker] | pool & ~kept",
        "contract.away[maker]",
    ),
    Mutant("rejects replace the discard", EXCHANGE, "contract.away[maker] | pool", "pool"),
    Mutant(
        "the exchange leaves the dummy out",
        EXCHANGE,
        "state.held[maker_of(state)] | state.deal.dummy",
        "state.held[maker_of(state)]",
    ),
    Mutant("tens are not swapped", EXCHANGE, "(Rank.NINE, Rank.TEN)", "(Rank.NINE,)"),
]

REFUSALS_AND_SWAPS = [
    Mutant(
        "an order with too few trumps is taken",
        BIDDING,
        "if suit is None or not _has_enough(state, suit):",
        "if suit is None:",
    ),
    Mutant(
        "a call with too few trumps is taken",
        BIDDING,
        "if suit not in _nameable(state):",
        "if suit not in _allowed_suits(state):",
    ),
    Mutant(
        "a stuck dealer's pass is taken",
        BIDDING,
        "            if _is_stuck(state):\n                raise",
        "            if not state.log:\n                raise",
    ),
    Mutant("four cards may be kept", EXCHANGE, "if len(cards) != count:", "if len(cards) > count:"),
    Mutant("six cards may be kept", EXCHANGE, "if len(cards) != count:", "if len(cards) < count:"),
    Mutant("cards from anywhere may be kept", EXCHANGE, "if chosen & ~pool:", "if not chosen:"),
    Mutant(
        "any three cards may be swapped",
        EXCHANGE,
        "if cards not in _swappable(cards_in(hand)):",
        "if not cards:",
    ),
    Mutant(
        "the second swap gets what the first got",
        EXCHANGE,
        "contract._replace(away=away, pile=given)",
        "contract._replace(away=away)",
    ),
    Mutant(
        "a swap is the last one",
        EXCHANGE,
        "    if seat == deal.dealer:",
        "    if seat == deal.dealer or not isinstance(action, Pass):",
    ),
    Mutant("swaps before blind naming", EXCHANGE, " or deal.upcard_suit is None:", ":"),
    Mutant("the history names what is swapped", VIEWS, "ActionKind.SWAP, ", ""),
    Mutant(
        "who swapped forgets his cards",
        EXCHANGE,
        "away = with_held(contract.away, seat, given)",
        "away = contract.away",
    ),
]

KNOWING = [
    Mutant(
        "who names blind sees his cards",
        VIEWS,
        "phase is not Phase.NAME_BLIND or seat != deal.dealer",
        "True",
    ),
    Mutant(
        "all see the dummy",
        VIEWS,
        "contract.dummy_open and seat == contract.maker",
        "contract.dummy_open",
    ),
    Mutant(
        "all see the dealer's discard", VIEWS, "contract.away[seat]", "contract.away[deal.dealer]"
    ),
    Mutant("the history names every card", VIEWS, "or actor == seat:", "or whole.kind:"),
    Mutant(
        "the history names what is kept",
        VIEWS,
        "{ActionKind.DISCARD, ActionKind.KEEP,",
        "{ActionKind.DISCARD,",
    ),
    Mutant("the history names what is discarded", VIEWS, "{ActionKind.DISCARD, ", "{"),
    Mutant("the default takes the highest suit", DEFAULTS, "min(named", "max(named"),
    Mutant(
        "the default spends trumps first",
        DEFAULTS,
        "return suit is self.trump, high",
        "return suit is not self.trump, high",
    ),
    Mutant(
        "the default plays high",
        DEFAULTS,
        "return suit is self.trump, high, place",
        "return suit is self.trump, -high, place",
    ),
    Mutant("the default takes the card", DEFAULTS, "(PASS, DECLINE,", "(PASS, legal[0],"),
    Mutant("the default is 11 points", OPTIONS, "default=10", "default=11"),
    Mutant(
        "four-handed pick-up is optional",
        OPTIONS,
        "dict.fromkeys(_PARTNERS, values.DealerPickup.FORCED)",
        "{}",
    ),
    Mutant("four-handed defenders may go alone", OPTIONS, "{_4: values.DefendAlone.NEVER, ", "{"),
    Mutant(
        "four-handed left of a loner leads",
        OPTIONS,
        "dict.fromkeys(_PARTNERS, values.AloneLead.LEFT_OF_DEALER)",
        "{}",
    ),
    Mutant(
        "British joker is a heart",
        "presets.py",
        "JokerUpcard.DEALER_NAMES_BLIND",
        "JokerUpcard.HEARTS",
    ),
]

PLANTED_IN_BIDS = [*DEAL_AND_BIDS, *UPCARD_AND_ALONE, *REFUSALS_AND_SWAPS, *KNOWING]
