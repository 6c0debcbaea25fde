"""A wire between a bot and its arena, on loopback, that a test can cut or let go dead."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Wire", "wired"]


class Wire:
    """Carries bytes both ways until it is cut; connections made later are carried again.

    Attributes:
        address: Where to dial instead of the arena.
        connections: How many there have been.
    """

    def __init__(self, arena: str) -> None:
        host, _, port = arena.rpartition(":")
        self.address = ""
        self.connections = 0
        self._arena = (host, int(port))
        self._writers: list[asyncio.StreamWriter] = []
        self._pipes: set[asyncio.Task[None]] = set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries one connection."""
        self.connections += 1
        there, back = await asyncio.open_connection(*self._arena)
        self._writers += [writer, back]
        for source, sink in ((reader, back), (there, writer)):
            pipe = asyncio.create_task(_pipe(source, sink))
            self._pipes.add(pipe)
            pipe.add_done_callback(self._pipes.discard)

    def cut(self) -> None:
        """Cuts every connection at once, with whatever is on its way."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def go_dead(self) -> None:
        """Carries nothing more on the connections that there are, and closes none of them."""
        for pipe in self._pipes:
            pipe.cancel()

    async def end(self) -> None:
        """Cuts for the last time."""
        self.cut()
        await asyncio.gather(*self._pipes, return_exceptions=True)


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    except OSError:
        pass
    sink.close()


@asynccontextmanager
async def wired(arena: str) -> AsyncIterator[Wire]:
    """Yields a wire to an arena."""
    wire = Wire(arena)
    server = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    wire.address = f"{host}:{port}"
    try:
        yield wire
    finally:
        server.close()
        await wire.end()
