"""Owns what protects the connection: whom the bot trusts, and what it proves itself with.

Also why a connection does not come about where TLS is the reason: gRPC says only UNAVAILABLE.
"""

import asyncio
import os
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import grpc
import grpc.aio

from euchre_arena.errors import SetupError

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["Tls", "open_channel", "reach", "tls_from"]

_CA, _CERT, _KEY = "EUCHRE_ARENA_TLS_CA", "EUCHRE_ARENA_TLS_CERT", "EUCHRE_ARENA_TLS_KEY"
_READY: Final = grpc.ChannelConnectivity.READY
_FAILED: Final = grpc.ChannelConnectivity.TRANSIENT_FAILURE
_PUBLIC: Final = "public"
_PROBE: Final = "/grpc.health.v1.Health/Check"
_PROBE_WITHIN_S: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """What a connection is protected with.

    Attributes:
        ca: Who vouches for the arena, as PEM text; None for the well-known CAs.
        certificate: What the bot proves itself with, where the arena asks for that.
        key: Its key; never shown.
    """

    ca: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = field(default=None, repr=False)


def tls_from(
    *,
    ca: "str | PathLike[str] | None",
    certificate: "str | PathLike[str] | None",
    key: "str | PathLike[str] | None",
) -> Tls | None:
    """Returns the TLS of these files, with what is not given taken from the environment.

    None where there is nothing of it: the connection is not protected then.

    Raises:
        SetupError: A file is missing or holds something else, or the parts do not fit together.
    """
    paths = [
        os.fspath(given) if given is not None else os.environ.get(name, "")
        for given, name in ((ca, _CA), (certificate, _CERT), (key, _KEY))
    ]
    if not any(paths):
        return None
    trusted, proof, proof_key = paths
    if not trusted:
        raise SetupError(
            f"{_CA} is not set; it names a file with the certificate of whoever vouches for the "
            f"arena, or is {_PUBLIC!r} for the well-known ones"
        )
    if bool(proof) != bool(proof_key):
        raise SetupError(f"{_CERT} and {_KEY} must be set together, or neither of them")
    return Tls(
        ca=None if trusted == _PUBLIC else _authority(trusted),
        certificate=_read(_CERT, proof) if proof else None,
        key=_key(proof, proof_key) if proof else None,
    )


def _read(name: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise SetupError(f"cannot read {path}, which {name} names: {why}") from None


def _authority(path: str) -> bytes:
    text = _read(_CA, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError:
        raise SetupError(f"{path}, which {_CA} names, holds no certificate as PEM text") from None
    return text


def _key(certificate: str, key: str) -> bytes:
    """Returns a key that belongs to a certificate."""
    text = _read(_KEY, key)

    def no_password() -> NoReturn:
        raise SetupError(f"the key in {key} is encrypted; a bot needs one without a password")

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, key, no_password)
    except ssl.SSLError as error:
        raise SetupError(
            f"the key in {key} does not belong to the certificate in {certificate}"
            if error.reason == "KEY_VALUES_MISMATCH"
            else f"{certificate} and {key} must hold a certificate and its key as PEM text"
        ) from None
    return text


def open_channel(
    server: str, tls: Tls | None, options: Sequence[tuple[str, Any]]
) -> grpc.aio.Channel:
    """Returns a channel to an arena; one on this machine's own socket needs no TLS."""
    if tls is None or server.startswith("unix:"):
        return grpc.aio.insecure_channel(server, options=options)
    credentials = grpc.ssl_channel_credentials(tls.ca, tls.key, tls.certificate)
    return grpc.aio.secure_channel(server, credentials, options=options)


async def reach(
    channel: grpc.aio.Channel, server: str, tls: Tls | None, *, within_s: float
) -> None:
    """Waits until a channel is connected, for the first time.

    Raises:
        SetupError: It is not in time, or TLS is at fault.
    """
    failure = ""
    try:
        async with asyncio.timeout(within_s):
            while (state := channel.get_state(try_to_connect=True)) is not _READY:
                if state is _FAILED:
                    failure = await _failure_of(channel)
                    if fault := _handshake_fault(failure, server):
                        raise SetupError(fault)
                await channel.wait_for_state_change(state)
    except TimeoutError:
        hint = _closed_hint(failure, tls)
        raise SetupError(f"no arena answered at {server} within {within_s:g} s{hint}") from None


async def _failure_of(channel: grpc.aio.Channel) -> str:
    """Returns what gRPC knows of why a channel could not connect; empty where it knows nothing."""
    probe: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_PROBE)
    try:
        await probe(b"", timeout=_PROBE_WITHIN_S)
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            return error.details() or ""
    return ""


def _handshake_fault(failure: str, server: str) -> str | None:
    """Returns a sentence about a failure that dialling again will not mend; None for another."""
    host = server.rpartition(":")[0]
    if "WRONG_VERSION_NUMBER" in failure:
        return f"the arena at {server} does not speak TLS; leave {_CA} unset"
    if "Hostname Verification" in failure:
        return (
            f"the TLS handshake with {server} failed: the arena's certificate is not for {host!r}; "
            "dial it by a name that is in there"
        )
    if "handshake failed" in failure:
        return (
            f"the TLS handshake with {server} failed: check that {_CA} names the certificate of "
            "whoever vouches for the arena"
        )
    return None


def _closed_hint(failure: str, tls: Tls | None) -> str:
    """Returns what to look at where connections are taken and closed at once; empty elsewhere."""
    if "Socket closed" not in failure:
        return ""
    if tls is None:
        return f"; it closes every connection: if it speaks TLS, set {_CA}"
    if tls.certificate is None:
        return f"; it closes every connection: it may ask for a certificate, {_CERT} and {_KEY}"
    return f"; it closes every connection: check that its CA for bots made what {_CERT} names"
