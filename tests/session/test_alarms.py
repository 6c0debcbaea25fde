"""One heap of timers, and the loop's lag."""

from dataclasses import dataclass

from session_fakes import FakeClock

from euchre_server.session.alarms import BEAT_MS, LAG_MS, Alarms


@dataclass(eq=False)
class Sleeper:
    """Something to wake."""

    name: str
    wake_at: int | None = None
    heap_at: int | None = None


class Bell:
    """Alarms on a clock that moves when told, with a list of what happened when."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.start = self.clock.now()
        self.woken: list[tuple[int, str]] = []
        self.lags: list[int] = []
        self.alarms: Alarms[Sleeper] = Alarms(
            self.clock, on_due=self._due, on_beat=self.lags.append
        )

    def _due(self, sleepers: list[Sleeper]) -> None:
        self.woken += [(self.clock.now() - self.start, s.name) for s in sleepers]

    def wake(self, sleeper: Sleeper, after: int) -> None:
        """Asks for a moment, counted from the start."""
        self.alarms.wake(sleeper, self.start + after)


def test_everybody_is_woken_on_time_and_once() -> None:
    """Alarms go off in order of time, each once."""
    bell = Bell()
    for name, after in (("a", 30), ("b", 10), ("c", 20)):
        bell.wake(Sleeper(name), after)

    bell.clock.advance(100)

    assert [(10, "b"), (20, "c"), (30, "a")] == bell.woken


def test_a_later_moment_supersedes() -> None:
    """Who asks again is woken at the new moment only, and stays one entry in the heap."""
    bell = Bell()
    sleeper = Sleeper("a")
    for after in range(10, 500):
        bell.wake(sleeper, after)
    entries = len(bell.alarms._heap)

    bell.clock.advance(1000)

    assert [(499, "a")] == bell.woken
    assert 1 == entries


def test_an_earlier_moment_supersedes() -> None:
    """A moment before the one asked for first is kept, and only that."""
    bell = Bell()
    sleeper = Sleeper("a")
    bell.wake(sleeper, 50)
    bell.wake(sleeper, 20)

    bell.clock.advance(100)

    assert [(20, "a")] == bell.woken


def test_who_no_longer_waits_is_let_sleep() -> None:
    """A table that has ended is not looked at again."""
    bell = Bell()
    sleeper = Sleeper("a")
    bell.wake(sleeper, 20)
    sleeper.wake_at = None

    bell.clock.advance(100)

    assert [] == bell.woken


def test_who_no_longer_waits_is_let_go() -> None:
    """Tables that have ended long before their time are not kept until it comes."""
    bell = Bell()
    waiting = [Sleeper(f"w{n}") for n in range(2_000)]
    for after, sleeper in enumerate(waiting, start=1):
        bell.wake(sleeper, after)
    for n in range(50_000):
        ended = Sleeper(f"e{n}")
        bell.wake(ended, 86_400_000)
        ended.wake_at = None

    kept = len(bell.alarms._heap)
    bell.clock.advance(2_000)

    assert kept <= 2 * len(waiting) + 1
    assert [sleeper.name for sleeper in waiting] == [name for _, name in bell.woken]


def test_who_was_let_go_can_be_woken_again() -> None:
    """Not to wait for now is not to wait never."""
    bell = Bell()
    sleeper = Sleeper("a")
    bell.wake(sleeper, 10)
    sleeper.wake_at = None
    for n in range(2_000):
        bell.wake(Sleeper(f"b{n}"), 500)

    bell.wake(sleeper, 20)
    bell.clock.advance(100)

    assert [(20, "a")] == bell.woken


def test_a_loop_on_time_has_no_lag() -> None:
    """Beats come and report nothing."""
    bell = Bell()
    bell.alarms.start()

    bell.clock.advance(BEAT_MS * 4)

    assert [0, 0, 0, 0] == bell.lags


def test_a_loop_that_stood_still_reports_it_before_any_alarm() -> None:
    """The lag is told first, then what was due meanwhile; a small delay is none."""
    bell = Bell()
    order: list[str] = []
    bell.alarms = Alarms(
        bell.clock,
        on_due=lambda _: order.append("due"),
        on_beat=lambda lag: order.append(f"lag {lag}"),
    )
    bell.alarms.start()
    bell.alarms.wake(Sleeper("a"), bell.start + 10)

    bell.clock.stall(3000)
    bell.clock.stall(BEAT_MS + LAG_MS)

    assert ["lag 3000", "due", "lag 0"] == order


def test_stopped_alarms_are_silent() -> None:
    """After stop nothing is called any more."""
    bell = Bell()
    bell.alarms.start()
    bell.wake(Sleeper("a"), 10)
    bell.alarms.stop()

    bell.clock.advance(1000)

    assert ([], []) == (bell.woken, bell.lags)
