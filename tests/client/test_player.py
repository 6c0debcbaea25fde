"""Promises about the meeting of a bot and the arena, through the stand-in that bots test with."""

import asyncio

import pytest

from euchre_arena import (
    Action,
    Bot,
    BotError,
    Card,
    Decision,
    Game,
    GameEnded,
    Goodbye,
    HandEnded,
    HistoryItem,
    MatchEnded,
    Phase,
    Played,
    Rejected,
    SessionFault,
    Suit,
    TableClosed,
    TableOpened,
    TimedOut,
    Trick,
    UpcardStatus,
    Welcome,
)
from euchre_arena.actions import ActionKind
from euchre_arena.bot import FunctionBot
from euchre_arena.testing import ScriptedArena
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import table_pb2


def first(decision: Decision) -> Action:
    """Plays the first legal action."""
    return decision.legal[0]


class Listener(Bot):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def decide(self, decision: Decision) -> Action:
        """Plays the last legal action."""
        self.told.append(f"decision {decision.id}")
        return decision.legal[-1]

    def on_welcome(self, welcome: Welcome) -> None:
        """Writes it down."""
        self.told.append(f"welcome {welcome.bot_name}")

    def on_table_opened(self, opened: TableOpened) -> None:
        """Writes it down."""
        self.told.append(f"opened {opened.table.id}")

    def on_hand_ended(self, ended: HandEnded) -> None:
        """Writes it down."""
        self.told.append(f"hand {ended.view.points} {ended.scores}")

    def on_game_ended(self, ended: GameEnded) -> None:
        """Writes it down."""
        self.told.append(f"game {ended.winners}")

    def on_table_closed(self, closed: TableClosed) -> None:
        """Writes it down."""
        self.told.append(f"closed {closed.scores} {closed.cause.name} {closed.blame.name}")

    def on_match_ended(self, ended: MatchEnded) -> None:
        """Writes it down."""
        self.told.append(f"match {ended.standings[0].bot_name}")

    def on_rejected(self, rejected: Rejected) -> None:
        """Writes it down."""
        self.told.append(f"rejected {rejected.refused}")

    def on_timed_out(self, timed_out: TimedOut) -> None:
        """Writes it down."""
        self.told.append(f"timed out {timed_out.played}")

    def on_session_fault(self, fault: SessionFault) -> None:
        """Writes it down."""
        self.told.append(f"fault {fault.text}")

    def on_goodbye(self, goodbye: Goodbye) -> None:
        """Writes it down."""
        self.told.append(f"goodbye {goodbye.reason.name}")


def test_a_bot_is_told_everything_in_order() -> None:
    """Each message of the arena calls the hook that is named after it, in the order of arrival."""
    bot = Listener()
    arena = ScriptedArena(bot, bot_name="ann")
    table = arena.open_table(game=Game.TWO_HANDED)
    table.ask("pass, order")
    table.reject()
    table.time_out("pass")
    table.end_hand(points=[1, 0])
    arena.tell(game_ended=table_pb2.GameEnded(table_id="table-1", winners=[0]))
    table.close(scores=[1, 0])
    arena.tell(session_fault=pb.SessionFault(text="odd", fault_count=1))
    arena.tell(match_ended=pb.MatchEnded(standings=[pb.BotStanding(bot_name="ann")]))
    arena.say_goodbye()

    expected = [
        "welcome ann",
        "opened table-1",
        "decision 1",
        "rejected order",
        "decision 1",
        "timed out pass",
        "hand (1, 0) (1, 0)",
        "game (0,)",
        "closed (1, 0) PLAYED NONE",
        "fault odd",
        "match ann",
        "goodbye DONE",
    ]
    assert expected == bot.told


def test_a_function_is_a_bot() -> None:
    """A function from a decision to an action plays."""
    table = ScriptedArena(FunctionBot(first)).open_table()

    assert Action.pass_turn() == table.ask("pass, order")


def test_a_coroutine_is_a_bot() -> None:
    """An `async` decide plays as well."""

    async def decide(decision: Decision) -> Action:
        await asyncio.sleep(0)
        return decision.legal[1]

    table = ScriptedArena(FunctionBot(decide)).open_table()

    assert Action.order() == table.ask("pass, order")


def test_every_table_of_the_stand_in_is_a_table_of_its_own() -> None:
    """Also one that is opened after another was closed."""
    arena = ScriptedArena(FunctionBot(first))
    one, other = arena.open_table(), arena.open_table()
    one.close(scores=[1, 0, 0])
    third = arena.open_table(seat=2)

    assert 3 == len({table.table.id for table in (one, other, third)})
    assert 2 == third.table.seat


def test_a_refused_bot_is_asked_again_and_sees_why() -> None:
    """The decision is put again with the refusal; another action is sent, the same one is not."""
    seen: list[str] = []

    def stubborn(decision: Decision) -> Action:
        seen.extend(rejection.text for rejection in decision.rejections)
        return decision.legal[min(len(decision.rejections), 1)]

    table = ScriptedArena(FunctionBot(stubborn)).open_table()
    answers = [table.ask("pass, order"), table.reject("first"), table.reject("second")]

    assert [Action.pass_turn(), Action.order(), None] == answers
    assert ["first", "first", "second"] == seen


def test_refusals_and_time_outs_are_said_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """A bot without hooks still hears, in one line each, what went wrong."""
    table = ScriptedArena(FunctionBot(first)).open_table()
    table.ask("play AS, play KS", hand="AS KS")
    table.reject("no")
    table.time_out("play KS")

    at = "euchre-arena: table table-1 decision 1"
    assert [
        f"{at}: play AS refused: no (legal: play AS, play KS)",
        f"{at}: time ran out after 500 ms, the clock played play KS",
    ] == capsys.readouterr().err.splitlines()


def test_an_answer_tells_how_long_the_bot_thought() -> None:
    """Think time and note go with the answer."""

    def chatty(decision: Decision) -> Action:
        decision.annotation = "sure"
        return decision.legal[0]

    arena = ScriptedArena(FunctionBot(chatty))
    arena.open_table().ask("pass, order")
    answer = arena.sent[-1].answer

    assert "sure" == answer.annotation
    assert answer.HasField("think_ms")
    assert answer.think_ms >= 0


@pytest.mark.parametrize("answer", [None, "pass", 1, Card["AS"]])
def test_what_is_no_action_is_the_bots_error(answer: object) -> None:
    """An answer of a wrong type fails at once, with the decision in the message."""
    table = ScriptedArena(FunctionBot(lambda _: answer)).open_table()  # type: ignore[arg-type, return-value]

    with pytest.raises(BotError, match=r"decide returned .* it must return an Action.*decision 1"):
        table.ask("pass, order")


def test_a_note_that_is_no_text_is_the_bots_error() -> None:
    """What cannot be recorded is told to the author, with the decision."""

    def noting(decision: Decision) -> Action:
        decision.annotation = 5  # type: ignore[assignment]  # that is the point
        return decision.legal[0]

    table = ScriptedArena(FunctionBot(noting)).open_table()
    with pytest.raises(BotError, match=r"decision.annotation is 5; it must be a text \(table "):
        table.ask("pass, order")


def test_a_bot_that_fails_is_reported_with_the_decision() -> None:
    """An exception of the bot is the cause of an error that names the decision."""

    def broken(decision: Decision) -> Action:
        raise KeyError(decision.id)

    table = ScriptedArena(FunctionBot(broken)).open_table()

    with pytest.raises(BotError, match=r"decision 1: seat 0.*legal: pass, order") as error:
        table.ask("pass, order")
    assert isinstance(error.value.__cause__, KeyError)


def test_a_bot_without_decide_is_told_so() -> None:
    """The base class says what is missing."""
    table = ScriptedArena(Bot()).open_table()

    with pytest.raises(BotError) as error:
        table.ask("pass, order")
    assert "Bot must define decide(self, decision)" == str(error.value.__cause__)


def test_a_failing_hook_is_reported() -> None:
    """An exception in a hook fails like one in decide."""

    class Broken(Bot):
        def on_table_opened(self, opened: TableOpened) -> None:
            raise RuntimeError(opened.table.id)

    with pytest.raises(BotError, match="TableOpened"):
        ScriptedArena(Broken()).open_table()


def test_random_numbers_depend_on_seed_and_decision_alone() -> None:
    """The same decision draws the same numbers, whatever went before."""
    drawn: list[float] = []

    def draw(decision: Decision) -> Action:
        drawn.append(decision.random.random())
        return decision.legal[0]

    for seed in (1, 1, 2):
        table = ScriptedArena(FunctionBot(draw)).open_table(bot_seed=seed)
        table.ask("pass, order")
        table.ask("pass, order")

    assert drawn[:2] == drawn[2:4]
    assert 4 == len({*drawn})


def test_a_view_shows_the_hand_as_objects() -> None:
    """Cards, history, tricks and roles of a view are typed values."""
    seen: list[Decision] = []

    def look(decision: Decision) -> Action:
        seen.append(decision)
        return decision.legal[0]

    table = ScriptedArena(FunctionBot(look)).open_table(seat=1)
    history = ["0 order", "2 take", "2 discard 9D", "0 with_dummy", "1 together", "2 together"]
    history += ["0 keep AC KC QC TC KH", "0 play AC", "1 play JC", "2 play 9C", "1 play AD"]
    history += ["2 play JD"]
    table.ask(
        "play 9S, play TH",
        hand="9S TH",
        upcard="9C",
        history=[*history, "0 play KC"],
        scores=[3, 4, 5],
    )
    view = seen[0].view

    assert (Card["9S"], Card["TH"]) == view.hand
    assert (Card["9C"], UpcardStatus.TAKEN) == (view.upcard, view.upcard_status)
    assert (Suit.C, 0, 2, Phase.PLAY) == (view.trump, view.maker, view.dealer, view.phase)
    assert (
        Trick(0, (Played(0, Card["AC"]), Played(1, Card["JC"]), Played(2, Card["9C"])), 1)
        == (view.tricks[0])
    )
    assert 2 == len(view.tricks)
    assert view.trick is None
    assert (1, 0, 1) == (view.tricks_won[1], view.tricks_won[2], view.tricks_won[0])
    assert HistoryItem(2, ActionKind.DISCARD) == view.history[2]
    assert HistoryItem(1, ActionKind.PLAY, card=Card["JC"]) == view.history[8]
    assert (3, 4, 5) == view.scores
    assert view.points is None
    assert (False, True) == (view.is_my_partner(0), view.is_my_partner(2))
    assert (False, False) == (view.is_maker, view.is_dealer)


@pytest.mark.parametrize(
    ("game", "maker", "partners"),
    [
        (Game.TWO_HANDED, 0, []),
        (Game.THREE_HANDED, None, []),
        (Game.THREE_HANDED, 0, []),
        (Game.THREE_HANDED, 1, [2]),
        (Game.FOUR_HANDED, None, [2]),
        (Game.FOUR_HANDED, 1, [2]),
    ],
)
def test_who_is_whose_partner(game: Game, maker: int | None, partners: list[int]) -> None:
    """Across in team games; else the defenders against the maker."""
    seen: list[Decision] = []

    def look(decision: Decision) -> Action:
        seen.append(decision)
        return decision.legal[0]

    ScriptedArena(FunctionBot(look)).open_table(game=game).ask("play AS", maker=maker)
    view = seen[0].view

    assert partners == [seat for seat in range(view.seat_count) if view.is_my_partner(seat)]
