"""Owns requests that cannot be read: they are refused, where gRPC would print its own error.

Frames of a session are read by `wire`, which tells the bot; this is about all other calls.
Must not know what any call means.
"""

from collections.abc import AsyncIterator, Callable
from inspect import isasyncgenfunction
from typing import Any, TypeAlias

import grpc

from euchre_server.session.refusal import Reason, refuse

__all__ = ["careful"]

_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
_Context = grpc.aio.ServicerContext[Any, Any]


def careful(handler: _Handler) -> _Handler:
    """Returns a handler that refuses requests which are no message of the call's."""
    read = handler.request_deserializer
    if read is None:
        return handler
    writes = handler.response_serializer
    if handler.request_streaming:
        if not isasyncgenfunction(handler.stream_stream):
            return handler  # none is served
        both = _streamed(handler.stream_stream, read)
        return grpc.stream_stream_rpc_method_handler(both, response_serializer=writes)
    if handler.response_streaming:
        yields = isasyncgenfunction(handler.unary_stream)
        many = (_many if yields else _one)(handler.unary_stream, read)
        return grpc.unary_stream_rpc_method_handler(many, response_serializer=writes)
    one = _one(handler.unary_unary, read)
    return grpc.unary_unary_rpc_method_handler(one, response_serializer=writes)


async def _read(data: bytes, read: Callable[[bytes], Any], context: _Context) -> Any:  # noqa: ANN401  # a message
    try:
        return read(data)
    except Exception:  # noqa: BLE001  # whatever it is, the request is not readable
        await refuse(
            context,
            grpc.StatusCode.INVALID_ARGUMENT,
            Reason.UNREADABLE,
            "the request is no message of this call's",
        )


def _one(answer: Any, read: Callable[[bytes], Any]) -> Any:  # noqa: ANN401  # as gRPC has it
    async def behaviour(data: bytes, context: _Context) -> Any:  # noqa: ANN401  # a message
        return await answer(await _read(data, read, context), context)

    return behaviour


def _many(answers: Any, read: Callable[[bytes], Any]) -> Any:  # noqa: ANN401  # as gRPC has it
    async def behaviour(data: bytes, context: _Context) -> AsyncIterator[Any]:
        async for answer in answers(await _read(data, read, context), context):
            yield answer

    return behaviour


def _streamed(answers: Any, read: Callable[[bytes], Any]) -> Any:  # noqa: ANN401  # as gRPC has it
    async def requests(frames: AsyncIterator[bytes], context: _Context) -> AsyncIterator[Any]:
        async for data in frames:
            yield await _read(data, read, context)

    async def behaviour(frames: AsyncIterator[bytes], context: _Context) -> AsyncIterator[Any]:
        async for answer in answers(requests(frames, context), context):
            yield answer

    return behaviour
