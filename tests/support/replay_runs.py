"""``euchre-arena replay`` as it is called, and matches to be shown by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from record_matches import Behaviour, match_spec, write_match

from euchre_server.cli.main import main
from euchre_server.referee.spec import TableMode

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["run", "run_json", "write_three"]


def write_three(folder: Path) -> Path:
    """Writes three matches, an unsealed one among them; returns their data folder."""
    behaviour = Behaviour(timeout=0.1, note="hello")
    write_match(folder, match_spec(boards=2), match_id="m-1", behaviour=behaviour)
    write_match(folder, match_spec("two-handed", boards=1, mode=TableMode.GAME), match_id="m-2")
    write_match(folder, match_spec(boards=1), match_id="other", sealed=False)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Returns exit status, standard output and standard error of a command."""
    with pytest.raises(SystemExit) as caught:
        main(["replay", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return int(caught.value.code or 0), out, err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:  # noqa: ANN401
    """Returns what a command prints as JSON."""
    status, out, _ = run(capsys, *arguments, "--json")
    assert 0 == status
    return json.loads(out)
