"""Owns what protects the way to the arena: TLS, and the rule that only loopback goes without.

Must not know what is said on the way.
"""

import ipaddress
import socket
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import grpc

__all__ = ["ServerTls", "TlsError", "is_loopback", "load_server_tls"]


class TlsError(Exception):
    """TLS cannot be set up as asked; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTls:
    """What the arena proves itself with, and whom it lets prove himself."""

    certificate: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None
    """Callers need a certificate of it, beside their token; None: the token is enough."""

    def credentials(self) -> grpc.ServerCredentials:
        """Returns what gRPC takes."""
        return grpc.ssl_server_credentials(
            [(self.key, self.certificate)],
            root_certificates=self.client_ca,
            require_client_auth=self.client_ca is not None,
        )


def load_server_tls(certificate: Path, key: Path, client_ca: Path | None = None) -> ServerTls:
    """Returns the TLS of these PEM files.

    Args:
        certificate: The arena's certificate, followed by those between it and its CA.
        key: Its key.
        client_ca: The certificates of those who vouch for callers.

    Raises:
        TlsError: A file cannot be read or holds something else, or the key does not fit.
    """
    parts = [_read(path) for path in (certificate, key)]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def no_password() -> NoReturn:
        raise TlsError(f"the key in {key} is encrypted; the arena needs one without a password")

    try:
        context.load_cert_chain(certificate, key, no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise TlsError(
                f"the key in {key} does not belong to the certificate in {certificate}"
            ) from None
        raise TlsError(
            f"{certificate} and {key} must hold a certificate and its key as PEM text "
            f"({_reason(error)})"
        ) from None
    if client_ca is None:
        return ServerTls(certificate=parts[0], key=parts[1], client_ca=None)
    authority = _read(client_ca)
    try:
        context.load_verify_locations(client_ca)
    except ssl.SSLError as error:
        raise TlsError(
            f"{client_ca} must hold the certificates of a CA as PEM text ({_reason(error)})"
        ) from None
    return ServerTls(certificate=parts[0], key=parts[1], client_ca=authority)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TlsError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "no PEM text").lower().replace("_", " ")


def is_loopback(host: str) -> bool:
    """Returns whether what listens at a host can be reached from this machine only."""
    bare = host.strip("[]")
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        pass
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(bare or None, None)} if bare else set()
    except (OSError, UnicodeError):  # the latter where it can be no host's name, as 127..0.0.1
        return False
    return bool(found) and all(ipaddress.ip_address(address).is_loopback for address in found)
