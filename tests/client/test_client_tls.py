"""Promises about a bot's connection over TLS: it is protected, or the bot says what to mend."""

from pathlib import Path

import grpc
import pytest
from certificates import Certificates, make_certificates
from fake_arena import TOKEN, Peer, fake_arena

from euchre_arena import Bot, SetupError
from euchre_arena.bot import FunctionBot
from euchre_arena.dial import Address, play
from euchre_arena.events import Goodbye, GoodbyeReason
from euchre_arena.matches import MatchClient
from euchre_arena.redial import Redial
from euchre_arena.session import Introduction
from euchre_arena.tls import Tls, tls_from

LOCKED = """\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgO+9b9o3lYFAICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJqLeGE9438EcWOqpAWVc7EEgZDa
TFKYUegaY64l2LcGreaOp9xFw8g2VmeOlLH37eeQvUR607WBIZLfhEWvlfEriLQg
WdPXB4G2vGWQpJotP080zws2oppILJmI3xAE5m9LHcnhqo80Xg9xzb2gKoZO5m2y
eBkG3J+HbpWomWW7MOgoC1XlHe/am/dzVNjBApMqkBAF9tSeyhWXBAjBX09x9Pw=
-----END ENCRYPTED PRIVATE KEY-----
"""
"""A key that needs a password."""


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns the certificates of an arena and a bot, of one CA."""
    return make_certificates(tmp_path_factory.mktemp("mine"))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns those of another CA, for an arena of another name."""
    return make_certificates(tmp_path_factory.mktemp("other"), names="DNS:elsewhere.example")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes away what the environment says of TLS."""
    for name in ("CA", "CERT", "KEY"):
        monkeypatch.delenv(f"EUCHRE_ARENA_TLS_{name}", raising=False)


def credentials(files: Certificates, client_ca: Path | None = None) -> grpc.ServerCredentials:
    """Returns what an arena listens with."""
    return grpc.ssl_server_credentials(
        [(files.arena_key.read_bytes(), files.arena_pem.read_bytes())],
        root_certificates=client_ca.read_bytes() if client_ca else None,
        require_client_auth=client_ca is not None,
    )


async def greet(peer: Peer) -> None:
    """Says welcome and goodbye."""
    await peer.welcome()
    await peer.say_goodbye()


async def dial(server: str, tls: Tls | None, *, within_s: float = 10.0) -> Goodbye:
    """Dials once, as a bot does."""
    bot: Bot = FunctionBot(lambda decision: decision.legal[0])
    address = Address(server=server, token=TOKEN, dial_timeout_s=within_s, tls=tls)
    return await play(bot, address, Introduction(bot_name="ann"), redial=Redial(within_s=0))


def trusting(ca: Path, certificate: Path | None = None, key: Path | None = None) -> Tls | None:
    """Returns the TLS of a bot with these files."""
    return tls_from(ca=ca, certificate=certificate, key=key)


async def test_a_bot_plays_over_tls(mine: Certificates) -> None:
    """With the arena's CA the connection stands."""
    async with fake_arena(greet, credentials(mine)) as server:
        goodbye = await dial(server, trusting(mine.ca_pem))

    assert GoodbyeReason.DONE is goodbye.reason


async def test_a_bot_plays_over_mutual_tls(mine: Certificates) -> None:
    """Where the arena asks for a certificate, the bot shows its own."""
    async with fake_arena(greet, credentials(mine, mine.ca_pem)) as server:
        goodbye = await dial(server, trusting(mine.ca_pem, mine.ada_pem, mine.ada_key))

    assert GoodbyeReason.DONE is goodbye.reason


async def test_the_wrong_ca_is_told_at_once(mine: Certificates, other: Certificates) -> None:
    """Not a bare UNAVAILABLE after ten seconds, but what to check."""
    async with fake_arena(greet, credentials(mine)) as server:
        with pytest.raises(
            SetupError,
            match=rf"the TLS handshake with {server} failed: check that EUCHRE_ARENA_TLS_CA names",
        ):
            await dial(server, trusting(other.ca_pem))


async def test_a_certificate_for_another_host_is_told(other: Certificates) -> None:
    """An arena that cannot prove to be where it was dialled is not played with."""
    async with fake_arena(greet, credentials(other)) as server:
        with pytest.raises(SetupError, match=r"arena's certificate is not for '127\.0\.0\.1'"):
            await dial(server, trusting(other.ca_pem))


async def test_an_arena_without_tls_is_told(mine: Certificates) -> None:
    """Who dials with TLS where there is none learns that."""
    async with fake_arena(greet) as server:
        with pytest.raises(SetupError, match=f"the arena at {server} does not speak TLS; leave"):
            await dial(server, trusting(mine.ca_pem))


async def test_an_arena_with_tls_is_guessed(mine: Certificates) -> None:
    """Who dials without TLS where there is some is told what may be missing."""
    async with fake_arena(greet, credentials(mine)) as server:
        with pytest.raises(SetupError, match="if it speaks TLS, set EUCHRE_ARENA_TLS_CA"):
            await dial(server, None, within_s=1)


async def test_a_missing_certificate_is_guessed(mine: Certificates) -> None:
    """Who shows no certificate where one is asked for is told which variables name it."""
    async with fake_arena(greet, credentials(mine, mine.ca_pem)) as server:
        with pytest.raises(SetupError, match=r"may ask for a certificate, \w+TLS_CERT and \w+_KEY"):
            await dial(server, trusting(mine.ca_pem), within_s=1)


async def test_a_foreign_certificate_is_guessed(mine: Certificates, other: Certificates) -> None:
    """Who shows one of another CA is told what to check."""
    async with fake_arena(greet, credentials(mine, mine.ca_pem)) as server:
        with pytest.raises(SetupError, match="check that its CA for bots made what"):
            await dial(server, trusting(mine.ca_pem, other.ada_pem, other.ada_key), within_s=1)


async def test_a_socket_of_this_machine_needs_no_tls(mine: Certificates, tmp_path: Path) -> None:
    """A bot that the arena starts dials a Unix socket, whatever the environment says of TLS."""
    with pytest.raises(SetupError, match=r"no arena answered at unix:.*; dialled .* within 0.1 s$"):
        await dial(f"unix:{tmp_path}/no.sock", trusting(mine.ca_pem), within_s=0.1)


def test_the_environment_says_it_too(mine: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not given is taken from there; without any of it there is no TLS."""
    nothing = tls_from(ca=None, certificate=None, key=None)
    for name, path in (("CA", mine.ca_pem), ("CERT", mine.ada_pem), ("KEY", mine.ada_key)):
        monkeypatch.setenv(f"EUCHRE_ARENA_TLS_{name}", str(path))

    assert None is nothing
    assert Tls(
        ca=mine.ca_pem.read_bytes(),
        certificate=mine.ada_pem.read_bytes(),
        key=mine.ada_key.read_bytes(),
    ) == tls_from(ca=None, certificate=None, key=None)
    assert Tls(ca=None) == tls_from(ca="public", certificate="", key="")


def test_the_key_is_not_shown(mine: Certificates) -> None:
    """C-45: it is in no text made of the settings or the address."""
    tls = trusting(mine.ca_pem, mine.ada_pem, mine.ada_key)

    assert "PRIVATE" not in repr(tls) + repr(Address(server="a:1", token=TOKEN, tls=tls))


@pytest.mark.parametrize(
    ("ca", "certificate", "key", "sentence"),
    [
        (None, "ada.pem", "ada.key", "EUCHRE_ARENA_TLS_CA is not set; it names a file"),
        ("ca.pem", "ada.pem", None, "TLS_CERT and EUCHRE_ARENA_TLS_KEY must be set together"),
        ("ca.pem", None, "ada.key", "TLS_CERT and EUCHRE_ARENA_TLS_KEY must be set together"),
        ("no.pem", None, None, r"cannot read .*no.pem, which \w+_CA names: no such file"),
        ("ca.key", None, None, r"ca.key, which \w+_CA names, holds no certificate"),
        ("ca.pem", "no.pem", "ada.key", r"cannot read .*no.pem, which \w+_CERT names"),
        ("ca.pem", "ada.pem", "no.key", r"cannot read .*no.key, which \w+_KEY names"),
        ("ca.pem", "ada.pem", "arena.key", "does not belong to the certificate in .*ada.pem"),
        ("ca.pem", "ada.key", "ada.key", "must hold a certificate and its key"),
        ("ca.pem", "ada.pem", "locked.key", "is encrypted; a bot needs one without a password"),
    ],
)
def test_files_that_do_not_do_are_told(
    mine: Certificates, ca: str | None, certificate: str | None, key: str | None, sentence: str
) -> None:
    """What is wrong is found before anything is dialled, and named."""
    (mine.folder / "locked.key").write_text(LOCKED)
    paths = [None if name is None else str(mine.folder / name) for name in (ca, certificate, key)]

    with pytest.raises(SetupError, match=sentence):
        tls_from(ca=paths[0], certificate=paths[1], key=paths[2])


async def test_an_operator_learns_it_too(mine: Certificates, other: Certificates) -> None:
    """Who manages matches is told of the wrong CA as a bot is."""
    async with fake_arena(greet, credentials(mine)) as server:
        client = MatchClient(Address(server=server, token=TOKEN, tls=trusting(other.ca_pem)))
        with pytest.raises(SetupError, match=f"the TLS handshake with {server} failed: check"):
            async with client:
                pytest.fail("there is no connection")
