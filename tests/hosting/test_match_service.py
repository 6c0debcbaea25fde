"""The match service over gRPC: what is asked and answered, refused, and who may ask."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from served import until
from served_service import Service

from euchre_arena.dial import Address
from euchre_arena.errors import SetupError
from euchre_arena.matches import MatchClient, MatchRefusedError
from euchre_arena.v1 import match_service_pb2 as pb
from euchre_arena.v1 import rules_pb2, table_pb2
from euchre_arena.v1.match_service_pb2_grpc import MatchServiceStub
from euchre_server.session import Role
from euchre_server.session.server import ArenaServer

NO_TOKEN = "none"  # noqa: S105  # it is good for nothing
BOTS = [("ann", "remote"), ("bob", "remote")]


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """Yields a host that listens."""
    async with Service(tmp_path / "data") as arena:
        yield arena


async def test_a_match_is_created_looked_at_listed_and_watched(service: Service) -> None:
    """What was asked for comes back, and in the end what the bots made of it."""
    service.bot("ann"), service.bot("bob")
    async with service.client() as client:
        created = await client.create(
            rules="two-handed,target=15",
            bots=BOTS,
            boards=3,
            seed="x",
            seatings="all",
            tables=2,
            clock={"budget_ms": 900, "bank_ms": 1, "increment_ms": 2, "grace_ms": 3, "first_ms": 4},
            policy="strict",
            request_id="r1",
        )
        updates = [update async for update in client.watch(created["match_id"], hands=True)]
        shown = await client.get(created["match_id"])
        listed = [match async for match in client.list_matches()]

    assert {
        "mode": "board",
        "boards_asked": 3,
        "bots": [{"bot": name, "source": source} for name, source in BOTS],
        "seatings": "all",
        "tables": 2,
        "policy": "strict",
        "rated": False,
        "public_seed": True,
        "created_by": "a-operator",
        "repeated_request": False,
    }.items() <= created.items()
    assert ("two-handed", 15) == (created["rules"]["preset"], created["rules"]["target"])
    assert [900, 1, 2, 3, 4] == list(created["clock"].values())
    assert "finished" == updates[-1]["state"] == shown["state"]
    assert 3 == shown["boards"]
    assert 0 == sum(row["points"] for row in created["standings"])
    assert {"ann", "bob"} == {row["bot"] for row in shown["standings"]}
    assert [created["match_id"]] == [match["match_id"] for match in listed]
    assert [] == listed[0]["standings"]


async def test_a_ruleset_may_be_a_message(service: Service) -> None:
    """With the options that differ; the same order as a text is the same match."""
    order = pb.CreateMatchRequest(
        request_id="r1",
        ruleset=rules_pb2.Ruleset(
            preset="two-handed", options=[rules_pb2.RuleOption(name="target", number=15)]
        ),
        bots=[pb.MatchBot(name=name, source=source) for name, source in BOTS],
        boards=5,
        seed="x",
    )
    async with service.client() as client:
        stub = MatchServiceStub(client._channel)  # type: ignore[arg-type]  # it is open
        first = await stub.CreateMatch(order, metadata=client._metadata)
        again = await client.create(
            rules="two-handed,target=15", bots=BOTS, boards=5, seed="x", request_id="r1"
        )

    assert first.match.match_id == again["match_id"]
    assert again["repeated_request"]


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (pb.CreateMatchRequest(request_id="r"), "rules are missing"),
        (
            pb.CreateMatchRequest(
                request_id="r",
                ruleset=rules_pb2.Ruleset(options=[rules_pb2.RuleOption(name="target")]),
            ),
            "option 'target' of the ruleset has no value",
        ),
        (
            pb.CreateMatchRequest(request_id="r", rules_text="two-handed", clock=table_pb2.Clock()),
            "clock: budget_ms is 0; it must be at least 1",
        ),
        (
            pb.CreateMatchRequest(
                request_id="r", rules_text="two-handed", bots=[pb.MatchBot(source="nosuch")]
            ),
            "there is no house bot 'nosuch'",
        ),
    ],
)
async def test_what_cannot_be_is_refused_with_the_reason(
    service: Service, order: pb.CreateMatchRequest, sentence: str
) -> None:
    """INVALID_ARGUMENT, a sentence, and the reason in the trailing metadata."""
    async with service.client() as client:
        stub = MatchServiceStub(client._channel)  # type: ignore[arg-type]  # it is open
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.CreateMatch(order, metadata=client._metadata)

    assert grpc.StatusCode.INVALID_ARGUMENT is refused.value.code()
    assert sentence in str(refused.value.details())
    trailing = refused.value.trailing_metadata()
    assert trailing is not None
    assert ("euchre-arena-reason", "INVALID_MATCH") in [tuple(pair) for pair in trailing]


async def test_an_unknown_match_is_refused(service: Service) -> None:
    """By every call that names one."""
    async with service.client() as client:
        for call in (client.get("nosuch"), client.cancel("nosuch"), anext(client.watch("nosuch"))):
            with pytest.raises(MatchRefusedError, match="there is no match 'nosuch' here") as error:
                await call
            assert "NO_SUCH_MATCH" == error.value.reason


async def test_a_caller_who_hangs_up_watches_no_longer(service: Service) -> None:
    """Nothing is kept for a stream that has ended."""
    async with service.client() as client:
        created = await client.create(rules="two-handed", bots=BOTS)
        match = service.host.matches[created["match_id"]]
        updates = client.watch(created["match_id"])
        await anext(updates)
        watching = match.watcher_count
    await until(lambda: match.watcher_count == 0)

    assert 1 == watching


async def test_onlookers_look_and_bots_do_not(service: Service) -> None:
    """An onlooker creates and cancels nothing; a bot has no business here."""
    async with service.client() as client:
        created = await client.create(rules="two-handed", bots=BOTS)
    async with service.client(Role.ONLOOKER) as client:
        shown = await client.get(created["match_id"])
        for call in (client.create(rules="two-handed", bots=BOTS), client.cancel("x")):
            with pytest.raises(MatchRefusedError, match="needs the role operator"):
                await call
    async with service.client(Role.BOT) as client:
        with pytest.raises(MatchRefusedError, match="this token has the role bot"):
            await client.get(created["match_id"])

    assert created["match_id"] == shown["match_id"]


async def test_matches_are_listed_in_pages(service: Service) -> None:
    """The newest first, each once, whatever the size of a page; by state where that is asked."""
    async with service.client() as client:
        made = [
            (await client.create(rules="two-handed", bots=BOTS, request_id=f"r{n}"))["match_id"]
            for n in range(5)
        ]
        await client.cancel(made[0])
        await service.played(made[0])
        stub = MatchServiceStub(client._channel)  # type: ignore[arg-type]  # it is open
        pages, token = [], ""
        for _ in range(3):
            page = await stub.ListMatches(
                pb.ListMatchesRequest(page_size=2, page_token=token), metadata=client._metadata
            )
            pages.append([match.match_id for match in page.matches])
            token = page.next_page_token
        stopped = [match["match_id"] async for match in client.list_matches("stopped")]

    ages = [service.host.matches[match_id].age for match_id in made]
    newest_first = [match_id for _, match_id in sorted(ages, reverse=True)]
    assert [newest_first[:2], newest_first[2:4], newest_first[4:]] == pages
    assert "" == token
    assert [made[0]] == stopped


async def test_an_arena_that_hosts_nothing_says_so() -> None:
    """The service is not there at all; an address without an arena is not reached."""
    from session_fakes import capturing_logger  # noqa: PLC0415  # only here

    server = ArenaServer(instance_id="a", logger=capturing_logger()[0])
    address = await server.start()
    try:
        async with MatchClient(Address(server=address, token=NO_TOKEN)) as client:
            with pytest.raises(SetupError, match="hosts no matches"):
                await client.get("x")
    finally:
        await server.stop(0.1)
    with pytest.raises(SetupError, match="no arena answered at"):
        async with MatchClient(Address(server=address, token=NO_TOKEN, dial_timeout_s=0.1)):
            pass
