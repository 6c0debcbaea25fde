"""Promises about Ctrl-C while a bot or the command is still being imported."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PAUSE = """\
import signal
print("here", flush=True)
signal.pause()
"""
"""Stands for a module that takes its time: the interrupt comes while it is being imported."""


@pytest.mark.parametrize(
    ("slow", "arguments"),
    [
        ("grpc", ("-c", "from euchre_arena import run")),
        ("grpc", ("-m", "euchre_arena.bots", "rules")),
        ("argparse", ("-m", "euchre_arena.bots", "rules")),
        ("click", ("-m", "euchre_server.cli.main", "rules")),
        ("click", ("-c", "from euchre_server.cli.main import main")),
    ],
)
def test_an_interrupt_during_imports_is_one_line(
    tmp_path: Path, slow: str, arguments: tuple[str, ...]
) -> None:
    """Whoever changes his mind at once reads no traceback, and the shell is told 130."""
    (tmp_path / f"{slow}.py").write_text(PAUSE)
    with subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "here\n" == process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert "euchre-arena: interrupted\n" == errors
    assert -signal.SIGINT == process.returncode


def test_other_failures_are_shown_as_usual_and_nothing_is_left_behind() -> None:
    """What is no interrupt keeps its traceback; a program that has imported us, its own hook."""
    script = """\
import sys
sys.excepthook = usual = lambda *_: print("mine")
import euchre_arena
import euchre_server.cli.main
assert sys.excepthook is usual
euchre_arena._importing.begin()
raise ValueError
"""
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )

    assert ("mine\n", "", 1) == (result.stdout, result.stderr, result.returncode)
