"""Owns what protects the way to the arena: TLS, and the rule that only loopback goes without.

Must not know what is said on the way.
"""

import ipaddress
import socket
import ssl
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import grpc
from structlog.typing import FilteringBoundLogger

__all__ = ["ServerTls", "TlsError", "is_loopback", "load_server_tls"]


_Stamps = tuple[tuple[int, ...], ...]


class TlsError(Exception):
    """TLS cannot be set up as asked; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pem:
    """What the files hold."""

    certificate: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        """Returns what gRPC takes."""
        return grpc.ssl_server_certificate_configuration(
            [(self.key, self.certificate)], root_certificates=self.client_ca
        )


class ServerTls:
    """What the arena proves itself with, and whom it lets prove himself: files that are renewed."""

    def __init__(self, certificate: Path, key: Path, client_ca: Path | None) -> None:
        """Reads the files; use `load_server_tls`."""
        self._certificate = certificate
        self._key = key
        self._client_ca = client_ca
        self._reading = threading.Lock()
        self._seen: _Stamps | None = self._stamps()
        self._first = self._read()

    def credentials(self, log: FilteringBoundLogger) -> grpc.ServerCredentials:
        """Returns what gRPC takes; whoever connects later gets what the files hold by then.

        Args:
            log: Where it is told that they have changed.
        """
        return grpc.dynamic_ssl_server_credentials(
            self._first.configuration(),
            lambda: self._renewed(log),  # type: ignore[arg-type,return-value]  # None: no change
            require_client_authentication=self._client_ca is not None,
        )

    def _renewed(self, log: FilteringBoundLogger) -> grpc.ServerCertificateConfiguration | None:
        """Returns what the files hold if they have changed and will do, else None.

        gRPC asks before each handshake, in threads of its own.
        """
        with self._reading:
            seen = self._stamps()
            if seen == self._seen:
                return None
            read: _Pem | TlsError | OSError
            try:
                read = self._read()
            except (TlsError, OSError) as error:  # the latter where one has just gone
                read = error
            if self._stamps() != seen:  # somebody writes them just now
                self._seen = None
                return None
            self._seen = seen
        if isinstance(read, _Pem):
            log.info("certificate renewed", certificate=str(self._certificate))
            return read.configuration()
        log.warning("certificate not renewed", error=str(read))
        return None

    def _stamps(self) -> _Stamps:
        """Returns what tells one state of the files from another."""
        return tuple(
            map(_stamp, filter(None, (self._certificate, self._key, self._client_ca))),
        )

    def _read(self) -> _Pem:
        certificate, key, client_ca = self._certificate, self._key, self._client_ca
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
            return _Pem(certificate=parts[0], key=parts[1], client_ca=None)
        authority = _read(client_ca)
        try:
            context.load_verify_locations(client_ca)
        except ssl.SSLError as error:
            raise TlsError(
                f"{client_ca} must hold the certificates of a CA as PEM text ({_reason(error)})"
            ) from None
        return _Pem(certificate=parts[0], key=parts[1], client_ca=authority)


def load_server_tls(certificate: Path, key: Path, client_ca: Path | None = None) -> ServerTls:
    """Returns the TLS of these PEM files.

    Args:
        certificate: The arena's certificate, followed by those between it and its CA.
        key: Its key.
        client_ca: The certificates of those who vouch for callers, who need one of them beside
            their token; None: the token is enough.

    Raises:
        TlsError: A file cannot be read or holds something else, or the key does not fit.
    """
    return ServerTls(certificate, key, client_ca)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TlsError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()  # reading it will say why
    return found.st_mtime_ns, found.st_size, found.st_ino


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
