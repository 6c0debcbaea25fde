"""Owns the match service's calls: who calls, what is answered, and how a call is refused.

What a match is and how it goes is `Matches`' alone. Who may make which call `gate` has decided
before.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

import grpc

from euchre_arena.v1 import match_service_pb2 as pb
from euchre_server.session import wire
from euchre_server.session.access import current_caller
from euchre_server.session.match_messages import Matches, MatchRefused
from euchre_server.session.refusal import Reason, refuse

__all__ = ["match_service"]

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Context = grpc.aio.ServicerContext[Any, Any]

_STATUS = {
    Reason.INVALID_MATCH: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.REQUEST_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    Reason.NO_SUCH_MATCH: grpc.StatusCode.NOT_FOUND,
    Reason.TOO_MANY_MATCHES: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.TOO_MANY_WATCHERS: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.DRAINING: grpc.StatusCode.UNAVAILABLE,
    Reason.NOT_RECORDED: grpc.StatusCode.UNAVAILABLE,
}


def match_service(matches: Matches) -> grpc.ServiceRpcHandler:
    """Returns what answers the calls of the match service."""
    service = pb.DESCRIPTOR.services_by_name["MatchService"].full_name
    calls = _Calls(matches)
    handlers: dict[str, Any] = {
        "CreateMatch": _unary(calls.create, pb.CreateMatchRequest),
        "GetMatch": _unary(calls.get, pb.GetMatchRequest),
        "ListMatches": _unary(calls.list_matches, pb.ListMatchesRequest),
        "CancelMatch": _unary(calls.cancel, pb.CancelMatchRequest),
        "WatchMatch": grpc.unary_stream_rpc_method_handler(
            calls.watch,
            request_deserializer=pb.WatchMatchRequest.FromString,
            response_serializer=_bytes,
        ),
    }
    handler: Any = grpc.method_handlers_generic_handler(service, handlers)
    found: grpc.ServiceRpcHandler = handler
    return found


class _Calls:
    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def create(self, request: pb.CreateMatchRequest) -> pb.CreateMatchResponse:
        order = wire.read_order(request)
        return wire.match_created(await self._matches.create(order, current_caller().name))

    async def get(self, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        found = await self._matches.get(request.match_id)
        return pb.GetMatchResponse(match=wire.match_answer(found))

    async def list_matches(self, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        page = await self._matches.list_matches(
            page_size=request.page_size,
            page_token=request.page_token,
            states=wire.read_states(request),
        )
        return wire.match_page(page)

    async def cancel(self, request: pb.CancelMatchRequest) -> pb.CancelMatchResponse:
        cancelled = await self._matches.cancel(request.match_id)
        return pb.CancelMatchResponse(match=wire.match_answer(cancelled))

    async def watch(
        self, request: pb.WatchMatchRequest, context: _Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        interval_ms = request.interval_ms if request.HasField("interval_ms") else None
        try:
            updates = self._matches.watch(
                request.match_id, interval_ms=interval_ms, hands=request.hands
            )
            async with aclosing(updates):  # at once, also where the caller hangs up
                async for update in updates:
                    yield wire.match_update(update)
        except MatchRefused as refused:
            await _refuse(context, refused)


def _unary(
    answer: Callable[[_Request], Awaitable[_Response]],
    request_type: Any,  # noqa: ANN401  # the stubs' classes have no common protocol
) -> Any:  # noqa: ANN401  # gRPC's type is generic in what does not matter here
    async def handle(request: _Request, context: _Context) -> _Response:
        try:
            return await answer(request)
        except MatchRefused as refused:
            await _refuse(context, refused)
            raise

    return grpc.unary_unary_rpc_method_handler(
        handle, request_deserializer=request_type.FromString, response_serializer=_bytes
    )


async def _refuse(context: _Context, refused: MatchRefused) -> None:
    await refuse(context, _STATUS[refused.reason], refused.reason, str(refused))


def _bytes(message: Any) -> bytes:  # noqa: ANN401  # any of the stubs' classes
    data: bytes = message.SerializeToString()
    return data
