"""Makes the test vectors of LEAN views, docs/vectors/lean.json."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from lean_vectors import FILE, lean_vectors_text  # found by the line above


def main() -> None:
    """Writes the file."""
    text = lean_vectors_text()
    FILE.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{FILE.name}: {len(text):,} bytes\n")


if __name__ == "__main__":
    main()
