"""Owns the gate: the interceptor through which every call to the server goes.

It asks the authoriser and carries out what that decides. Must not know tokens, roles or services.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from typing import Any, TypeAlias

import grpc

from euchre_server.session.access import Authoriser, Denied, enter
from euchre_server.session.careful import careful
from euchre_server.session.refusal import Reason, refuse

__all__ = ["Gate"]

LOOK_EVERY_S = 5.0
"""How often it is asked whether who waits for something to be told may still wait."""
_NO_MORE = object()
_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
_Context = grpc.aio.ServicerContext[Any, Any]
Hold = Callable[[Reason], Awaitable[bool]]


class Gate(grpc.aio.ServerInterceptor):
    """Lets calls through to their handlers, or ends them."""

    def __init__(
        self,
        authoriser: Authoriser,
        turned_away: Callable[[str, Denied], None],
        hold: Hold,
    ) -> None:
        """Makes a gate.

        Args:
            authoriser: Decides.
            turned_away: Told of each call that was refused, and why; not when there are many.
            hold: Waits before a refusal is told, when there have been many of late.
        """
        self._hold = hold
        self._authoriser = authoriser
        self._turned_away = turned_away

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], "Awaitable[_Handler | None]"],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler | None":
        """Returns what is to handle a call."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return _no_such_call(self._hold)
        method = handler_call_details.method
        try:
            caller = self._authoriser.authorise(
                method, handler_call_details.invocation_metadata or ()
            )
        except Denied as denied:
            return _refusal(handler, denied, partial(self._turn_away, method, denied))
        if caller is not None:
            enter(caller)  # gRPC runs the handler in the context of this coroutine
            metadata = handler_call_details.invocation_metadata or ()
            handler = _told_while_allowed(
                handler, lambda: self._authoriser.authorise(method, metadata)
            )
        return careful(handler)

    async def _turn_away(self, method: str, denied: Denied, reason: Reason) -> None:
        if await self._hold(reason):
            self._turned_away(method, denied)


def _no_such_call(hold: Hold) -> _Handler:
    """Returns a handler that says so; gRPC's own prints an error when the caller has gone."""

    async def answer(_: Any, context: _Context) -> None:  # noqa: ANN401  # whatever was sent
        await hold(Reason.NO_CALL)
        await refuse(
            context, grpc.StatusCode.UNIMPLEMENTED, Reason.NO_CALL, "there is no such call here"
        )

    behaviour: Any = answer
    return grpc.stream_stream_rpc_method_handler(behaviour)


def _told_while_allowed(handler: _Handler, authorise: Callable[[], object]) -> _Handler:
    """Returns a handler of a long answer that ends soon after the call would be refused.

    Nothing more is told then. A bot's session, whose requests are a stream too, is ended by
    `token_watch`.
    """
    if handler.request_streaming or not handler.response_streaming:
        return handler
    answers: Any = handler.unary_stream

    async def told(request: Any, context: _Context) -> AsyncIterator[Any]:  # noqa: ANN401  # a message
        async with aclosing(answers(request, context)) as every:
            while True:
                coming = asyncio.ensure_future(anext(every, _NO_MORE))
                try:
                    while not coming.done():
                        await asyncio.wait((coming,), timeout=LOOK_EVERY_S)
                        authorise()
                except Denied as denied:
                    await refuse(context, *_status_of(denied), str(denied))
                finally:
                    if coming.cancel():
                        await asyncio.wait((coming,))
                if (answer := coming.result()) is _NO_MORE:
                    return
                yield answer

    behaviour: Any = told
    return grpc.unary_stream_rpc_method_handler(
        behaviour,
        request_deserializer=handler.request_deserializer,
        response_serializer=handler.response_serializer,
    )


def _status_of(denied: Denied) -> tuple[grpc.StatusCode, Reason]:
    if denied.known:
        return grpc.StatusCode.PERMISSION_DENIED, Reason.ROLE
    return grpc.StatusCode.UNAUTHENTICATED, Reason.NO_TOKEN


def _refusal(
    handler: _Handler, denied: Denied, turn_away: Callable[[Reason], "Awaitable[None]"]
) -> _Handler:
    """Returns a handler of the same kind, which ends the call with the reason."""
    status, reason = _status_of(denied)
    text = str(denied)

    async def answer(_: Any, context: _Context) -> None:  # noqa: ANN401  # request or stream
        await turn_away(reason)
        await refuse(context, status, reason, text)

    async def stream(_: Any, context: _Context) -> AsyncIterator[Any]:  # noqa: ANN401  # as above
        await turn_away(reason)
        await refuse(context, status, reason, text)
        yield  # only to be a generator

    behaviour: Any = stream if handler.response_streaming else answer
    match handler.request_streaming, handler.response_streaming:
        case False, False:
            return grpc.unary_unary_rpc_method_handler(behaviour)
        case False, True:
            return grpc.unary_stream_rpc_method_handler(behaviour)
        case True, False:
            return grpc.stream_unary_rpc_method_handler(behaviour)
        case _:
            return grpc.stream_stream_rpc_method_handler(behaviour)
