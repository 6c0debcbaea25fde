"""Owns one try at a connection, and the sentence for why it did not come about.

gRPC says only UNAVAILABLE, whatever the reason. Here what another try may mend is told apart from
what it cannot. Must not know sessions, nor how long to wait between two tries: `redial` does.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import grpc
import grpc.aio

from euchre_arena.errors import SetupError
from euchre_arena.redial import Patience
from euchre_arena.tls import CA_VARIABLE, CERT_VARIABLE, KEY_VARIABLE, Tls, open_channel

__all__ = ["CutError", "connected", "reach"]

_READY: Final = grpc.ChannelConnectivity.READY
_FAILED: Final = grpc.ChannelConnectivity.TRANSIENT_FAILURE
_PROBE: Final = "/grpc.health.v1.Health/Check"
_PROBE_WITHIN_S: Final = 2.0
_NO_HOST: Final = ("Misformatted domain name", "Unparsable name")


class CutError(Exception):
    """There is no connection, or it ended without a goodbye: worth dialling again."""


async def reach(
    channel: grpc.aio.Channel, server: str, tls: Tls | None, *, within_s: float
) -> None:
    """Waits until a channel is connected; where it is refused, for no longer.

    Raises:
        CutError: Nobody is there. The channel is of no use any more, another may be.
        SetupError: Whatever is there is no arena, or TLS is at fault.
    """
    try:
        async with asyncio.timeout(within_s):
            while (state := channel.get_state(try_to_connect=True)) is not _READY:
                if state is _FAILED:
                    failure = await _failure_of(channel)
                    if fault := _lasting_fault(failure, server):
                        raise SetupError(fault)
                    raise CutError(f"no arena answered at {server}{_reason(failure, tls)}")
                await channel.wait_for_state_change(state)
    except TimeoutError:
        raise CutError(f"no arena answered at {server} in time") from None


async def connected(
    server: str, tls: Tls | None, options: Sequence[tuple[str, Any]], *, patience: Patience
) -> grpc.aio.Channel:
    """Returns a channel that is connected, dialled again and again for as long as patience lasts.

    Raises:
        SetupError: There is none in time, or dialling again would not help.
    """
    loop = asyncio.get_running_loop()
    while True:
        began = loop.time()
        channel = open_channel(server, tls, options)
        try:
            await reach(channel, server, tls, within_s=patience.for_one_try_s)
        except CutError as error:
            await channel.close()
            patience.spend(loop.time() - began)
            delay_s = patience.next_delay_s()
            if delay_s is None:
                raise SetupError(f"{error}; {patience.told()}") from None
            await asyncio.sleep(delay_s)
        except BaseException:
            await channel.close()
            raise
        else:
            return channel


async def _failure_of(channel: grpc.aio.Channel) -> str:
    """Returns what gRPC knows of why a channel could not connect; empty where it knows nothing."""
    probe: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_PROBE)
    try:
        await probe(b"", timeout=_PROBE_WITHIN_S)
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            return error.details() or ""
    return ""


def _lasting_fault(failure: str, server: str) -> str | None:
    """Returns a sentence about a failure that dialling again will not mend; None for another."""
    host = server.rpartition(":")[0]
    if any(fragment in failure for fragment in _NO_HOST):
        return f"{host!r} cannot be the name of a host; write HOST:PORT, such as 127.0.0.1:50051"
    if "http1.x server" in failure:
        return f"{server} is no Euchre arena: it speaks HTTP/1, as web servers do, and not gRPC"
    if "WRONG_VERSION_NUMBER" in failure:
        return f"the arena at {server} does not speak TLS; leave {CA_VARIABLE} unset"
    if "Hostname Verification" in failure:
        return (
            f"the TLS handshake with {server} failed: the arena's certificate is not for {host!r}; "
            "dial it by a name that is in there"
        )
    if "handshake failed" in failure:
        return (
            f"the TLS handshake with {server} failed: check that {CA_VARIABLE} names the "
            "certificate of whoever vouches for the arena"
        )
    return None


def _reason(failure: str, tls: Tls | None) -> str:
    """Returns the end of gRPC's sentence, which has the reason, and what to look at."""
    reason = failure.rpartition(": ")[2].strip(" ]")
    said = f" ({reason[:1].lower()}{reason[1:]})" if reason else ""
    if "Socket closed" not in failure:
        return said
    if tls is None:
        return f"{said}; it closes every connection: if it speaks TLS, set {CA_VARIABLE}"
    if tls.certificate is None:
        return (
            f"{said}; it closes every connection: it may ask for a certificate, {CERT_VARIABLE} "
            f"and {KEY_VARIABLE}"
        )
    return (
        f"{said}; it closes every connection: check that its CA for bots made what "
        f"{CERT_VARIABLE} names"
    )
