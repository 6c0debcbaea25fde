"""Random rulesets, deals and choices, drawn from the engine's own tables.

Owns what is drawn and how it is bent so that rare things happen. It names no game and no phase: a
game that joins the tables is drawn with all its options. What is done with the hands is not known
here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from euchre_engine.actions import ActionKind, Keep
from euchre_engine.cards import JOKER, Card, Rank, Seat, Suit, in_order
from euchre_engine.errors import RulesetError
from euchre_engine.hand import legal_actions
from euchre_engine.legal import Choose, legal_texts
from euchre_engine.notation import HandRecord, replay
from euchre_engine.option_kinds import Flag, Integer, SeatOrSeeded, Word
from euchre_engine.option_values import TieRule
from euchre_engine.options import OPTIONS
from euchre_engine.variants import PRESETS, Ruleset, make_ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from euchre_engine.actions import Action
    from euchre_engine.games import Game
    from euchre_engine.option_kinds import Kind, OptionValue
    from euchre_engine.state import State

__all__ = ["Style", "draw_hand", "draw_style", "draw_text", "presets_of", "values_of"]


def presets_of(game: Game) -> list[str]:
    """Returns the names of a game's presets."""
    return [preset.name for preset in PRESETS.values() if preset.game is game]


def values_of(kind: Kind, usual: OptionValue) -> list[OptionValue]:
    """Returns the values that an option is tried with: all, or some where they are many."""
    match kind:
        case Flag():
            return [False, True]
        case Word(allowed):
            return [word.value for word in allowed]
        case SeatOrSeeded(seat_count):
            return ["seeded", *range(seat_count)]
        case Integer(low, high) if high - low < 10:
            return list(range(low, high + 1))
        case Integer(low):
            # So far apart that no two of them come to the same by way of another number.
            some = {low, low + 1, low + 2, int(usual), int(usual) + 3}
            return sorted(some)


_PLAYED_ON = (TieRule.HIGHEST_ELSE_PLAY_ON, TieRule.LONE_DEFENDER_FIRST)

# --- rules ----------------------------------------------------------------------------------------


def draw_rules(rng: Random, preset: str, wanted: Mapping[str, OptionValue]) -> Ruleset:
    """Returns a preset with none, a few or many options changed, and those wanted as wanted."""
    for _ in range(20):
        rules = _drawn_rules(rng, preset, wanted)
        if rules is not None:
            return rules
    return make_ruleset(preset)  # what is wanted cannot stand beside anything that was drawn


def _drawn_rules(rng: Random, preset: str, wanted: Mapping[str, OptionValue]) -> Ruleset | None:
    game = PRESETS[preset].game
    share = rng.choice([0.0, 0.1, 0.4, 0.8])
    drawn: dict[str, OptionValue] = {}
    for spec in OPTIONS:
        if game in spec.kinds and rng.random() < share:
            drawn[spec.name] = rng.choice(values_of(spec.kinds[game], spec.defaults[game]))
    drawn.update(wanted)
    while True:
        try:
            return make_ruleset(preset, drawn)
        except RulesetError as error:  # two options that cannot stand together
            if error.key in wanted or error.key not in drawn:
                return None
            del drawn[error.key]


# --- the deal -------------------------------------------------------------------------------------


def draw_hand(
    rng: Random, preset: str, wanted: Mapping[str, OptionValue] | None = None
) -> HandRecord:
    """Returns a deal without actions, often close to the end of a game or with unusual cards."""
    rules = draw_rules(rng, preset, wanted or {})
    deck = list(rules.deck_cards)
    rng.shuffle(deck)
    hand = HandRecord(
        rules=rules,
        dealer=Seat(rng.randrange(rules.seat_count)),
        deck=tuple(deck),
        scores=_draw_scores(rng, rules),
        redeals=rng.choice([0, 0, 0, 1, 2, 3, rules.max_consecutive_redeals]),
        hand_number=min(rng.choice([1, 1, 2, 3, rules.max_hands]), rules.max_hands),
    )
    return _bent(rng, hand)


def _draw_scores(rng: Random, rules: Ruleset) -> tuple[int, ...]:
    lowest = rules.target - rng.choice([1, 4, 12, 30])
    if not rules.scores_fall:
        lowest = max(0, lowest)
    scores = [rng.randint(lowest, rules.target - 1) for _ in rules.seats]
    # Scores that are level beyond the target are drawn only where a tie rule plays on.
    if "tie_rule" in rules.options and rng.random() < 0.15:
        beyond = rng.randint(0, 2)
        scores[:2] = [rules.target + (beyond if rules.tie_rule in _PLAYED_ON else -1)] * 2
    if rules.has_partners:
        scores[2:] = scores[:2]
    return tuple(scores)


def _bent(rng: Random, hand: HandRecord) -> HandRecord:
    """Returns the deal with, by turns, strong, weak or equal cards in one hand, or a joker up."""
    state = replay(hand)
    bend = rng.random()
    wanted: list[Card] = []
    if bend < 0.3:
        trump = rng.choice(list(Suit))
        strongest = sorted(hand.deck, key=lambda card: -_strength(card, trump))
        wanted = strongest[: rng.choice([3, 5, 7])]
    elif bend < 0.35:
        wanted = sorted(hand.deck, key=lambda card: card.rank)
    elif bend < 0.6:
        rank = rng.choice([Rank.NINE, Rank.TEN])
        wanted = [card for card in hand.deck if card.rank is rank][: rng.choice([3, 4])]
    places = [hand.deck.index(card) for card in state.hand(Seat(rng.choice(hand.rules.seats)))]
    deck = _with_cards_at(hand.deck, wanted, places)
    if state.upcard is not None and JOKER in deck and rng.random() < 0.4:
        deck = _with_cards_at(deck, [JOKER], [hand.deck.index(state.upcard)])
    return replace(hand, deck=deck)


def _with_cards_at(
    deck: tuple[Card, ...], wanted: list[Card], places: list[int]
) -> tuple[Card, ...]:
    changed = list(deck)
    for card, place in zip(wanted, places, strict=False):
        other = changed.index(card)
        changed[other], changed[place] = changed[place], changed[other]
    return tuple(changed)


def _strength(card: Card, trump: Suit | None) -> int:
    """Returns roughly how strong a card is: bowers, other trumps, then by rank."""
    if card is JOKER:
        return 100
    if trump is None or card.suit is None:
        return int(card.rank)
    if card.rank is Rank.JACK and card.suit in (trump, trump.partner):
        return 90 + (card.suit is trump)
    return int(card.rank) + 50 * (card.suit is trump)


# --- choices --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Style:
    """How the seats of one hand choose."""

    passes: float
    alone: float
    strong: frozenset[int]
    """The seats that play and keep their strongest cards."""

    def choose(self, rng: Random, state: State) -> Action:
        """Returns a legal action of the seat to act."""
        legal = legal_actions(state)
        strong = state.to_act in self.strong
        if isinstance(legal, Choose):
            if strong and legal.kind is ActionKind.KEEP:
                best = sorted(legal.pool, key=lambda card: -_strength(card, state.trump))
                return Keep(in_order(best[: legal.count]))
            return legal[rng.randrange(len(legal))]
        kinds = {action.kind for action in legal}
        if len(kinds) > 1 and ActionKind.PASS in kinds:
            return self._one_of(rng, legal, ActionKind.PASS, self.passes)
        if len(kinds) > 1 and ActionKind.ALONE in kinds:
            return self._one_of(rng, legal, ActionKind.ALONE, self.alone)
        if strong and kinds == {ActionKind.PLAY}:
            return max(legal, key=lambda action: _strength(Card[_named(action)], state.trump))
        return rng.choice(legal)

    @staticmethod
    def _one_of(rng: Random, legal: tuple[Action, ...], kind: ActionKind, share: float) -> Action:
        chosen = rng.random() < share
        return rng.choice([action for action in legal if (action.kind is kind) == chosen])


def draw_style(rng: Random, rules: Ruleset) -> Style:
    """Returns a way of choosing for one hand."""
    return Style(
        passes=rng.choice([0.1, 0.5, 0.8, 0.97]),
        alone=rng.choice([0.05, 0.5, 0.9]),
        strong=frozenset(seat for seat in rules.seats if rng.random() < 0.4),
    )


def _named(action: Action) -> str:
    """Returns what follows the word of an action."""
    return str(action).partition(" ")[2]


def draw_text(rng: Random, state: State) -> str:
    """Returns an action text that need not be legal, nor even readable."""
    held = list(state.hand(state.to_act)) if state.to_act is not None else []
    deck = list(state.rules.deck_cards)
    kind = rng.choice(list(ActionKind))
    if rng.random() < 0.5:  # what is asked for here, with something else named; or a pass
        words = [text.partition(" ")[0] for text in legal_texts(legal_actions(state))]
        kind = ActionKind[rng.choice([*words, "pass"]).upper()]
    match kind:
        case ActionKind.CALL | ActionKind.NAME:
            named = rng.choice([*Suit, "X"])
            return f"{kind.word} {named}"
        case ActionKind.BID:
            return f"bid {rng.randrange(10)}"
        case ActionKind.KEEP | ActionKind.SWAP:
            pool = rng.choice([deck, [*held, *state.dummy], held]) or deck
            count = rng.choice([3, 3, 4, 5, 5, 6])
            rng.shuffle(pool)
            cards = rng.choice([pool[:count], [rng.choice(pool) for _ in range(count)]])
            return " ".join([kind.word, *map(str, cards)])
        case ActionKind.PLAY | ActionKind.DISCARD | ActionKind.BURY | ActionKind.BEST:
            return f"{kind.word} {rng.choice(rng.choice([held, deck]) or deck)}"
        case _:
            return rng.choice([kind.word, kind.word, kind.word + " 9C", kind.word.title()])
