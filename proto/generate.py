# ruff: noqa: INP001 - a script, not a module of a package
"""Makes the checked-in Python stubs: `python proto/generate.py [--out DIR | --check]`.

Owns the choice of files, plug-ins and pinned versions. The generator is the oldest that is
supported, because generated code refuses older run-time libraries and accepts newer ones.
"""

import argparse
import importlib.metadata
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PINNED = {"grpcio-tools": "1.76.0", "mypy-protobuf": "5.1.0"}
PROTO_ROOT = Path(__file__).resolve().parent
CHECKED_IN = PROTO_ROOT.parent / "clients" / "python"


def main() -> int:
    """Returns the exit status: 0 done, 1 stubs are stale, 2 the tools are not those pinned."""
    parser = argparse.ArgumentParser(description="Make the Python stubs from the .proto files.")
    parser.add_argument("--out", type=Path, default=CHECKED_IN, help="where to write the stubs")
    parser.add_argument("--check", action="store_true", help="write nothing; report stale stubs")
    arguments = parser.parse_args()
    if problem := _wrong_tools():
        sys.stderr.write(f"generate.py: {problem}\n")
        return 2
    if not arguments.check:
        generate(arguments.out)
        return 0
    if old := stale():
        sys.stderr.write(f"stale stubs, run `make proto`: {', '.join(map(str, old))}\n")
    return 1 if old else 0


def stale() -> list[Path]:
    """Returns the checked-in stubs that differ from what the .proto files give now."""
    with tempfile.TemporaryDirectory() as name:
        generate(Path(name))
        fresh, found = _stubs(Path(name)), _stubs(CHECKED_IN)
    return sorted(
        path for path in fresh.keys() | found.keys() if fresh.get(path) != found.get(path)
    )


def generate(out: Path) -> None:
    """Writes all stubs below `out` and removes those that no .proto file stands behind any more.

    Raises:
        RuntimeError: the generator refused a file; the message is its own.
    """
    sources = sorted(
        path.relative_to(PROTO_ROOT) for path in PROTO_ROOT.glob("euchre_arena/**/*.proto")
    )
    for old in _stubs(out):
        (out / old).unlink()
    for folder in {out / source.parent for source in sources}:
        folder.mkdir(parents=True, exist_ok=True)
    _protoc([f"--python_out={out}", f"--mypy_out=quiet:{out}"], sources)
    # Files without a service would only give empty modules.
    services = [source for source in sources if _has_service(PROTO_ROOT / source)]
    _protoc([f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}"], services)


def _wrong_tools() -> str | None:
    for name, wanted in PINNED.items():
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found = "none"
        if found != wanted:
            return (
                f"needs {name} {wanted}, found {found}; install the development tools: "
                "pip install -e '.[dev]'"
            )
    return None


def _stubs(root: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(root): path.read_bytes()
        for pattern in ("*_pb2*.py", "*_pb2*.pyi")
        for path in root.glob(f"euchre_arena/**/{pattern}")
    }


def _has_service(path: Path) -> bool:
    return re.search(r"^service ", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def _protoc(outputs: list[str], sources: list[Path]) -> None:
    tools = Path(sys.executable).parent
    plugins = [f"--plugin={name}={tools / name}" for name in _PLUGINS]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO_ROOT}", *plugins, *outputs]
    done = subprocess.run(  # noqa: S603 - the command is made of our own constants
        [*command, *map(str, sources)], cwd=PROTO_ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip())


_PLUGINS = ("protoc-gen-mypy", "protoc-gen-mypy_grpc")

if __name__ == "__main__":
    sys.exit(main())
