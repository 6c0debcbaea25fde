"""The same tables, played by the same choices, with nothing ever going wrong.

Owns the play of a table by the engine alone. Must not know referee, sessions or time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim_bots import chosen

from euchre_engine import Choose, apply, legal_actions, outcome, start_hand, unflatten
from euchre_server.record.chain import play_hash, play_preamble
from euchre_server.referee.dealing import deck_of
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from euchre_engine import Action, State
    from euchre_engine.legal import LegalSet
    from euchre_server.referee.spec import TableSpec

__all__ = ["unbroken"]


def unbroken(spec: TableSpec, hand_number: int) -> bytes:
    """Returns the play hash of a hand of a table whose bots were never disturbed."""
    hashes = _HASHES.get(spec.table_id)
    if hashes is None:
        if len(_HASHES) > 200:
            _HASHES.clear()
        hashes = _HASHES[spec.table_id] = list(_play(spec))
    return hashes[hand_number - 1]


_HASHES: dict[str, list[bytes]] = {}


def _play(spec: TableSpec) -> Iterator[bytes]:
    preamble = play_preamble(spec.rules.game, spec.rules.options.items())
    scores: tuple[int, ...] = (0,) * spec.rules.seat_count
    dealer, redeals, number = spec.first_dealer, 0, 0
    asked = [0] * spec.rules.seat_count
    while True:
        number += 1
        deck = deck_of(spec, number)
        hand: State = start_hand(
            spec.rules, dealer=dealer, deck=deck, scores=scores, redeals=redeals, hand_number=number
        )
        steps = []
        while hand.to_act is not None:
            seat = hand.to_act
            asked[seat] += 1
            action = _choice(spec.table_id, seat, asked[seat], legal_actions(hand))
            steps.append((seat, action))
            hand = apply(hand, action)
        result = outcome(hand)
        assert result is not None
        yield play_hash(
            preamble,
            dealer=dealer,
            deck=deck,
            scores=scores,
            redeals=redeals,
            steps=steps,
            points=result.points,
        )
        if spec.mode is TableMode.BOARD or result.next_dealer is None:
            return
        scores, dealer, redeals = result.scores, result.next_dealer, result.next_redeals


def _choice(table_id: str, seat: int, number: int, legal: LegalSet) -> Action:
    if not isinstance(legal, Choose):
        return legal[chosen(table_id, seat, number, len(legal))]
    pool = sorted(map(int, legal.pool))
    first = chosen(table_id, seat, number, len(pool))
    cards = [pool[(first + n) % len(pool)] for n in range(legal.count)]
    return unflatten(legal.kind, cards=sorted(cards))
