"""A program that misbehaves on command, for the tests of launch/; it never dials anybody.

Run as `unruly_bot.py PIDFILE KIND...`: appends the pid of each process that it becomes to PIDFILE,
then does what each KIND says, and sleeps for ever unless one of them ends it.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def _note(path: Path, pid: int) -> None:
    with path.open("a") as file:
        file.write(f"{pid}\n")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _daemonise(path: Path) -> None:
    """Leaves a process behind that has neither our parent, our session nor our group."""
    reading, writing = os.pipe()
    if os.fork():
        os.read(reading, 1)  # until the daemon is there
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    _note(path, os.getpid())
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(writing, b".")
    time.sleep(600)
    os._exit(0)


def _leave(*_: object) -> None:
    _say("bye")
    sys.exit(0)


def _do(kind: str, path: Path) -> None:
    match kind:
        case "child":
            _note(path, subprocess.Popen(SLEEP).pid)
        case "setsid":
            _note(path, subprocess.Popen(SLEEP, start_new_session=True).pid)
        case "daemon":
            _daemonise(path)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "polite":
            signal.signal(signal.SIGTERM, _leave)
        case "hello":
            _say("hello")
        case "environment":
            for name in ("SERVER", "TOKEN", "BOT"):
                _say(f"{name} {os.environ[f'EUCHRE_ARENA_{name}']}")
        case "flood":
            for _ in range(8000):
                _say("x" * 99)
            _say("the end")
        case "exit":
            sys.exit(3)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case _:
            raise SystemExit(f"unknown kind {kind}")


def main() -> None:
    """Does what the command line says."""
    path = Path(sys.argv[1])
    _note(path, os.getpid())
    for kind in sys.argv[2:]:
        _do(kind, path)
    Path(f"{path}.ready").touch()
    time.sleep(600)


if __name__ == "__main__":
    main()
