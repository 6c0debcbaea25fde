"""The command line as a whole: help, versions, and that no failure shows a traceback."""

import json
import os
import re
import stat
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from euchre_engine.games import Game
from euchre_server.cli import main as main_module
from euchre_server.cli.main import main, program


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    captured = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return int(ended.value.code), captured.out, captured.err


def test_a_house_bot_that_fails_ends_with_its_own_status(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client library's exit statuses come through: 2 where it was not told where to dial."""
    for variable in ("SERVER", "TOKEN"):
        monkeypatch.delenv(f"EUCHRE_ARENA_{variable}", raising=False)

    with pytest.raises(SystemExit) as ended:
        main(["bot", "rules"])

    assert 2 == ended.value.code
    assert "EUCHRE_ARENA_SERVER and EUCHRE_ARENA_TOKEN not set" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints name and version."""
    assert (0, f"euchre-arena {version('euchre-arena')}\n", "") == _run(capsys, "--version")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each command has a line with its purpose."""
    status, out, _ = _run(capsys, "--help")

    assert 0 == status
    for name in program.list_commands(click.Context(program)):
        assert re.search(rf"^  {name} +[A-Z]\w+", out, re.MULTILINE), name


@pytest.mark.parametrize("name", program.list_commands(click.Context(program)))
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """`COMMAND --help` works for each of them."""
    status, out, err = _run(capsys, name, "--help")

    assert (0, "") == (status, err)
    assert out.startswith(f"Usage: euchre-arena {name}")


def test_without_a_command_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer who types only the name reads what there is; it is no success."""
    status, out, err = _run(capsys)

    assert 2 == status
    assert "Commands:" in out + err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mtach"], "No such command 'mtach'"),
        (["--loud"], "No such option '--loud'"),
        (["bot", "rulez"], "there is no house bot 'rulez' (did you mean 'rules'?)"),
        (["bot"], "Missing argument 'NAME'"),
        (["match", "--bot", "rules", "--boards", "many"], "'many' is not a valid whole number"),
    ],
)
def test_wrong_use_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    """Wrong use ends with status 2 and one line that says what is wrong and where to read on."""
    status, out, err = _run(capsys, *arguments)

    assert (2, "") == (status, out)
    assert 1 == err.count("\n")
    assert err.startswith("euchre-arena: ")
    assert sentence in err
    assert "--help)" in err


def test_bot_says_what_a_house_bot_plays(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json it is described, not run."""
    status, out, err = _run(capsys, "bot", "random", "--json")

    assert (0, "") == (status, err)
    assert {"bot": "random", "games": [game.value for game in Game]} == json.loads(out)


def _failing(error: BaseException) -> click.Command:
    @click.command("fail")
    def fail() -> None:
        raise error

    return fail


def _with_command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    monkeypatch.setattr(main_module, "program", click.Group(commands=[_failing(error)]))


def test_an_internal_error_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What nobody foresaw shows no traceback, but says where one is kept, for the owner alone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _with_command(monkeypatch, ZeroDivisionError("a\nb"))

    status, out, err = _run(capsys, "fail")

    (kept,) = tmp_path.iterdir()
    assert (70, "") == (status, out)
    assert f"euchre-arena: internal error: ZeroDivisionError: a b; details are in {kept}\n" == err
    assert "Traceback" in kept.read_text()
    assert 0o600 == stat.S_IMODE(kept.stat().st_mode)


def test_bytes_that_are_no_text_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The record of a match could not hold them."""
    bot = "x=cmd:sh -c \udcff"
    options = ["--rules", "two-handed", "--isolation", "none", "--data", str(tmp_path)]

    status, out, err = _run(capsys, "match", "--bot", bot, "--bot", "random", *options)

    assert (2, "") == (status, out)
    assert err.startswith("euchre-arena: '\\udcff' is no text in UTF-8, ")
    assert 1 == err.count("\n")
    assert [] == list(tmp_path.iterdir())


def test_a_client_without_its_arena_says_so() -> None:
    """The command is there, but not what it needs."""
    script = "import sys; sys.modules['click'] = None; import euchre_server.cli.main"

    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    assert (2, "") == (ended.returncode, ended.stdout)
    assert ended.stderr.startswith("euchre-arena: only the client is installed; ")
    assert 1 == ended.stderr.count("\n")


def test_an_interrupt_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C at any moment ends with status 130."""
    _with_command(monkeypatch, KeyboardInterrupt())

    status, out, err = _run(capsys, "fail")

    assert (130, "") == (status, out)
    assert "euchre-arena: interrupted" == err.strip()


def _shell(script: str, folder: Path) -> tuple[int, str, str]:
    """Returns how a line of a shell ends in which `arena` is the command."""
    arena = f'arena() {{ {sys.executable} -m euchre_server.cli.main "$@"; }}; '
    ended = subprocess.run(
        ["sh", "-c", arena + script], cwd=folder, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    """`euchre-arena ... | head -0` ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as broken:
        ended = subprocess.run(
            [sys.executable, "-m", "euchre_server.cli.main", "proto", str(tmp_path / "out")],
            stdout=broken,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (0, b"") == (ended.returncode, ended.stderr)


@pytest.mark.parametrize("without", [">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_without_an_output_a_command_works(without: str, tmp_path: Path) -> None:
    """What it would print is lost, and goes into no file that is opened in place of an output."""
    assert (0, "", "") == _shell(f"arena proto out {without}", tmp_path)
    assert (0, "", "") == _shell(f"mkdir data; arena replay list {without}", tmp_path)
    assert (tmp_path / "out" / "euchre_arena" / "v1").is_dir()


@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full"])
def test_a_failure_that_cannot_be_told_keeps_its_status(errors: str, tmp_path: Path) -> None:
    """There may be no place to say the sentence."""
    assert (2, "", "") == _shell(f"arena bogus {errors}", tmp_path)


@pytest.mark.parametrize(
    "command", ["serve --check-config", "match --rules two-handed --bot rules --bot rules"]
)
def test_a_current_folder_that_was_removed_is_told_in_a_line(command: str, tmp_path: Path) -> None:
    """There is no place for the data folder then."""
    message = "euchre-arena: the current folder was removed; change to one that is there\n"
    gone = "mkdir gone && cd gone && rmdir ../gone"

    assert (2, "", message) == _shell(f"{gone} && arena {command}", tmp_path)


def test_proto_writes_every_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The files that come out are those of the repository, at their import paths."""
    status, out, _ = _run(capsys, "proto", str(tmp_path / "out"), "--json")

    source = Path(__file__).parents[2] / "proto"
    expected = {path.relative_to(source).as_posix() for path in source.rglob("*.proto")}
    assert 0 == status
    assert "euchre_arena/v1/arena_service.proto" in expected
    assert expected == set(json.loads(out)["files"])
    for name in expected:
        assert (source / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_proto_into_no_folder_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A folder that cannot be made is named."""
    (tmp_path / "file").touch()

    status, out, err = _run(capsys, "proto", str(tmp_path / "file" / "out"))

    assert (2, "") == (status, out)
    assert f"euchre-arena: cannot write into {tmp_path}/file/out: Not a directory\n" == err


def test_proto_into_an_empty_name_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An empty shell variable does not mean the current folder."""
    monkeypatch.chdir(tmp_path)

    status, _, err = _run(capsys, "proto", "")

    assert 2 == status
    assert "it is empty; name a folder" in err
    assert [] == list(tmp_path.iterdir())


def test_output_that_finds_no_room_is_told_in_a_line() -> None:
    """A full disk under our output is no fault of ours: one sentence, status 2."""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "euchre_server.cli.main", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )

    message = "euchre-arena: the output could not be written: No space left on device\n"
    assert (2, message) == (ended.returncode, ended.stderr)
