"""Promises about the .proto files and the Python stubs that are made from them."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PROTO = REPOSITORY / "proto"
FILES = sorted(path.relative_to(PROTO) for path in PROTO.glob("euchre_arena/**/*.proto"))


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a program in the proto folder and returns what came of it."""
    return subprocess.run(command, cwd=PROTO, capture_output=True, text=True, check=False)


def test_checked_in_stubs_are_fresh() -> None:
    """The stubs in the client are exactly what the pinned generator makes of proto/."""
    done = run(sys.executable, PROTO / "generate.py", "--check")

    assert (0, "") == (done.returncode, done.stderr)


def test_generating_elsewhere_leaves_the_tree_alone(tmp_path: Path) -> None:
    """`--out DIR` writes stubs there, a gRPC module only for files that hold a service."""
    done = run(sys.executable, PROTO / "generate.py", "--out", tmp_path)
    made = {path.name for path in tmp_path.glob("euchre_arena/v1/*_grpc.py")}

    assert (0, "") == (done.returncode, done.stderr)
    assert {"arena_service_pb2_grpc.py", "match_service_pb2_grpc.py"} == made


@pytest.mark.parametrize("command", [["lint"], ["format", "--diff", "--exit-code"]])
def test_proto_files_pass_buf(command: list[str]) -> None:
    """The .proto files are linted and formatted."""
    done = run(Path(sys.executable).parent / "buf", *command)

    assert (0, "") == (done.returncode, done.stdout + done.stderr)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_package_folder_and_import_path_agree(file: Path) -> None:
    """Package, folder and Python module are one path, so that generated imports work unedited."""
    text = (PROTO / file).read_text(encoding="utf-8")
    package = re.search(r"^package (.*);$", text, re.MULTILINE)
    module = ".".join(file.parent.parts)

    assert package is not None
    assert module == package.group(1)
    assert importlib.import_module(f"{module}.{file.stem}_pb2").DESCRIPTOR.name == file.as_posix()


def test_the_proto_files_travel_with_the_client() -> None:
    """The wheel puts proto/euchre_arena where `euchre_arena/proto` is the root for a generator."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]

    assert {"proto/euchre_arena": "euchre_arena/proto/euchre_arena"} == included
    assert (PROTO / "euchre_arena").is_dir()
