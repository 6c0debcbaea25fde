"""Promises of LEAN views to whoever writes a bot: how to ask for them, and that nothing differs."""

from random import Random

import pytest
from drawn_hands import draw_hand
from engine_table import EngineSeat, play_out
from session_messages import frame, opened

from euchre_arena import Bot, ProtocolError, SetupError
from euchre_arena.bots import catalogue
from euchre_arena.bots.catalogue import HOUSE_BOTS
from euchre_arena.bots.rules_bot import RulesBot
from euchre_arena.decision import Decision
from euchre_arena.lean import view_hash
from euchre_arena.run import introduction_of
from euchre_arena.session import Introduction, Session
from euchre_arena.testing import ScriptedArena
from euchre_arena.v1 import arena_service_pb2 as pb
from euchre_arena.v1 import table_pb2, view_pb2
from euchre_arena.v1.event_pb2 import EVENT_KIND_ORDER, EVENT_KIND_PASS, Events, TableView
from euchre_engine import PRESETS
from euchre_engine.notation import replay


class LeanBot(Bot):
    """A bot whose author wants LEAN views."""

    view_mode = "lean"


# --- asking for it --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "variable", "argument", "is_lean"),
    [
        (Bot, "", None, False),
        (LeanBot, "", None, True),
        (Bot, "lean", None, True),
        (LeanBot, "full", None, False),
        (Bot, "full", "lean", True),
        (LeanBot, "lean", "full", False),
    ],
)
def test_the_argument_goes_before_the_variable_and_that_before_the_bot(
    bot: type[Bot],
    variable: str,
    argument: str | None,
    is_lean: bool,  # noqa: FBT001  # a column of the table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever runs a bot may choose for it; by default its author does, and else it is FULL."""
    monkeypatch.setenv("EUCHRE_ARENA_VIEW_MODE", variable)
    session = Session(introduction_of(bot(), "ann", view_mode=argument))
    (hello,) = session.take()

    expected = pb.VIEW_MODE_LEAN if is_lean else pb.VIEW_MODE_FULL
    assert expected == hello.messages[0].hello.view_mode


@pytest.mark.parametrize("mode", ["LEAN", "thin"])
def test_what_is_no_view_mode_is_named(mode: str) -> None:
    """The error says what would be right, and where it is set."""
    with pytest.raises(SetupError, match=r"no view mode; choose full or lean .*VIEW_MODE"):
        introduction_of(Bot(), "ann", view_mode=mode)


@pytest.mark.parametrize(
    ("arguments", "mode"),
    [
        (["random"], None),
        (["random", "--view-mode", "lean"], "lean"),
        (["--view-mode=full", "random"], "full"),
    ],
)
def test_a_house_bot_takes_it_as_an_option(
    arguments: list[str], mode: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m euchre_arena.bots NAME --view-mode MODE` hands it on."""
    ran: list[tuple[type[Bot], str | None]] = []

    def run(bot: type[Bot], *, view_mode: str | None) -> None:
        ran.append((bot, view_mode))

    monkeypatch.setattr(catalogue, "run", run)

    assert 0 == catalogue.main(arguments)
    assert [(HOUSE_BOTS["random"], mode)] == ran


# --- nothing differs ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_house_bots_play_the_same_in_both_modes(name: str) -> None:
    """In any game, with the same seeds, every action is the same."""
    rng = Random(9)
    for preset in PRESETS:
        start = replay(draw_hand(rng, preset))
        ends = [
            play_out(
                start,
                [
                    EngineSeat(HOUSE_BOTS[name](), start.rules, seat, 7 + seat, is_lean=is_lean)
                    for seat in start.rules.seats
                ],
            )
            for is_lean in (False, True)
        ]

        assert ends[0].actions == ends[1].actions


def test_the_stand_in_for_the_arena_suits_lean_bots() -> None:
    """A bot that asks for LEAN views can be tested as any other."""

    class Chosen(LeanBot, RulesBot):
        pass

    table = ScriptedArena(Chosen()).open_table()

    assert table.ask("play AS, play 9S", hand="AS 9S", trump="C", maker=1) is not None


# --- when something is missing --------------------------------------------------------------------


def lean_session() -> Session:
    """Returns a LEAN session past its Welcome, with table t open."""
    session = Session(Introduction(is_lean=True))
    session.take()
    list(session.receive(frame(welcome=pb.Welcome(instance_id="one"))))
    list(session.receive(frame(table_opened=opened("t"))))
    return session


def view_after(*kinds: int) -> view_pb2.View:
    """Returns a view with these actions of seat 1 in its history."""
    view = view_pb2.View(seat=0, to_act=0, card_counts=[5, 5, 5])
    view.history_kinds.extend(kinds)  # type: ignore[arg-type]  # plain numbers
    view.history_seats.extend([1] * len(kinds))
    view.history_values.extend([0] * len(kinds))
    return view


def question(
    number: int, last: int = 0, kinds: tuple[int, ...] = (), *, leads_to: view_pb2.View
) -> table_pb2.Decision:
    """Returns a decision of table t told by events, or with a whole view where there are none."""
    zeros = [0] * len(kinds)
    events = Events(
        last=last,
        kinds=kinds,  # type: ignore[arg-type]  # plain numbers
        seats=[1] * len(kinds),
        values=zeros,
        view_hash=view_hash(leads_to),
    )
    decision = table_pb2.Decision(table_id="t", decision_id=number, events=events)
    if not kinds:
        decision.view.CopyFrom(leads_to)
    decision.legal.add(kind=1)
    return decision


def put(session: Session, message: table_pb2.Decision) -> list[view_pb2.View]:
    """Lets a decision arrive; returns the views of the questions that the bot is asked."""
    return views_of(session, frame(decision=message))


def views_of(session: Session, arriving: pb.ConnectResponse) -> list[view_pb2.View]:
    """Lets a frame arrive; returns the views of the questions that the bot is asked."""
    events = list(session.receive(arriving))
    return [event._message.view for event in events if isinstance(event, Decision)]


def requests(session: Session) -> list[str]:
    """Returns the tables of which the session asks to see the view."""
    return [
        message.view_request.table_id
        for out in session.take()
        for message in out.messages
        if message.HasField("view_request")
    ]


def test_a_view_that_does_not_fit_is_asked_for_before_the_bot_is() -> None:
    """One request; the bot is asked when the view has come, about that view, and events go on."""
    session = lean_session()
    first, second, third = (view_after(*[EVENT_KIND_PASS] * count) for count in (0, 1, 2))
    put(session, question(1, leads_to=first))

    # The event is of another kind than the one that leads to the hash.
    assert [] == put(session, question(2, 1, (EVENT_KIND_ORDER,), leads_to=second))
    assert ["t"] == requests(session)
    shown = TableView(table_id="t", view=second, events=Events(last=1))
    assert [second] == views_of(session, frame(view=shown))
    assert [third] == put(session, question(3, 2, (EVENT_KIND_PASS,), leads_to=third))
    assert [] == requests(session)


def test_a_question_whose_time_ran_out_is_not_asked_late() -> None:
    """A view that comes after the clock has played asks nothing, but is what goes on from there."""
    session = lean_session()
    first, second, third = (view_after(*[EVENT_KIND_PASS] * count) for count in (0, 1, 2))
    put(session, question(1, leads_to=first))
    put(session, question(2, 2, (EVENT_KIND_PASS,), leads_to=second))  # event 1 is missing

    list(session.receive(frame(timed_out=table_pb2.TimedOut(table_id="t", decision_id=2))))

    shown = TableView(table_id="t", view=second, events=Events(last=2))
    assert [] == views_of(session, frame(view=shown))
    assert [third] == put(session, question(3, 3, (EVENT_KIND_PASS,), leads_to=third))


def test_a_view_without_a_hand_is_no_view() -> None:
    """What the arena says before the deal changes nothing, nor does a view that nobody wants."""
    session = lean_session()

    assert [] == views_of(session, frame(view=TableView(table_id="t")))
    assert [] == views_of(session, frame(view=TableView(table_id="t", view=view_after())))


def test_what_a_new_connection_brings_begins_anew() -> None:
    """Events that would fit the view from before the loss are not trusted."""
    session = lean_session()
    first, second = view_after(), view_after(EVENT_KIND_PASS)
    put(session, question(1, leads_to=first))
    session.restart()
    session.take()

    assert [] == put(session, question(2, 1, (EVENT_KIND_PASS,), leads_to=second))
    assert ["t"] == requests(session)


def test_the_bot_keeps_what_it_was_handed() -> None:
    """The view of an earlier decision stays as it was when later events come."""
    session = lean_session()
    first, second = view_after(), view_after(EVENT_KIND_PASS)
    (kept,) = put(session, question(1, leads_to=first))
    (later,) = put(session, question(2, 1, (EVENT_KIND_PASS,), leads_to=second))

    assert (first, second) == (kept, later)


def test_lists_of_unequal_length_are_asked_about() -> None:
    """An arena that contradicts itself is not believed."""
    session = lean_session()
    put(session, question(1, leads_to=view_after()))
    broken = question(2, 1, (EVENT_KIND_PASS,), leads_to=view_after(EVENT_KIND_PASS))
    del broken.events.seats[:]

    assert [] == put(session, broken)
    assert ["t"] == requests(session)


def test_a_question_about_an_unknown_table_is_no_sense() -> None:
    """As with FULL views."""
    session = Session(Introduction(is_lean=True))
    with pytest.raises(ProtocolError, match="never opened"):
        put(session, question(1, leads_to=view_after()))
