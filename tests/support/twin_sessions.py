"""Twin sessions: two arenas that differ in what one bot may not know say the same to it.

Owns the comparison, after everything that happens (`twin_plans`): the observer's frames, byte for
byte and at the same moments of its writer; all that is logged, for everybody; the driver's counts.
It ends when the difference has become public (`twin_tables`). On the way, every message to every
bot is searched for cards that its seat may not know.
"""

from __future__ import annotations

from asyncio import Future
from dataclasses import fields
from typing import TYPE_CHECKING

from drawn_hands import draw_hand, draw_style, presets_of, values_of
from prometheus_client import CollectorRegistry, generate_latest
from session_fakes import arena_messages
from tables import table_spec
from twin_arenas import SIDES, TwinArenas, TwinBot
from twin_cards import cards_named
from twin_deals_knowledge import cards_written
from twin_tables import Leak, TwinTable

from euchre_arena.v1.arena_service_pb2 import Hello
from euchre_engine.options import OPTIONS
from euchre_engine.variants import PRESETS
from euchre_server.operations.metrics import ArenaCollector
from euchre_server.referee.facts import HandStarted
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode
from euchre_server.session import Limits, Standing
from euchre_server.session.counts import Histogram

if TYPE_CHECKING:
    from collections import Counter
    from random import Random

    from twin_arenas import Deck, Session

    from euchre_arena.v1.arena_service_pb2 import ArenaMessage
    from euchre_engine import Ruleset
    from euchre_engine.games import Game
    from euchre_server.referee import TableResult
    from euchre_server.referee.spec import TableSpec

__all__ = ["Pair", "preset_number"]

NAMES = ("ann", "bob", "cid", "dot", "eve", "fay", "gus")
FULL, LEAN = 1, 2


def preset_number(game: Game, number: int) -> str:
    """Returns one of a game's presets, all of them in turn."""
    presets = presets_of(game)
    return presets[number % len(presets)]


class Pair:
    """Two arenas with their bots and tables, and what one of the bots is told."""

    def __init__(
        self,
        rng: Random,
        preset: str,
        tally: Counter[str],
        view_modes: tuple[int, ...] = (FULL, LEAN),
    ) -> None:
        """Draws a match.

        Args:
            rng: All chance.
            preset: What is played, with random options.
            tally: Counts what was met.
            view_modes: The view modes that bots ask for.
        """
        self.rng = rng
        self.tally = tally
        self.rules, self._first_deck = _draw_rules(rng, preset)
        self.bots = [
            TwinBot(name, rng.choice(view_modes), rng.choice([0, 0, 1, 3]))
            for name in NAMES[: self.rules.seat_count]
        ]
        self.observer = rng.choice(self.bots)
        self.style = draw_style(rng, self.rules)
        self.trouble = rng.choice([0.0, 0.2, 0.2, 1.0])
        """How often something goes wrong."""
        self.tables: dict[str, TwinTable] = {}
        self.unopened = self._draw_tables()
        self._decks: dict[tuple[int, int], Deck] = {}
        self._seen_facts = [0, 0]
        self._seen_logs = 0
        # Little room only at one table: how much waits for a bot that comes back says when it is
        # seated at its next table, and that would show how much it is told.
        rooms = [2_000, 1 << 20, 1 << 20, 1 << 20] if len(self.unopened) == 1 else [1 << 20]
        limits = Limits(
            max_queue_bytes=rng.choice(rooms),
            max_annotation_bytes=64,
            max_open_decisions=4,
            max_session_faults=4,
            max_useless_messages=rng.choice([30, 1_000]),
        )
        self.arenas = TwinArenas(self._deck_of, limits)

    # The match

    def _draw_tables(self) -> list[TableSpec]:
        rng = self.rng
        mode = rng.choice([TableMode.BOARD, TableMode.BOARD, TableMode.GAME])
        clock = ClockSpec(
            budget_ms=rng.choice([50, 500]),
            bank_ms=rng.choice([0, 300]),
            increment_ms=rng.choice([0, 20]),
            first_ms=rng.choice([50, 1_000]),
        )
        limit = rng.choice([1, 3, 10, 10])
        names = [bot.name for bot in self.bots]
        specs = []
        for number in range(1, rng.choice([1, 1, 1, 2, 3]) + 1):
            rng.shuffle(names)
            specs.append(
                table_spec(
                    self.rules,
                    table_id=f"{rng.getrandbits(64):016x}",
                    mode=mode,
                    board=number,
                    number=number,
                    first_dealer=rng.randrange(len(names)),
                    clock=clock,
                    policy="strict" if limit == 1 else FaultPolicy(fault_limit=limit),
                    bots=tuple(names),
                )
            )
        return specs

    def open_table(self) -> None:
        """Opens the next table."""
        spec = self.unopened.pop(0)
        moves = self.rng.choice(["deep", "deep", "deep", "few", "ranks", "all"])
        table = TwinTable(spec, self.observer.name, moves, self.rng.choice([1, 1, 1, 2, 3]))
        self.tables[spec.table_id] = table
        self.arenas.open_table(spec)

    def _deck_of(self, side: int, board: int, hand: int) -> Deck:
        first = self._decks.get((board, hand))
        if first is None:
            deck = list(self.rules.deck_cards)
            self.rng.shuffle(deck)
            first = self._first_deck if (board, hand) == (1, 1) else tuple(deck)
            self._decks[board, hand] = first
        if not side:
            return first
        (table,) = (table for table in self.tables.values() if table.spec.board == board)
        for number, _, fact in reversed(self.arenas.sides[0].recorder.facts):
            if number == board and isinstance(fact, HandStarted) and fact.hand_number == hand:
                return table.twin_deck(self.rng, fact)
        return table.same_deck(hand, first)  # what the sides do differs already: it will be seen

    def dial(self, bot: TwinBot, *, resumes: bool = False) -> None:
        """Begins a session of a bot and says Hello."""
        hello = Hello(
            protocol_version=1,
            bot_version="1.0",
            max_open_decisions=bot.max_open_decisions,
            view_mode=bot.view_mode,  # type: ignore[arg-type]  # a number of the enum
            resume_token="again" if resumes else "",
        )
        self.arenas.dial(bot, hello)

    def standings(self) -> list[Standing] | None:
        """Returns the standings, if all tables are over; they are those of both sides."""
        results = list(self.arenas.results.values())
        futures = [future for pair in results for future in pair]
        if self.unopened or not all(map(Future.done, futures)):
            return None
        if any(map(Future.cancelled, futures)):  # a table rests
            return None
        return [
            Standing(bot.name, len(results), sum(_points(pair, bot.name) for pair in results))
            for bot in self.bots
        ]

    # What is compared

    def settle(self) -> None:
        """Compares what has happened since, and lets bots read.

        Raises:
            Public: The difference is public.
            Leak: There is a difference, and it is not.
        """
        self._follow()
        for bot in self.bots:
            lags = 0.15 if bot is self.observer else 0.3
            for session in (bot.session, *bot.past):
                if session is not None and self.rng.random() > lags:
                    self.read(bot, session)
        self._compare_counts()

    def read(self, bot: TwinBot, session: Session) -> None:
        """Lets a bot read all that waits at one of its sessions."""
        frames = self.arenas.read(session)
        if not any(frames):
            return
        self._follow()
        if self._is_alike(bot):
            if frames[0] != frames[1]:
                raise Leak(f"{bot.name} is {_difference(frames)}")
            if session.calls[0] != session.calls[1]:
                raise Leak(f"the writer to {bot.name} is called at other moments")
        messages = arena_messages(frames[0])
        if session is bot.session:
            self.arenas.hear(bot, messages, arena_messages(frames[1]))
        self._look_through(bot, messages)

    def _is_alike(self, bot: TwinBot) -> bool:
        """Returns whether both sides must look alike to a bot: always to the observer."""
        return bot is self.observer or not any(
            table.spec.bots.index(bot.name) in table.unlike for table in self.tables.values()
        )

    def _follow(self) -> None:
        """Takes what has been recorded since, and what was logged and counted with it."""
        facts = [arena.recorder.facts for arena in self.arenas.sides]
        for table in self.tables.values():
            new = [
                [
                    (at, fact)
                    for number, at, fact in facts[side][self._seen_facts[side] :]
                    if number == table.spec.number
                ]
                for side in SIDES
            ]
            table.follow(*new)
        self._seen_facts = [len(facts[side]) for side in SIDES]
        self._compare_logs()

    def _compare_logs(self) -> None:
        logs = [arena.logs.entries for arena in self.arenas.sides]
        new = logs[0][self._seen_logs :], logs[1][self._seen_logs :]
        self._seen_logs = len(logs[0])
        if new[0] != new[1]:
            raise Leak(f"logs differ: {new[0]} and {new[1]}")
        for line in new[0]:
            self.tally[f"logged {line['event']}"] += 1
            if cards := cards_written({**line, "exc_info": repr(line.get("exc_info"))}):
                raise Leak(f"{sorted(cards)} in the log: {line}")

    def _compare_counts(self) -> None:
        """Compares what the arenas have counted, but for the time that writing really took."""
        one, other = (arena.driver.counts for arena in self.arenas.sides)
        for field in fields(one):
            values = [getattr(counts, field.name) for counts in (one, other)]
            if isinstance(values[0], Histogram):
                values = [(value.counts, value.total) for value in values]
            if values[0] != values[1] and field.name != "flush":
                raise Leak(f"{field.name} counts {values}")
        if self.rng.random() < 0.02:
            self.compare_pages()

    def compare_pages(self) -> None:
        """Compares what operators are shown in numbers, but for the time that writing took."""
        pages = []
        for arena in self.arenas.sides:
            registry = CollectorRegistry()
            taken = arena.server.readings(), {"playing": 1}
            registry.register(ArenaCollector(lambda taken=taken: taken))  # type: ignore[misc]
            lines = generate_latest(registry).decode().splitlines()
            pages.append([line for line in lines if "record_flush" not in line])
        for one, other in zip(*pages, strict=True):
            if one != other:
                raise Leak(f"a page says {one!r}, the other {other!r}")
        if cards := cards_written("\n".join(pages[0])):
            raise Leak(f"{sorted(cards)} in {pages[0]}")

    def _look_through(self, bot: TwinBot, messages: list[ArenaMessage]) -> None:
        """Looks for cards that a bot may not know in what the first side told it."""
        for message in messages:
            kind = message.WhichOneof("message")
            body = getattr(message, str(kind))
            table = self.tables.get(getattr(body, "table_id", ""))
            if bot is self.observer:
                self._note(message, table)
            known = set()
            if table is not None:
                known = table.known_to(table.spec.bots.index(bot.name), body)
            if unknown := cards_named(message) - known - bot.named:
                raise Leak(f"{sorted(unknown)} in {message} to {bot.name}")

    def _note(self, message: ArenaMessage, table: TwinTable | None) -> None:
        kind = message.WhichOneof("message")
        self.tally[f"told {kind}"] += 1
        match kind:
            case "decision":
                phase = message.decision.view.phase
                self.tally[f"asked in phase {phase}"] += 1
            case "rejected":
                self.tally[f"refused for {message.rejected.reason}"] += 1
            case "table_closed":
                self.tally[f"closed for {message.table_closed.cause}"] += 1
            case "goodbye":
                self.tally[f"dismissed for {message.goodbye.reason}"] += 1
            case "session_fault":
                self.tally[f"session fault {message.session_fault.reason}"] += 1
            case _:
                pass
        if table is not None and table.hand_number:
            phase = table.known[table.hand_number][0].table["phase"]
            self.tally[f"alike in {phase}"] += 1
            self.tally[f"alike in hand {min(table.hand_number, 3)}"] += 1


def _draw_rules(rng: Random, preset: str) -> tuple[Ruleset, Deck]:
    """Returns rules with random options, often one that is set on purpose, and a deck."""
    game = PRESETS[preset].game
    spec = rng.choice([spec for spec in OPTIONS if game in spec.kinds])
    value = rng.choice(values_of(spec.kinds[game], spec.defaults[game]))
    hand = draw_hand(rng, preset, {spec.name: value} if rng.random() < 0.7 else {})
    return hand.rules, hand.deck


def _points(pair: tuple[Future[TableResult], Future[TableResult]], name: str) -> int:
    points = []
    for future in pair:
        result = future.result()
        seat = result.spec.bots.index(name)
        points.append(result.scores[seat])
    if points[0] != points[1]:
        raise Leak(f"{name} has {points}")
    return points[0]


def _difference(frames: tuple[list[bytes], list[bytes]]) -> str:
    one, other = (arena_messages(side) for side in frames)
    for first, second in zip(one, other, strict=False):
        if first != second:
            return f"told {first} or {second}"
    return f"told {len(one)} or {len(other)} messages: {frames}"
