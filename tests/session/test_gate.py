"""The one gate over gRPC on loopback: roles, health, reflection, TLS."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from certificates import Certificates, make_certificates
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub
from session_fakes import MemoryRecorder, RawBot, capturing_logger

from euchre_arena.v1.arena_service_pb2 import DESCRIPTOR, GOODBYE_REASON_FENCED
from euchre_server.session import (
    ArenaServer,
    Role,
    ServerTls,
    TlsError,
    TokenStore,
    Unprotected,
    current_caller,
    gate,
    is_loopback,
    load_server_tls,
)

ARENA = "euchre_arena.v1.ArenaService"
MATCHES = "euchre_arena.v1.MatchService"
REASONS = {
    grpc.StatusCode.UNAUTHENTICATED: "NO_TOKEN",
    grpc.StatusCode.PERMISSION_DENIED: "ROLE",
    grpc.StatusCode.UNIMPLEMENTED: "NO_CALL",
    grpc.StatusCode.UNAVAILABLE: None,
}
"""What a program reads of each refusal."""
EVERYWHERE = "0.0.0.0"  # noqa: S104  # to be refused, or for a moment, where tokens are needed
SERVING = HealthCheckResponse.SERVING

NOT_SERVING = HealthCheckResponse.NOT_SERVING


async def _whoami(_: bytes, __: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    """Answers with who called."""
    return f"{current_caller().name} {current_caller().role}".encode()


def _matches(more: asyncio.Event) -> Any:  # noqa: ANN401  # its type is not gRPC's public one
    """Returns a service of the name that matches are managed by."""

    async def follow(_: bytes, __: grpc.aio.ServicerContext[bytes, bytes]) -> AsyncIterator[bytes]:
        """Answers twice with who called."""
        yield current_caller().name.encode()
        await more.wait()
        yield current_caller().name.encode()

    handlers: dict[str, Any] = {
        "CreateMatch": grpc.unary_unary_rpc_method_handler(_whoami),
        "GetMatch": grpc.unary_unary_rpc_method_handler(_whoami),
        "WatchMatch": grpc.unary_stream_rpc_method_handler(follow),
        "Other": grpc.unary_unary_rpc_method_handler(_whoami),
    }
    return grpc.method_handlers_generic_handler(MATCHES, handlers)


class Arena:
    """A listening arena with a token of each role."""

    def __init__(self, folder: Path) -> None:
        store = TokenStore(folder)
        self.store = store
        self.tokens = {role: store.create(f"a-{role}", role).reveal() for role in Role}
        logger, self.logs = capturing_logger()
        self.server = ArenaServer(
            recorder=MemoryRecorder(), instance_id="i", logger=logger, tokens=store
        )
        self.more = asyncio.Event()
        """Set it for the second answer of WatchMatch."""
        self.address = ""
        self.channel = grpc.aio.insecure_channel("127.0.0.1:1")

    async def call(self, method: str, token: str | None) -> bytes:
        """Makes a call with a token and returns the answer."""
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        call: Any = self.channel.unary_unary(f"/{MATCHES}/{method}")
        answer: bytes = await call(b"", metadata=metadata, timeout=10)
        return answer

    async def refusal(self, method: str, token: str | None) -> tuple[str, str]:
        """Makes a call that is refused, and returns status and details."""
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await self.call(method, token)
        trailing = dict(caught.value.trailing_metadata() or ())
        assert REASONS[caught.value.code()] == trailing.get("euchre-arena-reason")
        return caught.value.code().name, caught.value.details() or ""


@asynccontextmanager
async def serving(folder: Path, **options: Any) -> AsyncIterator[Arena]:  # noqa: ANN401  # start's
    """Serves for the length of a test."""
    arena = Arena(folder)
    arena.address = await arena.server.start(services=[_matches(arena.more)], **options)
    await arena.channel.close()
    arena.channel = grpc.aio.insecure_channel(arena.address)
    try:
        yield arena
    finally:
        await arena.channel.close()
        await arena.server.stop(0.2)


async def test_each_role_gets_where_it_may(tmp_path: Path) -> None:
    """Who was let in is known to the handler, in single answers and in streams."""
    async with serving(tmp_path / "data") as arena:
        made = await arena.call("CreateMatch", arena.tokens[Role.OPERATOR])
        looked = await arena.call("GetMatch", arena.tokens[Role.ONLOOKER])
        watch: Any = arena.channel.unary_stream(f"/{MATCHES}/WatchMatch")
        metadata = (("authorization", f"Bearer {arena.tokens[Role.ONLOOKER]}"),)
        arena.more.set()
        watched = [message async for message in watch(b"", metadata=metadata, timeout=10)]

    assert [b"a-operator operator", b"a-onlooker onlooker"] == [made, looked]
    assert [b"a-onlooker"] * 2 == watched


async def test_the_wrong_role_is_told_the_right_one(tmp_path: Path) -> None:
    """PERMISSION_DENIED names the role that is needed; no other status fits a good token."""
    async with serving(tmp_path / "data") as arena:
        onlooker = await arena.refusal("CreateMatch", arena.tokens[Role.ONLOOKER])
        bot = await arena.refusal("GetMatch", arena.tokens[Role.BOT])
        other = await arena.refusal("Other", arena.tokens[Role.OPERATOR])
        player = RawBot(arena.address, arena.tokens[Role.OPERATOR])
        status = await player.status()
        await player.close()

    assert [
        (
            "PERMISSION_DENIED",
            "CreateMatch needs the role operator; this token has the role onlooker",
        ),
        (
            "PERMISSION_DENIED",
            "GetMatch needs the role operator or onlooker; this token has the role bot",
        ),
        ("PERMISSION_DENIED", "Other is open to no role; this token has the role operator"),
    ] == [onlooker, bot, other]
    assert grpc.StatusCode.PERMISSION_DENIED == status


async def test_without_a_token_nothing_is_let_through(tmp_path: Path) -> None:
    """No token and an unknown one: UNAUTHENTICATED, whatever is called; unknown calls too."""
    async with serving(tmp_path / "data") as arena:
        refusals = [
            await arena.refusal(method, token)
            for method in ("CreateMatch", "GetMatch", "Other")
            for token in (None, "wrong")
        ]
        missing = await arena.refusal("NoSuchCall", None)
        watch: Any = arena.channel.unary_stream(f"/{MATCHES}/WatchMatch")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await watch(b"", timeout=10).read()

    assert {"UNAUTHENTICATED"} == {code for code, _ in refusals}
    assert "UNIMPLEMENTED" == missing[0]
    assert grpc.StatusCode.UNAUTHENTICATED is caught.value.code()
    assert "wrong" not in repr(arena.logs.entries)
    assert {"call refused"} == {e["event"] for e in arena.logs.entries if "call" in e}


async def test_who_looks_on_is_told_nothing_once_the_token_is_revoked(tmp_path: Path) -> None:
    """An answer that lasts ends when it would have told more."""
    async with serving(tmp_path / "data") as arena:
        watch: Any = arena.channel.unary_stream(f"/{MATCHES}/WatchMatch")
        metadata = (("authorization", f"Bearer {arena.tokens[Role.ONLOOKER]}"),)
        watched = watch(b"", metadata=metadata, timeout=10)
        first = await watched.read()
        arena.store.revoke("a-onlooker")
        arena.more.set()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await watched.read()

    assert b"a-onlooker" == first
    assert grpc.StatusCode.UNAUTHENTICATED is caught.value.code()


async def test_who_waits_for_something_to_be_told_may_not_once_the_token_is_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that lasts ends although there is nothing to tell."""
    monkeypatch.setattr(gate, "LOOK_EVERY_S", 0.01)
    async with serving(tmp_path / "data") as arena:
        watch: Any = arena.channel.unary_stream(f"/{MATCHES}/WatchMatch")
        metadata = (("authorization", f"Bearer {arena.tokens[Role.ONLOOKER]}"),)
        watched = watch(b"", metadata=metadata, timeout=10)
        await watched.read()
        arena.store.revoke("a-onlooker")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await watched.read()

    assert not arena.more.is_set()
    assert grpc.StatusCode.UNAUTHENTICATED is caught.value.code()


async def test_a_stored_token_plays_under_its_own_name(tmp_path: Path) -> None:
    """Nobody has to expect it; a second session of it takes over; once revoked it comes no more."""
    async with serving(tmp_path / "data") as arena:
        first = RawBot(arena.address, arena.tokens[Role.BOT])
        await first.hello()
        welcome = await first.read_until("welcome")
        second = RawBot(arena.address, arena.tokens[Role.BOT])
        await second.hello()
        await second.read_until("welcome")
        goodbye = await first.read_until("goodbye")
        arena.store.revoke("a-bot")
        third = RawBot(arena.address, arena.tokens[Role.BOT])
        status = await third.status()
        for bot in (first, second, third):
            await bot.close()

    assert "a-bot" == welcome.welcome.bot_name
    assert GOODBYE_REASON_FENCED == goodbye.goodbye.reason
    assert grpc.StatusCode.UNAUTHENTICATED == status


async def test_tokens_that_cannot_be_read_let_nobody_in(tmp_path: Path) -> None:
    """A damaged file is told in the log once, and opens nothing."""
    async with serving(tmp_path / "data") as arena:
        arena.store.path.write_text("{")
        refusals = [await arena.refusal("GetMatch", arena.tokens[Role.OPERATOR]) for _ in range(2)]

    assert ["UNAUTHENTICATED"] * 2 == [code for code, _ in refusals]
    assert 1 == [e["event"] for e in arena.logs.entries].count("tokens cannot be read")


async def test_health_needs_no_token_and_tells_when_to_stay_away(tmp_path: Path) -> None:
    """SERVING as a whole and by service; once the arena drains, NOT_SERVING; watchers see it."""
    async with serving(tmp_path / "data") as arena:
        health: Any = HealthStub(arena.channel)
        names = ("", ARENA, MATCHES)
        before = [(await health.Check(HealthCheckRequest(service=name))).status for name in names]
        watch: Any = health.Watch(HealthCheckRequest(service=ARENA))
        seen = [(await watch.read()).status]
        await arena.server.not_serving()
        seen.append((await watch.read()).status)
        watch.cancel()
        after = [(await health.Check(HealthCheckRequest(service=name))).status for name in names]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await health.Check(HealthCheckRequest(service="other"))

    assert [SERVING] * 3 == before
    assert [SERVING, NOT_SERVING] == seen
    assert [NOT_SERVING] * 3 == after
    assert grpc.StatusCode.NOT_FOUND is caught.value.code()


async def test_reflection_shows_the_services_without_a_token(tmp_path: Path) -> None:
    """What a tool such as grpcurl asks for: the list of services, and the file of one."""
    async with serving(tmp_path / "data", reflection=True) as arena:
        stub: Any = ServerReflectionStub(cast("Any", arena.channel))
        requests = [
            ServerReflectionRequest(list_services=""),
            ServerReflectionRequest(file_containing_symbol=ARENA),
        ]
        answers: Any = stub.ServerReflectionInfo(iter(requests), timeout=10)
        listed, file = [answer async for answer in answers]

    assert {ARENA, MATCHES, "grpc.health.v1.Health"} < {
        service.name for service in listed.list_services_response.service
    }
    assert DESCRIPTOR.serialized_pb in file.file_descriptor_response.file_descriptor_proto


async def test_without_reflection_there_is_none(tmp_path: Path) -> None:
    """Where it is not asked for, the service does not exist."""
    async with serving(tmp_path / "data") as arena:
        stub: Any = ServerReflectionStub(cast("Any", arena.channel))
        answers: Any = stub.ServerReflectionInfo(
            iter([ServerReflectionRequest(list_services="")]), timeout=10
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await answers.read()

    assert grpc.StatusCode.UNIMPLEMENTED is caught.value.code()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns certificates for 127.0.0.1."""
    return make_certificates(tmp_path_factory.mktemp("tls"))


@pytest.mark.parametrize("mutual", [False, True])
async def test_over_tls_only_who_proves_himself_gets_in(
    tmp_path: Path, files: Certificates, *, mutual: bool
) -> None:
    """TLS protects every call; with a CA for clients a token alone is not enough."""
    tls = load_server_tls(files.arena_pem, files.arena_key, files.ca_pem if mutual else None)
    ca, key, certificate = (p.read_bytes() for p in (files.ca_pem, files.ada_key, files.ada_pem))
    got = []
    async with serving(tmp_path / "data", tls=tls) as arena:
        for credentials in (
            grpc.ssl_channel_credentials(ca),
            grpc.ssl_channel_credentials(ca, key, certificate),
        ):
            async with grpc.aio.secure_channel(arena.address, credentials) as channel:
                arena.channel, plain = channel, arena.channel
                try:
                    got.append(await arena.call("GetMatch", arena.tokens[Role.OPERATOR]))
                except grpc.aio.AioRpcError as error:
                    got.append(error.code().name.encode())
                arena.channel = plain
        refusal = await arena.refusal("GetMatch", arena.tokens[Role.OPERATOR])

    who = b"a-operator operator"
    assert [b"UNAVAILABLE" if mutual else who, who] == got
    assert "UNAVAILABLE" == refusal[0]


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "[::]", "", "no-such-host.invalid"])
async def test_beyond_loopback_tls_is_needed(tmp_path: Path, host: str) -> None:
    """The arena itself refuses, whoever starts it, and says what would be right."""
    arena = Arena(tmp_path / "data")
    await arena.channel.close()

    with pytest.raises(Unprotected, match="without TLS: tokens and cards could be read on the way"):
        await arena.server.start(host)


@pytest.mark.parametrize("options", ["tls", "insecure"])
async def test_beyond_loopback_with_tls_or_a_word(
    tmp_path: Path, files: Certificates, options: str
) -> None:
    """With TLS, or where it was said explicitly, it listens."""
    tls = load_server_tls(files.arena_pem, files.arena_key) if options == "tls" else None
    async with serving(
        tmp_path / "data",
        host=EVERYWHERE,
        tls=tls,
        insecure=tls is None,
    ) as arena:
        assert arena.address.startswith(f"{EVERYWHERE}:")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        (EVERYWHERE, False),
        ("::", False),
        ("10.0.0.1", False),
        ("", False),
        ("127..0.0.1", False),
        ("x" * 70, False),
    ],
)
def test_what_is_loopback(host: str, *, expected: bool) -> None:
    """An address that only this machine reaches, in any of its forms."""
    assert expected is is_loopback(host)


@pytest.mark.parametrize(
    ("certificate", "key", "ca", "sentence"),
    [
        ("no.pem", "arena.key", None, "cannot read .*no.pem: no such file or directory"),
        ("arena.pem", "no.key", None, "cannot read .*no.key"),
        ("arena.pem", "ada.key", None, "ada.key does not belong to the certificate in .*arena.pem"),
        ("arena.key", "arena.key", None, "must hold a certificate and its key as PEM text"),
        ("arena.pem", "arena.pem", None, "must hold a certificate and its key as PEM text"),
        ("arena.pem", "arena.key", "no.pem", "cannot read .*no.pem"),
        ("arena.pem", "arena.key", "ca.key", "must hold the certificates of a CA as PEM text"),
    ],
)
def test_files_that_do_not_do_are_told(
    files: Certificates, certificate: str, key: str, ca: str | None, sentence: str
) -> None:
    """What is wrong is found before anything listens, and named."""
    with pytest.raises(TlsError, match=sentence):
        load_server_tls(
            files.folder / certificate,
            files.folder / key,
            None if ca is None else files.folder / ca,
        )


def test_the_key_is_not_shown(files: Certificates) -> None:
    """C-45: it is in no text made of the settings."""
    tls: ServerTls = load_server_tls(files.arena_pem, files.arena_key)

    assert "PRIVATE" not in repr(tls)
