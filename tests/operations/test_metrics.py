"""The metrics page: right, cheap, and without anything that is somebody's."""

import asyncio
import socket
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest
from prometheus_client.parser import text_string_to_metric_families
from session_fakes import MemoryRecorder, RawBot, capturing_logger
from tables import table_spec

from euchre_arena.v1.arena_service_pb2 import Answer
from euchre_server.operations import metrics
from euchre_server.operations.metrics import MetricsError, MetricsPage
from euchre_server.referee.facts import Acted, Faulted, RejectReason
from euchre_server.session import ArenaServer, Secret
from euchre_server.session.counts import Histogram, reject_class

NAMES = ("Zaphod", "Trillian", "Marvin")
TABLES = 3


class Visited:
    """What a page said."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.samples = [
            (sample.name, dict(sample.labels), sample.value)
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        ]

    def value(self, name: str, **labels: str) -> float | None:
        """Returns a sample's value."""
        found = [v for n, ls, v in self.samples if n == f"euchre_arena_{name}" and ls == labels]
        return found[0] if found else None


class Arena:
    """An arena with a metrics page, at which three bots have played."""

    def __init__(self, matches: Mapping[str, int]) -> None:
        self.recorder = MemoryRecorder()
        logger, _ = capturing_logger()
        self.server = ArenaServer(recorder=self.recorder, instance_id="i", logger=logger)
        self.page = MetricsPage(self.server.readings, lambda: matches)
        self.tokens = {name: Secret.fresh() for name in NAMES}
        self.bots: list[RawBot] = []
        self.address = self.shown = ""

    async def play(self) -> None:
        """Plays tables, with an answer to no table among them."""
        tables = [
            table_spec(bots=NAMES, table_id=f"secret-table-{n}", number=n, board=n)
            for n in range(1, TABLES + 1)
        ]
        for token in self.tokens.values():
            bot = RawBot(self.address, token.reveal())
            self.bots.append(bot)
            await bot.hello(max_open_decisions=TABLES)
            await bot.read_until("welcome")
        await self.bots[0].send(Answer(table_id="nowhere", decision_id=1))
        playing = [asyncio.create_task(bot.play(closing=TABLES)) for bot in self.bots]
        await asyncio.gather(*(self.server.open_table(spec) for spec in tables))
        await asyncio.gather(*playing)

    async def visit(self) -> Visited:
        """Returns what the page says."""
        return await asyncio.to_thread(self.visit_at_once)

    def visit_at_once(self, path: str = "/metrics") -> Visited:
        """Returns what the page says, and stops whatever runs in this thread for so long."""
        with urllib.request.urlopen(f"http://{self.shown}{path}", timeout=20) as answer:
            return Visited(answer.read().decode())

    async def start(self) -> None:
        """Listens, for bots and for visitors."""
        self.address = await self.server.start()
        for name, token in self.tokens.items():
            self.server.expect(name, token)
        self.shown = await self.page.start("127.0.0.1", 0)

    async def stop(self) -> None:
        """Ends all of it."""
        await self.page.stop()
        await self.server.stop(0.2)
        for bot in self.bots:
            await bot.close()


@asynccontextmanager
async def played(matches: Mapping[str, int] | None = None) -> AsyncIterator[Arena]:
    """Serves for the length of a test, after some tables have been played."""
    arena = Arena(matches or {})
    await arena.start()
    try:
        async with asyncio.timeout(30):
            await arena.play()
            yield arena
    finally:
        await arena.stop()


@pytest.mark.parametrize("path", ["/", "/x", "/metrics/", "/favicon.ico"])
async def test_the_page_is_at_its_own_path_alone(path: str) -> None:
    """Whoever asks for anything else is told where it is."""
    arena = Arena({})
    await arena.start()
    try:
        with pytest.raises(urllib.error.HTTPError) as caught:
            await asyncio.to_thread(arena.visit_at_once, path)
        with caught.value:
            assert (404, b"metrics are at /metrics\n") == (caught.value.code, caught.value.read())
    finally:
        await arena.stop()


async def test_the_page_agrees_with_the_record() -> None:
    """G10: decisions, faults, tables and sessions are those that were recorded."""
    async with played({"running": 2, "done": 5}) as arena:
        page = await arena.visit()
        facts = [fact for _, _, fact in arena.recorder.facts]

    acted = [fact for fact in facts if isinstance(fact, Acted)]
    faults = Counter(fact.kind.name.lower() for fact in facts if isinstance(fact, Faulted))
    assert {
        "up": 1,
        "tables": 0,
        "tables_opened_total": TABLES,
        "sessions": 3,
        "streams": 3,
        "stalls_total": page.value("stalls_total"),
        "table_crashes_total": 0,
        "decision_charged_seconds_count": len(acted),
        "decision_charged_seconds_sum": sum(fact.charged_ms for fact in acted) / 1000,
        "queue_bytes": 0,
        "longest_queue_bytes": 0,
    } == {
        name: page.value(name)
        for name in (
            "up",
            "tables",
            "tables_opened_total",
            "sessions",
            "streams",
            "stalls_total",
            "table_crashes_total",
            "decision_charged_seconds_count",
            "decision_charged_seconds_sum",
            "queue_bytes",
            "longest_queue_bytes",
        )
    }
    assert (len(acted), 0) == tuple(page.value("decisions_total", by=by) for by in ("bot", "clock"))
    assert [2, 5] == [page.value("matches", state=state) for state in ("running", "done")]
    assert 1 == page.value("rejects_total", reason="unknown_table")
    assert dict(faults) == {
        labels["kind"]: value
        for name, labels, value in page.samples
        if name == "euchre_arena_faults_total" and value
    }


async def test_the_page_has_times() -> None:
    """Turnaround of answers, lag of the loop and the writing of the record are measured."""
    async with played() as arena:
        page = await arena.visit()
        turns = sum(isinstance(fact, Acted) for _, _, fact in arena.recorder.facts)

    turnaround = page.value("decision_turnaround_seconds_count")
    assert turnaround is not None
    assert 0 < turnaround < turns
    for name in ("loop_lag_seconds", "record_flush_seconds"):
        assert page.value(f"{name}_count")
        assert page.value(f"{name}_count") == page.value(f"{name}_bucket", le="+Inf")
    resident = [v for name, _, v in page.samples if name == "process_resident_memory_bytes"]
    assert resident[0] > 1_000_000


async def test_nothing_on_the_page_is_anybodys() -> None:
    """No bot, table, token or card; labels are of known kinds, and their values of closed sets."""
    async with played({"running": 1}) as arena:
        page = await arena.visit()
        hidden = [*NAMES, "secret-table", *(token.reveal() for token in arena.tokens.values())]
        digests = [token.digest().hex() for token in arena.tokens.values()]

    assert [] == [text for text in hidden + digests if text in page.text]
    labels = {(key, value) for _, each, _ in page.samples for key, value in each.items()}
    assert {"le", "by", "kind", "reason", "state", "version"} == {key for key, _ in labels}
    assert all(
        value.replace("_", "").islower() for key, value in labels if key in {"kind", "reason"}
    )


def test_what_depends_on_cards_is_one_reason() -> None:
    """That a seat must follow tells what it holds: such refusals are not told apart."""
    by_class = {reason: reject_class(reason) for reason in RejectReason}

    assert {"unreadable", "stale_decision", "unknown_decision", "unknown_table", "illegal"} == set(
        by_class.values()
    )
    assert 8 == list(by_class.values()).count("illegal")


async def test_a_taken_port_is_told() -> None:
    """Setting up fails with one sentence."""
    page = MetricsPage(lambda: pytest.fail("nobody looks"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(
            MetricsError, match=f"cannot show metrics at 127.0.0.1:{port}: the port is taken"
        ):
            await page.start("127.0.0.1", port)
    await page.stop()


@pytest.mark.parametrize(
    ("host", "port", "why"),
    [
        ("127..0.0.1", 0, "label empty or too long"),
        ("127.0.0.1", 70_000, "port must be 0-65535"),
    ],
)
async def test_an_impossible_address_is_told(host: str, port: int, why: str) -> None:
    """Likewise, whatever is wrong with it."""
    page = MetricsPage(lambda: pytest.fail("nobody looks"))

    with pytest.raises(MetricsError, match=f"cannot show metrics at {host}:{port}: .*{why}"):
        await page.start(host, port)


async def test_a_loop_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor waits a bounded time, reads `up 0`, and sees no traceback."""
    async with played() as arena:
        monkeypatch.setattr(metrics, "_READ_WITHIN_S", 0.05)
        page = arena.visit_at_once()

    assert 0 == page.value("up")
    assert None is page.value("tables")


def test_a_histogram_counts_by_size() -> None:
    """A value belongs to the first class that is not smaller."""
    histogram = Histogram((1, 10))
    for value in (0, 1, 2, 10, 11, 1000):
        histogram.add(value)

    assert ([2, 2, 2], 1024) == (histogram.counts, histogram.total)
