"""Promises about a bot's process: its exit status and what a person reads."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from fake_arena import TOKEN, Peer, decision, fake_arena, opening, table_closed

from euchre_arena import Bot, Game, SetupError, run
from euchre_arena.run import address_from, introduction_of
from euchre_arena.v1 import arena_service_pb2 as pb

REPOSITORY = Path(__file__).resolve().parents[2]
FIRST = "from euchre_arena import run\nrun(lambda decision: decision.legal[0])\n"
BROKEN = "from euchre_arena import run\nrun(lambda decision: decision.nonsense)\n"


async def start(
    *arguments: str, server: str = "", token: str = TOKEN, reconnect: str = "0"
) -> tuple[int, str]:
    """Runs Python with these arguments as an arena would, and returns status and error output."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("EUCHRE_ARENA")
    }
    if server:
        environment |= {"EUCHRE_ARENA_SERVER": server, "EUCHRE_ARENA_TOKEN": token}
        environment |= {"EUCHRE_ARENA_BOT": "ann", "EUCHRE_ARENA_RECONNECT_WITHIN_S": reconnect}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    return process.returncode or 0, errors.decode()


async def one_table(peer: Peer) -> None:
    """Asks one question and says goodbye."""
    hello = await peer.welcome()
    await peer.send(opening(), decision())
    messages = await peer.receive() or []
    assert "ann" == hello.bot_name
    assert ["answer"] == [message.WhichOneof("message") for message in messages]
    await peer.send(table_closed())
    await peer.say_goodbye()


async def test_a_function_is_run_to_the_end() -> None:
    """`run` reads the environment, plays, and returns when the arena says goodbye."""
    async with fake_arena(one_table) as server:
        assert (0, "") == await start("-c", FIRST, server=server)


@pytest.mark.parametrize("name", ["random", "rules"])
async def test_house_bots_are_run_by_name(name: str) -> None:
    """`python -m euchre_arena.bots NAME` is an ordinary bot that asks for many open decisions."""
    asked: list[int] = []

    async def script(peer: Peer) -> None:
        asked.append((await peer.welcome()).max_open_decisions)
        await peer.say_goodbye()

    async with fake_arena(script) as server:
        assert (0, "") == await start("-m", "euchre_arena.bots", name, server=server)
    assert [32] == asked


async def test_the_first_bot_of_the_readme_plays() -> None:
    """The README's first bot is at most 15 lines, and plays exactly as printed."""
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    block = re.search(
        r"^<!-- first bot -->\n+```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    assert block is not None
    source = block.group(1)

    assert len(source.splitlines()) <= 15
    async with fake_arena(one_table) as server:
        assert (0, "") == await start("-c", source, server=server)


async def test_a_missing_environment_is_one_line_and_status_2() -> None:
    """Without address and token there is one clear line, and no traceback."""
    status, errors = await start("-c", FIRST)

    assert (2, 1) == (status, len(errors.splitlines()))
    assert "EUCHRE_ARENA_SERVER and EUCHRE_ARENA_TOKEN not set" in errors


async def test_a_refused_token_is_one_line_and_status_2() -> None:
    """A token that the arena does not know is one clear line, without the token."""
    async with fake_arena(one_table) as server:
        status, errors = await start("-c", FIRST, server=server, token="secret-word")  # noqa: S106

    assert (
        2,
        f"euchre-arena: the arena at {server} refused the token: the token is not known\n",
    ) == (
        status,
        errors,
    )


async def test_a_lost_connection_is_one_line_and_status_1() -> None:
    """A stream that breaks off is one clear line."""

    async def script(peer: Peer) -> None:
        await peer.welcome()

    async with fake_arena(script) as server:
        status, errors = await start("-c", FIRST, server=server)

    assert (1, "euchre-arena: the arena ended the connection without a goodbye\n") == (
        status,
        errors,
    )


async def test_an_arena_that_is_gone_is_two_lines_and_status_1() -> None:
    """The bot says when it dials again, and once more when it gives up."""
    served = 0

    async def script(peer: Peer) -> None:
        nonlocal served
        served += 1
        if served == 1:
            await peer.welcome()

    async with fake_arena(script) as server:
        status, errors = await start("-c", FIRST, server=server, reconnect="0.4")

    lost = "euchre-arena: the arena ended the connection without a goodbye; "
    first, last = errors.splitlines()
    assert 1 == status
    assert f"{lost}dialling again" == first
    assert last.startswith(f"{lost}not back within 0.4 s: {server} ")
    assert served > 1


async def test_a_broken_bot_shows_its_own_traceback_and_the_decision() -> None:
    """The author sees his own line first, then the decision; the status is 1."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision())
        await peer.receive()

    async with fake_arena(script) as server:
        status, errors = await start("-c", BROKEN, server=server)
    last = errors.splitlines()[-1]

    assert 1 == status
    assert "AttributeError: 'Decision' object has no attribute 'nonsense'" in errors
    assert last.startswith("euchre-arena: the bot failed in decide at table t decision 1: seat 0")


@pytest.mark.parametrize("define", ["def", "async def"])
async def test_a_bot_that_exits_ends_with_its_own_status(define: str) -> None:
    """`sys.exit` in a bot's code is no failure of the client: nothing is printed."""
    exiting = (
        f"import sys\nfrom euchre_arena import run\n{define} decide(decision):\n sys.exit(3)\n"
        "run(decide)\n"
    )

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision())
        await peer.receive()

    async with fake_arena(script) as server:
        assert (3, "") == await start("-c", exiting, server=server)


async def test_a_bot_that_is_interrupted_in_its_own_code_leaves() -> None:
    """Ctrl-C twice cuts a long thought short: the bot says goodbye, and prints one line."""
    long_thought = (
        "import os, signal\nfrom euchre_arena import run\ndef decide(decision):\n"
        " for _ in (1, 2):\n  os.kill(os.getpid(), signal.SIGINT)\n"
        " while True:\n  pass\nrun(decide)\n"
    )
    last: list[pb.BotMessage] = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.send(opening(), decision())
        last.extend(await peer.receive() or [])

    async with fake_arena(script) as server:
        ended = await start("-c", long_thought, server=server)

    assert (130, "euchre-arena: interrupted\n") == ended
    assert [pb.GOODBYE_REASON_LEAVING] == [message.goodbye.reason for message in last]


async def test_an_unknown_house_bot_is_named() -> None:
    """The choice is listed; the status is 2."""
    assert (2, "euchre-arena: no house bot 'nobody'; choose one of random, rules\n") == (
        await start("-m", "euchre_arena.bots", "nobody")
    )


@pytest.mark.parametrize(
    "server",
    [
        "nonsense",
        "127.0.0.1",
        "127.0.0.1:",
        ":50051",
        "a:b",
        "a b:5",
        "http://127.0.0.1:50051",
        "::1:50051",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "unix:",
        f"unix:/{'long' * 27}",
    ],
)
def test_what_is_no_address_is_named(server: str) -> None:
    """An address is HOST:PORT, or a Unix socket."""
    with pytest.raises(SetupError, match=r"is no address; write HOST:PORT"):
        address_from(server=server, token=TOKEN, dial_timeout_s=1)


@pytest.mark.parametrize(
    "server", ["127.0.0.1:50051", "[::1]:50051", "localhost:1", "unix:/tmp/x", "dns:///arena:1"]
)
def test_addresses_are_taken_as_given(server: str) -> None:
    """Host names, IPv6 and Unix sockets are addresses."""
    assert server == address_from(server=server, token=TOKEN, dial_timeout_s=1).server


@pytest.mark.parametrize("token", ["Ünï", "two\nlines", "\0" * 9, "a" * 1025, "\udcff"])
def test_a_token_that_cannot_be_sent_is_told_before_dialling(token: str) -> None:
    """It is the bot's set-up that is wrong, not the connection; the token itself is not shown."""
    with pytest.raises(SetupError, match="the token cannot be one: ") as refused:
        address_from(server="127.0.0.1:1", token=token, dial_timeout_s=1)

    assert token not in str(refused.value)


def test_run_refuses_what_is_no_bot() -> None:
    """`run` takes a bot, its class, or a function."""
    with pytest.raises(TypeError, match="takes a Bot or a function"):
        run("rules")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("version", 3, r"Mine\.version is 3; it must be a text, such as '1'"),
        (
            "games",
            ("two-handed",),
            r"Mine\.games is \('two-handed',\); it must be a tuple of games",
        ),
        ("games", Game.TWO_HANDED, r"Mine\.games is .*; it must be a tuple of games, such as"),
        ("max_tables", "2", r"Mine\.max_tables is '2'; it must be a whole number from 0 to"),
        ("max_open_decisions", -1, r"Mine\.max_open_decisions is -1; it must be a whole number"),
        (
            "max_open_decisions",
            True,
            r"Mine\.max_open_decisions is True; it must be a whole number",
        ),
        ("max_tables", 2**31, r"Mine\.max_tables is 2147483648; .* from 0 to 2147483647"),
    ],
)
def test_what_a_bot_says_of_itself_is_looked_at(key: str, value: object, sentence: str) -> None:
    """What the arena could not be told is named before anything is dialled."""
    mine = type("Mine", (Bot,), {key: value})

    with pytest.raises(SetupError, match=sentence):
        introduction_of(mine(), "")


async def test_a_class_is_made_into_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """`run(MyBot)` makes the object itself."""
    made: list[Bot] = []

    class Made(Bot):
        def __init__(self) -> None:
            made.append(self)

    monkeypatch.delenv("EUCHRE_ARENA_SERVER", raising=False)
    with pytest.raises(SystemExit):
        run(Made)

    assert [Made] == [type(bot) for bot in made]
