"""A program that looks where it should not and takes what it should not, for the tests of launch/.

Run as `prying_bot.py KIND[=ARGUMENT]...`: prints one JSON line for what came of each. Nothing that
it takes is without end, and it sends no signals: where isolation fails, only its test may suffer.
"""

import contextlib
import json
import os
import pwd
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_MIB = 1 << 20
_MOST_WRITTEN = 64 * _MIB
_MOST_HELD = 1024 * _MIB
_MOST_PROCESSES = 200


def _environments() -> list[str]:
    """Returns all that can be read of processes' environments."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                found.append((folder / "environ").read_bytes().decode(errors="replace"))
    return found


def _read(path: Path) -> object:
    try:
        return sorted(os.listdir(path)) if path.is_dir() else path.read_text()  # noqa: PTH208
    except OSError as error:
        return type(error).__name__


def _written(roots: list[str]) -> list[str]:
    """Returns the folders in which a file could be made, among those given and those in them."""
    found = []
    for folder in _folders(roots):
        path = folder / ".pried"
        with contextlib.suppress(OSError):
            path.touch()
            path.unlink()
            found.append(str(folder))
    return sorted(found)


def _folders(roots: list[str]) -> Iterator[Path]:
    for root in map(Path, roots):
        yield root
        with contextlib.suppress(OSError):
            yield from (entry for entry in root.iterdir() if entry.is_dir())


def _connected(family: socket.AddressFamily, address: object) -> str:
    with socket.socket(family) as dialling:
        dialling.settimeout(5)
        try:
            dialling.connect(address)  # type: ignore[arg-type]  # of either family
        except OSError as error:
            return type(error).__name__
    return "connected"


def _filled(folder: Path) -> tuple[int, str]:
    """Returns how many bytes could be written, and what ended it."""
    written = 0
    with (folder / "much").open("wb", buffering=0) as file:
        while written < _MOST_WRITTEN:
            try:
                written += file.write(bytes(_MIB))
            except OSError as error:
                return written, str(error.errno)
    return written, ""


def _fork() -> str:
    """Starts processes until there can be no more, then stays."""
    try:
        for _ in range(_MOST_PROCESSES):
            if not os.fork():
                time.sleep(60)
                os._exit(0)
    except OSError as error:
        return type(error).__name__
    time.sleep(60)
    return "enough"


def _eat() -> None:
    held = b""
    while len(held) < _MOST_HELD:
        held += os.urandom(4096) * 4096
    time.sleep(60)


def _burn() -> None:
    while time.process_time() < 60:
        pass


def _run(kind: str) -> str:
    """Does what ends, if at all, in no answer."""
    match kind:
        case "eat":
            _eat()
        case "burn":
            _burn()
        case "stay":
            time.sleep(600)
        case _:
            raise SystemExit(f"unknown kind {kind}")
    return "survived"


def _pry(kind: str, argument: str) -> object:
    match kind:
        case "variables":
            return dict(os.environ)
        case "environments":
            return _environments()
        case "processes":
            return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208
        case "read":
            return _read(Path(argument))
        case "written":
            return _written(argument.split(":"))
        case "network":
            return _connected(socket.AF_INET, ("127.0.0.1", int(argument)))
        case "arena":
            path = os.environ["EUCHRE_ARENA_SERVER"].removeprefix("unix:")
            return _connected(socket.AF_UNIX, path)
        case "fill":
            return _filled(Path(argument))
        case "namespace":
            return subprocess.run(
                ["unshare", "-U", "true"], capture_output=True, check=False
            ).returncode
        case "person":
            user = pwd.getpwuid(os.getuid())
            return [os.getuid(), user.pw_dir, os.environ["HOME"], socket.gethostname(), os.getcwd()]  # noqa: PTH109
        case "fork":
            return _fork()
        case _:
            return _run(kind)


def main() -> None:
    """Does what the command line says."""
    for text in sys.argv[1:]:
        kind, _, argument = text.partition("=")
        sys.stdout.write(json.dumps(_pry(kind, argument)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
