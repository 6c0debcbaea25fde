"""The arena stands still again and again: no bot is charged, nothing is ruled against a seat."""

from collections.abc import Iterator
from random import Random

from arenas import FakeArena, FakeBot
from session_fakes import answer_to
from tables import table_spec

from euchre_server.record.chain import play_hash, play_preamble
from euchre_server.referee.facts import (
    Acted,
    Actor,
    EndCause,
    Fact,
    Faulted,
    HandEnded,
    HandStarted,
    Stalled,
)
from euchre_server.referee.spec import ClockSpec, TableSpec

BOARDS = 200
AT_ONCE = 8
STALL_MS = 3_000
CLOCK = ClockSpec(budget_ms=60, first_ms=60, bank_ms=0, grace_ms=0)


def specs() -> Iterator[TableSpec]:
    """Yields the boards, all played by the same three bots."""
    for number in range(1, BOARDS + 1):
        yield table_spec(table_id=f"t{number}", number=number, board=number, clock=CLOCK)


class Evening:
    """Two hundred boards, several at a time, on one arena that stands still now and then."""

    def __init__(self, stalls: float) -> None:
        self.arena = FakeArena()
        self.stalled_ms = 0
        self._stalls = stalls
        self._random = Random(1)
        self._chance = Random(2)
        self._thought: dict[tuple[str, str, int], int] = {}
        """By table, bot and decision: how long the question was open while the arena was awake."""
        waiting = specs()
        spec = next(waiting)
        self._bots = self.arena.bots(spec)
        self.tables = {spec.number: self.arena.server.open_table(spec)}
        while len(self.tables) < BOARDS or any(not t.done() for t in self.tables.values()):
            while len(self.arena.driver.tables) < AT_ONCE and len(self.tables) < BOARDS:
                self._perhaps_stall()
                spec = next(waiting)
                self.tables[spec.number] = self.arena.server.open_table(spec)
            for bot in self._bots:
                self._play(bot)

    def _play(self, bot: FakeBot) -> None:
        """Lets a bot answer what it is asked, after some thought; the arena may stall anywhere."""
        self._perhaps_stall()
        for decision in bot.decisions():
            put, stalled = self.arena.clock.now(), self.stalled_ms
            self._perhaps_stall()
            self.arena.clock.advance(self._random.randrange(9))
            self._perhaps_stall()
            key = (decision.table_id, bot.conversation.line.bot_name, decision.decision_id)
            self._thought[key] = self.arena.clock.now() - put - (self.stalled_ms - stalled)
            bot.say(answer_to(decision))

    def _perhaps_stall(self) -> None:
        if self._chance.random() >= self._stalls:
            return
        self.stalled_ms += STALL_MS
        if self._chance.random() < 0.5:
            self.arena.clock.stall(STALL_MS)  # then the loop's timers come first
        else:
            self.arena.clock.time += STALL_MS  # then whatever happens next does

    def facts(self) -> list[tuple[int, Fact]]:
        """Returns what was recorded, with the number of the table."""
        return [(n, f) for n, _, f in self.arena.recorder.facts if isinstance(f, Fact)]

    def charged_too_much(self) -> list[tuple[int, Acted]]:
        """Returns the actions for which a bot was charged more than it had thought."""
        return [
            (number, fact)
            for number, fact in self.facts()
            if isinstance(fact, Acted)
            and fact.charged_ms > self._thought[f"t{number}", f"bot{fact.seat}", fact.decision_id]
        ]

    def play_hashes(self) -> dict[int, bytes]:
        """Returns the play hash of every board."""
        hashes: dict[int, bytes] = {}
        started: dict[int, HandStarted] = {}
        steps: dict[int, list[Acted]] = {}
        rules = table_spec().rules
        preamble = play_preamble(rules.game, tuple(rules.options.items()))
        for number, fact in self.facts():
            match fact:
                case HandStarted():
                    started[number], steps[number] = fact, []
                case Acted():
                    steps[number].append(fact)
                case HandEnded():
                    hand = started[number]
                    hashes[number] = play_hash(
                        preamble,
                        dealer=hand.dealer,
                        deck=hand.deck,
                        scores=hand.scores,
                        redeals=hand.redeals,
                        steps=[(act.seat, act.action) for act in steps[number]],
                        points=fact.points,
                    )
                case _:
                    pass
        return hashes


async def test_an_arena_that_stands_still_charges_nobody() -> None:
    """C-12: 200 boards among stalls of three seconds are played as without, nobody is charged."""
    stalled, awake = Evening(stalls=0.05), Evening(stalls=0)

    acts = [fact for _, fact in stalled.facts() if isinstance(fact, Acted)]
    booked = [fact for _, fact in stalled.facts() if isinstance(fact, Stalled)]
    assert stalled.stalled_ms > 100 * STALL_MS
    assert len(booked) > 100
    assert [] == [fact for _, fact in stalled.facts() if isinstance(fact, Faulted)]
    assert {Actor.BOT} == {act.actor for act in acts}
    assert [] == stalled.charged_too_much()
    assert {EndCause.PLAYED} == {table.result().cause for table in stalled.tables.values()}
    assert BOARDS == len(awake.play_hashes())
    assert awake.play_hashes() == stalled.play_hashes()
