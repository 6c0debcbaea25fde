"""Owns the file of tokens in the data folder: made, listed and revoked there, looked up from there.

A token is 256 random bits. That cannot be guessed however fast a guess is checked, so a plain
SHA-256 of it is kept: the slow hashes that passwords need would only let strangers keep the arena
busy. The file is replaced whole, under a lock, and read again when it has changed.
Must not know gRPC, nor what a role allows.
"""

import contextlib
import fcntl
import hmac
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from euchre_server.session.access import Caller, Role
from euchre_server.session.auth import Secret

__all__ = ["TOKEN_FILE", "StoredToken", "TokenStore", "TokenStoreError"]

TOKEN_FILE: Final = "tokens.json"  # noqa: S105  # a file's name
_LOCK_FILE: Final = "tokens.lock"
_FORMAT: Final = 1
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}(/[2-9])?", re.ASCII)
_WRITABLE_BY_OTHERS: Final = 0o022
_LONGEST_OWNER: Final = 128


class TokenStoreError(Exception):
    """Tokens cannot be kept, read or changed as asked; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredToken:
    """What is kept of a token: everything but the token."""

    name: str
    role: Role
    owner: str
    """Whose bot it is; empty where nobody said."""
    created_unix: int
    expires_unix: int | None
    digest: bytes

    def is_good(self, now_unix: float) -> bool:
        """Returns whether the token still lets anybody in."""
        return self.expires_unix is None or now_unix < self.expires_unix


class TokenStore:
    """Keeps the tokens of one data folder."""

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        """Makes a store; nothing is read or written yet.

        Args:
            folder: The data folder.
            now: Returns the seconds since 1970.
        """
        self.path: Final = folder / TOKEN_FILE
        self._folder = folder
        self._now = now
        self._seen: tuple[int, ...] | None = None
        self._known: tuple[StoredToken, ...] = ()
        self._is_unread = False

    def tokens(self) -> tuple[StoredToken, ...]:
        """Returns all tokens, by name.

        Raises:
            TokenStoreError: The file cannot be read, or others may write it.
        """
        try:
            _check_private(self._folder)  # first: whoever may write there could also make the file
            text = self.path.read_bytes()
            _check_private(self.path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise _refused("read", self.path, error) from None
        return _parsed(text, self.path)

    def create(
        self,
        name: str,
        role: Role,
        *,
        owner: str | None = None,
        expires_unix: int | None = None,
        replace: bool = False,
        hand_over: Callable[[Secret], None] = lambda _: None,
    ) -> Secret:
        """Returns a new token; nobody can learn it afterwards.

        Args:
            name: Whose it is. A bot plays under it.
            role: What it allows.
            owner: Whose bot it is; that of the token that it replaces, unless given.
            expires_unix: When it ends to be good.
            replace: Whether it takes the place of an earlier one of that name.
            hand_over: Gives it to its owner; if that fails all is as before, and the failure is
                raised.

        Raises:
            TokenStoreError: The name is not possible or taken, or the file cannot be changed.
        """
        fits = _NAME.fullmatch(name)
        if fits is None or (fits[1] and role is not Role.BOT):
            raise TokenStoreError(
                f"{name!r} cannot be a name: use 1 to 32 of a-z, A-Z, 0-9, '.', '_' and '-', and "
                "begin with a letter or digit; the further chairs of a bot in games of partners "
                "are NAME/2 and so on"
            )
        if owner and (len(owner) > _LONGEST_OWNER or not owner.isprintable()):
            raise TokenStoreError(
                f"the owner must be at most {_LONGEST_OWNER} printable characters"
            )
        token = Secret.fresh()
        with self._locked():
            found = {kept.name: kept for kept in self.tokens()}
            before = found.get(name)
            if before is not None and not replace:
                raise TokenStoreError(
                    f"{name!r} has a token already; revoke it first, or put a new one in its "
                    "place with --replace"
                )
            made = StoredToken(
                name=name,
                role=role,
                owner=owner if owner is not None else before.owner if before else "",
                created_unix=int(self._now()),
                expires_unix=expires_unix,
                digest=token.digest(),
            )
            self._write(found | {name: made})
            try:
                hand_over(token)
            except BaseException:
                self._write(found)
                raise
        return token

    def revoke(self, name: str) -> StoredToken:
        """Takes a token away, and returns what was known of it.

        Raises:
            TokenStoreError: There is none of that name, or the file cannot be changed.
        """
        if not self.path.exists():
            raise TokenStoreError(f"there are no tokens in {self._folder}")
        with self._locked():
            found = {kept.name: kept for kept in self.tokens()}
            revoked = found.pop(name, None)
            if revoked is None:
                raise TokenStoreError(
                    f"there is no token of {name!r}; there are tokens of: "
                    f"{', '.join(found) or 'nobody'}"
                )
            self._write(found)
        return revoked

    def caller_of(self, token: Secret) -> Caller | None:
        """Returns whose a token is; looks at every entry, whatever matches.

        Raises:
            TokenStoreError: The file has changed and cannot be read. Nobody is let in then; it is
                raised once for each change.
        """
        self._look_again()
        found: Caller | None = None
        digest, now = token.digest(), self._now()
        for kept in self._known:
            if hmac.compare_digest(kept.digest, digest) and kept.is_good(now):
                found = Caller(kept.name, kept.role)
        return found

    def good_names(self, role: Role | None = None) -> frozenset[str] | None:
        """Returns whose tokens are good now; None while the file cannot be read.

        Args:
            role: Only tokens of this role; None for all.

        Raises:
            TokenStoreError: As `caller_of`.
        """
        self._look_again()
        if self._is_unread:
            return None
        now = self._now()
        return frozenset(
            kept.name
            for kept in self._known
            if kept.is_good(now) and (role is None or kept.role is role)
        )

    def _look_again(self) -> None:
        """Reads the file if it is not the one that was read last, or could not be read then."""
        seen: tuple[int, ...] = ()
        try:
            folder, file = self._folder.stat(), self.path.stat()
            seen = (folder.st_mode, file.st_mode, file.st_mtime_ns, file.st_size, file.st_ino)
        except OSError:
            pass  # reading it will say why
        is_news = seen != self._seen
        if is_news or self._is_unread:
            self._seen, self._known, self._is_unread = seen, (), True
            try:
                self._known, self._is_unread = self.tokens(), False
            except TokenStoreError:
                if is_news:
                    raise

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keeps other processes from changing the file meanwhile; makes the data folder."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _refused("change", self.path, error) from None
        path = self._folder / _LOCK_FILE
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _refused("use", path, error) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _write(self, tokens: dict[str, StoredToken]) -> None:
        new = self.path.with_suffix(".new")
        try:
            _check_private(self._folder)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, 0o600)
                file.write(_text(tokens))
                file.flush()
                os.fsync(descriptor)
            new.replace(self.path)
        except OSError as error:
            raise _refused("change", self.path, error) from None


def _check_private(path: Path) -> None:
    if path.stat().st_mode & _WRITABLE_BY_OTHERS:
        raise TokenStoreError(
            f"others than its owner may write {path}, so tokens in it prove nothing; mend that "
            f"with: chmod go-w {path}"
        )


def _refused(doing: str, path: Path, error: OSError) -> TokenStoreError:
    return TokenStoreError(f"cannot {doing} {path}: {(error.strerror or str(error)).lower()}")


def _text(tokens: dict[str, StoredToken]) -> bytes:
    rows = [
        {
            "name": token.name,
            "role": token.role.value,
            "owner": token.owner,
            "created_unix": token.created_unix,
            "expires_unix": token.expires_unix,
            "sha256": token.digest.hex(),
        }
        for token in sorted(tokens.values(), key=lambda token: token.name)
    ]
    return json.dumps({"format": _FORMAT, "tokens": rows}, indent=1).encode() + b"\n"


def _parsed(text: bytes, path: Path) -> tuple[StoredToken, ...]:
    try:
        whole = json.loads(text)
        if whole["format"] != _FORMAT:
            raise TokenStoreError(
                f"{path} has format {whole['format']!r}; this arena reads {_FORMAT}"
            )
        return tuple(map(_row, whole["tokens"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise TokenStoreError(
            f"{path} is damaged, so nobody is let in by it: put a copy of it back, or take it away "
            "and make the tokens anew"
        ) from None


def _row(row: dict[str, Any]) -> StoredToken:
    expires = row["expires_unix"]
    return StoredToken(
        name=str(row["name"]),
        role=Role(row["role"]),
        owner=str(row["owner"]),
        created_unix=int(row["created_unix"]),
        expires_unix=None if expires is None else int(expires),
        digest=bytes.fromhex(row["sha256"]),
    )
