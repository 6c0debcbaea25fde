"""Tokens: never shown, kept as hashes, good for one bot."""

import pickle

import pytest

from euchre_server.session import auth
from euchre_server.session.auth import Secret, TokenBook, bearer_token

TEXT = "very-secret-token"


@pytest.mark.parametrize(
    "shown",
    [
        str(Secret(TEXT)),
        repr(Secret(TEXT)),
        f"{Secret(TEXT)}",
        f"{Secret(TEXT)!r:>40}",
        "%s" % Secret(TEXT),  # noqa: UP031  # one more way to format
        repr({"token": Secret(TEXT)}),
    ],
)
def test_a_secret_cannot_be_shown(shown: str) -> None:
    """C-45: no way of formatting a token gives its text."""
    assert TEXT not in shown


def test_a_secret_cannot_be_pickled() -> None:
    """A token does not get into a file by accident."""
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(Secret(TEXT))


def test_an_empty_token_is_refused() -> None:
    """No credentials at all are no token."""
    with pytest.raises(ValueError, match="must not be empty"):
        Secret("")


def test_fresh_tokens_differ() -> None:
    """Every token is made anew, of 256 bits."""
    tokens = {Secret.fresh().reveal() for _ in range(50)}

    assert 50 == len(tokens)
    assert {43} == {len(token) for token in tokens}


def test_a_token_lets_its_own_bot_in() -> None:
    """A token stands for the bot that it was made for, until it is forgotten or replaced."""
    book = TokenBook()
    first, second, other = Secret.fresh(), Secret.fresh(), Secret.fresh()
    book.expect("a", first)
    book.expect("b", other)
    found = [book.bot_of(token) for token in (first, other, second)]
    book.expect("a", second)
    replaced = [book.bot_of(token) for token in (first, second)]
    book.forget("a")

    assert ["a", "b", None] == found
    assert [None, "a"] == replaced
    assert [None, "b"] == [book.bot_of(token) for token in (second, other)]


def test_a_token_that_was_good_once_is_remembered() -> None:
    """A caller who comes too late is told from a stranger."""
    book = TokenBook()
    replaced, forgotten, current = (Secret.fresh() for _ in range(3))
    book.expect("a", replaced)
    book.expect("a", current)
    book.expect("b", forgotten)
    book.forget("b")

    assert [True, True, False, False] == [
        book.was_good(token) for token in (replaced, forgotten, current, Secret.fresh())
    ]


def test_only_the_last_tokens_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """An arena that serves for years does not fill with what it let in."""
    monkeypatch.setattr(auth, "_REMEMBERED", 3)
    book = TokenBook()
    tokens = [Secret.fresh() for _ in range(6)]
    for token in tokens:
        book.expect("a", token)

    assert [False, False, True, True, True, False] == [book.was_good(token) for token in tokens]


def test_the_book_keeps_no_token() -> None:
    """Only hashes are kept."""
    book = TokenBook()
    book.expect("a", Secret(TEXT))

    assert TEXT not in repr(vars(book))


@pytest.mark.parametrize(
    ("value", "token"),
    [
        ("Bearer abc", "abc"),
        ("Bearer  abc ", "abc"),
        ("Bearer ", None),
        ("bearer abc", "abc"),
        ("Bearerabc", None),
        ("Basic abc", None),
        ("", None),
        (None, None),
    ],
)
def test_the_token_stands_after_bearer(value: str | None, token: str | None) -> None:
    """Only `Bearer TOKEN` is read, the scheme in any case."""
    found = bearer_token(value)

    assert token == (found.reveal() if found else None)
