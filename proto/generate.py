"""Makes the checked-in Python stubs from the .proto files: `python proto/generate.py [--out DIR]`.

Owns the choice of files, plug-ins and pinned versions. The generator is the oldest that is
supported, because generated code refuses older run-time libraries and accepts newer ones.
"""

import argparse
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

PINNED = {"grpcio-tools": "1.76.0", "mypy-protobuf": "5.1.0"}
PROTO_ROOT = Path(__file__).resolve().parent
CHECKED_IN = PROTO_ROOT.parent / "clients" / "python"


def main() -> int:
    """Returns the exit status: 0 when the stubs are made, 2 when the tools are not those pinned."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=CHECKED_IN, help="where to write the stubs")
    out: Path = parser.parse_args().out
    if problem := _wrong_tools():
        sys.stderr.write(f"generate.py: {problem}\n")
        return 2
    generate(out)
    return 0


def generate(out: Path) -> None:
    """Writes all stubs below `out` and removes those that no .proto file stands behind any more.

    Raises:
        RuntimeError: the generator refused a file; the message is its own.
    """
    sources = sorted(
        path.relative_to(PROTO_ROOT) for path in PROTO_ROOT.glob("euchre_arena/**/*.proto")
    )
    for folder in {out / source.parent for source in sources}:
        folder.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob("*_pb2*.py"), *folder.glob("*_pb2*.pyi")]:
            old.unlink()
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
