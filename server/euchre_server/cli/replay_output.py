"""Owns where an export goes, so that neither a record nor an earlier export is lost by it."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from euchre_server.cli.failure import CommandFailed
from euchre_server.record.chain import HEADER_BYTES, read_header
from euchre_server.record.entries import RecordError
from euchre_server.record.store import SECRET_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_output", "export_file", "output_option"]


class _OutputPath(click.Path):
    """A file; an empty text would mean the current folder."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Returns the file's path."""
        if not os.fspath(value):
            self.fail("it is empty; name a file, or `-` for standard output", param, ctx)
        return super().convert(value, param, ctx)


output_option = click.option(
    "--output", "-o", type=_OutputPath(dir_okay=False, path_type=Path), help="A file."
)


def check_output(output: Path | None, record: Path) -> None:
    """Refuses an export that would overwrite its record, another one, or the match's secret.

    Raises:
        CommandFailed: It would.
    """
    if output is None or not output.is_file():
        return
    secret = record.with_suffix(SECRET_SUFFIX)
    if any(own.exists() and output.samefile(own) for own in (record, secret)):
        raise CommandFailed(f"{output} is the record or its secret; export to another file")
    if _is_record(output):
        raise CommandFailed(f"{output} is a record; export to another file")


@contextmanager
def export_file(output: Path | None, *, whole: bool) -> Iterator[IO[str]]:
    """Gives a file to write to, which takes its place when all is written.

    Where there is an earlier file, only a whole export replaces it; where there is none, what is
    good of a damaged record is kept.

    Args:
        output: Where it goes; None or ``-`` for standard output.
        whole: Whether the record is not known to be damaged.

    Raises:
        CommandFailed: It cannot be written.
        RecordError: As what is written within; or an earlier file was not replaced.
    """
    try:
        if output is None or str(output) == "-" or (output.exists() and not output.is_file()):
            with click.open_file(str(output or "-"), "w", encoding="utf-8") as file:
                yield file
        else:
            with _replacing(output, whole=whole) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CommandFailed(f"cannot write {output or 'to standard output'}: {why}") from None


@contextmanager
def _replacing(output: Path, *, whole: bool) -> Iterator[IO[str]]:
    target = Path(os.path.realpath(output))  # a link stays one
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".export-{secrets.token_hex(6)}")
    failed: RecordError | None = None
    try:
        with part.open("x", encoding="utf-8") as file:
            if mode is not None:
                part.chmod(mode)
            try:
                yield file
            except RecordError as error:
                failed = error
            file.flush()
            os.fsync(file.fileno())
        if mode is not None and (failed or not whole):
            why = f"{failed}; " if failed else ""
            raise RecordError(
                f"{why}{output} stays as it was: a part of the hands replaces no earlier file"
            )
        part.replace(target)
        if failed:
            raise failed
    finally:
        part.unlink(missing_ok=True)


def _is_record(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return read_header(file.read(HEADER_BYTES)) is not None
    except OSError:
        return False
