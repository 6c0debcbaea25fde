"""What nobody is told while a match is played: the secret that its deals come from."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from typing import TYPE_CHECKING

from euchre_server.record.entries import MatchSealed
from euchre_server.record.reader import read_last

if TYPE_CHECKING:
    from pathlib import Path

CURIOUS = """
import os
from pathlib import Path
from euchre_arena import run

def tell(folder):
    for name in ("cmdline", "environ"):
        print((Path("/proc") / folder / name).read_bytes())
    print(sorted(os.readlink(p) for p in Path("/proc", folder, "fd").iterdir() if p.exists()))

tell("self")
tell(str(os.getppid()))
run(lambda decision: decision.legal[0])
"""


def test_no_output_file_name_command_line_or_environment_has_the_secret(tmp_path: Path) -> None:
    """Neither what `match` prints and logs, nor what a bot beside it sees of both processes."""
    (tmp_path / "curious.py").write_text(CURIOUS)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "euchre_server.cli.main", "match", "--rules", "two-handed"),
            *("--bot", f"curious=cmd:{sys.executable} curious.py", "--bot", "random"),
            *("--boards", "2", "--isolation", "none", "--json", "--log", "json"),
            *("--log-level", "debug"),
        ],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=120,
    )

    record = tmp_path / "data" / (json.loads(done.stdout)["match_id"] + ".euchre")
    last = read_last(record)
    assert last is not None
    assert isinstance(last.fact, MatchSealed)
    secret = last.fact.secret
    seen = b"".join(path.read_bytes() for path in record.with_suffix(".output").iterdir())
    names = "\n".join(map(str, tmp_path.rglob("*"))).encode()
    told = done.stdout + done.stderr + seen + names
    assert seen.count(b"EUCHRE_ARENA_TOKEN") >= 2  # one leg each, and it could look
    assert b"table opened" in done.stderr
    for written in (secret, secret.hex().encode(), base64.b64encode(secret), repr(secret).encode()):
        assert written not in told
    assert {0o700} == {path.stat().st_mode & 0o777 for path in (record.parent,)}
