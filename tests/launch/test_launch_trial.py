"""Whether isolation works here is tried, and never claimed where it does not."""

import sys
from pathlib import Path

import pytest
from isolated import needs_bwrap

from euchre_server.launch.isolation import (
    Confinement,
    Isolation,
    IsolationUnavailableError,
    find_sandbox,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap exists for Linux only")

NO_ISOLATION = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


def _program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(text)
    path.chmod(0o700)


@pytest.fixture
def search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Yields the only folder in which programs are found; `prlimit` is in it, setting nothing."""
    monkeypatch.setenv("PATH", str(tmp_path))
    _program(tmp_path, "prlimit", NO_ISOLATION)
    return tmp_path


def _reason() -> str:
    with pytest.raises(IsolationUnavailableError) as refused:
        find_sandbox()
    return str(refused.value)


@pytest.mark.usefixtures("search_path")
def test_a_missing_bubblewrap_is_told() -> None:
    """The sentence names what is to be installed."""
    assert "bubblewrap (bwrap) is not installed" == _reason()


def test_a_missing_prlimit_is_told(search_path: Path) -> None:
    """Without it the limits would not hold, so the level is not in force."""
    _program(search_path, "bwrap", NO_ISOLATION)
    (search_path / "prlimit").unlink()

    assert "prlimit (of util-linux) is not installed" == _reason()


def test_what_bubblewrap_says_is_the_reason(search_path: Path) -> None:
    """A machine that forbids namespaces is found out, in its own words."""
    _program(search_path, "bwrap", "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n")

    assert "bubblewrap (bwrap) does not work here: bwrap: No permissions" == _reason()


def test_silence_is_a_reason_too(search_path: Path) -> None:
    """The exit status is told where there is nothing else."""
    _program(search_path, "bwrap", "#!/bin/sh\nexit 4\n")

    assert "bubblewrap (bwrap) does not work here: it exited with status 4" == _reason()


def test_what_does_not_isolate_is_not_believed(search_path: Path) -> None:
    """A program that starts the bot but shares the machine with it is no isolation."""
    _program(search_path, "bwrap", NO_ISOLATION.replace("while", "PATH=/usr/bin:/bin\nwhile"))

    assert (
        "bubblewrap (bwrap) does not work here: a bot would share the arena's user namespace"
        == _reason()
    )


def test_only_linux_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere nothing is tried."""
    monkeypatch.setattr(sys, "platform", "darwin")

    assert "bubblewrap (bwrap) exists for Linux only" == _reason()


@needs_bwrap
def test_what_works_is_in_force() -> None:
    """The level that is stamped follows from what bots run in."""
    assert Isolation.BWRAP is Confinement(sandbox=find_sandbox()).isolation
    assert Isolation.NONE is Confinement().isolation
