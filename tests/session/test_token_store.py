"""Tokens in a file: only hashes, only the owner's, read again when they change."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from euchre_server.session.access import Caller, Role
from euchre_server.session.auth import Secret
from euchre_server.session.token_store import TOKEN_FILE, TokenStore, TokenStoreError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a data folder that does not exist yet."""
    return tmp_path / "data"


def mode(path: Path) -> int:
    """Returns a file's permissions."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_token_stands_for_name_and_role(folder: Path) -> None:
    """Whoever holds it comes under its name, with its role; another text is nobody's."""
    store = TokenStore(folder)
    made = {role: store.create(f"a-{role}", role) for role in Role}

    assert {role: Caller(f"a-{role}", role) for role in Role} == {
        role: store.caller_of(token) for role, token in made.items()
    }
    assert None is store.caller_of(Secret.fresh())


def test_only_the_hash_is_kept_and_only_for_its_owner(folder: Path) -> None:
    """No file of the folder holds the token, and nobody else may read any of them."""
    token = TokenStore(folder).create("ada", Role.BOT, owner="Ada")

    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert token.reveal().encode() not in kept
    assert token.digest().hex().encode() in kept
    assert 0o700 == mode(folder)
    assert {0o600} == {mode(path) for path in folder.iterdir()}


def test_tokens_have_256_random_bits(folder: Path) -> None:
    """43 letters of base 64 hold them, and no two are alike."""
    store = TokenStore(folder)
    texts = {store.create("ada", Role.BOT, replace=True).reveal() for _ in range(20)}

    assert 20 == len(texts)
    assert {43} == {len(text) for text in texts}


def test_a_running_server_sees_every_change(folder: Path) -> None:
    """Made, replaced and revoked by somebody else: the next look knows."""
    server, other = TokenStore(folder), TokenStore(folder)
    nobody = server.caller_of(Secret("early"))
    first = other.create("ada", Role.BOT)
    seen = [server.caller_of(first)]
    second = other.create("ada", Role.ONLOOKER, replace=True)
    seen += [server.caller_of(first), server.caller_of(second)]
    other.revoke("ada")
    seen += [server.caller_of(second)]

    assert None is nobody
    assert [Caller("ada", Role.BOT), None, Caller("ada", Role.ONLOOKER), None] == seen


def test_an_unchanged_file_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look costs a stat, not a read."""
    store = TokenStore(folder)
    token = store.create("ada", Role.BOT)
    store.caller_of(token)
    monkeypatch.setattr(Path, "read_bytes", None)

    assert Caller("ada", Role.BOT) == store.caller_of(token)


def test_a_token_ends_at_its_time(folder: Path) -> None:
    """Up to that second it lets in, from then on it does not, without any change of the file."""
    time = 1000.0
    store = TokenStore(folder, now=lambda: time)
    token = store.create("ada", Role.BOT, expires_unix=1060)
    time = 1059.9
    before = store.caller_of(token)
    time = 1060.0

    assert Caller("ada", Role.BOT) == before
    assert None is store.caller_of(token)
    assert [False] == [kept.is_good(time) for kept in store.tokens()]


def test_a_name_has_one_token(folder: Path) -> None:
    """A second is refused; one in its place ends the first and keeps the owner."""
    store = TokenStore(folder)
    first = store.create("ada", Role.BOT, owner="Ada")
    with pytest.raises(TokenStoreError, match="'ada' has a token already; revoke it first"):
        store.create("ada", Role.BOT)
    second = store.create("ada", Role.BOT, replace=True)

    assert [None, Caller("ada", Role.BOT)] == [store.caller_of(t) for t in (first, second)]
    assert ["Ada"] == [kept.owner for kept in store.tokens()]


@pytest.mark.parametrize(
    "name", ["", "-a", "a/b", "a b", "ä", "a" * 65, "a\n", "a/1", "a/22", "/2"]
)
def test_a_name_is_plain(folder: Path, name: str) -> None:
    """Names go into files, logs and metadata: letters, digits, dots, dashes, underscores."""
    with pytest.raises(TokenStoreError, match="cannot be a name: use 1 to 32 of a-z"):
        TokenStore(folder).create(name, Role.BOT)
    assert not folder.exists()


def test_a_bot_may_have_further_chairs(folder: Path) -> None:
    """Its second session in a game of partners has a token of its own; nobody else has such."""
    store = TokenStore(folder)
    token = store.create("ada/2", Role.BOT)

    assert Caller("ada/2", Role.BOT) == store.caller_of(token)
    with pytest.raises(TokenStoreError, match="'op/2' cannot be a name"):
        store.create("op/2", Role.OPERATOR)


def test_who_is_not_there_cannot_be_revoked(folder: Path) -> None:
    """The names that could be meant are told."""
    store = TokenStore(folder)
    with pytest.raises(TokenStoreError, match="there are no tokens in"):
        store.revoke("ada")
    store.create("bob", Role.BOT)
    with pytest.raises(TokenStoreError, match="no token of 'ada'; there are tokens of: bob"):
        store.revoke("ada")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"format": 2, "tokens": []}',
        b'{"format": 1}',
        b'{"format": 1, "tokens": [{"name": "x"}]}',
        b'{"format": 1, "tokens": 3}',
        b'{"format": 1, "tokens": ' + b"9" * 5_000 + b"}",
        b"""{"format": 1, "tokens": [{"name": "x", "role": "bot", "owner": "",
            "created_unix": 1e999, "expires_unix": null, "sha256": ""}]}""",
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_lets_nobody_in_and_is_told_once(folder: Path, text: bytes) -> None:
    """It is better to refuse all than to let the revoked in; a mended file is good at once."""
    store = TokenStore(folder)
    token = store.create("ada", Role.BOT)
    store.caller_of(token)
    good = store.path.read_bytes()
    store.path.write_bytes(text)
    with pytest.raises(TokenStoreError, match=f"{TOKEN_FILE} (is damaged, so|has format 2; )"):
        store.caller_of(token)
    again = store.caller_of(token)
    store.path.write_bytes(good)

    assert None is again
    assert Caller("ada", Role.BOT) == store.caller_of(token)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_file_that_others_may_write_proves_nothing(folder: Path, what: str) -> None:
    """Whoever may write it could make himself an operator: it is refused with what to do."""
    store = TokenStore(folder)
    token = store.create("ada", Role.BOT)
    path = folder if what == "folder" else store.path
    path.chmod(mode(path) | 0o020)

    for look in (lambda: store.caller_of(token), store.tokens, lambda: store.revoke("ada")):
        with pytest.raises(TokenStoreError, match=f"chmod go-w {path}"):
            look()


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_was_told_to_mend_a_file_mends_it(folder: Path, what: str) -> None:
    """An arena that runs lets in again, though nothing was written; and out again."""
    store = TokenStore(folder)
    token = store.create("ada", Role.BOT)
    path = folder if what == "folder" else store.path
    private = mode(path)
    seen = []
    for _ in range(2):
        path.chmod(private | 0o020)
        with pytest.raises(TokenStoreError, match="chmod go-w"):
            store.caller_of(token)
        seen.append(store.caller_of(token))
        path.chmod(private)
        seen.append(store.caller_of(token))

    assert [None, Caller("ada", Role.BOT)] * 2 == seen


def test_a_file_that_could_not_be_read_for_a_moment_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as it was, so nothing of it would tell that it can be read now."""

    def fail(_: Path) -> bytes:
        raise OSError(24, "Too many open files")

    store = TokenStore(folder)
    token = store.create("ada", Role.BOT)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", fail)
        with pytest.raises(TokenStoreError, match="too many open files"):
            store.caller_of(token)
        meanwhile = store.caller_of(token)

    assert [None, Caller("ada", Role.BOT)] == [meanwhile, store.caller_of(token)]


def test_a_folder_that_others_may_write_is_refused_before_it_has_tokens(folder: Path) -> None:
    """They could put tokens there."""
    folder.mkdir()
    folder.chmod(0o1777)

    with pytest.raises(TokenStoreError, match=f"chmod go-w {folder}"):
        TokenStore(folder).tokens()


def test_a_token_that_is_not_handed_over_is_not_kept(folder: Path) -> None:
    """Nobody could ever use it; the one that it was to replace stays good."""

    def fail(_: Secret) -> None:
        raise OSError(28, "No space left on device")

    store = TokenStore(folder)
    first = store.create("ada", Role.BOT)
    for name in ("ada", "bob"):
        with pytest.raises(OSError, match="No space left"):
            store.create(name, Role.BOT, replace=True, hand_over=fail)

    assert Caller("ada", Role.BOT) == store.caller_of(first)
    assert ["ada"] == [kept.name for kept in store.tokens()]


def test_a_lock_that_cannot_be_had_is_named(folder: Path) -> None:
    """It is not the file of tokens that is wrong then."""
    (folder / "tokens.lock").mkdir(parents=True)

    with pytest.raises(TokenStoreError, match=r"cannot use .*tokens\.lock: is a directory"):
        TokenStore(folder).create("ada", Role.BOT)


def test_makers_at_once_lose_nothing(folder: Path) -> None:
    """Each holds the lock from reading to replacing the file, so all tokens are in it."""
    threads = [
        threading.Thread(target=TokenStore(folder).create, args=(f"bot{n}", Role.BOT))
        for n in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {f"bot{n}" for n in range(12)} == {kept.name for kept in TokenStore(folder).tokens()}


def test_a_failed_write_keeps_the_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is replaced whole or not at all."""
    store = TokenStore(folder)
    store.create("ada", Role.BOT)
    good = store.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TokenStoreError, match=f"cannot change .*{TOKEN_FILE}: no space left"):
        store.create("bob", Role.BOT)

    assert good == store.path.read_bytes()
    assert 1 == json.loads(good)["format"]
