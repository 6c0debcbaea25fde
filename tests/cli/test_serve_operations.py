"""`serve` as its operator meets it: settings, tokens, TLS, health, metrics, and a clean end."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from certificates import Certificates, make_certificates
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from session_fakes import capturing_logger

from euchre_server.cli.main import main
from euchre_server.cli.serve import _told
from euchre_server.session.access import Role
from euchre_server.session.token_store import TokenStore

ARENA = (sys.executable, "-m", "euchre_server.cli.main", "serve", "--json")
PATIENCE_S = 60


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Returns certificates for 127.0.0.1."""
    return make_certificates(tmp_path_factory.mktemp("tls"))


class Served:
    """A running arena: what it told as it began, and in the end all that it wrote."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.told: list[dict[str, Any]] = []
        self.log = ""

    def until(self, event: str) -> dict[str, Any]:
        """Returns the first event of a kind."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(json.loads(line))
            if event == self.told[-1]["event"]:
                return self.told[-1]
        raise AssertionError(f"it ended without {event}: {self.told} {self.process.stderr}")

    def end(self) -> int:
        """Stops it as a service manager does; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        out, self.log = self.process.communicate(timeout=PATIENCE_S)
        self.told += [json.loads(line) for line in out.splitlines()]
        return self.process.returncode


@contextmanager
def serving(folder: Path, *arguments: str, **variables: str) -> Iterator[Served]:
    """Runs an arena in a folder for the length of a test."""
    environment = os.environ | {f"EUCHRE_ARENA_SERVE_{k}": v for k, v in variables.items()}
    process = subprocess.Popen(
        [*ARENA, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    served = Served(process)
    try:
        yield served
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def test_an_arena_as_its_operator_sets_it_up(tmp_path: Path, files: Certificates) -> None:
    """File, variable and flag together; mutual TLS; health, reflection and metrics; a clean end.

    Nothing that it writes has a token in it.
    """
    tokens = {role: TokenStore(tmp_path / "data").create(f"a-{role}", role) for role in Role}
    (tmp_path / "arena.toml").write_text(
        "[serve]\nport = 1\nisolation = 'none'\nlog = 'json'\nlog-level = 'debug'\n"
        f"tls-cert = '{files.arena_pem}'\ntls-key = '{files.arena_key}'\n"
    )
    credentials = grpc.ssl_channel_credentials(
        *(path.read_bytes() for path in (files.ca_pem, files.ada_key, files.ada_pem))
    )
    arguments = ("--port", "0", "--config", "arena.toml", "--tls-client-ca", str(files.ca_pem))
    with serving(tmp_path, *arguments, METRICS_PORT="0") as served:
        metrics = served.until("metrics")["address"]
        address = served.until("listening")["address"]
        with grpc.secure_channel(address, credentials) as channel:
            health: Any = HealthStub(channel)
            status = health.Check(HealthCheckRequest(), timeout=PATIENCE_S).status
            matches: Any = channel.unary_unary("/euchre_arena.v1.MatchService/ListMatches")
            codes = {}
            for role, token in tokens.items():
                metadata = (("authorization", f"Bearer {token.reveal()}"),)
                try:
                    matches(b"", metadata=metadata, timeout=PATIENCE_S)
                    codes[role] = "OK"
                except grpc.RpcError as error:
                    codes[role] = error.code().name
        with urllib.request.urlopen(f"http://{metrics}/metrics", timeout=PATIENCE_S) as answer:
            page = answer.read().decode()
        served.end()

    assert 0 == served.process.returncode
    assert HealthCheckResponse.SERVING == status
    assert {"bot": "PERMISSION_DENIED", "operator": "OK", "onlooker": "OK"} == codes
    assert 'euchre_arena_matches{state="playing"} 0.0' in page
    assert 'euchre_arena_refused_calls_total{reason="role"} 1.0' in page
    assert ["metrics", "listening", "draining", "stopped"] == [t["event"] for t in served.told]
    written = served.log + repr(served.told) + page
    assert [] == [role for role, token in tokens.items() if token.reveal() in written]
    assert "Traceback" not in written
    assert all(json.loads(line)["event"] for line in served.log.splitlines())


def test_the_metrics_port_that_is_taken_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, one sentence, and nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        arguments = ("--data", str(tmp_path / "data"), "--isolation", "none")
        with pytest.raises(SystemExit) as ended:
            main(["serve", *arguments, "--metrics-port", str(port)])
    captured = capsys.readouterr()

    assert (2, "") == (ended.value.code, captured.out)
    assert f"cannot show metrics at 127.0.0.1:{port}" in captured.err


def _checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--check-config", *arguments])
    captured = capsys.readouterr()
    return int(str(ended.value.code)), captured.out, captured.err


def test_the_check_prints_every_setting_and_makes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with its value and where it came from, for people and for machines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EUCHRE_ARENA_SERVE_LOG_LEVEL", "debug")
    Path("arena.toml").write_text("[serve]\nport = 50051\n")
    arguments = ("--config", "arena.toml", "--matches-at-once", "3", "--isolation", "none")
    status, out, _ = _checked(capsys, *arguments)
    _, text, _ = _checked(capsys, *arguments, "--json")
    shown = json.loads(text)

    rows = [line.split() for line in out.splitlines()[1:]]
    assert 0 == status
    for row in (
        ["port", "50051", "arena.toml"],
        ["log-level", "debug", "EUCHRE_ARENA_SERVE_LOG_LEVEL"],
        ["matches-at-once", "3", "--matches-at-once"],
        ["data", "data", "default"],
        ["reflection", "true", "default"],
        ["isolation", "none", "--isolation"],
    ):
        assert row in rows
    assert {"value": 50051, "source": "file", "origin": "arena.toml"} == shown["port"]
    assert {"value": "data", "source": "default", "origin": None} == shown["data"]
    assert [row[0] for row in rows] == list(shown)
    assert ["arena.toml"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--host", "0.0.0.0"), "will not listen on 0.0.0.0 without TLS"),  # noqa: S104  # so it is
        (
            ("--metrics-port", "0", "--metrics-host", "::"),
            "will not show metrics on ::: whoever reaches it could read them",
        ),
        (("--metrics-port", "0", "--metrics-host", "::1]:9090"), "the port is said by --metrics"),
        (("--data", "/proc/data"), "cannot use the data folder /proc/data: no such file"),
        (("--data", "locked"), "cannot use locked/serve.lock: is a directory"),
        (("--tls-cert", "no.pem", "--tls-key", "no.key"), "cannot read no.pem"),
        (("--data", "arena.toml"), "the data folder arena.toml is no folder"),
        (("--config", "arena.toml"), "arena.toml: serve.prot is no setting (did you mean 'port'?)"),
        (("--limits", "x"), "Invalid value for '--limits'"),
    ],
)
def test_the_check_finds_what_is_wrong(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    """Exit 2 and one sentence, before anything is made."""
    monkeypatch.chdir(tmp_path)
    Path("arena.toml").write_text("[serve]\nprot = 1\n")
    Path("locked", "serve.lock").mkdir(parents=True)
    status, out, err = _checked(capsys, *arguments)

    assert (2, "") == (status, out)
    assert sentence in err


def test_the_check_tells_which_isolation_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where nobody chose one."""
    _, out, _ = _checked(capsys, "--data", str(tmp_path), "--json")

    assert json.loads(out)["isolation"]["value"] in {"bwrap", "none"}
    assert [] == list(tmp_path.iterdir())


def test_tokens_that_others_may_write_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An arena whose tokens prove nothing does not begin."""
    store = TokenStore(tmp_path / "data")
    store.create("op", Role.OPERATOR)
    store.path.chmod(0o666)
    status, _, err = _checked(capsys, "--data", str(tmp_path / "data"))

    assert 2 == status
    assert f"chmod go-w {store.path}" in err


def test_with_json_logs_all_that_is_told_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing on stderr is a sentence for people then."""
    logger, logs = capturing_logger()
    _told(logger, as_json=False)("listening", "listening at a:1", address="a:1")

    assert [
        {"event": "serving", "state": "listening", "address": "a:1", "log_level": "info"}
    ] == logs.entries
    assert ("", "") == capsys.readouterr()


def test_a_resumed_match_may_have_a_file_of_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where it listens may come from there; what is played is the record's to say."""
    file = tmp_path / "arena.toml"
    file.write_text("[match]\nboards = 7\n")
    with pytest.raises(SystemExit) as ended:
        main(["match", "--resume", str(tmp_path), "--config", str(file)])

    assert 2 == ended.value.code
    assert f"there is no unfinished match in {tmp_path}" in capsys.readouterr().err
