"""Made-up matches and table results for the tests of match/ and of the command line."""

from collections.abc import Callable, Iterable, Iterator

from euchre_engine import Seat
from euchre_engine.variants import parse_ruleset
from euchre_server.match.boards import SeatingScheme
from euchre_server.match.schedule import Schedule
from euchre_server.match.spec import MatchSpec
from euchre_server.match.tally import Tally
from euchre_server.referee.facts import Blame, EndCause, FaultKind
from euchre_server.referee.result import TableResult, best_seats
from euchre_server.referee.spec import TableMode, TableSpec

__all__ = ["SECRET", "a_match", "a_result", "first_tables", "play_out", "tally_of"]

SECRET = bytes(range(32))


def a_match(
    rules: str = "three-handed",
    bots: tuple[str, ...] = ("ann", "bob", "cyd"),
    *,
    boards: int = 4,
    seatings: SeatingScheme = SeatingScheme.ROTATIONS,
    secret: bytes = SECRET,
    mode: TableMode = TableMode.BOARD,
) -> MatchSpec:
    """Returns a small match."""
    return MatchSpec(
        rules=parse_ruleset(rules),
        bots=bots,
        boards=boards,
        seatings=seatings,
        secret=secret,
        mode=mode,
    )


def first_tables(spec: MatchSpec) -> Iterator[TableSpec]:
    """Yields every table of the first round."""
    schedule = Schedule(spec)
    for leg in schedule.legs(schedule.first_round()):
        yield from schedule.tables(leg)


def a_result(
    spec: TableSpec,
    scores: tuple[int, ...],
    *,
    winners: tuple[Seat, ...] | None = None,
    cause: EndCause = EndCause.PLAYED,
    blame: Blame = Blame.NONE,
    blamed_seat: Seat | None = None,
    hands: int = 1,
    decisions: int = 20,
    faults: tuple[dict[FaultKind, int], ...] | None = None,
) -> TableResult:
    """Returns the result of a table with these scores by seat."""
    return TableResult(
        spec=spec,
        scores=scores,
        winners=best_seats(scores, spec.rules.seats) if winners is None else winners,
        cause=cause,
        blame=blame,
        blamed_seat=blamed_seat,
        rated=spec.rated,
        hands=hands,
        decisions=decisions,
        points=scores,
        faults=faults or tuple({} for _ in scores),
    )


def play_out(
    spec: MatchSpec, score: Callable[[TableSpec, str], int], tables: Iterable[TableSpec] = ()
) -> list[TableResult]:
    """Returns results in which each player of each table scores what the function says."""
    return [
        a_result(table, tuple(score(table, bot) for bot in table.bots))
        for table in tables or first_tables(spec)
    ]


def tally_of(spec: MatchSpec, results: Iterable[TableResult]) -> Tally:
    """Returns the count of these results."""
    tally = Tally(spec)
    for result in results:
        tally.add(result)
    return tally
