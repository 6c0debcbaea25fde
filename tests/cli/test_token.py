"""`euchre-arena token`: made, listed and revoked; shown once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from euchre_server.cli.main import main
from euchre_server.session.access import Caller, Role
from euchre_server.session.auth import Secret
from euchre_server.session.token_store import TokenStore


class Tokens:
    """Runs the command in a data folder."""

    def __init__(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.data = data
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Returns the exit status and what was printed."""
        with pytest.raises(SystemExit) as ended:
            main(["token", *arguments, "--data", str(self.data)])
        captured = self._capsys.readouterr()
        return int(str(ended.value.code)), captured.out, captured.err


@pytest.fixture
def tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tokens:
    """Returns the command, with a data folder of its own."""
    return Tokens(tmp_path / "data", capsys)


def test_a_token_is_printed_once_and_lets_its_name_in(tokens: Tokens) -> None:
    """Stdout has it alone, so that a script can take it; no later command shows it."""
    status, out, err = tokens("create", "ada", "--role", "bot", "--owner", "Ada")
    later = "".join(
        text
        for words in (["list"], ["list", "--json"], ["revoke", "ada"])
        for text in tokens(*words)[1:]
    )

    assert 0 == status
    assert 43 == len(out.strip())
    assert "role bot" in err
    assert out.strip() not in err + later
    assert "ada" in later


def test_json_has_the_token_too(tokens: Tokens) -> None:
    """`create --json` prints one object, with the token in it."""
    status, out, err = tokens("create", "op", "--role", "operator", "--json")
    made = json.loads(out)

    assert (0, "", "op", "operator", None) == (
        status,
        err,
        made["name"],
        made["role"],
        made["expires"],
    )
    assert Caller("op", Role.OPERATOR) == TokenStore(tokens.data).caller_of(Secret(made["token"]))


def test_the_list_says_who_may_come(tokens: Tokens) -> None:
    """Name, role, owner and times, for people and for machines."""
    tokens("create", "ada", "--role", "bot", "--owner", "Ada", "--expires", "2999-01-31")
    tokens("create", "eve", "--role", "onlooker")
    _, out, _ = tokens("list")
    _, text, _ = tokens("list", "--json")

    assert ["name", "ada", "eve"] == [line.split()[0] for line in out.splitlines()]
    assert [
        ("ada", "bot", "Ada", "2999-01-31T00:00:00Z", "good"),
        ("eve", "onlooker", "", None, "good"),
    ] == [
        (row["name"], row["role"], row["owner"], row["expires"], row["state"])
        for row in json.loads(text)
    ]


def test_no_tokens_are_no_mistake(tokens: Tokens) -> None:
    """An empty list is one."""
    assert (0, f"no tokens in {tokens.data} yet\n", "") == tokens("list")
    assert (0, "[]\n", "") == tokens("list", "--json")


def test_a_revoked_token_is_gone(tokens: Tokens) -> None:
    """It lets nobody in, and is in no list."""
    _, out, _ = tokens("create", "ada", "--role", "bot")
    revoked = tokens("revoke", "ada", "--json")

    assert (0, {"name": "ada", "role": "bot", "revoked": True}, "") == (
        revoked[0],
        json.loads(revoked[1]),
        revoked[2],
    )
    assert None is TokenStore(tokens.data).caller_of(Secret(out.strip()))
    assert "no tokens" in tokens("list")[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("create", "ada"), "Missing option '--role'"),
        (("create", "ada", "--role", "king"), "'king' is not one of 'bot', 'operator', 'onlooker'"),
        (("create", "a/b", "--role", "bot"), "'a/b' cannot be a name"),
        (("create", "ada", "--role", "bot", "--expires", "soon"), "'soon' is no time; write 12h"),
        (("create", "ada", "--role", "bot", "--expires", "2001-01-01"), "has passed already"),
        (("create", "ada", "--role", "bot", "--expires", "999999w"), "is no time"),
        (("create", "ada", "--role", "bot", "--owner", "a\nb"), "printable characters"),
        (("revoke", "ada"), "there are no tokens in"),
    ],
)
def test_what_is_wrong_is_said(tokens: Tokens, arguments: tuple[str, ...], sentence: str) -> None:
    """Wrong use ends with 2 and one sentence, and makes nothing."""
    status, out, err = tokens(*arguments)

    assert (2, "") == (status, out)
    assert sentence in err
    assert not (tokens.data / "tokens.json").exists()


@pytest.mark.parametrize(
    ("text", "seconds"), [("12h", 43_200), ("30d", 2_592_000), ("4w", 2_419_200)]
)
def test_a_span_counts_from_now(tokens: Tokens, text: str, seconds: int) -> None:
    """Hours, days and weeks."""
    tokens("create", "ada", "--role", "bot", "--expires", text)
    (kept,) = TokenStore(tokens.data).tokens()

    assert kept.expires_unix is not None
    assert seconds - 1 <= kept.expires_unix - kept.created_unix <= seconds


@pytest.mark.parametrize("stdout", ["closed", "full"])
def test_a_token_that_cannot_be_printed_is_not_made(tokens: Tokens, stdout: str) -> None:
    """One sentence says so, and the one that it was to replace stays good."""
    first = TokenStore(tokens.data).create("ada", Role.BOT)
    program = [sys.executable, "-m", "euchre_server.cli.main"]
    command = ["token", "create", "ada", "--role", "bot", "--replace", "--data", str(tokens.data)]
    redirected = {"closed": '"$@" >&-', "full": '"$@" >/dev/full'}[stdout]
    done = subprocess.run(
        ["/bin/sh", "-c", redirected, "sh", *program, *command],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (2, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert "no token is made" in done.stderr
    assert Caller("ada", Role.BOT) == TokenStore(tokens.data).caller_of(first)


def test_the_current_folder_is_named_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty text, such as an unset variable gives, is no folder."""
    with pytest.raises(SystemExit) as ended:
        main(["token", "create", "ada", "--role", "bot", "--data", ""])

    assert 2 == ended.value.code
    assert "'--data': it is empty; name a folder, or `.`" in capsys.readouterr().err
