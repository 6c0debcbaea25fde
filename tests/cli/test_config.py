"""Settings: a flag comes before the environment, that before the file, that before the default."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from euchre_server.cli.config import ConfiguredCommand, Setting, Source, flag_only, settings
from euchre_server.cli.main import program


@click.command("serve", cls=ConfiguredCommand)
@click.option("--port", type=click.IntRange(0, 65535), default=1)
@click.option("--data", type=click.Path(path_type=Path), default="data")
@click.option("--insecure", is_flag=True)
@click.option("--reflection/--no-reflection", default=None)
@click.option("--share", multiple=True)
@click.option("--level", "how_high", type=click.Choice(["low", "high"]), default="low")
@click.option("--tls-cert")
@click.option("--rate", type=float, default=1.5)
@flag_only("--json", "as_json", is_flag=True)
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401  # click's
    """Takes settings of every type."""
    context.obj.append((options, settings(context)))


class Tried:
    """Runs the command with a file, variables and flags."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "arena.toml"
        self.seen: list[tuple[dict[str, Any], list[Setting]]] = []

    def __call__(
        self, *flags: str, file: str | None = None, variables: dict[str, str] | None = None
    ) -> Result:
        """Returns how it went."""
        arguments = list(flags)
        if file is not None:
            self.path.write_text(file)
            arguments += ["--config", str(self.path)]
        environment = {f"EUCHRE_ARENA_SERVE_{k}": v for k, v in (variables or {}).items()}
        return CliRunner().invoke(command, arguments, obj=self.seen, env=environment)

    def options(self, *flags: str, **how: Any) -> dict[str, Any]:  # noqa: ANN401  # as above
        """Returns the options that the command was given."""
        result = self(*flags, **how)
        assert "" == result.output
        return self.seen[-1][0]

    def error(self, *flags: str, **how: Any) -> str:  # noqa: ANN401  # as above
        """Returns the sentence with which it was refused."""
        result = self(*flags, **how)
        assert 2 == result.exit_code
        return result.output.rpartition("Error: ")[2].strip()


@pytest.fixture
def tried(tmp_path: Path) -> Tried:
    """Returns the command with a folder of its own."""
    return Tried(tmp_path)


FLAGS_ONLY = {"resume", "json", "check-config"}
FILE = "[serve]\nport = 2\n"
VARIABLE = {"PORT": "3"}


@pytest.mark.parametrize("flag", [False, True])
@pytest.mark.parametrize("variable", [False, True])
@pytest.mark.parametrize("file", [False, True])
def test_the_precedence(tried: Tried, *, flag: bool, variable: bool, file: bool) -> None:
    """Flag > environment > file > default, for each way of being given or not."""
    options = tried.options(
        *(("--port", "4") if flag else ()),
        file=FILE if file else None,
        variables=VARIABLE if variable else None,
    )
    expected = (
        (4, Source.FLAG, "--port")
        if flag
        else (3, Source.ENVIRONMENT, "EUCHRE_ARENA_SERVE_PORT")
        if variable
        else (2, Source.FILE, str(tried.path))
        if file
        else (1, Source.DEFAULT, None)
    )
    told = next(setting for setting in tried.seen[-1][1] if setting.key == "port")

    assert expected == (options["port"], told.source, told.origin)
    assert str(expected[0]) == str(told.value)


def test_a_file_has_every_type(tried: Tried) -> None:
    """Texts, numbers, truths and lists arrive as their flags would."""
    options = tried.options(
        file='[serve]\ndata = "d"\ninsecure = true\nreflection = false\nshare = ["a", "b c"]\n'
        'level = "high"\ntls-cert = "c.pem"\nrate = 2\n[match]\nanything = 1\n'
    )

    assert {
        "port": 1,
        "data": Path("d"),
        "insecure": True,
        "reflection": False,
        "share": ("a", "b c"),
        "how_high": "high",
        "tls_cert": "c.pem",
        "rate": 2.0,
        "as_json": False,
    } == options


def test_a_variable_has_every_type(tried: Tried) -> None:
    """Variables are texts, read as flags are."""
    options = tried.options(
        variables={"DATA": "d", "INSECURE": "1", "REFLECTION": "no", "TLS_CERT": "c.pem"}
    )

    assert (Path("d"), True, False, "c.pem") == (
        options["data"],
        options["insecure"],
        options["reflection"],
        options["tls_cert"],
    )


def test_the_file_can_be_named_by_a_variable(tried: Tried) -> None:
    """The file's own name is a setting too, though not one of the file."""
    tried.path.write_text(FILE)

    assert 2 == tried.options(variables={"CONFIG": str(tried.path)})["port"]


def test_a_list_from_a_flag_replaces_the_files(tried: Tried) -> None:
    """The stronger source has the whole say: nothing is mixed."""
    assert ("x",) == tried.options("--share", "x", file='[serve]\nshare = ["a", "b"]\n')["share"]


def test_settings_list_what_is_not_said_of_one_run(tried: Tried) -> None:
    """All settings, in the order of the help, without `--json` and the file itself."""
    tried.options("--json", "--no-reflection")

    assert {
        "port": (1, None),
        "data": ("data", None),
        "insecure": (False, None),
        "reflection": (False, "--reflection"),
        "share": (None, None),
        "level": ("low", None),
        "tls-cert": (None, None),
        "rate": (1.5, None),
    } == {setting.key: (setting.value, setting.origin) for setting in tried.seen[-1][1]}


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("port = 1\n", "there is no 'port'; settings stand under [serve]"),
        ("[sreve]\n", "there is no 'sreve' (did you mean 'serve'?); settings stand under [serve]"),
        ("serve = 1\n", "serve must be a table, [serve]"),
        ("[serve]\nprot = 1\n", "serve.prot is no setting (did you mean 'port'?)"),
        ("[serve]\ntls_cert = 'a'\n", "serve.tls_cert is no setting (did you mean 'tls-cert'?)"),
        ("[serve]\njson = true\n", "serve.json is no setting"),
        ("[serve]\nconfig = 'x'\n", "serve.config is no setting"),
        ("[serve]\nport = '1'\n", "serve.port must be a whole number; it is '1'"),
        ("[serve]\nport = 1.0\n", "serve.port must be a whole number; it is 1.0"),
        ("[serve]\nport = true\n", "serve.port must be a whole number; it is true"),
        ("[serve]\nport = 70000\n", "serve.port: 70000 is not in the range 0<=x<=65535."),
        ("[serve]\nlevel = 'mid'\n", "serve.level: 'mid' is not one of 'low', 'high'."),
        ("[serve]\ninsecure = 1\n", "serve.insecure must be true or false; it is 1"),
        ("[serve]\ndata = 1\n", 'serve.data must be a text, "in quotes"; it is 1'),
        (
            "[serve]\nshare = 'a'\n",
            "serve.share must be a list, each a text, \"in quotes\"; it is 'a'",
        ),
        ("[serve]\nshare = ['a', 1]\n", "serve.share must be a list, each a text"),
        ("[serve]\nrate = 'x'\n", "serve.rate must be a number; it is 'x'"),
        ("[serve]\ndata = 'a\\u0000'\n".replace("'", '"'), "serve.data has a null character in it"),
        (f"x = {'[' * 5000}", "is no TOML file: "),
        ("[serve\n", "is no TOML file: "),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tried: Tried, file: str, sentence: str) -> None:
    """File, key, and what would be right; nothing is converted silently."""
    error = tried.error(file=file)

    assert str(tried.path) in error
    assert sentence in error


def test_a_file_may_begin_with_a_byte_order_mark(tried: Tried) -> None:
    """As editors of other systems write it."""
    assert 2 == tried.options(file=f"\N{BYTE ORDER MARK}{FILE}")["port"]


def test_a_missing_file_is_named(tried: Tried) -> None:
    """There is no silent fallback to no file."""
    assert f"cannot read {tried.path}: no such file or directory" == tried.error(
        "--config", str(tried.path)
    )


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"PROT": "1"}, "EUCHRE_ARENA_SERVE_PROT is no setting of serve (did you mean "),
        ({"JSON": "1"}, "EUCHRE_ARENA_SERVE_JSON is no setting of serve"),
        ({"PORT": "x"}, "Invalid value for EUCHRE_ARENA_SERVE_PORT: 'x' is not a valid int"),
        ({"INSECURE": "maybe"}, "EUCHRE_ARENA_SERVE_INSECURE: 'maybe' is neither true nor false"),
        ({"HOW_HIGH": "low"}, "EUCHRE_ARENA_SERVE_HOW_HIGH is no setting of serve"),
        ({"SHARE": "a"}, "EUCHRE_ARENA_SERVE_SHARE cannot hold a list; repeat --share, or write "),
        ({"SHARE": "a"}, "`share = [...]` under [serve] in a file that --config names"),
        ({"LEVEL": "mid"}, "Invalid value for EUCHRE_ARENA_SERVE_LEVEL: 'mid' is not one of"),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(
    tried: Tried, variables: dict[str, str], sentence: str
) -> None:
    """A variable of ours that means nothing, or has no possible value, is not passed over."""
    assert sentence in tried.error(variables=variables)


def test_a_wrong_flag_is_called_by_its_name(tried: Tried) -> None:
    """Also where the same setting is in the environment."""
    assert "Invalid value for '--port': 'x'" in tried.error("--port", "x", variables=VARIABLE)


@pytest.mark.parametrize("command_name", ["match", "serve"])
def test_a_variable_is_called_as_its_flag(command_name: str) -> None:
    """In capitals, behind the command's name, for all options that may come from anywhere."""
    found = program.get_command(click.Context(program), command_name)
    assert found is not None

    for option in found.params:
        assert isinstance(option, click.Option)
        flag = option.opts[0].removeprefix("--")
        if option.envvar is not None:
            variable = f"EUCHRE_ARENA_{command_name}_{flag}".upper().replace("-", "_")
            assert variable == option.envvar
        else:
            assert option.multiple or flag in FLAGS_ONLY
