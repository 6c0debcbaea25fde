"""`euchre-arena matches`: a serving arena's matches, made, shown, watched and stopped."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result
from served_service import Service

from euchre_arena.errors import LostError
from euchre_arena.matches import MatchClient, _standing
from euchre_arena.v1 import match_service_pb2 as pb
from euchre_server.cli import matches
from euchre_server.cli.failure import CommandFailed, ExitStatus
from euchre_server.cli.matches import matches_group
from euchre_server.session import Role

GAME = ("--rules", "two-handed", "--bot", "ann=remote", "--bot", "bob=remote", "--boards", "2")


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """Yields a host that listens."""
    async with Service(tmp_path / "data") as arena:
        yield arena


async def _run(service: Service, *arguments: str, token: str | None = None) -> Result:
    """Returns what a command did; it has a loop of its own, in a thread of its own."""
    environment = {
        "EUCHRE_ARENA_SERVER": service.address,
        "EUCHRE_ARENA_TOKEN": service.token() if token is None else token,
    }
    return await asyncio.to_thread(
        CliRunner().invoke, matches_group, list(arguments), env=environment
    )


def _rows(text: str) -> list[list[str]]:
    """Returns the words of the standings' rows."""
    rows = (line.replace("│", " ").split() for line in text.splitlines())
    return [words for words in rows if words[:1] in (["ann"], ["bob"]) and "-" not in words[1]]


async def test_a_match_is_created_and_watched_to_its_result(service: Service) -> None:
    """The tables are those of `match`; the exit status says that it was played to its end."""
    service.bot("ann"), service.bot("bob")

    result = await _run(service, "create", *GAME, "--watch")

    assert 0 == result.exit_code, result.output
    (match_id,) = service.host.matches
    assert f"{match_id}\n" == result.stdout[: len(match_id) + 1]
    assert ["remote"] * 2 == [words[-3] for words in _rows(result.stdout)]
    assert "finished; two-handed, 4 of 4 tables ended, 0 open; 2 of 2 boards" in result.stdout
    assert "Standings" in result.stdout
    assert "Difference in points a board" in result.stdout


async def test_json_is_one_object_a_line_while_watched(service: Service) -> None:
    """The last one is the result; hands are there when they are wanted."""
    service.bot("ann"), service.bot("bob")
    created = json.loads((await _run(service, "create", *GAME, "--json")).stdout)

    watched = await _run(service, "watch", created["match_id"], "--json", "--hands")

    last = [json.loads(line) for line in watched.stdout.splitlines()][-1]
    assert 0 == watched.exit_code
    assert (created["match_id"], "finished") == (last["match_id"], last["state"])
    assert {"hands", "boards_skipped"} <= last.keys()


def test_hands_are_told_as_json_alone() -> None:
    """Asked for in another form they are refused, before the arena is called."""
    result = CliRunner().invoke(matches_group, ["watch", "m", "--hands"])

    assert 2 == result.exit_code
    assert "--hands needs --json" in result.output


async def test_matches_are_listed_shown_and_cancelled(service: Service) -> None:
    """One a line, the newest first; a stopped match says so, and watching it ends with 1."""
    service.tokens.create("bob", Role.BOT)
    service.tokens.create("ann", Role.OPERATOR)
    created = await _run(service, "create", *GAME, "--request-id", "r1")
    match_id = created.stdout.strip()
    again = await _run(service, "create", *GAME, "--request-id", "r1")
    shown = await _run(service, "show", match_id)
    cancelled = await _run(service, "cancel", match_id)
    await service.played(match_id)
    cancelled_again = await _run(service, "cancel", match_id)
    listed = await _run(service, "list")
    objects = json.loads((await _run(service, "list", "--json", "--state", "stopped")).stdout)
    watched = await _run(service, "watch", match_id)

    assert f"{match_id} (it had been created before)\n" == again.stdout
    assert "waiting for ann (no bot's token has this name), bob\n" in shown.stdout
    assert f"{match_id} is being stopped; what was played is kept\n" == cancelled.stdout
    assert f"{match_id} was stopped already; nothing has changed\n" == cancelled_again.stdout
    assert "stopped  two-handed  ann bob  0/4" in listed.stdout
    assert [match_id] == [match["match_id"] for match in objects]
    assert (1, True) == (watched.exit_code, "cancelled; what was played is kept" in watched.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("create", *GAME, "--games", "2"), "give --boards or --games, not both"),
        (("create", "--bot", "ann=cmd:ls"), "a served match starts no programs of its callers"),
        (("create", "--rules", "to-handed"), "there is no preset 'to-handed'"),
        (("create", "--bot", "rulez"), "a bot that dials by itself is written NAME=remote"),
        (("create", *GAME, "--request-id", "Ü 1"), "--request-id must be 1 to 64 letters"),
        (("create", *GAME, "--remote-within", "0"), "'--remote-within': a bot needs some time"),
        (("create", *GAME, "--join-within", "0"), "'--join-within': a bot needs some time"),
        (("show", "nosuch"), "there is no match 'nosuch' here"),
        (("list", "--token-file", "/dev/null"), "you need an operator's or an onlooker's token"),
        (("list", "--server", "nowhere"), "'nowhere' is no address"),
    ],
)
async def test_a_refusal_is_one_sentence(
    service: Service, arguments: tuple[str, ...], sentence: str
) -> None:
    """It says what was wrong, in the words of `match`."""
    result = await _run(service, *arguments)

    assert 0 != result.exit_code
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert "COMMAND LINE" not in result.output


async def test_an_unknown_token_is_refused(service: Service) -> None:
    """The token is not shown."""
    result = await _run(service, "list", token="guessed")  # noqa: S106  # it is good for nothing

    assert "the token is not known here, was revoked or has expired" in result.output
    assert "guessed" not in result.output


def test_a_token_file_that_holds_none_is_told_before_dialling(tmp_path: Path) -> None:
    """Whatever is in it: one sentence about the token, and wrong use."""
    file = tmp_path / "token"
    for content in (b"\0" * 1_000_000, b"\xff\xfe", b"two\nlines"):
        file.write_bytes(content)

        with pytest.raises(CommandFailed, match="the token cannot be one: ") as failed:
            matches_group.main(
                ["list", "--server", "127.0.0.1:1", "--token-file", str(file)],
                standalone_mode=False,
            )
        assert ExitStatus.MISUSE is failed.value.status


class _Lost:
    """A caller whose arena is gone."""

    async def watch(self, match_id: str, *, hands: bool) -> AsyncIterator[dict[str, Any]]:
        """Tells of the match once, and no more."""
        del hands
        yield {"match_id": match_id, "state": "playing"}
        raise LostError("lost the arena")


async def test_to_lose_the_arena_leaves_the_match_undecided() -> None:
    """Whoever watches cannot know how it ends: the exit status is 3."""
    with pytest.raises(CommandFailed, match="lost the arena") as failed:
        await matches._watch(cast("MatchClient", _Lost()), "m", as_json=True)

    assert ExitStatus.UNDECIDED is failed.value.status


class _Ending:
    """A client that is told of a match once."""

    def __init__(self, state: str) -> None:
        self._state = state

    async def watch(self, match_id: str, *, hands: bool) -> AsyncIterator[dict[str, Any]]:
        """Tells how the match stands, once."""
        del hands
        yield {"match_id": match_id, "state": self._state}


@pytest.mark.parametrize(("state", "status"), [("finished", 0), ("stopped", 1), ("playing", 3)])
async def test_a_reader_that_leaves_changes_no_status(
    monkeypatch: pytest.MonkeyPatch, state: str, status: int
) -> None:
    """`matches watch --json | head -0` ends as the match did; where it goes on, undecided."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)

        ended = await matches._watch(cast("MatchClient", _Ending(state)), "m", as_json=True)

    assert status == ended


@pytest.mark.parametrize(
    ("source", "row", "isolation"),
    [
        ("remote", pb.MatchStanding(bot_name="ann"), "remote"),
        ("rules", pb.MatchStanding(bot_name="ann", memory_excluded=True), "bwrap"),
        ("rules", pb.MatchStanding(bot_name="ann"), "none"),
    ],
)
def test_standings_say_how_a_bot_was_kept_apart(
    source: str, row: pb.MatchStanding, isolation: str
) -> None:
    """In the words of `match`."""
    assert isolation == _standing(row, [pb.MatchBot(name="ann", source=source)])["isolation"]
