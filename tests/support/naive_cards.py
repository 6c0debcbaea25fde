"""The naive second engine, part 1: cards as plain text.

Owns what RULES.md section 1 says of cards, suits, tricks and following, and the deck-to-hand maps
of sections 4 and 5. Written from RULES.md alone; it must not know ``euchre_engine``.
"""

__all__ = [
    "canonical",
    "card_order",
    "cards_to_follow",
    "deal_packets",
    "deck_cards",
    "effective_suit",
    "farmer_swaps",
    "is_farmer_redeal_hand",
    "partner_suit",
    "printed_in_suit",
    "trick_winner",
]

SUITS = ["C", "D", "H", "S"]
HIGH_TO_LOW = ["A", "K", "Q", "J", "T", "9", "8", "7"]
JOKER = "JK"
EVERY_CARD = [JOKER, *(rank + suit for suit in SUITS for rank in HIGH_TO_LOW)]


def deck_cards(name: str) -> list[str]:
    """Returns the cards of a deck: 24 = 9..A, 28 adds the eights, 32 the sevens (sections 1, 4)."""
    ranks = {
        "24": "AKQJT9",
        "25": "AKQJT9",
        "28": "AKQJT98",
        "32": "AKQJT987",
        "33": "AKQJT987",
    }[name]
    cards = [rank + suit for suit in SUITS for rank in ranks]
    if name in {"25", "33"}:
        cards.insert(0, JOKER)
    return cards


def canonical(cards: list[str]) -> list[str]:
    """Returns the cards sorted: joker first, then suits C D H S, each from high to low."""
    return sorted(cards, key=EVERY_CARD.index)


def partner_suit(suit: str) -> str:
    """Returns the other suit of the same colour (section 1: C-S, D-H)."""
    return {"C": "S", "S": "C", "D": "H", "H": "D"}[suit]


def effective_suit(card: str, trump: str) -> str:
    """Returns the suit a card belongs to under a trump (section 1, "Effective suit")."""
    if card == JOKER:
        return trump
    if card == "J" + partner_suit(trump):
        return trump
    return card[1]


def card_order(suit: str, trump: str) -> list[str]:
    """Returns all cards of an effective suit, high to low (section 1, "Trump" and "Plain suit")."""
    if suit == trump:
        bowers = ["J" + trump, "J" + partner_suit(trump)]
        return [JOKER, *bowers, *(rank + trump for rank in "AKQT987")]
    printed = [rank + suit for rank in HIGH_TO_LOW]
    return [card for card in printed if effective_suit(card, trump) == suit]


def cards_to_follow(hand: list[str], led: str | None, trump: str) -> list[str]:
    """Returns the cards that may be played on a led card (section 1, "Following")."""
    if led is None:
        return list(hand)
    suit = effective_suit(led, trump)
    matching = [card for card in hand if effective_suit(card, trump) == suit]
    return matching or list(hand)


def trick_winner(cards: list[str], trump: str) -> int:
    """Returns the place (0 = led) of the winning card of a trick (section 1, "Trick")."""
    led_suit = effective_suit(cards[0], trump)
    for card in card_order(trump, trump) + card_order(led_suit, trump):
        if card in cards:
            return cards.index(card)
    raise AssertionError(cards)


def printed_in_suit(hand: list[str], suit: str) -> int:
    """Returns how many cards are printed in a suit (section 4, ruling on `min_trump_to_call`)."""
    return len([card for card in hand if card != JOKER and card[1] == suit])


def deal_packets(deck: list[str], places: int, pattern: str) -> list[list[str]]:
    """Returns five cards for each place of the dealing order (section 4, ruling "Maps")."""
    if pattern == "ones":
        rounds = [[1] * places] * 5
    else:
        threes_first = [3 if place % 2 == 0 else 2 for place in range(places)]
        twos_first = [5 - size for size in threes_first]
        rounds = [threes_first, twos_first] if pattern == "3-2" else [twos_first, threes_first]
    hands: list[list[str]] = [[] for _ in range(places)]
    rest = list(deck)
    for sizes in rounds:
        for place, size in enumerate(sizes):
            hands[place] += rest[:size]
            rest = rest[size:]
    return hands


def farmer_swaps(hand: list[str]) -> list[list[str]]:
    """Returns the trios of nines or of tens that may be swapped (section 8, `three_swap`)."""
    trios = []
    for rank in ["9", "T"]:
        held = [card for card in hand if card != JOKER and card[0] == rank]
        if len(held) == 3:
            trios.append(held)
        if len(held) == 4:
            trios += [[card for card in held if card != left] for left in held]
    return trios


def is_farmer_redeal_hand(hand: list[str]) -> bool:
    """Returns whether a hand has no ace and no face card (section 8, `redeal_no_ace_no_face`)."""
    return not [card for card in hand if card == JOKER or card[0] in "AKQJ"]
