"""The state of one hand: what was dealt, what the bidding fixed, and where play stands.

Owns the shape of a position and the names of all phases. A state is three values in one: the `Deal`
never changes during a hand, the `Contract` changes while bidding and declaring, the rest with every
card. Cards are bit masks inside (card *c* is bit *c*) and `Card`s outside.
Must not know how one state comes out of another (the phases do), nor what a seat may see (views).

States are named tuples, not dataclasses: a hand builds some thirty of them, and a tuple is built
in a fifth of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from euchre_engine.cards import Card, Seat, Suit, cards_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from euchre_engine.actions import Action
    from euchre_engine.bids import BidSpec
    from euchre_engine.legal import LegalSet
    from euchre_engine.variants import Ruleset

__all__ = [
    "Auction",
    "Contract",
    "Deal",
    "Phase",
    "PhaseRule",
    "Plan",
    "State",
    "Step",
    "Trick",
    "UpcardStatus",
    "build",
]


class Phase(StrEnum):
    """What is being decided; the value is the text of hand notation."""

    SWAP = "SWAP"
    NAME_BLIND = "NAME_BLIND"
    BID1 = "BID1"
    BID2 = "BID2"
    PICKUP = "PICKUP"
    DISCARD = "DISCARD"
    ALONE_MAKER = "ALONE_MAKER"
    ALONE_DEFENDER = "ALONE_DEFENDER"
    EXCHANGE = "EXCHANGE"
    BID = "BID"
    NAME = "NAME"
    BURY = "BURY"
    BEST = "BEST"
    PLAY = "PLAY"
    DONE = "DONE"


class UpcardStatus(IntEnum):
    """What became of the turned card; the numbers are the protocol's."""

    NONE = 0
    FACE_UP = 1
    TAKEN = 2
    DECLINED = 3
    TURNED_DOWN = 4


class Step(NamedTuple):
    """One action and the seat that took it."""

    seat: Seat
    action: Action


class Trick(NamedTuple):
    """The cards of a trick in the order played; a trick in progress has no winner."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


class Deal(NamedTuple):
    """All that is fixed before the first action of a hand."""

    rules: Ruleset
    dealer: Seat
    hand_number: int
    redeals: int
    """How many deals directly before this one went unplayed."""
    scores: tuple[int, ...]
    """Before this hand, by seat."""
    deck: tuple[Card, ...]
    hands: tuple[int, ...]
    """By seat, as dealt."""
    dummy: int
    buried: tuple[Card, ...]
    upcard: Card | None
    upcard_suit: Suit | None
    """The suit that the up-card stands for in bidding; None when the dealer names trump blind."""
    widow: Card | None
    """The card that lies face down for the maker."""
    order: tuple[Seat, ...]
    """All seats from the dealer's left to the dealer: the order of bidding."""
    flow: tuple[PhaseRule, ...]
    """The phases that a hand of this ruleset goes through, in order; the last one is DONE."""


class Plan(NamedTuple):
    """How the tricks of a hand go, once it is known who plays under which trump."""

    players: int
    """How many play to each trick."""
    next_seat: tuple[Seat, ...]
    """By seat: who plays after it."""
    turns: tuple[tuple[Seat, ...], ...]
    """By leader: all who play, in the order of the trick."""
    follow: tuple[int, ...]
    """By led card: the cards that follow it, as a mask."""
    power: tuple[tuple[int, ...], ...]
    """By led card, then by card: the highest takes the trick."""


class Auction(NamedTuple):
    """How far the bidding for tricks has come."""

    turns: int = 0
    passes: int = 0
    """How many of the last turns were passes."""
    high: int = 0
    """The number of the highest bid; 0: none yet."""
    bidder: Seat | None = None
    """Whose it is."""
    forced: bool = False
    """Everybody passed, and the holder of the joker is asked."""


class Contract(NamedTuple):
    """What bidding and declaring have fixed so far."""

    away: tuple[int, ...]
    """By seat: the cards that it put away."""
    upcard_status: UpcardStatus = UpcardStatus.NONE
    trump: Suit | None = None
    maker: Seat | None = None
    ordered: bool = False
    """The maker ordered the up-card, rather than called or named a suit."""
    alone: tuple[Seat, ...] = ()
    """In seat order."""
    sitting_out: tuple[Seat, ...] = ()
    """In seat order."""
    dummy_open: bool = False
    """The maker may see the dummy."""
    pile: int = 0
    """The buried cards that a farmer's hand can be swapped for."""
    plan: Plan | None = None
    """How the tricks go; None before play."""
    auction: Auction | None = None
    """The bidding for tricks, in games that have it."""
    bid: BidSpec | None = None
    """The bid that won."""
    widow_open: bool = False
    """The maker has taken the widow."""
    best: tuple[Card | None, ...] = ()
    """By seat: the best card that it gave or was given; empty before the first."""


def _replace_quickly(contract: Contract, /, **changes: object) -> Contract:
    fields: list[object] = list(contract)
    for name, value in changes.items():
        fields[_PLACES[name]] = value
    return _contract(fields)


_PLACES = {name: place for place, name in enumerate(Contract._fields)}
_contract: Callable[[Iterable[object]], Contract] = partial(tuple.__new__, Contract)
# A contract changes some five times a hand, and this takes half the time of the method that named
# tuples come with. The class statement allows no method of this name, so it is put in afterwards.
Contract._replace = _replace_quickly  # type: ignore[assignment]  # more general


Log = tuple["Log | None", Seat, "Action"]
"""A hand's actions, the last one first: what went before, the seat, its action."""

StateFields = tuple[
    Deal,
    Contract,
    int,
    Seat | None,
    tuple[int, ...],
    int,
    Seat | None,
    tuple[Card, ...],
    tuple[tuple[Seat, tuple[Card, ...], Seat], ...],
    "Log | None",
    int,
]


class State(NamedTuple):
    """A position; read it by its properties and change it only by `apply`."""

    deal: Deal
    contract: Contract
    place: int
    """The place of the current phase in `deal.flow`."""
    to_act: Seat | None
    held: tuple[int, ...]
    """By seat: the cards held when play begins, as far as known; played ones are not taken out."""
    played: int
    """All cards played."""
    leader: Seat | None
    """Who leads, or led, the trick in progress."""
    on_table: tuple[Card, ...]
    """The trick in progress."""
    finished: tuple[tuple[Seat, tuple[Card, ...], Seat], ...]
    """Leader, cards and winner of every finished trick."""
    log: Log | None
    """The last action with all that went before it."""
    playable: int
    """In play: the cards that the seat to act may play; else 0."""

    @property
    def rules(self) -> Ruleset:
        """Returns the rules of the game."""
        return self.deal.rules

    @property
    def dealer(self) -> Seat:
        """Returns the dealer's seat."""
        return self.deal.dealer

    @property
    def hand_number(self) -> int:
        """Returns the number of the hand within its game, from 1."""
        return self.deal.hand_number

    @property
    def redeals(self) -> int:
        """Returns how many deals directly before this one went unplayed."""
        return self.deal.redeals

    @property
    def scores(self) -> tuple[int, ...]:
        """Returns the scores before this hand, by seat."""
        return self.deal.scores

    @property
    def phase(self) -> Phase:
        """Returns what is being decided."""
        return self.deal.flow[self.place].phase

    @property
    def trump(self) -> Suit | None:
        """Returns the trump suit, once it is fixed."""
        return self.contract.trump

    @property
    def maker(self) -> Seat | None:
        """Returns the seat that fixed trump or won the bidding."""
        return self.contract.maker

    @property
    def bid(self) -> int | None:
        """Returns the number of the bid that won, None where there is none."""
        bid = self.contract.bid
        return None if bid is None else bid.number

    @property
    def alone(self) -> tuple[Seat, ...]:
        """Returns the seats that play alone, in seat order."""
        return self.contract.alone

    @property
    def sitting_out(self) -> tuple[Seat, ...]:
        """Returns the seats that do not play this hand, in seat order."""
        return self.contract.sitting_out

    @property
    def upcard(self) -> Card | None:
        """Returns the turned card."""
        return self.deal.upcard

    @property
    def upcard_status(self) -> UpcardStatus:
        """Returns what became of the turned card."""
        return self.contract.upcard_status

    @property
    def dummy(self) -> tuple[Card, ...]:
        """Returns the dummy's cards as dealt."""
        return cards_in(self.deal.dummy)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Returns the tricks; one in progress comes last, without a winner."""
        in_progress = self.trick
        return self.finished_tricks if in_progress is None else (*self.finished_tricks, in_progress)

    @property
    def finished_tricks(self) -> tuple[Trick, ...]:
        """Returns the tricks that somebody has won."""
        return tuple([Trick(*trick) for trick in self.finished])

    @property
    def trick(self) -> Trick | None:
        """Returns the trick in progress, None before its first card."""
        if self.leader is None or not self.on_table:
            return None
        return Trick(self.leader, self.on_table, None)

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """Returns the number of tricks won, by seat."""
        won = [0] * len(self.held)
        for _, _, winner in self.finished:
            won[winner] += 1
        return tuple(won)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Returns every action so far with its seat."""
        steps = []
        log = self.log
        while log is not None:
            log, seat, action = log
            steps.append(Step(seat, action))
        return tuple(reversed(steps))

    @property
    def actions(self) -> tuple[Action, ...]:
        """Returns every action so far."""
        return tuple([step.action for step in self.steps])

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """Returns the cards that a seat holds, in the canonical order."""
        return cards_in(self.held[seat] & ~self.played)

    def __repr__(self) -> str:
        """Returns where the hand stands, without a card: states must not leak through logs."""
        return f"<State {self.phase}, seat {self.to_act} to act after {len(self.steps)} actions>"


build: Callable[[StateFields], State] = partial(tuple.__new__, State)
"""Makes a state of its fields in order, in half the time that `State(...)` takes."""


@dataclass(frozen=True, slots=True)
class PhaseRule:
    """One phase of a game: the functions that decide everything about it."""

    phase: Phase
    open: Callable[[State, int], State]
    """Begins the phase at that place of the flow: a state with somebody to act, or, where this hand
    has nothing to ask, one with nobody to act in which the phase's consequences have been drawn."""
    legal: Callable[[State], LegalSet]
    act: Callable[[State, Action], State]
    """Carries out an action, or raises an `ActionError`."""
