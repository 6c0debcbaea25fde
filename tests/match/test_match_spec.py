"""The specification of a match: canonical, readable again, and checked when made."""

import json
from dataclasses import replace

import pytest
from match_results import SECRET, a_match

from euchre_engine.deal import commitment
from euchre_server.match.boards import SeatingScheme
from euchre_server.match.spec import canonical_json, parse_specification
from euchre_server.referee.spec import ClockSpec, FaultPolicy, TableMode


def test_a_specification_reads_back() -> None:
    """What the commitment covers is enough, with the secret, to make the match again."""
    spec = replace(
        a_match("three-handed-bonus,target=15"),
        mode=TableMode.GAME,
        seatings=SeatingScheme.SWAP,
        clock=ClockSpec(budget_ms=70, increment_ms=3),
        policy=FaultPolicy.named("strict"),
        public_seed=True,
    )

    assert spec == parse_specification(spec.specification(), SECRET)


def test_the_commitment_covers_secret_and_specification() -> None:
    """Another secret, or one more board, is another commitment."""
    spec = a_match()

    assert commitment(SECRET, spec.specification()) == spec.commitment()
    assert 3 == len(
        {
            spec.commitment(),
            replace(spec, boards=5).commitment(),
            replace(spec, secret=bytes(32)).commitment(),
        }
    )


def test_the_specification_does_not_hold_the_secret() -> None:
    """The specification is public from the start, the secret is not."""
    assert SECRET.hex() not in a_match().specification().decode()


def test_canonical_json_is_one_text() -> None:
    """Order of insertion does not matter, and no number that JSON lacks gets through."""
    assert b'{"a":"\xc3\xa9","b":1}' == canonical_json({"b": 1, "a": "é"})
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"a": float("nan")})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bots": ("ann", "bob", "ann")}, "two bots are named 'ann'"),
        ({"bots": ("ann", "bob", "c/d")}, "'c/d' is no bot name"),
        ({"boards": 0}, "boards is 0"),
        ({"tables": 0}, "tables is 0"),
        ({"secret": b"short"}, "the secret has 5 bytes"),
        ({"join_within_ms": 0}, "join_within_ms is 0"),
    ],
)
def test_a_match_that_cannot_be_is_refused(change: dict[str, object], message: str) -> None:
    """The error names what is wrong."""
    with pytest.raises(ValueError, match=message):
        replace(a_match(), **change)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("budget_ms", "seed", "rated"), [(49, False, False), (50, True, False), (50, False, True)]
)
def test_short_budgets_and_public_seeds_are_unrated(
    budget_ms: int, *, seed: bool, rated: bool
) -> None:
    """The smallest rated budget is 50 ms, and a seed that others may know is never rated."""
    spec = replace(a_match(), clock=ClockSpec(budget_ms=budget_ms), public_seed=seed)

    assert rated == spec.rated


def _without(name: str) -> bytes:
    read = json.loads(a_match().specification())
    del read[name]
    return canonical_json(read)


@pytest.mark.parametrize(
    "specification",
    [b"", b"[]", b'{"format":2}', _without("rules"), _without("bots"), _without("boards")],
)
def test_a_garbled_specification_is_refused(specification: bytes) -> None:
    """Nothing but the one documented error comes of bytes that are no specification."""
    with pytest.raises(ValueError, match="specification"):
        parse_specification(specification, SECRET)


def test_games_that_would_hang_together_are_refused() -> None:
    """Points are not carried from game to game: no game of a match depends on another."""
    boards = a_match("railroad,laps=true", bots=("ann", "bob"))

    assert boards.mode is TableMode.BOARD
    with pytest.raises(ValueError, match="laps carries points from one game into the next"):
        replace(boards, mode=TableMode.GAME)
