"""Hello: what is accepted, and what is said of what is not."""

from typing import Any

import pytest

from euchre_engine.games import Game
from euchre_server.session.admission import Refused, admit
from euchre_server.session.messages import Hello, Limits, SessionInfo

LIMITS = Limits(max_tables=8, max_open_decisions=4, max_name_bytes=10)
HELLO = Hello(
    protocol_version=1,
    bot_name="",
    bot_version="v1",
    client_library="lib",
    max_tables=0,
    max_open_decisions=0,
    games=frozenset(Game),
    view_mode=0,
)


def admitted(hello: Hello) -> SessionInfo:
    """Returns what is agreed with bot `a`."""
    return admit(hello, bot_name="a", session_id="s", limits=LIMITS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"protocol_version": 0}, "protocol_version is 0; this arena speaks 1"),
        ({"protocol_version": 2}, "protocol_version is 2; this arena speaks 1"),
        ({"bot_name": "b"}, "not the one that the token was made for"),
        ({"bot_version": "x" * 11}, "bot_version has 11 bytes; at most 10"),
        ({"client_library": "ä" * 6}, "client_library has 12 bytes; at most 10"),
        ({"view_mode": 9}, r"view_mode is 9; this arena knows FULL \(1, or unset\) and LEAN"),
        ({"max_tables": -1}, "max_tables is -1; it must not be negative"),
        ({"max_open_decisions": -5}, "max_open_decisions is -5"),
        ({"games": frozenset()}, "games names none that this arena plays; .* some of TWO_HANDED, "),
    ],
)
def test_an_unacceptable_hello_is_refused_in_words(changes: dict[str, Any], words: str) -> None:
    """Every refusal names the field and what would be right."""
    with pytest.raises(Refused, match=words):
        admitted(HELLO._replace(**changes))


@pytest.mark.parametrize(("view_mode", "is_lean"), [(0, False), (1, False), (2, True)])
def test_views_are_full_unless_they_are_asked_for_lean(view_mode: int, *, is_lean: bool) -> None:
    """A Hello that says nothing of views gets FULL ones."""
    assert is_lean == admitted(HELLO._replace(view_mode=view_mode)).is_lean


def test_unset_limits_are_the_arenas() -> None:
    """Zero tables means as many as the arena allows, zero decisions means one."""
    info = admitted(HELLO)

    assert (8, 1, frozenset(Game)) == (info.max_tables, info.max_open_decisions, info.games)


@pytest.mark.parametrize(("asked", "given"), [((3, 2), (3, 2)), ((100, 100), (8, 4))])
def test_no_bot_gets_more_than_the_arena_allows(
    asked: tuple[int, int], given: tuple[int, int]
) -> None:
    """A bot's own limits hold below the arena's."""
    info = admitted(HELLO._replace(max_tables=asked[0], max_open_decisions=asked[1]))

    assert given == (info.max_tables, info.max_open_decisions)


def test_the_name_may_be_said_again() -> None:
    """A bot may say the name that its token was made for."""
    assert "a" == admitted(HELLO._replace(bot_name="a")).bot_name
