"""The naive second engine, the wider family: cards with and without trump, bowers and low ranks.

Owns decks down to the twos, suits and tricks of all four games, and the maps of six cards each
(docs/family.md sections 1, 3, 4, 5). Written from the rules alone; must not know
``euchre_engine``.

``trump`` is None where there is none; ``bowers`` is false in Napoleon (section 5).
"""

from naive_cards import JOKER, SUITS, deck_cards, partner_suit

__all__ = [
    "ALL_RANKS",
    "deal_six",
    "family_deck",
    "highest_card",
    "in_print_order",
    "lowest_card",
    "playable_cards",
    "suit_of",
    "suit_order",
    "winning_place",
]

ALL_RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]
ALL_CARDS = [JOKER, *(rank + suit for suit in SUITS for rank in ALL_RANKS)]


def family_deck(name: str) -> list[str]:
    """Returns the cards of a deck; `52` has all ranks (RULES.md section 1)."""
    if name == "52":
        return [rank + suit for suit in SUITS for rank in ALL_RANKS]
    return deck_cards(name)


def in_print_order(cards: list[str]) -> list[str]:
    """Returns the cards sorted: joker first, then suits C D H S, each from high to low."""
    return sorted(cards, key=ALL_CARDS.index)


def suit_of(card: str, trump: str | None, *, bowers: bool) -> str:
    """Returns the effective suit (RULES.md section 1; docs/family.md "No-trump", section 5)."""
    if card == JOKER:
        assert trump is not None  # section 1: never in a deck that can be played without trump
        return trump
    if bowers and trump is not None and card == "J" + partner_suit(trump):
        return trump
    return card[1]


def suit_order(suit: str, trump: str | None, *, bowers: bool) -> list[str]:
    """Returns the cards of an effective suit, high to low (section 1, docs/family.md section 5)."""
    printed = [rank + suit for rank in ALL_RANKS]
    if not bowers or trump is None:
        return printed
    if suit != trump:
        return [card for card in printed if suit_of(card, trump, bowers=True) == suit]
    top = [JOKER, "J" + trump, "J" + partner_suit(trump)]
    return top + [card for card in printed if card not in top]


def playable_cards(
    hand: list[str], led: str | None, trump: str | None, *, bowers: bool
) -> list[str]:
    """Returns the cards that may be played on a led card (RULES.md section 1, "Following")."""
    if led is None:
        return list(hand)
    suit = suit_of(led, trump, bowers=bowers)
    matching = [card for card in hand if suit_of(card, trump, bowers=bowers) == suit]
    return matching or list(hand)


def winning_place(cards: list[str], trump: str | None, *, bowers: bool) -> int:
    """Returns the place (0 = led) of the winner: highest trump, else highest of the suit led."""
    strongest = [] if trump is None else suit_order(trump, trump, bowers=bowers)
    led = suit_of(cards[0], trump, bowers=bowers)
    for card in strongest + suit_order(led, trump, bowers=bowers):
        if card in cards:
            return cards.index(card)
    raise AssertionError(cards)


def lowest_card(cards: list[str], trump: str | None, *, bowers: bool) -> str:
    """Returns the default card: plain before trump, lowest in its suit, then C D H S.

    Without a trump every card is plain (docs/family.md section 1, "Default actions").
    """
    plain = [card for card in cards if suit_of(card, trump, bowers=bowers) != trump]
    if not plain:
        assert trump is not None
        return [card for card in suit_order(trump, trump, bowers=bowers) if card in cards][-1]
    for rank in reversed(ALL_RANKS):
        for suit in SUITS:
            if rank + suit in plain:
                return rank + suit
    raise AssertionError(cards)


def highest_card(cards: list[str], trump: str) -> str:
    """Returns the best card to give: trump before plain, highest in its suit, then C D H S."""
    trumps = [card for card in suit_order(trump, trump, bowers=True) if card in cards]
    if trumps:
        return trumps[0]
    for rank in ALL_RANKS:
        for suit in SUITS:
            if rank + suit in cards:
                return rank + suit
    raise AssertionError(cards)


def deal_six(deck: list[str], pattern: str) -> list[list[str]]:
    """Returns six cards for each of four places: two rounds of three, or six rounds of one."""
    size = 3 if pattern == "3-3" else 1
    hands: list[list[str]] = [[] for _ in range(4)]
    rest = list(deck)
    for _ in range(6 // size):
        for place in range(4):
            hands[place] += rest[:size]
            rest = rest[size:]
    return hands
