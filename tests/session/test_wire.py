"""The wire: what is written by hand reads back as it should."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stub_numbers import number
from tables import G2, Referee, table_spec

from euchre_arena.v1 import (
    action_pb2,
    arena_service_pb2,
    rules_pb2,
    table_pb2,
    view_pb2,
)
from euchre_engine import (
    PUBLIC,
    ActionKind,
    Phase,
    Seat,
    apply,
    flat,
    legal_actions,
    parse_action,
    view_for,
)
from euchre_engine.games import Game
from euchre_engine.state import State
from euchre_engine.views import Audience, View
from euchre_server.referee.facts import (
    Blame,
    EndCause,
    RejectReason,
    TableEnded,
)
from euchre_server.referee.outputs import (
    Ask,
    Closed,
    GameOver,
    HandOver,
    Message,
    Reject,
    Seated,
    TimedOut,
)
from euchre_server.referee.spec import TableMode
from euchre_server.session import Secret, wire
from euchre_server.session.messages import (
    Answer,
    GoodbyeReason,
    Limits,
    SessionFaultReason,
    Standing,
    Welcome,
)
from euchre_server.session.wire.encoding import varint
from euchre_server.session.wire.views import view_bytes

SPEC = table_spec()


def plain_view(view: View) -> view_pb2.View:
    """Returns the message of a view made the plain way, field by field."""
    cards = [item.cards[0] if item.kind is ActionKind.PLAY else 0 for item in view.history]
    tricks = [*view.tricks, *([view.trick] if view.trick else [])]
    points = view.points or (0,) * len(view.scores)
    message = view_pb2.View(
        phase=view_pb2.Phase.Value(f"PHASE_{view.phase.name}"),
        dealer=view.dealer,
        hand_number=view.hand_number,
        hand=number(view.hand),
        card_counts=view.card_counts,
        upcard_status=number(view.upcard_status),
        dummy=number(view.dummy),
        discarded=number(view.discarded),
        history_seats=[item.seat for item in view.history],
        history_kinds=[number(item.kind) for item in view.history],
        history_values=[
            card or item.suit or item.bid for card, item in zip(cards, view.history, strict=True)
        ],
        trick_leaders=[trick.leader for trick in tricks],
        trick_winners=[trick.winner for trick in view.tricks if trick.winner is not None],
        alone=view.alone,
        sitting_out=view.sitting_out,
        tricks_won=view.tricks_won,
        scores=[score - more for score, more in zip(view.scores, points, strict=True)],
        points=view.points,
        redeals=view.redeals,
        contract=view.contract or 0,
        widow=number(view.widow),
        best_card=number(view.best_card or 0),
    )
    if view.upcard:
        message.upcard = number(view.upcard)
    if view.trump:
        message.trump = number(view.trump)
    for field in ("seat", "to_act", "maker"):
        if (value := getattr(view, field)) is not None:
            setattr(message, field, value)
    if view.trick:
        message.trick_cards.extend(map(number, view.trick.cards))
        order = [item.seat for item in view.history[-len(view.trick.cards) :]]
        message.trick_seats.extend(order)
    return message


def positions(rules: str, games: int) -> list[State]:
    """Returns every position of some random games."""
    chooser = random.Random(7)
    found: list[State] = []
    for board in range(1, games + 1):
        table = Referee(table_spec(rules, mode=TableMode.GAME, board=board))
        table.open()
        while table.state.ending is None and len(found) < 400 * games:
            hand = table.state.hand
            assert hand is not None
            found.append(hand)
            _, ask = table.write(0)
            action = ask.legal[chooser.randrange(len(ask.legal))]
            after = apply(hand, action)
            if after.phase is Phase.DONE:
                found.append(after)
            table.answer(1, action)
    return found


@pytest.mark.parametrize(
    "rules",
    [
        "two-handed",
        "three-handed,target=300",
        "british-three-handed",
        "railroad",
        "hasenpfeffer",
        "pepper",
        "napoleon",
    ],
)
def test_a_view_written_by_hand_reads_as_the_view(rules: str) -> None:
    """Every field of every view, for every seat and in public, is what the view holds."""
    phases = set()
    for hand in positions(rules, 2):
        audiences: list[Audience] = [*hand.rules.seats, PUBLIC]
        for audience in audiences:
            view = view_for(hand, audience)
            phases.add(view.phase)

            assert plain_view(view) == view_pb2.View.FromString(view_bytes(view))

    assert {Phase.PLAY, Phase.DONE} < phases


@given(st.integers(-(2**63), 2**63 - 1))
@settings(derandomize=True)
def test_numbers_are_written_as_protobuf_writes_them(number: int) -> None:
    """Any 64-bit number is encoded like the generated classes encode it."""
    ping = arena_service_pb2.Ping(nonce=number).SerializeToString()

    assert (ping[1:] or b"\0") == varint(number)


def arena_message(data: bytes) -> arena_service_pb2.ArenaMessage:
    """Returns the one message, read from a frame as a bot would read it."""
    response = arena_service_pb2.ConnectResponse.FromString(wire.frame([data]))
    (message,) = response.messages
    return message


def decision_of(table: Referee) -> table_pb2.Decision:
    """Returns the question asked last, as it travels."""
    seat, ask = table.ask
    return arena_message(wire.seat_message(table.spec, seat, ask)).decision


def test_a_decision_is_complete() -> None:
    """A decision carries table, number, times, view and each legal action ready to be sent."""
    table = Referee.at(SPEC, G2, "pass; pass; pass")

    decision = decision_of(table)

    _, ask = table.ask
    assert ("table", 2, 500, 10_000) == (
        decision.table_id,
        decision.decision_id,
        decision.time_left_ms,
        decision.bank_left_ms,
    )
    assert plain_view(ask.view) == decision.view
    assert [number(flat(a).kind) for a in ask.legal] == [a.kind for a in decision.legal]
    assert not decision.HasField("choose")


def test_the_exchange_is_a_choice() -> None:
    """252 legal actions travel as one choice of five from ten."""
    table = Referee.at(SPEC, G2, "order; decline; with_dummy; together; together")

    decision = decision_of(table)

    assert (action_pb2.ACTION_KIND_KEEP, 5, 10) == (
        decision.choose.kind,
        decision.choose.count,
        len(decision.choose.pool),
    )
    assert 0 == len(decision.legal)


def test_every_legal_action_can_be_sent_back() -> None:
    """A bot that echoes an action of the list has it read as that action."""
    for hand in positions("three-handed", 1):
        if hand.to_act is None:
            continue
        table = Ask(1, 1, 1, view_for(hand, hand.to_act), legal_actions(hand))
        decision = arena_message(wire.seat_message(SPEC, hand.to_act, table)).decision
        for action, sent in zip(table.legal, decision.legal, strict=False):
            frame = arena_service_pb2.ConnectRequest(
                messages=[
                    arena_service_pb2.BotMessage(
                        answer=arena_service_pb2.Answer(
                            table_id="t", decision_id=7, action=sent, think_ms=3, annotation="n"
                        )
                    )
                ]
            ).SerializeToString()

            assert [Answer("t", 7, action, 3, "n")] == list(wire.read_frame(frame))


def test_what_is_said_outside_of_tables() -> None:
    """Welcome states the limits; goodbye, fault, ping and match end carry what they are given."""
    said = [
        wire.welcome(Welcome("i", "s", "a", Limits(max_queue_bytes=77), Secret("again"))),
        wire.goodbye(GoodbyeReason.FENCED, "other", redial_after_ms=5),
        wire.session_fault(SessionFaultReason.OVERSIZED, "big", 3),
        wire.ping(12),
        wire.match_ended("m", [Standing("a", 40, 9), Standing("b", 40, 7)]),
    ]

    welcome, goodbye, fault, ping, ended = map(arena_message, said)
    limits = welcome.welcome.limits
    assert (1, "i", "s", "a", "again", 77, 65_536) == (
        welcome.welcome.protocol_version,
        welcome.welcome.instance_id,
        welcome.welcome.session_id,
        welcome.welcome.bot_name,
        welcome.welcome.resume_token,
        limits.max_queue_bytes,
        limits.max_frame_bytes,
    )
    assert 0 not in [getattr(limits, field.name) for field in limits.DESCRIPTOR.fields]
    assert (arena_service_pb2.GOODBYE_REASON_FENCED, "other", 5) == (
        goodbye.goodbye.reason,
        goodbye.goodbye.text,
        goodbye.goodbye.redial_after_ms,
    )
    assert (arena_service_pb2.SESSION_FAULT_REASON_OVERSIZED, "big", 3) == (
        fault.session_fault.reason,
        fault.session_fault.text,
        fault.session_fault.fault_count,
    )
    assert 12 == ping.ping.nonce
    assert [("a", 40, 9), ("b", 40, 7)] == [
        (row.bot_name, row.hand_count, row.points) for row in ended.match_ended.standings
    ]


def test_a_table_is_opened_with_all_that_is_fixed() -> None:
    """A seat is told rules with every option, seats, clock, policy, commitment, its own seed."""
    spec = table_spec("two-handed,target=15", policy="strict")

    opened = arena_message(wire.seat_message(spec, Seat(1), Seated())).table_opened

    told = {row.name: getattr(row, row.WhichOneof("value") or "") for row in opened.ruleset.options}
    assert {name: told[name] for name in spec.rules.options} == dict(spec.rules.options) == told
    assert ("two-handed", rules_pb2.GAME_TWO_HANDED, 2) == (
        opened.ruleset.preset,
        opened.ruleset.game,
        opened.ruleset.seat_count,
    )
    assert ("table", 1, ["bot0", "bot1"], 101, spec.commitment) == (
        opened.table_id,
        opened.seat,
        [row.bot_name for row in opened.seats],
        opened.bot_seed,
        opened.commitment,
    )
    assert (500, 10_000, 0, 50, 5_000) == (
        opened.clock.budget_ms,
        opened.clock.bank_ms,
        opened.clock.increment_ms,
        opened.clock.grace_ms,
        opened.clock.first_ms,
    )
    assert (table_pb2.FAULT_POLICY_KIND_STRICT, 1) == (
        opened.fault_policy.kind,
        opened.fault_policy.fault_limit,
    )


def test_nothing_of_the_schedule_or_the_deal_key_is_told() -> None:
    """The opening of a table has neither board nor seating nor key nor another's seed."""
    first, second = (
        table_spec(board=board, seed=seed, number=number)
        for board, seed, number in ((1, "a", 1), (77, "b", 9))
    )

    assert wire.seat_message(first, Seat(0), Seated()) == wire.seat_message(
        second, Seat(0), Seated()
    )


def test_the_rest_of_what_a_seat_is_told() -> None:
    """Time-outs, ends of hand, game and table carry what the referee said."""
    hand = next(h for h in positions("two-handed", 1) if h.phase is Phase.DONE)
    view = view_for(hand, Seat(0))
    ending = TableEnded(
        scores=(0, 4, 4),
        winners=(Seat(1), Seat(2)),
        cause=EndCause.FAULTS,
        blame=Blame.SEAT,
        blamed_seat=Seat(0),
        rated=True,
    )
    messages: list[Message] = [
        TimedOut(3, parse_action("call S"), 1500, 0, 2),
        HandOver(view, (3, 300)),
        GameOver((10, 7), (Seat(0),), (3, 0), 2),
        Closed(ending),
    ]

    timed_out, hand_ended, game_ended, closed = (
        arena_message(wire.seat_message(SPEC, Seat(0), message)) for message in messages
    )

    assert (3, action_pb2.ACTION_KIND_CALL, 4, 1500, 0, 2) == (
        timed_out.timed_out.decision_id,
        timed_out.timed_out.played.kind,
        timed_out.timed_out.played.suit,
        timed_out.timed_out.charged_ms,
        timed_out.timed_out.bank_left_ms,
        timed_out.timed_out.fault_count,
    )
    assert plain_view(view) == hand_ended.hand_ended.view
    assert ("table", [3, 300]) == (
        hand_ended.hand_ended.table_id,
        list(hand_ended.hand_ended.scores),
    )
    assert ([10, 7], [0], [3, 0], 2) == (
        list(game_ended.game_ended.scores),
        list(game_ended.game_ended.winners),
        list(game_ended.game_ended.carry),
        game_ended.game_ended.game_worth,
    )
    table_closed = closed.table_closed
    assert ([0, 4, 4], [1, 2], 2, 2, 0, True) == (
        list(table_closed.scores),
        list(table_closed.winners),
        number(table_closed.cause),
        number(table_closed.blame),
        table_closed.blamed_seat,
        table_closed.rated,
    )
    assert table_closed.HasField("blamed_seat")


def test_a_refusal_has_reason_text_and_legal_set() -> None:
    """A refused answer comes back with why, what was legal, what time is left, how many faults."""
    table = Referee.at(SPEC, G2)
    table.write(0)
    refusal = table.answer(10, parse_action("play AS"))[-1]
    assert isinstance(refusal, Reject)

    rejected = arena_message(wire.rejected("table", refusal)).rejected

    assert (1, table_pb2.REJECT_REASON_WRONG_PHASE, 2, 4_990, 1) == (
        rejected.decision_id,
        rejected.reason,
        len(rejected.legal),
        rejected.time_left_ms,
        rejected.fault_count,
    )
    assert "play" in rejected.text


def test_an_answer_about_a_strange_table_is_refused() -> None:
    """Where the session holds no seat the refusal says so, whatever table it is."""
    rejected = arena_message(wire.unknown_table("t9", 4)).rejected

    assert ("t9", 4, table_pb2.REJECT_REASON_UNKNOWN_TABLE) == (
        rejected.table_id,
        rejected.decision_id,
        rejected.reason,
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "prefix"),
    [
        (RejectReason, table_pb2.RejectReason, "REJECT_REASON_"),
        (EndCause, table_pb2.EndCause, "END_CAUSE_"),
        (Blame, table_pb2.Blame, "BLAME_"),
        (GoodbyeReason, arena_service_pb2.GoodbyeReason, "GOODBYE_REASON_"),
        (SessionFaultReason, arena_service_pb2.SessionFaultReason, "SESSION_FAULT_REASON_"),
        (ActionKind, action_pb2.ActionKind, "ACTION_KIND_"),
    ],
)
def test_numbers_that_travel_are_the_protocols(
    ours: type[RejectReason], theirs: type[table_pb2.RejectReason], prefix: str
) -> None:
    """Each enum whose numbers are sent as they are agrees with the .proto, both ways."""
    named = {f"{prefix}{member.name}": member.value for member in ours}

    protocol = {name: number for name, number in theirs.items() if number}
    assert protocol == {name: number for name, number in named.items() if number}


def test_every_game_and_phase_has_a_number() -> None:
    """Games and phases, which go by name, are all known to the protocol."""
    games = [rules_pb2.Game.Value(f"GAME_{game.name}") for game in Game]
    phases = [view_pb2.Phase.Value(f"PHASE_{phase.name}") for phase in Phase]

    assert len(set(games)) == len(Game)
    assert len(set(phases)) == len(Phase)
