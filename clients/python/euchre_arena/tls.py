"""Owns what protects the connection: whom the bot trusts, and what it proves itself with.

Must not know why a connection does not come about, nor when to try again: `reach` and `redial` do.
"""

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

__all__ = ["CA_VARIABLE", "CERT_VARIABLE", "KEY_VARIABLE", "Tls", "open_channel", "tls_from"]

CA_VARIABLE: Final = "EUCHRE_ARENA_TLS_CA"
CERT_VARIABLE: Final = "EUCHRE_ARENA_TLS_CERT"
KEY_VARIABLE: Final = "EUCHRE_ARENA_TLS_KEY"
_PUBLIC: Final = "public"


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
        for given, name in ((ca, CA_VARIABLE), (certificate, CERT_VARIABLE), (key, KEY_VARIABLE))
    ]
    if not any(paths):
        return None
    trusted, proof, proof_key = paths
    if not trusted:
        raise SetupError(
            f"{CA_VARIABLE} is not set; it names a file with the certificate of whoever vouches "
            f"for the arena, or is {_PUBLIC!r} for the well-known ones"
        )
    if bool(proof) != bool(proof_key):
        raise SetupError(
            f"{CERT_VARIABLE} and {KEY_VARIABLE} must be set together, or neither of them"
        )
    return Tls(
        ca=None if trusted == _PUBLIC else _authority(trusted),
        certificate=_read(CERT_VARIABLE, proof) if proof else None,
        key=_key(proof, proof_key) if proof else None,
    )


def _read(name: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise SetupError(f"cannot read {path}, which {name} names: {why}") from None


def _authority(path: str) -> bytes:
    text = _read(CA_VARIABLE, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError:
        raise SetupError(
            f"{path}, which {CA_VARIABLE} names, holds no certificate as PEM text"
        ) from None
    return text


def _key(certificate: str, key: str) -> bytes:
    """Returns a key that belongs to a certificate."""
    text = _read(KEY_VARIABLE, key)

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
