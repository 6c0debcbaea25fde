"""A bare grpc.aio echo: the least that a stream of questions and answers can cost on this machine.

    python tests/bench/echo.py serve DOWN_BYTES          prints its address, serves until stdin ends
    python tests/bench/echo.py dial ADDRESS UP_BYTES SECONDS    prints its round trips a second

Each message a client writes is answered by one of the size of a question. No protobuf, no rules.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator

import grpc.aio

METHOD = "/echo.Echo/Run"
WARM_UP_S = 0.5


async def serve(down: int) -> None:
    """Serves on a free port of loopback."""
    reply = b"q" * down

    async def run(
        requests: AsyncIterator[bytes], _: grpc.aio.ServicerContext[bytes, bytes]
    ) -> AsyncIterator[bytes]:
        async for _request in requests:
            yield reply

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(run)
    service = grpc.method_handlers_generic_handler("echo.Echo", {"Run": handler})
    server.add_generic_rpc_handlers((service,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)  # noqa: T201  # the parent reads it
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await server.stop(None)


async def dial(address: str, up: int, seconds: float) -> None:
    """Sends one message after the other, each when the last was answered."""
    message = b"a" * up
    async with grpc.aio.insecure_channel(address) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(METHOD)(
            wait_for_ready=True
        )

        async def round_trips(seconds: float) -> int:
            count = 0
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                await call.write(message)
                await call.read()
                count += 1
            return count

        await round_trips(WARM_UP_S)
        print(await round_trips(seconds) / seconds, flush=True)  # noqa: T201  # the parent reads it
        await call.done_writing()


def main() -> None:
    """Runs one side."""
    match sys.argv[1:]:
        case ["serve", down]:
            asyncio.run(serve(int(down)))
        case ["dial", address, up, seconds]:
            asyncio.run(dial(address, int(up), float(seconds)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
