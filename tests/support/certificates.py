"""Certificates for tests, made by the very commands that docs/operations.md gives."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
NAMES = "DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Certificates:
    """The files that the recipe makes."""

    folder: Path

    def __getattr__(self, name: str) -> Path:
        """Returns `ca_pem`, `arena_pem`, `arena_key`, `ada_pem` or `ada_key`."""
        return self.folder / name.replace("_", ".")


def recipe() -> str:
    """Returns the page's shell commands."""
    found = re.search(r"<!-- tls recipe -->\n```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def make_certificates(folder: Path, *, names: str = NAMES) -> Certificates:
    """Returns a CA, an arena's certificate for these names and a bot's, in a folder."""
    if shutil.which("openssl") is None:
        # The recipe is openssl's, and certificates made otherwise would not prove it.
        pytest.skip("openssl, which makes the certificates, is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    commands = recipe()
    assert NAMES in commands
    subprocess.run(
        ["sh", "-euc", commands.replace(NAMES, names)],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return Certificates(folder)
