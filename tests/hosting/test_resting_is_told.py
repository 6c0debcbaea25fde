"""A match that rests for a failure is told of as a warning; one that the arena drained is not."""

from pathlib import Path

from served import ServedArena, an_order, until

from euchre_server.session import MatchState


def _levels(arena: ServedArena) -> list[str]:
    """Returns at which levels it was told that a match rests."""
    return [
        str(line["log_level"])
        for line in arena.logs.entries
        if line["event"] == "match state" and line["state"] == "resting"
    ]


async def test_a_match_that_cannot_go_on_is_a_warning(tmp_path: Path) -> None:
    """The arena drains: no news. Its secret is gone at the next start: that is."""
    async with ServedArena(tmp_path) as arena:
        created = await arena.host.create(an_order(), "me")
        match = arena.host.matches[created.match.match_id]
        await until(lambda: match.state is MatchState.PLAYING)
        await arena.host.drain(10)
    assert ["info"] == _levels(arena)

    match.known.path.with_suffix(".secret").unlink()
    async with ServedArena(tmp_path) as arena:
        shown = await arena.host.get(match.match_id)

    assert ["warning"] == _levels(arena)
    assert (MatchState.RESTING, True) == (shown.state, "secret" in shown.note)
