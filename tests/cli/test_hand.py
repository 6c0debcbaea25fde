"""``euchre-arena hand``: hands in as JSON, where they stand out (DESIGN.md section 8)."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from euchre_engine.notation import hand_from_json, replay
from euchre_engine.option_values import TieRule
from euchre_engine.scoring import outcome
from euchre_engine.state_json import state_to_json
from euchre_engine.variants import ruleset_from_json
from euchre_server.cli.hand import hand_command

if TYPE_CHECKING:
    from pathlib import Path

DECK = "AC KC QH TH AD JH KS QC AS JS TD KH JC KD 9S 9H TC JD 9D QS 9C TS QD AH"
ACTIONS = (
    "order,take,discard 9D,with_dummy,together,together,keep AC KC QC TC KH,"
    "play AC,play JC,play 9C,play AD,play JD,play KC,play QC,play 9S,play JS,"
    "play AS,play TC,play TH,play KH,play KD,play QS"
)
G2: dict[str, Any] = {
    "rules": "three-handed",
    "dealer": 2,
    "deck": DECK.split(),
    "actions": ACTIONS.split(","),
}
REFUSED = {**G2, "actions": ["pass", "call C"]}
UNREADABLE = {**G2, "dealer": 7}


def _run(*inputs: object, json_form: bool = True) -> Result:
    """Runs the command on values or raw texts, one a line."""
    lines = [item if isinstance(item, bytes) else json.dumps(item).encode() for item in inputs]
    return CliRunner().invoke(
        hand_command, ["--json"] if json_form else [], input=b"\n".join(lines)
    )


def _objects(result: Result) -> list[dict[str, Any]]:
    """Returns the objects of the output, one a line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_one_hand() -> None:
    """A hand gives where it stands, exactly as the engine says, and exit status 0."""
    result = _run(G2)

    assert result.exit_code == 0
    assert _objects(result) == [state_to_json(replay(hand_from_json(G2)))]


def test_refused_action() -> None:
    """A refused action prints its place, seat, text, reason and the legal set, and exits 1."""
    result = _run(REFUSED)

    [answer] = _objects(result)
    message = answer["error"].pop("message")
    assert result.exit_code == 1
    assert "call C" in message or "BID1" in message
    assert answer == {
        "error": {
            "index": 1,
            "seat": 1,
            "text": "call C",
            "reason": "wrong_phase",
            "legal": ["pass", "order"],
        }
    }


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"dealer": 7}, "dealer"),
        ({"rules": "no-handed"}, "rules.preset"),
        ({"rules": {"preset": "three-handed", "trget": 1}}, "rules.trget"),
        ({"rules": []}, "rules"),
        ({"actions": [7]}, "actions[0]"),
        ({"deck": DECK.split()[1:]}, "deck"),
        ({"scores": [1, 2]}, "scores"),
    ],
)
def test_unreadable_hand(change: dict[str, object], key: str) -> None:
    """What is no hand exits 2 and names the key."""
    result = _run({**G2, **change})

    [answer] = _objects(result)
    assert result.exit_code == 2
    assert answer["error"]["key"] == key
    assert key.rpartition(".")[2].partition("[")[0] in answer["error"]["message"]


def _before(rules: object, scores: list[int]) -> Result:
    """Runs the command on a hand that begins with these scores."""
    made = ruleset_from_json(rules)
    deck = [card.name for card in made.deck_cards]
    return _run({"rules": rules, "dealer": 0, "deck": deck, "actions": [], "scores": scores})


@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        ("two-handed", [10, 3]),
        ("two-handed", [10, 10]),
        ("three-handed", [10, 3, 0]),
        ("three-handed", [12, 10, 10]),
        ({"preset": "three-handed", "target": 5}, [5, 0, 4]),
        ({"preset": "three-handed", "tie_rule": "highest_else_shared"}, [10, 10, 3]),
        ({"preset": "three-handed", "tie_rule": "any_reaching_shared"}, [10, 11, 3]),
        ({"preset": "three-handed", "tie_rule": "left_of_dealer_first"}, [10, 10, 3]),
        ("four-handed", [10, 7, 10, 7]),
        ({"preset": "hasenpfeffer", "tie_rule": "makers_first"}, [10, 10, 10, 10]),
        ({"preset": "railroad", "laps": True, "slam": True}, [10, 0, 10, 0]),
        ("hasenpfeffer", [11, 10, 11, 10]),
    ],
    ids=str,
)
def test_scores_of_a_game_that_is_over_are_refused(rules: object, scores: list[int]) -> None:
    """No hand follows them; what would be right names the target."""
    result = _before(rules, scores)

    [answer] = _objects(result)
    target = ruleset_from_json(rules).target
    assert result.exit_code == 2
    assert answer["error"]["key"] == "scores"
    assert f"with {' '.join(map(str, scores))} the game was over" in answer["error"]["message"]
    assert f"below the target, {target}" in answer["error"]["message"]


def test_a_hand_after_the_last_is_refused() -> None:
    """A game has no more deals than max_hands."""
    rules = {"preset": "three-handed", "max_hands": 2}

    last, beyond = (_run({**G2, "rules": rules, "hand": number}) for number in (2, 3))

    error = json.loads(beyond.stdout)["error"]
    assert (0, 2) == (last.exit_code, beyond.exit_code)
    assert "hand" == error["key"]
    assert "hand must be at most 2, the max_hands of its rules, not 3" == error["message"]


@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        ("three-handed", [10, 10, 3]),
        ("three-handed", [11, 11, 11]),
        ({"preset": "three-handed", "tie_rule": "lone_defender_first"}, [3, 12, 12]),
        ({"preset": "three-handed", "max_hands": 2}, [10, 3, 10]),
        ("hasenpfeffer", [10, 10, 10, 10]),
        ("hasenpfeffer", [-12, 9, -12, 9]),
        ({"preset": "railroad", "laps": True, "slam": True}, [9, 0, 9, 0]),
        ("two-handed", [9, 9]),
    ],
    ids=str,
)
def test_scores_of_a_game_that_goes_on_are_taken(rules: object, scores: list[int]) -> None:
    """Where the highest is shared, tie rules play on beyond the target."""
    result = _before(rules, scores)

    [answer] = _objects(result)
    assert result.exit_code == 0
    assert answer["scores"] == scores
    assert not answer["game_over"]


@given(
    scores=st.tuples(*[st.integers(0, 12)] * 3),
    tie_rule=st.sampled_from([rule for rule in TieRule if rule is not TieRule.MAKERS_FIRST]),
)
def test_every_game_that_the_engine_goes_on_with_is_taken(
    scores: tuple[int, ...], tie_rule: TieRule
) -> None:
    """Scores after which there is a next hand may stand before one."""
    rules = ruleset_from_json({"preset": "three-handed", "tie_rule": tie_rule})
    hand = hand_from_json({**G2, "rules": rules.to_json(), "scores": list(scores)})
    result = outcome(replay(hand))
    assert result is not None

    assert result.game_over or _before(rules.to_json(), list(result.scores)).exit_code == 0


def test_what_a_tie_rule_allows_is_said() -> None:
    """Only where it does."""
    plays_on = _objects(_before("three-handed", [10, 3, 3]))
    decides = _objects(_before("two-handed", [10, 3]))

    assert "or level at the top (tie_rule=highest_else_play_on)" in plays_on[0]["error"]["message"]
    assert "tie_rule" not in decides[0]["error"]["message"]


@pytest.mark.parametrize(
    "raw",
    [
        b"null",
        b"7",
        b'"x"',
        b"[]",
        b"{",
        b"}",
        b"{}",
        b"\xff\xfe\x00\x01",
        b"\x00",
        b"NaN",
        b'{"rules": NaN}',
        b"[" * 100_000,
        b'{"rules":' * 100_000,
        b"9" * 10_000,
        b'{"dealer": ' + b"9" * 10_000 + b"}",
        b'{"rules": "two-handed", "rules": "two-handed"}',
        b'{"rules": "\\ud800", "dealer": 0, "deck": [], "actions": []}',
    ],
    ids=lambda raw: repr(raw)[:24],
)
@pytest.mark.parametrize("json_form", [True, False], ids=["json", "text"])
def test_rubbish_is_one_sentence(raw: bytes, *, json_form: bool) -> None:
    """Whatever is no hand gets one sentence and exit status 2, never a traceback."""
    result = _run(raw, json_form=json_form)

    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert (
        (len(_objects(result)) == 1)
        if json_form
        else result.stderr.startswith("euchre-arena: hand 1")
    )
    assert result.output.count("\n") == 1


@given(st.lists(st.binary().filter(lambda raw: raw.strip() and b"\n" not in raw), min_size=1))
def test_any_bytes_are_answered_line_by_line(lines: list[bytes]) -> None:
    """Each line of any bytes gives one line of output; the status is the worst of them."""
    result = _run(*lines)

    answers = _objects(result)
    assert len(answers) in {len(lines), 1}  # one value may take several lines
    assert result.exit_code == 2


def test_many_hands_and_the_worst_status() -> None:
    """Several lines give a line each, whatever is wrong with one, and the worst exit status."""
    both = _run(G2, REFUSED, G2)
    worst = _run(b"", UNREADABLE, b"", G2, REFUSED, b"")

    assert [sorted(answer) == ["error"] for answer in _objects(both)] == [False, True, False]
    assert both.exit_code == 1
    assert [sorted(answer) == ["error"] for answer in _objects(worst)] == [True, False, True]
    assert worst.exit_code == 2


def test_one_hand_over_several_lines() -> None:
    """A hand may be written over several lines, as people like to read it."""
    result = _run(json.dumps(G2, indent=2).encode())

    assert result.exit_code == 0
    assert len(_objects(result)) == 1


def test_byte_order_mark() -> None:
    """A byte order mark before the first hand is passed over."""
    assert _run(b"\xef\xbb\xbf" + json.dumps(G2).encode()).exit_code == 0


@pytest.mark.parametrize("raw", [b"", b"\n \n"])
def test_no_hand_at_all(raw: bytes) -> None:
    """Input without a hand is wrong use."""
    result = _run(raw)

    assert result.exit_code == 2
    assert "there is no hand in the input" in result.stderr


def test_hands_of_a_file(tmp_path: Path) -> None:
    """A named file is read like the standard input."""
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(G2) + "\n" + json.dumps(G2) + "\n")

    result = CliRunner().invoke(hand_command, [str(path), "--json"])

    assert result.exit_code == 0
    assert len(_objects(result)) == 2


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    """A file that is missing or a folder exits 2 and is named."""
    result = CliRunner().invoke(hand_command, [str(tmp_path / name)])

    assert result.exit_code == 2
    assert str(tmp_path) in result.stderr


def test_readable_print() -> None:
    """Without --json the deal, the bidding, the tricks and the score are laid out for people."""
    result = _run(G2, json_form=False)

    assert result.exit_code == 0
    assert result.stdout == READABLE


def test_readable_print_of_a_refusal() -> None:
    """A refused action shows where the hand stood before it, and says why it was refused."""
    result = _run(REFUSED, json_form=False)

    assert result.exit_code == 1
    assert "BID1: seat 1 is to act\n           pass, order\n" in result.stdout
    assert result.stderr.startswith(
        "euchre-arena: hand 1: actions[1], 'call C', is refused (wrong_phase)"
    )


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"actions": ["pass"] * 6}, "passed out, no score\n           seat 0 deals next"),
        ({"scores": [9, 0, 0]}, "the game is over, won by seat 0"),
        ({"scores": [0, 4, 0], "redeals": 2}, "scores before 0 4 0, after 2 redeals"),
        ({"actions": G2["actions"][:10]}, "PLAY: seat 1 is to act"),
        ({"actions": G2["actions"][:6]}, "keep 5 of AC KC QC TC TD KH QH JH 9H KS"),
    ],
)
def test_readable_print_says_where_a_hand_stands(change: dict[str, object], shown: str) -> None:
    """The last lines say what the hand came to, or what is asked of whom."""
    assert shown in _run({**G2, **change}, json_form=False).stdout


def test_readable_print_of_lone_hands() -> None:
    """Who is alone and who sits out is told, and a seat that plays nothing has an empty column."""
    deck = "QH AC 9S AS TH KD AH AD JH KH TC 9H QS 9D QD JC KS KC TS TD JD 9C QC JS"
    actions = "pass,order,take,discard TS,alone,together,alone,play JD,play 9D"
    hand = {**G2, "deck": deck.split(), "actions": actions.split(",")}

    shown = _run(hand, json_form=False).stdout

    assert "trump D, maker seat 1, seat 1 alone, seat 2 alone, seat 0 sits out" in shown
    assert "             1               9D     >JD*\n" in shown


def test_readable_print_of_a_farmers_hand() -> None:
    """A deal that nobody was asked about was not passed out."""
    deck = "9C 9D 9H KC QC TS AS KS AD KD TC TD QD JD AC KH QH JH JC JS TH QS 9S AH"
    rules = {"preset": "four-handed", "farmers_hand": "redeal_no_ace_no_face"}

    shown = _run(
        {"rules": rules, "dealer": 3, "deck": deck.split(), "actions": []}, json_form=False
    )

    assert "a farmer's hand, no score\n           seat 0 deals next" in shown.stdout


@pytest.mark.long
def test_a_thousand_hands_take_less_than_three_seconds(tmp_path: Path) -> None:
    """1,000 whole hands are answered in under 3 s, the start of the program included."""
    path = tmp_path / "hands.jsonl"
    path.write_text((json.dumps(G2) + "\n") * 1000)
    program = "from euchre_server.cli.hand import hand_command; hand_command()"

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", program, str(path), "--json"], capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    # Its own time: other work on the machine is not what is measured.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 3
    assert done.stdout.count(b"\n") == 1000


READABLE = """\
three-handed, dealer seat 2

  dealt    seat 0   AC KC TD KH QH
           seat 1   JC AD KD TH 9S
           seat 2   JD 9D AS QS JS
           dummy    QC TC JH 9H KS
           up-card  9C   taken
           buried   TS QD AH

  bidding  seat 0   order
           seat 2   take, discard 9D
           seat 0   with_dummy
           seat 1   together
           seat 2   together
           seat 0   keep AC KC QC TC KH
           trump C, maker seat 0

  play     trick   seat 0  seat 1  seat 2
             1      >AC      JC*     9C
             2       KC*    >AD      JD
             3      >QC      9S      JS*
             4       TC*     TH     >AS
             5      >KH*     KD      QS
           won       3       1       1

  now      points 1 0 0, scores 1 0 0
           seat 0 deals next
"""
