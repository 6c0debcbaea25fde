"""Room at bots that several matches want: shared evenly, and nobody waits for ever."""

from collections import Counter
from collections.abc import Callable

from euchre_server.hosting.room import Claim, SharedRoom


class _Loop:
    """Calls back when told."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def soon(self, call: Callable[[], None]) -> None:
        """Keeps a call for later."""
        self.calls.append(call)

    def run(self) -> None:
        """Makes all calls, those that they ask for included."""
        while self.calls:
            self.calls.pop(0)()


class _Match:
    """A match that always wants one more table, up to so many."""

    def __init__(self, room: SharedRoom, *bots: str, most: int = 99) -> None:
        self.claim: Claim = room.claim(bots)
        self.most = most
        self.open = 0
        self.played = 0

    def want(self) -> None:
        """Opens tables as long as there is room."""
        while self.open < self.most and self.claim.take(self.want):
            self.open += 1

    def end(self) -> None:
        """Ends a table, and wants the next."""
        self.open -= 1
        self.played += 1
        self.claim.give()
        self.want()


def _room(**most: int) -> tuple[SharedRoom, _Loop]:
    loop = _Loop()
    return SharedRoom(most.get, loop.soon), loop


def test_a_bot_holds_no_more_tables_than_it_said() -> None:
    """However many matches want it."""
    room, loop = _room(ann=3)
    matches = [_Match(room, "ann") for _ in range(5)]

    for match in matches:
        match.want()
    loop.run()

    assert 3 == sum(match.open for match in matches)


def test_a_bot_that_sets_no_bound_has_room_for_all() -> None:
    """Whoever has not come yet keeps nobody from opening a table, at which it forfeits."""
    room, _ = _room()
    match = _Match(room, "ann", most=50)

    match.want()

    assert 50 == match.open


def test_matches_come_to_equal_shares() -> None:
    """The one that came first gives way, table by table, until all have as many."""
    room, loop = _room(ann=6)
    first, second, third = (_Match(room, "ann") for _ in range(3))
    first.want()
    for other in (second, third):
        other.want()
    assert (6, 0, 0) == (first.open, second.open, third.open)

    for _ in range(4):
        first.end()
        loop.run()

    assert (2, 2, 2) == (first.open, second.open, third.open)
    for match in (first, second, third) * 5:
        match.end()
        loop.run()
        assert (2, 2, 2) == (first.open, second.open, third.open)


def test_one_table_goes_from_match_to_match() -> None:
    """A bot of one table plays all of its matches in turn."""
    room, loop = _room(ann=1)
    matches = [_Match(room, "ann") for _ in range(3)]
    for match in matches:
        match.want()

    for _ in range(30):
        next(match for match in matches if match.open).end()
        loop.run()

    assert [10, 10, 10] == [match.played for match in matches]


def test_a_match_of_two_wanted_bots_is_not_passed_over() -> None:
    """What the first of the waiting needs is kept for it, though it needs both at once."""
    room, loop = _room(ann=1, bob=1)
    one, other, both = _Match(room, "ann"), _Match(room, "bob"), _Match(room, "ann", "bob")
    for match in (one, other, both):
        match.want()

    one.end()
    loop.run()
    waits = (one.open, other.open, both.open)
    other.end()
    loop.run()

    assert (0, 1, 0) == waits
    assert (0, 0, 1) == (one.open, other.open, both.open)


def test_who_withdraws_is_called_no_more() -> None:
    """A leg that has ended takes no room, and what was kept for it is free."""
    room, loop = _room(ann=1, bob=1)
    one, both, other = _Match(room, "ann"), _Match(room, "ann", "bob"), _Match(room, "bob")
    for match in (one, both, other):
        match.want()
    assert 0 == other.open

    both.claim.withdraw()
    loop.run()

    assert (1, 0, 1) == (one.open, both.open, other.open)


def test_all_that_was_taken_is_given_back() -> None:
    """After many tables in any order no room is lost."""
    room, loop = _room(ann=4, bob=3)
    matches = [_Match(room, *bots) for bots in (("ann",), ("bob",), ("ann", "bob"))]
    for match in matches:
        match.want()
    for number in range(200):
        busy = [match for match in matches if match.open]
        busy[number % len(busy)].end()
        loop.run()
    for match in matches:
        match.most = 0
        match.claim.withdraw()
    for match in matches:
        while match.open:
            match.end()
            loop.run()

    assert Counter() == +room._used
