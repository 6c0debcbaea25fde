"""An arena's certificate is renewed under way: who connects later gets what the files hold then."""

import asyncio
import shutil
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from certificates import Certificates, make_certificates
from session_fakes import capturing_logger
from structlog.testing import LogCapture

from euchre_server.session import ArenaServer, load_server_tls


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns the certificates that an arena begins with."""
    return make_certificates(tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns those that come in their place, of a CA of their own."""
    return make_certificates(tmp_path_factory.mktemp("second"))


class _Arena:
    """An arena whose certificate and key are copies, to be replaced."""

    def __init__(self, folder: Path, address: str, logs: LogCapture) -> None:
        self.folder = folder
        self.address = address
        self._logs = logs

    def told(self) -> list[str]:
        """Returns the events about certificates."""
        return [line["event"] for line in self._logs.entries if "certificate" in line["event"]]

    async def shown(self, own: Certificates | None = None) -> bytes:
        """Returns the certificate that somebody meets who connects now; none if he is refused."""
        return await asyncio.to_thread(self._handshake, own)

    def _handshake(self, own: Certificates | None) -> bytes:
        context = _trusting_anybody()
        if own is not None:
            context.load_cert_chain(own.ada_pem, own.ada_key)
        host, _, port = self.address.rpartition(":")
        with (
            socket.create_connection((host, int(port)), timeout=30) as plain,
            context.wrap_socket(plain) as connection,
        ):
            met = connection.getpeercert(binary_form=True) or b""
            try:
                word = connection.recv(1)  # the server's first, which it has for whom it lets in
            except (ssl.SSLError, ConnectionError):
                word = b""
            return met if word else b""


def _put(folder: Path, **files: Path) -> None:
    """Puts files in place as whole ones, `arena_pem` as arena.pem."""
    for name, source in files.items():
        new = folder / "new"
        shutil.copy(source, new)
        new.rename(folder / name.replace("_", "."))


@asynccontextmanager
async def _serving(
    folder: Path, files: Certificates, *, mutual: bool = False
) -> AsyncIterator[_Arena]:
    _put(folder, arena_pem=files.arena_pem, arena_key=files.arena_key, ca_pem=files.ca_pem)
    paths = [folder / name for name in ("arena.pem", "arena.key", "ca.pem")]
    logger, logs = capturing_logger()
    server = ArenaServer(instance_id="arena", logger=logger)
    address = await server.start(tls=load_server_tls(*paths[: 3 if mutual else 2]))
    try:
        yield _Arena(folder, address, logs)
    finally:
        await server.stop(0)


def _certificate(files: Certificates) -> bytes:
    return ssl.PEM_cert_to_DER_cert(files.arena_pem.read_text())


async def test_who_connects_later_meets_the_new_certificate(
    tmp_path: Path, first: Certificates, second: Certificates
) -> None:
    """Nothing is restarted, and nobody has to be told."""
    async with _serving(tmp_path, first) as arena:
        before = [await arena.shown(), await arena.shown()]
        _put(tmp_path, arena_pem=second.arena_pem, arena_key=second.arena_key)
        after = [await arena.shown(), await arena.shown()]

        assert [_certificate(first)] * 2 == before
        assert [_certificate(second)] * 2 == after
        assert ["certificate renewed"] == arena.told()


@pytest.mark.parametrize("how", ["halfway", "rubbish", "removed"])
async def test_files_that_will_not_do_change_nothing(
    tmp_path: Path, first: Certificates, second: Certificates, how: str
) -> None:
    """The old pair stays in force and the reason is told once; then the right files are taken."""
    async with _serving(tmp_path, first) as arena:
        match how:
            case "halfway":
                _put(tmp_path, arena_pem=second.arena_pem)
            case "rubbish":
                (tmp_path / "arena.pem").write_text("no certificate")
            case _:
                (tmp_path / "arena.key").unlink()
        meanwhile = [await arena.shown(), await arena.shown()]
        told = arena.told()
        _put(tmp_path, arena_pem=second.arena_pem, arena_key=second.arena_key)

        assert [_certificate(first)] * 2 == meanwhile
        assert ["certificate not renewed"] == told
        assert _certificate(second) == await arena.shown()
        assert ["certificate not renewed", "certificate renewed"] == arena.told()


async def test_the_authority_of_clients_is_renewed_too(
    tmp_path: Path, first: Certificates, second: Certificates
) -> None:
    """Whose certificate was good is refused afterwards, and the other way round."""
    async with _serving(tmp_path, first, mutual=True) as arena:
        assert _certificate(first) == await arena.shown(first)
        _put(tmp_path, ca_pem=second.ca_pem)

        assert [_certificate(first), b""] == [await arena.shown(second), await arena.shown(first)]


async def test_open_connections_stay(
    tmp_path: Path, first: Certificates, second: Certificates
) -> None:
    """A connection that stood before goes on under the certificate that it began with."""
    async with _serving(tmp_path, first) as arena:
        reading, writing = await asyncio.open_connection(
            *arena.address.split(":"), ssl=_trusting_anybody(), server_hostname="localhost"
        )
        writing.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
        assert await reading.read(1)
        _put(tmp_path, arena_pem=second.arena_pem, arena_key=second.arena_key)
        assert _certificate(second) == await arena.shown()

        writing.write(b"\0\0\x08\6\0\0\0\0\0" + b"question")  # a ping
        answer = b""
        async with asyncio.timeout(30):
            while b"question" not in answer:
                answer += await reading.read(1 << 16)
        writing.close()


def _trusting_anybody() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context
