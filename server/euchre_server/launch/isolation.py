"""Owns how bots are kept apart, and whether the stronger way works on this machine.

What is claimed was tried: the sandbox is really started, and a program in it reports what it sees.
Must not know matches.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from euchre_server.launch.command import Command, CommandError
from euchre_server.launch.limits import ProcessLimits
from euchre_server.launch.rlimits import SETTER
from euchre_server.launch.sandbox import Sandbox, sandbox_environment

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Confinement", "Isolation", "IsolationUnavailableError", "find_sandbox"]

_PROGRAM: Final = "bwrap"
_NAMESPACES: Final = ("user", "pid", "net", "ipc", "uts", "mnt")
_TRIAL_S: Final = 20.0
_TRIAL: Final = f"""
import json, os, socket
seen = {{name: os.readlink("/proc/self/ns/" + name) for name in {_NAMESPACES!r}}}
seen["links"] = [name for _, name in socket.if_nameindex()]
seen["processes"] = sum(name.isdigit() for name in os.listdir("/proc"))
seen["writable"] = [path for path in ("/", "/usr", "/dev", "/etc") if os.access(path, os.W_OK)]
print(json.dumps(seen))
"""
_FEW_PROCESSES: Final = 3  # the sandbox's own two and the trial


class Isolation(StrEnum):
    """How a bot's process is kept apart from the arena, from other bots and from the network."""

    NONE = "none"
    BWRAP = "bwrap"


class IsolationUnavailableError(RuntimeError):
    """Bots cannot be isolated here; the text says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """States how the bots of an arena are kept apart.

    Attributes:
        sandbox: What they run in; None for no isolation.
        limits: What each may use.
        hidden: Folders that no isolated bot may see, wherever they lie.
        shared: Files and folders that all of them may read.
    """

    sandbox: Sandbox | None = None
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    hidden: tuple[Path, ...] = ()
    shared: tuple[Path, ...] = ()

    @property
    def isolation(self) -> Isolation:
        """Returns the level that is in force."""
        return Isolation.NONE if self.sandbox is None else Isolation.BWRAP


def find_sandbox() -> Sandbox:
    """Returns the sandbox of this machine, after trying it.

    Raises:
        IsolationUnavailableError: There is none, or it does not isolate.
    """
    if sys.platform != "linux":
        raise IsolationUnavailableError("bubblewrap (bwrap) exists for Linux only")
    program = shutil.which(_PROGRAM)
    if program is None:
        raise IsolationUnavailableError("bubblewrap (bwrap) is not installed")
    if shutil.which(SETTER) is None:
        raise IsolationUnavailableError(f"{SETTER} (of util-linux) is not installed")
    sandbox = Sandbox(program)
    fault = _fault_of(sandbox)
    if fault is not None:
        raise IsolationUnavailableError(f"bubblewrap (bwrap) does not work here: {fault}")
    return sandbox


def _fault_of(sandbox: Sandbox) -> str | None:
    """Returns what is wrong with a sandbox, seen from inside."""
    command = Command((sys.executable, "-I", "-S", "-c", _TRIAL))
    try:
        trial = subprocess.run(  # noqa: S603  # our own Python in our own sandbox
            sandbox.argv(command, limits=ProcessLimits()),
            env=sandbox_environment(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TRIAL_S,
            check=False,
        )
        seen = json.loads(trial.stdout) if trial.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return f"it took longer than {_TRIAL_S:g} s to start"
    except (OSError, CommandError, ValueError) as error:
        return str(error)
    if seen is None:
        said = trial.stderr.strip().splitlines()
        return said[-1] if said else f"it exited with status {trial.returncode}"
    for name in _NAMESPACES:
        if seen[name] == os.readlink(f"/proc/self/ns/{name}"):  # noqa: PTH115  # no path
            return f"a bot would share the arena's {name} namespace"
    if seen["links"] not in ([], ["lo"]):
        return f"a bot would see the network {seen['links']}"
    if seen["processes"] > _FEW_PROCESSES:
        return "a bot would see other processes"
    if seen["writable"]:
        return f"a bot could write to {seen['writable']}"
    return None
