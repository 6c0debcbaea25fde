"""Owns the metrics page: what it is called there, and the HTTP server that shows it.

Numbers are read when the page is asked for, in the arena's loop, and written in a thread of their
own: between two visits they cost nothing. No label names a bot, table, match or card.
Must not know how anything is counted.
"""

from __future__ import annotations

import asyncio
import errno
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as TooLate
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, TypeAlias

from prometheus_client import CollectorRegistry, ProcessCollector, make_wsgi_app, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.registry import Collector

from euchre_server.referee.facts import FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from threading import Thread
    from wsgiref.simple_server import WSGIServer
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from prometheus_client import Metric

    from euchre_server.session.counts import Histogram
    from euchre_server.session.readings import Readings

__all__ = ["ArenaCollector", "MetricsError", "MetricsPage"]

_Taken: TypeAlias = "tuple[Readings, Mapping[str, int]]"

_READ_WITHIN_S: Final = 5.0
_NAME: Final = "euchre_arena_"
_PATH: Final = "/metrics"


class MetricsError(Exception):
    """The page cannot be shown there; the message is one sentence for a person."""


class MetricsPage:
    """Shows an arena's numbers on a port of its own."""

    def __init__(
        self,
        readings: Callable[[], Readings],
        matches: Callable[[], Mapping[str, int]] | None = None,
    ) -> None:
        """Makes a page that nobody can see yet.

        Args:
            readings: Reads the arena; called in its loop.
            matches: Counts matches by their state, likewise; left out where there are none.
        """
        self._readings = readings
        self._matches = matches or dict
        self._server: WSGIServer | None = None
        self._thread: Thread | None = None

    async def start(self, host: str, port: int) -> str:
        """Shows the page; returns its address as HOST:PORT.

        Raises:
            MetricsError: The address cannot be listened at.
        """
        loop = asyncio.get_running_loop()
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(ArenaCollector(lambda: self._read(loop)))
        try:
            self._server, self._thread = start_http_server(port, host, registry)
        except (OSError, OverflowError, UnicodeError) as error:
            raise MetricsError(f"cannot show metrics at {host}:{port}: {_why(error)}") from None
        self._server.set_app(_at_its_path(make_wsgi_app(registry)))
        shown = f"[{host}]" if ":" in host else host
        return f"{shown}:{self._server.server_port}"

    async def stop(self) -> None:
        """Shows the page no more."""
        server, self._server = self._server, None
        if server is not None and self._thread is not None:
            await asyncio.to_thread(server.shutdown)
            server.server_close()
            await asyncio.to_thread(self._thread.join)

    def _read(self, loop: asyncio.AbstractEventLoop) -> _Taken | None:
        """Reads in the loop, for a visitor's thread; None where the loop does not get to it."""

        async def read() -> _Taken:
            return self._readings(), self._matches()

        reading = read()
        try:
            taken = asyncio.run_coroutine_threadsafe(reading, loop)
        except RuntimeError:  # it is closed
            reading.close()
            return None
        try:
            return taken.result(_READ_WITHIN_S)
        except (TooLate, CancelledError):
            taken.cancel()
            return None


class ArenaCollector(Collector):
    """Writes readings in Prometheus' words."""

    def __init__(self, read: Callable[[], _Taken | None]) -> None:
        self._read = read

    def describe(self) -> list[Metric]:
        """Returns nothing: what there is need not be read to be registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yields all that is told."""
        taken = self._read()
        yield _gauge("up", "Whether the arena's loop answers.", int(taken is not None))
        if taken is None:
            return
        readings, matches = taken
        counts = readings.counts
        info = InfoMetricFamily(f"{_NAME}build", "The arena's version.")
        info.add_metric((), {"version": version("euchre-arena")})
        yield info
        yield _gauge("tables", "Tables being refereed.", readings.tables)
        yield _gauge("sessions", "Bots that are there.", readings.sessions)
        yield _gauge("streams", "Streams of bots, those without Hello included.", readings.streams)
        yield _gauge("queue_bytes", "What waits to be sent to bots.", readings.queue_bytes)
        yield _gauge(
            "longest_queue_bytes",
            "What waits to be sent to the bot for which the most does.",
            readings.longest_queue_bytes,
        )
        yield _gauges("matches", "Matches by state.", "state", matches)
        yield _counter("tables_opened", "Tables opened, those resumed left out.", counts.tables)
        yield _counters(
            "decisions",
            "Decisions by who made them.",
            "by",
            {
                "bot": counts.decisions - counts.played_by_clock,
                "clock": counts.played_by_clock,
            },
        )
        yield _histogram(
            "decision_charged_seconds",
            "Time of a decision that was charged to its seat.",
            counts.charged,
            per_second=1_000,
        )
        yield _histogram(
            "decision_turnaround_seconds",
            "Time from an answer to the table's next question being handed to the transport.",
            counts.turnaround,
            per_second=1_000,
        )
        yield _histogram(
            "loop_lag_seconds", "How late the loop was at a beat.", counts.lag, per_second=1_000
        )
        yield _histogram(
            "record_flush_seconds",
            "Time to hand what a turn recorded to the system.",
            counts.flush,
            per_second=1_000_000,
        )
        yield _counter("stalls", "Times the loop stood still, charged to nobody.", counts.stalls)
        yield _counter("table_crashes", "Tables that the arena itself failed.", counts.crashes)
        yield _counters(
            "faults",
            "Faults of seats by kind.",
            "kind",
            {kind.name.lower(): counts.faults[kind] for kind in FaultKind},
        )
        yield _counters("rejects", "Answers refused, by class.", "reason", counts.rejects)
        yield _counters(
            "session_faults", "Useless frames and messages.", "reason", counts.session_faults
        )
        yield _counters("goodbyes", "Sessions that the arena ended.", "reason", counts.goodbyes)
        yield _counters("refused_calls", "Calls not let in.", "reason", readings.refused)


def _at_its_path(page: WSGIApplication) -> WSGIApplication:
    """Returns the page without the other paths at which prometheus_client shows it too."""

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == _PATH:
            return page(environ, start_response)
        start_response("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"metrics are at {_PATH}\n".encode()]

    return application


def _why(error: OSError | OverflowError | UnicodeError) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return "the port is taken; choose another port, or 0 for a free one"
    return str(getattr(error, "strerror", None) or error).lower()


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(_NAME + name, text, value=value)


def _gauges(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    family = GaugeMetricFamily(_NAME + name, text, labels=(label,))
    for key, value in sorted(values.items()):
        family.add_metric((key,), value)
    return family


def _counter(name: str, text: str, value: int) -> Metric:
    return CounterMetricFamily(_NAME + name, text, value=value)


def _counters(name: str, text: str, label: str, values: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(_NAME + name, text, labels=(label,))
    for key, value in sorted(values.items()):
        family.add_metric((key,), value)
    return family


def _histogram(name: str, text: str, histogram: Histogram, *, per_second: int) -> Metric:
    buckets, running = [], 0
    bounds = [f"{bound / per_second:g}" for bound in histogram.bounds]
    for bound, count in zip([*bounds, "+Inf"], histogram.counts, strict=True):
        running += count
        buckets.append((bound, running))
    return HistogramMetricFamily(
        _NAME + name, text, buckets=buckets, sum_value=histogram.total / per_second
    )
