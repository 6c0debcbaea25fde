"""Promises about the house bots, over the real engine and the real wire."""

import math
import statistics
from collections import Counter
from random import Random

import pytest
from drawn_hands import draw_hand
from engine_table import EngineSeat, play_hand, play_out

from euchre_arena import Action, Bot, Game
from euchre_arena.bots.catalogue import HOUSE_BOTS
from euchre_arena.bots.random_bot import RandomBot
from euchre_arena.bots.rules_bot import RulesBot
from euchre_arena.testing import ScriptedArena
from euchre_engine import PRESETS, Ruleset, apply, legal_actions, parse_ruleset
from euchre_engine.notation import replay


def play_drawn(rng: Random, preset: str, line_up: list[type[Bot]]) -> int:
    """Plays one hand under drawn options with bots drawn from a list; returns the decisions."""
    start = replay(draw_hand(rng, preset))
    rules = start.rules
    seats = [
        EngineSeat(rng.choice(line_up)(), rules, seat, rng.getrandbits(62)) for seat in rules.seats
    ]
    play_out(start, seats)
    return sum(seat.decisions for seat in seats)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_answer_is_legal_under_any_options(preset: str) -> None:
    """A house bot answers every question with a legal action (CASES.md B08, B20)."""
    rng = Random(preset)
    decisions = sum(play_drawn(rng, preset, [RulesBot, RulesBot, RandomBot]) for _ in range(40))

    assert decisions > 400


@pytest.mark.long
def test_every_answer_is_legal_at_a_hundred_thousand_decisions() -> None:
    """The same at length."""
    rng = Random(20)
    decisions = 0
    while decisions < 100_000:
        decisions += play_drawn(rng, rng.choice(list(PRESETS)), [RulesBot, RandomBot])

    assert decisions >= 100_000


@pytest.mark.parametrize("name", HOUSE_BOTS)
@pytest.mark.parametrize("preset", ["two-handed", "three-handed", "railroad", "napoleon"])
def test_a_bot_plays_the_same_when_a_hand_is_repeated(name: str, preset: str) -> None:
    """Seed and decisions alone decide, not what the bot has played before (CASES.md B62)."""
    rng = Random(3)
    bot = HOUSE_BOTS[name]
    used = [bot() for _ in range(7)]
    for _ in range(15):
        start = replay(draw_hand(rng, preset))
        seeds = [rng.getrandbits(62) for _ in start.rules.seats]
        ends = [
            play_out(
                start,
                [
                    EngineSeat(players[seat], start.rules, seat, seeds[seat])
                    for seat in start.rules.seats
                ],
            )
            for players in (used, [bot() for _ in range(7)])
        ]

        assert ends[0].actions == ends[1].actions


def test_random_draws_evenly_and_by_its_seed() -> None:
    """Each legal action comes up as often as any other, and another seed draws otherwise."""
    draws: dict[int, list[Action]] = {}
    for seed in (1, 2):
        table = ScriptedArena(RandomBot()).open_table(bot_seed=seed)
        answers = [table.ask("call C, call D, call H, pass") for _ in range(2000)]
        draws[seed] = [answer for answer in answers if answer]
    counts = Counter(draws[1])
    chi_square = sum((count - 500) ** 2 / 500 for count in counts.values())

    assert 4000 == sum(map(len, draws.values()))
    assert chi_square < 16.3  # a thousandth with three degrees of freedom
    assert draws[1] != draws[2]


def interval(
    rules: Ruleset, line_up: list[type[Bot]], boards: int, seed: int
) -> tuple[float, float]:
    """Returns the 95 % interval of points a hand, rules less random, over boards in rotation."""
    rng = Random(seed)
    count = rules.seat_count
    differences = []
    for board in range(boards):
        deck = list(rules.deck_cards)
        rng.shuffle(deck)
        points: dict[type[Bot], list[int]] = {RulesBot: [], RandomBot: []}
        for turn in range(count):
            bots = [line_up[(seat + turn) % count] for seat in rules.seats]
            seats = [
                EngineSeat(bot(), rules, seat, 100 * board + 10 * turn + seat)
                for seat, bot in enumerate(bots)
            ]
            outcome = play_hand(rules, board % count, deck, seats)
            for bot, got in zip(bots, outcome.points, strict=True):
                points[bot].append(got)
        differences.append(statistics.mean(points[RulesBot]) - statistics.mean(points[RandomBot]))
    half = 1.98 * statistics.stdev(differences) / math.sqrt(boards)
    mean = statistics.mean(differences)
    return mean - half, mean + half


MATCHES = [
    ("two-handed", [RulesBot, RandomBot]),
    ("three-handed", [RulesBot, RandomBot, RandomBot]),
    ("three-handed", [RulesBot, RulesBot, RandomBot]),
    ("four-handed", [RulesBot, RandomBot, RulesBot, RandomBot]),
    ("british", [RulesBot, RandomBot, RulesBot, RandomBot]),
    ("british-three-handed", [RulesBot, RandomBot, RandomBot]),
    ("railroad", [RulesBot, RandomBot, RulesBot, RandomBot]),
    ("hasenpfeffer", [RulesBot, RandomBot, RulesBot, RandomBot]),
    ("pepper", [RulesBot, RandomBot, RulesBot, RandomBot]),
    ("napoleon,players=3", [RulesBot, RandomBot, RandomBot]),
]


@pytest.mark.parametrize(("preset", "line_up"), MATCHES)
def test_rules_beats_random_by_far(preset: str, line_up: list[type[Bot]]) -> None:
    """Over 40 boards the whole interval is above a third of a point a hand."""
    low, _ = interval(parse_ruleset(preset), line_up, 40, seed=11)

    assert low > 0.33


@pytest.mark.long
@pytest.mark.parametrize(("preset", "line_up"), MATCHES)
def test_rules_beats_random_over_200_boards(preset: str, line_up: list[type[Bot]]) -> None:
    """Over 200 boards of other deals the whole interval is above half a point a hand."""
    low, _ = interval(parse_ruleset(preset), line_up, 200, seed=12)

    assert low > 0.5


def answer(legal: str, game: Game = Game.THREE_HANDED, seat: int = 0, **view: object) -> str:
    """Returns the text of what the rules bot answers."""
    action = ScriptedArena(RulesBot()).open_table(game=game, seat=seat).ask(legal, **view)
    assert action is not None
    return action.text


def test_a_strong_hand_is_ordered_and_a_weak_one_is_not() -> None:
    """Both bowers are an order; three suits without a trump are not."""
    strong = {"hand": "JC JS AC AD KD", "upcard": "9C", "seat": 1}
    weak = {"hand": "9D TD 9H TH 9S", "upcard": "9C", "seat": 1}

    assert "order" == answer("pass, order", game=Game.TWO_HANDED, dealer=0, **strong)  # type: ignore[arg-type]
    assert "pass" == answer("pass, order", game=Game.TWO_HANDED, dealer=0, **weak)  # type: ignore[arg-type]


def test_a_stuck_dealer_names_his_best_suit() -> None:
    """Without a pass the best of bad suits is named."""
    assert "call H" == answer(
        "call C, call D, call H", hand="JH 9H QD TC 9S", upcard="9S", dealer=0, history=[]
    )


def test_the_discard_makes_a_void_and_keeps_trumps_and_aces() -> None:
    """A single low plain card goes."""
    assert "discard 9D" == answer(
        "discard AC, discard KC, discard 9D, discard AH, discard TH",
        hand="AC KC 9D AH TH JC",
        upcard="JC",
        dealer=0,
        history=["1 pass", "2 pass", "0 order"],
    )


def test_the_exchange_keeps_trumps_and_sure_tricks() -> None:
    """The best five of ten are the trumps and the ace."""
    assert "keep QC JC TC AD JS" == answer(
        "keep 5 of JC JS QC TC AD KH 9D TH 9S TS",
        hand="JC QC KH 9D TH",
        dummy="JS TC AD 9S TS",
        upcard="9C",
        history=["1 order", "2 decline", "1 with_dummy", "2 together", "0 together"],
        trump="C",
        maker=0,
    )


def test_the_maker_draws_trumps() -> None:
    """With the right bower and more trumps the maker leads it."""
    assert "play JC" == answer(
        "play JC, play AC, play QC, play AD, play 9H", hand="JC AC QC AD 9H", trump="C", maker=0
    )


def test_a_defender_leads_a_sure_card() -> None:
    """A plain ace before the long way."""
    assert "play AD" == answer(
        "play AD, play 9H, play TH, play KS, play TC",
        hand="AD 9H TH KS TC",
        trump="C",
        maker=1,
        seat=2,
    )


def test_a_partners_trick_is_not_trumped() -> None:
    """The last defender throws a low plain card under his partner's winner."""
    assert "play 9H" == answer(
        "play JC, play 9H, play AD",
        hand="JC 9H AD",
        seat=2,
        trump="C",
        maker=0,
        history=["0 play KS", "1 play AS"],
    )


def test_the_makers_trick_is_ruffed_cheaply() -> None:
    """The last defender takes the maker's winner with the lowest trump that does it."""
    assert "play 9C" == answer(
        "play JC, play 9C, play 9H",
        hand="JC 9C 9H",
        seat=2,
        trump="C",
        maker=0,
        history=["0 play AS", "1 play 9S"],
    )


def test_the_last_hand_wins_as_cheaply_as_it_can() -> None:
    """The lowest card that takes the trick is enough when nobody comes after."""
    assert "play QS" == answer(
        "play AS, play QS, play 9S",
        hand="AS QS 9S",
        seat=2,
        trump="C",
        maker=0,
        history=["0 play TS", "1 play JD"],
    )


def test_the_left_bower_is_known_for_a_trump() -> None:
    """The jack of trump's colour is no plain card to be thrown away."""
    assert "play 9D" == answer(
        "play JS, play 9D",
        hand="JS 9D",
        seat=2,
        trump="C",
        maker=0,
        history=["0 play KH", "1 play AH"],
    )


def test_one_legal_card_is_played() -> None:
    """There is nothing to think about."""
    assert "play AS" == answer("play AS", hand="AS 9D", trump="C", maker=0)


def test_blind_naming_names_a_legal_suit() -> None:
    """The dealer who has not seen his cards names one of those offered."""
    rng = Random(8)
    rules = "british-two-handed"
    asked = 0
    while asked < 5:
        state = replay(draw_hand(rng, rules))
        if state.phase.name != "NAME_BLIND" or state.to_act is None:
            continue
        asked += 1
        action = EngineSeat(RulesBot(), state.rules, state.to_act).choose(state)

        assert action in legal_actions(state)
        assert apply(state, action).trump is not None
