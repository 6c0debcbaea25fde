"""Owns ``euchre-arena`` itself: the list of commands, and what every failure looks like.

Commands are imported when they are asked for, so that ``hand`` does not wait for the server.
Whatever happens, a person reads one line and no traceback (DESIGN.md section 10).
"""

from __future__ import annotations

from euchre_server.cli import importing  # before all that takes its time

# isort: split
import errno
import importlib
import os
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

try:
    import click
except ModuleNotFoundError:  # whoever installed the client alone has this command, too
    sys.stderr.write(
        "euchre-arena: only the client is installed; for the arena, in its repository: "
        "pip install '.[server]'\n"
    )
    sys.exit(2)

from euchre_server.cli.failure import CommandFailed, ExitStatus
from euchre_server.cli.interrupts import INTERRUPTS
from euchre_server.cli.unheard import unheard

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main", "program"]

_PROGRAM: Final = "euchre-arena"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a place that takes no more output answers."""
_NO_TEXT: Final = "surrogates not allowed"
"""Why bytes that Python had smuggled into a text cannot be told to others."""
_COMMANDS: Final = {
    "match": ("euchre_server.cli.match", "match_command"),
    "serve": ("euchre_server.cli.serve", "serve_command"),
    "matches": ("euchre_server.cli.matches", "matches_group"),
    "replay": ("euchre_server.cli.replay", "replay_group"),
    "hand": ("euchre_server.cli.hand", "hand_command"),
    "rules": ("euchre_server.cli.rules", "rules_command"),
    "bot": ("euchre_server.cli.bot", "bot_command"),
    "token": ("euchre_server.cli.token", "token_group"),
    "proto": ("euchre_server.cli.proto", "proto_command"),
}


class _Commands(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names, in the order in which a newcomer needs them."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command by name; None if there is none."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name]
        with INTERRUPTS.held():  # many modules cannot be interrupted while they are imported
            command: click.Command = getattr(importlib.import_module(module), attribute)
        INTERRUPTS.check()
        return command


@click.group(_PROGRAM, cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(_PROGRAM), prog_name=_PROGRAM, message="%(prog)s %(version)s")
def program() -> None:
    """Let bots in any language play Euchre against each other, refereed and recorded.

    Begin with:  euchre-arena match --bot rules --bot random --bot random
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and ends the process with its exit status."""
    # gRPC's core writes to stderr past every log, unless told so before it is first imported.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    _open_streams()
    with INTERRUPTS.handled():
        status = _status(list(sys.argv[1:] if arguments is None else arguments))
    sys.exit(status)


def _open_streams() -> None:
    """Opens nothing in place of an input or output that the process was started without.

    In this order, so that each gets its own number, which the next file opened had otherwise had.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # for good


def _status(arguments: list[str]) -> int:
    """Returns the exit status of a command line, having told what went wrong."""
    stdout = sys.stdout
    try:
        result = program.main(arguments, prog_name=_PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show(unheard(sys.stderr))
        return ExitStatus.MISUSE
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else _PROGRAM
        _tell(f"{error.format_message().rstrip('.')} (see {command} --help)")
        return ExitStatus.MISUSE
    except CommandFailed as error:
        _tell(error.message)
        return error.status
    except click.ClickException as error:
        _tell(error.format_message())
        return ExitStatus.MISUSE if isinstance(error, click.FileError) else error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _tell("interrupted")
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        return _seen_enough()
    except SystemExit:
        if sys.stdout is stdout:
            raise  # a house bot ends with a status of its own
        return _seen_enough()  # click has wrapped it, since a reader has gone
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not _has_folder():
            _tell("the current folder was removed; change to one that is there")
            return ExitStatus.MISUSE
        if error.errno not in _FULL:
            return _internal(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _tell(f"the output could not be written: {error.strerror}")
        return ExitStatus.MISUSE
    except UnicodeEncodeError as error:  # an argument or a path had bytes that are no text
        if error.reason != _NO_TEXT:
            return _internal(error)
        _tell(
            f"{error.object[error.start : error.end]!r} is no text in UTF-8, which whatever is "
            "sent, recorded or printed must be: arguments, and names of files and folders"
        )
        return ExitStatus.MISUSE
    except Exception as error:  # noqa: BLE001  # the last place that can keep a traceback away
        return _internal(error)
    return result if isinstance(result, int) else ExitStatus.DONE


def _seen_enough() -> int:
    """Returns how a command ends whose output somebody has ceased to read, as `head` does."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ExitStatus.DONE


def _has_folder() -> bool:
    """Returns whether the folder in which the process works is there still."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _internal(error: Exception) -> int:
    """Tells of a fault of our own, and returns its exit status."""
    _tell(f"internal error: {type(error).__name__}: {error}; details are in {_kept(error)}")
    return ExitStatus.INTERNAL


def _tell(sentence: str) -> None:
    """Prints one line for a person."""
    click.echo(f"{_PROGRAM}: {' '.join(sentence.split())}", file=unheard(sys.stderr))


def _kept(error: BaseException) -> str:
    """Returns the path of a file that holds the traceback."""
    lines = traceback.format_exception(error)
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="euchre-arena-error-", suffix=".txt", delete=False
        ) as file:
            file.writelines(lines)
    except OSError:
        return "no file: none could be written"
    return file.name


importing.done()

if __name__ == "__main__":
    main()
