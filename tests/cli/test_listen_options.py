"""Where and how an arena listens: what `match` and `serve` share."""

import json
from pathlib import Path

import pytest
from certificates import Certificates, make_certificates

from euchre_server.cli.main import main

BOTS = ("--rules", "two-handed", "--bot", "rules", "--bot", "random", "--boards", "1")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns certificates for 127.0.0.1."""
    return make_certificates(tmp_path_factory.mktemp("tls"))


def _match(capsys: pytest.CaptureFixture[str], data: Path, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["match", *BOTS, "--isolation", "none", "--data", str(data), *arguments])
    captured = capsys.readouterr()
    return int(str(ended.value.code)), captured.out, captured.err


def test_started_bots_need_no_certificate(
    tmp_path: Path, files: Certificates, capsys: pytest.CaptureFixture[str]
) -> None:
    """They come by a socket of this machine, also where all others must prove who they are."""
    status, out, _ = _match(
        capsys,
        tmp_path / "data",
        *("--tls-cert", str(files.arena_pem), "--tls-key", str(files.arena_key)),
        *("--tls-client-ca", str(files.ca_pem), "--json"),
    )

    assert 0 == status
    assert 2 == json.loads(out)["hands"]


def test_who_is_awaited_is_told_of_tls(
    tmp_path: Path, files: Certificates, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the arena's CA the address and the token are of no use."""
    arguments = ("--rules", "two-handed", "--bot", "random", "--bot", "far=remote", "--boards", "1")
    tls = ("--tls-cert", str(files.arena_pem), "--tls-key", str(files.arena_key))
    with pytest.raises(SystemExit):
        main(["match", *arguments, *tls, "--remote-within", "1ms", "--data", str(tmp_path / "d")])

    (told,) = [
        line for line in capsys.readouterr().err.splitlines() if line.startswith("waiting for bot")
    ]
    assert told.endswith(" EUCHRE_ARENA_TLS_CA=FILE, this arena's CA: see docs/operations.md")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--host", "0.0.0.0"), "will not listen on 0.0.0.0 without TLS"),  # noqa: S104  # so it is
        (("--host", ""), "'--host': write an address alone, such as 127.0.0.1"),
        (("--host", "127.0.0.1:50093"), "'--host': write an address alone, such as 127.0.0.1"),
        (("--host", "[::1]:50093"), "the port is said by --port"),
        (("--tls-cert", "arena.pem"), "give --tls-cert and --tls-key together, or neither"),
        (("--tls-key", "arena.key"), "give --tls-cert and --tls-key together, or neither"),
        (("--tls-client-ca", "ca.pem"), "--tls-client-ca needs --tls-cert and --tls-key"),
        (("--tls-cert", "no.pem", "--tls-key", "arena.key"), "cannot read no.pem: no such file"),
        (("--tls-cert", "arena.pem", "--tls-key", "ada.key"), "ada.key does not belong to the"),
    ],
)
def test_what_does_not_do_is_told_before_anything_is_made(
    tmp_path: Path,
    files: Certificates,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    """Exit 2, one sentence, no record and no process."""
    monkeypatch.chdir(files.folder)
    status, out, err = _match(capsys, tmp_path / "data", *arguments)

    assert (2, "") == (status, out)
    assert sentence in err
    assert not (tmp_path / "data").exists()
