"""Owns the match service for its callers: matches made, looked at and stopped, as plain objects.

What comes back has the keys of `euchre-arena match --json` wherever both say the same. Must not
know how anything is shown.
"""

import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Final, Self

import grpc
import grpc.aio

import euchre_arena._quiet  # noqa: F401 - before anything that imports grpc
from euchre_arena.dial import CHANNEL_OPTIONS, Address
from euchre_arena.errors import LostError, RefusedError, SetupError
from euchre_arena.reach import connected
from euchre_arena.redial import Patience, Redial
from euchre_arena.v1 import match_service_pb2 as pb
from euchre_arena.v1 import rules_pb2, table_pb2
from euchre_arena.v1.match_service_pb2_grpc import MatchServiceStub

__all__ = ["MatchClient", "MatchRefusedError"]

_REASON: Final = "euchre-arena-reason"
_CALL_S: Final = 30.0
_AWAY: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})


class MatchRefusedError(RefusedError):
    """The arena refused a call of the match service.

    Attributes:
        reason: Why, for programs, as docs/hosting.md lists them; empty where it said none.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class MatchClient:
    """Calls the match service; an async context."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._metadata = (("authorization", f"Bearer {address.token}"),)
        self._channel: grpc.aio.Channel | None = None

    async def __aenter__(self) -> Self:
        address = self._address
        self._channel = await connected(
            address.server,
            address.tls,
            CHANNEL_OPTIONS,
            patience=Patience(Redial(within_s=address.dial_timeout_s)),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._channel is not None:
            await self._channel.close()

    async def create(
        self,
        *,
        rules: str,
        bots: Sequence[tuple[str, str]],
        boards: int | None = None,
        games: int | None = None,
        seed: str | None = None,
        seatings: str = "rotations",
        tables: int = 0,
        clock: Mapping[str, int] | None = None,
        policy: str = "lenient",
        join_within_ms: int | None = None,
        remote_within_ms: int | None = None,
        request_id: str | None = None,
    ) -> dict[str, Any]:
        """Creates a match and returns it as it stands.

        Args:
            rules: As on the command line: `PRESET[,OPTION=VALUE...]`.
            bots: Names, which may be empty for house bots, and sources: the name of a house bot,
                or `remote`.
            boards: How many boards are played.
            games: Or how many games.
            seed: A text that the deals come from.
            seatings: `rotations`, `swap` or `all`.
            tables: How many tables are played at once; 0 for as many as usual.
            clock: `budget_ms`, `bank_ms`, `increment_ms`, `grace_ms`, `first_ms`; as usual unless
                given.
            policy: `lenient` or `strict`.
            join_within_ms: How long started bots may take to come.
            remote_within_ms: How long connected bots may take.
            request_id: The same for a repeated call; a new one unless given.

        Raises:
            MatchRefusedError: There can be no such match, or not now.
            LostError: The arena went away; the same request_id may be sent again.
        """
        request = pb.CreateMatchRequest(
            request_id=request_id or secrets.token_hex(12),
            rules_text=rules,
            bots=[pb.MatchBot(name=name, source=source) for name, source in bots],
            seed=seed,
            seatings=pb.Seatings.Value(f"SEATINGS_{seatings.upper()}"),
            tables=tables,
            clock=None if clock is None else table_pb2.Clock(**clock),
            policy=table_pb2.FaultPolicyKind.Value(f"FAULT_POLICY_KIND_{policy.upper()}"),
            join_within_ms=join_within_ms,
            remote_within_ms=remote_within_ms,
        )
        if boards is not None:
            request.boards = boards
        if games is not None:
            request.games = games
        answer = await self._call("CreateMatch", request)
        return _match(answer.match) | {"repeated_request": answer.repeated_request}

    async def get(self, match_id: str) -> dict[str, Any]:
        """Returns a match as it stands.

        Raises:
            MatchRefusedError: There is none.
            LostError: The arena went away.
        """
        answer = await self._call("GetMatch", pb.GetMatchRequest(match_id=match_id))
        return _match(answer.match)

    async def list_matches(self, *states: str) -> AsyncIterator[dict[str, Any]]:
        """Yields matches, the newest first, without standings; only those in these states.

        Raises:
            MatchRefusedError: The arena refused.
            LostError: The arena went away.
        """
        wanted = [pb.MatchState.Value(f"MATCH_STATE_{state.upper()}") for state in states]
        token = ""
        while True:
            page = await self._call(
                "ListMatches", pb.ListMatchesRequest(page_token=token, states=wanted)
            )
            for match in page.matches:
                yield _match(match)
            token = page.next_page_token
            if not token:
                return

    async def cancel(self, match_id: str) -> dict[str, Any]:
        """Stops a match and returns it.

        Raises:
            MatchRefusedError: There is none.
            LostError: The arena went away.
        """
        answer = await self._call("CancelMatch", pb.CancelMatchRequest(match_id=match_id))
        return _match(answer.match)

    async def watch(
        self, match_id: str, *, interval_ms: int | None = None, hands: bool = False
    ) -> AsyncIterator[dict[str, Any]]:
        """Yields how a match stands, at once and whenever that changes, until it goes on no more.

        Args:
            match_id: The match.
            interval_ms: The shortest time between two.
            hands: Whether the hands of boards that are released meanwhile are wanted; they come
                under the key `hands`, as JSON texts.

        Raises:
            MatchRefusedError: There is none, or too many watch.
            LostError: The arena went away.
        """
        request = pb.WatchMatchRequest(match_id=match_id, interval_ms=interval_ms, hands=hands)
        try:
            async for update in self._stub().WatchMatch(request, metadata=self._metadata):
                told = _match(update.match)
                if hands:
                    told["hands"] = [hand.hand_json for hand in update.hands]
                    told["boards_skipped"] = update.boards_skipped
                yield told
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from None

    def _stub(self) -> Any:  # noqa: ANN401  # the generated class is typed for blocking channels
        if self._channel is None:
            raise RuntimeError("use the client in `async with`")
        return MatchServiceStub(self._channel)

    async def _call(self, name: str, request: Any) -> Any:  # noqa: ANN401  # any of the messages
        try:
            return await getattr(self._stub(), name)(
                request, metadata=self._metadata, timeout=_CALL_S
            )
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from None

    def _explained(self, error: grpc.aio.AioRpcError) -> RefusedError | LostError | SetupError:
        details = error.details() or error.code().name
        reason = next(
            (str(value) for key, value in error.trailing_metadata() or () if key == _REASON), ""
        )
        if error.code() is grpc.StatusCode.UNIMPLEMENTED:
            return SetupError(f"{self._address.server} hosts no matches: {details}")
        if reason:
            return MatchRefusedError(details, reason)
        if error.code() in _AWAY:
            return LostError(f"lost the arena at {self._address.server}: {details}")
        return MatchRefusedError(details, error.code().name)


def _match(match: pb.Match) -> dict[str, Any]:
    progress = match.progress
    return {
        "match_id": match.match_id,
        "state": pb.MatchState.Name(match.state).removeprefix("MATCH_STATE_").lower(),
        "note": match.note or None,
        "rules": _rules(match.ruleset),
        "mode": "game" if match.WhichOneof("length") == "games" else "board",
        "boards": progress.boards_released,
        "boards_asked": match.games or match.boards,
        "boards_withheld": progress.boards_withheld,
        "bots": [{"bot": bot.name, "source": bot.source} for bot in match.bots],
        "seatings": pb.Seatings.Name(match.seatings).removeprefix("SEATINGS_").lower(),
        "tables": match.tables,
        "clock": {field.name: value for field, value in _fields(match.clock)},
        "policy": table_pb2.FaultPolicyKind.Name(match.policy.kind)
        .removeprefix("FAULT_POLICY_KIND_")
        .lower(),
        "rated": match.rated,
        "public_seed": match.public_seed,
        "commitment": match.commitment.hex(),
        "created_unix_ms": match.created_unix_ms,
        "created_by": match.created_by,
        "progress": {
            "tables": progress.table_count,
            "tables_ended": progress.tables_ended,
            "tables_open": progress.tables_open,
            "leg": progress.leg,
            "resumptions": progress.resumptions,
        },
        "standings": [_standing(row, match.bots) for row in match.standings],
        "comparisons": [
            {
                "a": row.a,
                "b": row.b,
                "mean_per_board": _value(row, "mean_per_board"),
                "ci95": _interval(row, "mean_per_board"),
                "boards": row.boards,
            }
            for row in match.comparisons
        ],
        "troubles": list(match.troubles),
    }


def _rules(ruleset: rules_pb2.Ruleset) -> dict[str, Any]:
    options = {
        option.name: getattr(option, option.WhichOneof("value") or "flag")
        for option in ruleset.options
    }
    return {"preset": ruleset.preset, **options}


def _standing(row: pb.MatchStanding, bots: Iterable[pb.MatchBot]) -> dict[str, Any]:
    is_remote = any(bot.source == "remote" for bot in bots if bot.name == row.bot_name)
    # Of a bot that the arena starts, memory is excluded by isolation and by nothing else.
    started = "bwrap" if row.memory_excluded else "none"
    return {
        "bot": row.bot_name,
        "hands": row.hand_count,
        "points": row.points,
        "points_per_hand": _value(row, "points_per_hand"),
        "ci95": _interval(row, "points_per_hand"),
        "wins": row.wins,
        "isolation": "remote" if is_remote else started,
        "memory": "excluded" if row.memory_excluded else "not excluded",
        "faults": {field.name: value for field, value in _fields(row.faults)},
    }


def _fields(message: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401  # any message of numbers
    return [(field, getattr(message, field.name)) for field in message.DESCRIPTOR.fields]


def _value(row: Any, name: str) -> float | None:  # noqa: ANN401  # a row of either kind
    return round(getattr(row, name).value, 6) if row.HasField(name) else None


def _interval(row: Any, name: str) -> list[float] | None:  # noqa: ANN401  # as above
    estimate = getattr(row, name)
    return [round(estimate.low, 6), round(estimate.high, 6)] if row.HasField(name) else None
