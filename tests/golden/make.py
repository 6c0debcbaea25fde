"""Writes the golden replays again: `make golden`. Read the difference before it is committed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from golden_games import FOLDER, GOLDEN, golden_text  # found by the line above


def main() -> None:
    """Writes every golden replay, and removes those that are no longer made."""
    for old in FOLDER.glob("*.txt"):
        if old.stem not in GOLDEN:
            old.unlink()
    for name in GOLDEN:
        path = FOLDER / f"{name}.txt"
        text = golden_text(name)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            sys.stdout.write(f"{path.name} has changed\n")


if __name__ == "__main__":
    main()
