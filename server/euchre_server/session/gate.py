"""Owns the gate: the interceptor through which every call to the server goes.

It asks the authoriser and carries out what that decides. Must not know tokens, roles or services.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc

from euchre_server.session.access import Authoriser, Denied, enter

__all__ = ["Gate"]

_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
_Context = grpc.aio.ServicerContext[Any, Any]


class Gate(grpc.aio.ServerInterceptor):
    """Lets calls through to their handlers, or ends them."""

    def __init__(self, authoriser: Authoriser, turned_away: Callable[[str, Denied], None]) -> None:
        """Makes a gate.

        Args:
            authoriser: Decides.
            turned_away: Told of each call that was refused, and why.
        """
        self._authoriser = authoriser
        self._turned_away = turned_away

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], "Awaitable[_Handler | None]"],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler | None":
        """Returns what is to handle a call."""
        handler = await continuation(handler_call_details)
        if handler is None:  # no such call: gRPC says so itself
            return handler
        method = handler_call_details.method
        try:
            caller = self._authoriser.authorise(
                method, handler_call_details.invocation_metadata or ()
            )
        except Denied as denied:
            self._turned_away(method, denied)
            return _refusal(handler, denied)
        if caller is not None:
            enter(caller)  # gRPC runs the handler in the context of this coroutine
        return handler


def _refusal(handler: _Handler, denied: Denied) -> _Handler:
    """Returns a handler of the same kind, which ends the call with the reason."""
    status = grpc.StatusCode.PERMISSION_DENIED if denied.known else grpc.StatusCode.UNAUTHENTICATED
    text = str(denied)

    async def answer(_: Any, context: _Context) -> None:  # noqa: ANN401  # request or stream
        await context.abort(status, text)

    async def stream(_: Any, context: _Context) -> AsyncIterator[Any]:  # noqa: ANN401  # as above
        await context.abort(status, text)
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
