"""Owns ``euchre-arena proto``: writes out the protocol's files, for bots in any language."""

from __future__ import annotations

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

import euchre_arena
import euchre_server
from euchre_server.cli.failure import CommandFailed
from euchre_server.cli.parsed import Folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["proto_command"]


@click.command("proto", short_help="Write the .proto files into a folder.")
@click.argument("folder", type=Folder(file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print the paths written as JSON.")
def proto_command(folder: Path, *, as_json: bool) -> None:
    """Write the .proto files into FOLDER, which is made if it does not exist.

    They are the protocol: generate a client for your language from them, with FOLDER as the
    include path.
    """
    try:
        with as_file(_source()) as source:
            written = _copied(source, folder)
    except OSError as error:
        raise CommandFailed(f"cannot write into {folder}: {error.strerror}") from None
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "files": written}))
    else:
        for name in written:
            click.echo(folder / name)


def _source() -> Traversable:
    """Returns the folder of the protocol: inside an installed package, else in the repository."""
    installed = files(euchre_arena) / "proto"
    if installed.is_dir():
        return installed
    return Path(euchre_server.__path__[0]).parents[1] / "proto"


def _copied(source: Path, folder: Path) -> list[str]:
    written = []
    for path in sorted(source.rglob("*.proto")):
        name = path.relative_to(source)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)
        written.append(name.as_posix())
    return written
