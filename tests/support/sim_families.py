"""The families of simulated matches: what a seed of each draws, and what must have happened in it.

A new family is a function here and a row in `FAMILIES`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from sim_arena import Course
from sim_bots import Manners
from sim_match import Plan, Setting
from sim_network import Weather

from euchre_engine import parse_ruleset
from euchre_engine.deal import secret_from_seed
from euchre_server.match.spec import MatchSpec
from euchre_server.record.store import Fsync
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode
from euchre_server.session import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from euchre_engine import Ruleset

__all__ = ["FAMILIES", "Family", "setting_of"]

_BOARDS = (
    "two-handed",
    "three-handed",
    "three-handed",
    "three-handed,alone_decision=after_dummy",
    "three-handed,stick_the_dealer=true",
    "four-handed",
    "four-handed,farmers_hand=three_swap",
    "british-two-handed",
    "british-three-handed",
    "railroad",
    "railroad",
    "hasenpfeffer",
    "pepper",
    "napoleon",
)
_GAMES = ("two-handed,target=3", "three-handed,target=3", "two-handed,target=2,deck=25")
_CLOCKS = (
    ClockSpec(),
    ClockSpec(budget_ms=50, bank_ms=0, grace_ms=10, first_ms=80),
    ClockSpec(budget_ms=50, bank_ms=300, increment_ms=7, grace_ms=50, first_ms=400),
    ClockSpec(budget_ms=200, bank_ms=1_000, increment_ms=20, grace_ms=20, first_ms=1_000),
)
_EASY = ClockSpec(budget_ms=60_000, bank_ms=60_000, first_ms=60_000)  # time for everything


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of trouble.

    Attributes:
        draw: Makes the setting of one seed.
        about: What it is, in a sentence.
        wants: Faults that must have been injected, each so often in a hundred seeds.
    """

    draw: Callable[[Random], Setting]
    about: str
    wants: dict[str, int]


@lru_cache(maxsize=64)
def _ruleset(text: str) -> Ruleset:
    return parse_ruleset(text)


def _match(
    random: Random,
    *,
    clock: ClockSpec | None = None,
    policy: FaultPolicy | None = None,
    join_within_ms: int = 10_000,
) -> MatchSpec:
    games = random.random() < 0.15
    rules = _ruleset(random.choice(_GAMES if games else _BOARDS))
    two = rules.has_partners and random.random() < 0.5
    count = 2 if two else rules.seat_count
    return MatchSpec(
        rules=rules,
        bots=("ann", "bob", "cleo", "dan", "eve")[:count],
        mode=TableMode.GAME if games else TableMode.BOARD,
        boards=1 if games else random.randint(1, 3),
        tables=random.choice((1, 2, 4, 8)),
        clock=clock or random.choice(_CLOCKS),
        policy=policy or random.choice((FaultPolicy(), FaultPolicy(), FaultPolicy.named("strict"))),
        join_within_ms=join_within_ms,
        secret=secret_from_seed(str(random.random())),
    )


def _setting(
    random: Random, spec: MatchSpec, manners: Manners | None = None, **values: object
) -> Setting:
    """Returns a setting with a course and bots by chance, but for what is given."""
    limits = values.pop("limits", Limits())
    fsync = values.pop("fsync", random.choice((Fsync.NONE, Fsync.HAND, Fsync.ACTION)))
    course = Course(
        spec=spec,
        fsync=fsync,  # type: ignore[arg-type]
        limits=limits,  # type: ignore[arg-type]
        waits=random.random() < 0.5,
        join_late=random.choice((0, 0, 50)),
    )
    drawn = tuple(
        replace(
            manners or Manners(),
            at_once=random.choice((1, 1, 2, 8)),
            pongs=random.random() < 0.9,
            note=random.random() < 0.2,
            lean=random.random() < 0.5,
        )
        for _ in spec.players
    )
    return Setting(course=course, manners=drawn, **values)  # type: ignore[arg-type]


def _calm(random: Random) -> Setting:
    spec = _match(random)
    weather = Weather(delay_ms=(0.05, random.choice((0.5, 5.0, 12.0))))
    return _setting(random, spec, weather=weather, faultless=True)


def _lossy(random: Random) -> Setting:
    spec = _match(random)
    weather = Weather(
        delay_ms=(0.1, random.choice((1.0, 20.0))),
        late=random.choice((0.0, 0.02, 0.1)),
        cut=random.choice((0.005, 0.02, 0.05)),
        half_open=random.choice((0.0, 0.3, 1.0)),
    )
    manners = Manners(hangs_up=random.choice((0.0, 0.03)), dials_ms=(0.0, 200.0), slow=0.02)
    return _setting(random, spec, manners, weather=weather)


def _stalls(random: Random) -> Setting:
    spec = _match(random)
    weather = Weather(jam=random.choice((0.0, 0.02, 0.1)))
    plan = Plan(
        stalls_every_ms=random.choice((100, 400, 1_500)),
        stalls_ms=random.choice(((22, 200), (200, 3_000))),
        slow_writes=random.choice((0.0, 0.05)),
    )
    manners = Manners(think_ms=(0.0, 15.0))
    return _setting(random, spec, manners, weather=weather, plan=plan, faultless=True)


def _thinkers(random: Random) -> Setting:
    spec = _match(random, policy=FaultPolicy(fault_limit=random.choice((3, 10, 50))))
    manners = Manners(think_ms=(0.0, 60.0), slow=0.15, slow_ms=(30.0, 1_500.0), stalls=0.02)
    every, lengths = random.choice(((0, (22, 700)), (900, (22, 700)), (60, (3, 25))))
    plan = Plan(stalls_every_ms=every, stalls_ms=lengths)
    weather = Weather(delay_ms=(0.1, 15.0), late=0.03, jam=random.choice((0.0, 0.03)))
    return _setting(random, spec, manners, weather=weather, plan=plan)


def _restarts(random: Random) -> Setting:
    spec = _match(random, clock=_EASY, join_within_ms=30_000)
    plan = Plan(
        kills=random.choice((1, 3, 8)),
        kill_every_ms=random.choice((40, 400)),
        restart_ms=(0, random.choice((50, 2_000))),
        short_writes=random.choice((0.0, 0.2)),
    )
    library = random.random() < 0.3
    return _setting(random, spec, plan=plan, faultless=True, library=library)


def _drains(random: Random) -> Setting:
    spec = _match(random, clock=_EASY, join_within_ms=30_000)
    plan = Plan(
        drains=random.choice((1, 3)),
        drain_every_ms=random.choice((60, 400)),
        kills=random.choice((0, 0, 1)),
        restart_ms=(0, 1_000),
    )
    library = random.random() < 0.3
    return _setting(random, spec, plan=plan, faultless=True, library=library)


def _power(random: Random) -> Setting:
    spec = _match(random, clock=_EASY, join_within_ms=30_000)
    plan = Plan(
        kills=random.choice((1, 3, 6)),
        kill_every_ms=300,
        kill_at_write=0.3,
        power_cuts=0.8,
        sync_ms=random.choice(((0, 3), (5, 40))),
    )
    fsync = random.choice((Fsync.ACTION, Fsync.ACTION, Fsync.HAND, Fsync.NONE))
    return _setting(random, spec, plan=plan, fsync=fsync, faultless=True)


def _fencing(random: Random) -> Setting:
    spec = _match(random, policy=FaultPolicy(fault_limit=50))
    manners = Manners(twin=0.08, double=0.05, dials_ms=(0.0, 60.0), redials_ms=(0.0, 60.0))
    weather = Weather(
        delay_ms=(0.1, 10.0),
        late=0.05,
        cut=random.choice((0.0, 0.01)),
        half_open=random.choice((0.0, 1.0)),
    )
    return _setting(random, spec, manners, weather=weather)


def _slow_readers(random: Random) -> Setting:
    spec = _match(random, policy=FaultPolicy(fault_limit=50))
    manners = Manners(pauses=0.1, pauses_ms=(50.0, random.choice((400.0, 15_000.0))))
    weather = Weather(window_bytes=random.choice((400, 3_000, 65_536)))
    limits = Limits(
        max_queue_bytes=random.choice((6_000, 20_000, 4 << 20)),
        max_frame_bytes=random.choice((1_500, 65_536)),
    )
    return _setting(random, spec, manners, weather=weather, limits=limits)


def _hostile(random: Random) -> Setting:
    limit = random.choice((1, 3, 10, 200))
    spec = _match(random, policy=FaultPolicy(fault_limit=limit))
    often = random.choice((0.01, 0.05, 0.2))
    manners = Manners(
        illegal=often,
        garbled=often,
        stale=often,
        double=often,
        foreign=often,
        early=often,
        junk=often / 4,
        hello=often / 6,
        oversized=often / 6,
        slow=often / 4,
        intrudes=0.3,
        mute=0.3,
    )
    return _setting(random, spec, manners)


def _goers(random: Random) -> Setting:
    spec = _match(random, join_within_ms=2_000)
    manners = Manners(
        leaves=0.02,
        dies=0.02,
        hangs_up=0.04,
        dials_ms=(0.0, random.choice((50.0, 3_000.0))),
    )
    setting = _setting(random, spec, manners)
    if random.random() < 0.3:
        absent = random.randrange(len(spec.players))
        setting.manners = tuple(
            replace(one, absent=number == absent) for number, one in enumerate(setting.manners)
        )
    return setting


def _full_disk(random: Random) -> Setting:
    spec = _match(random, clock=_EASY, join_within_ms=30_000)
    plan = Plan(
        full_disks=random.choice((1, 2)),
        disk_errors=random.choice((0.0, 0.5)),
        room_bytes=(2_500, random.choice((6_000, 30_000))),
        short_writes=random.choice((0.0, 0.2)),
        restart_ms=(0, 500),
    )
    return _setting(random, spec, plan=plan)


def _crashes(random: Random) -> Setting:
    spec = _match(random, policy=FaultPolicy(fault_limit=50))
    plan = Plan(
        crashes=random.choice((0.002, 0.02)),
        kills=random.choice((0, 0, 2)),
        stalls_every_ms=random.choice((0, 500)),
    )
    weather = Weather(cut=random.choice((0.0, 0.01)), delay_ms=(0.1, 5.0))
    return _setting(random, spec, Manners(stale=0.02, leaves=0.001), plan=plan, weather=weather)


def _library(random: Random) -> Setting:
    spec = _match(random, policy=FaultPolicy(fault_limit=50), join_within_ms=30_000)
    weather = Weather(
        delay_ms=(0.1, 5.0),
        late=0.02,
        cut=random.choice((0.0, 0.01, 0.04)),
        half_open=random.choice((0.0, 0.5)),
    )
    plan = Plan(
        stalls_every_ms=random.choice((0, 800)),
        kills=random.choice((0, 1, 3)),
        kill_every_ms=500,
        restart_ms=(0, 1_500),
    )
    manners = Manners(slow=0.02, illegal=random.choice((0.0, 0.03)))
    return _setting(random, spec, manners, weather=weather, plan=plan, library=True)


def _storm(random: Random) -> Setting:
    spec = _match(random, policy=FaultPolicy(fault_limit=random.choice((10, 60))))
    weather = Weather(
        delay_ms=(0.1, 10.0), late=0.02, cut=0.01, half_open=0.3, jam=0.01, window_bytes=3_000
    )
    plan = Plan(
        stalls_every_ms=700,
        kills=2,
        kill_every_ms=800,
        restart_ms=(0, 3_000),
        short_writes=0.05,
        slow_writes=0.01,
    )
    manners = Manners(
        slow=0.03,
        illegal=0.02,
        garbled=0.02,
        stale=0.02,
        double=0.03,
        foreign=0.02,
        early=0.02,
        junk=0.005,
        hangs_up=0.01,
        leaves=0.001,
        dies=0.001,
        twin=0.02,
        pauses=0.02,
        stalls=0.02,
    )
    return _setting(random, spec, manners, weather=weather, plan=plan)


FAMILIES: dict[str, Family] = {
    "calm": Family(_calm, "nothing goes wrong, at any clock and policy", {}),
    "lossy": Family(
        _lossy, "streams break, half open or not; frames come late", {"cut": 50, "half open": 10}
    ),
    "stalls": Family(_stalls, "the arena stands still at any moment, prompt bots", {"stall": 100}),
    "thinkers": Family(
        _thinkers, "bots think up to their time and beyond", {"slow answer": 100, "bot stalls": 20}
    ),
    "restarts": Family(
        _restarts,
        "the arena is killed, also inside a write, and gone on with",
        {"kill": 20, "killed at a write": 20, "torn tail": 10, "restart": 50},
    ),
    "drains": Family(
        _drains, "the arena is stopped politely, and another goes on", {"drain": 50, "restart": 50}
    ),
    "power": Family(
        _power, "power cuts lose what was not synced, under every policy", {"power cut": 40}
    ),
    "fencing": Family(
        _fencing, "two live instances of a bot, double answers", {"second instance": 50}
    ),
    "slow-readers": Family(_slow_readers, "bots that do not read for a while", {"slow reader": 50}),
    "hostile": Family(
        _hostile,
        "illegal, garbled, stale, foreign answers, frames that are none, callers without a token",
        {
            "intruder": 50,
            "no hello": 50,
            "illegal answer": 50,
            "garbled answer": 50,
            "stale answer": 50,
            "double answer": 50,
            "foreign answer": 50,
            "early answer": 50,
            "junk frame": 20,
            "second hello": 10,
            "oversized frame": 10,
        },
    ),
    "goers": Family(
        _goers,
        "bots that are late, never come, leave or die",
        {"leaves": 10, "dies": 10, "hangs up": 20},
    ),
    "full-disk": Family(
        _full_disk,
        "the disk is full or fails, and mended before another arena goes on",
        {"full disk": 20, "restart": 30},
    ),
    "crashes": Family(_crashes, "a table's step fails by a bug of the arena's own", {"crash": 50}),
    "library": Family(
        _library, "bots of the client library, cut off and restarted", {"cut": 20, "kill": 10}
    ),
    "storm": Family(_storm, "everything at once", {"stall": 50, "cut": 50, "restart": 50}),
}


def setting_of(family: str, seed: int) -> Setting:
    """Returns the setting of a seed."""
    return FAMILIES[family].draw(Random(f"{family} {seed}"))
