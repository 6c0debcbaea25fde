"""How tables begin and end: joining, play to the end, the arena's own ends."""

from table_ends import ending, fault_kinds
from tables import G1, G2, Referee, first_legal, table_spec

from euchre_engine import Pass, Seat, parse_action
from euchre_server.referee import rebuild, result_of, step
from euchre_server.referee.facts import (
    Acted,
    Blame,
    EndCause,
    FaultKind,
    HandEnded,
    HandStarted,
    SeatChanged,
    TableEnded,
)
from euchre_server.referee.inputs import (
    Answered,
    ArenaFault,
    Drain,
    Input,
    Opened,
    Resumed,
    SeatDied,
    SeatJoined,
    Stalled,
    Stopped,
    Written,
)
from euchre_server.referee.outputs import (
    Adjourned,
    Ask,
    Closed,
    Ended,
    GameOver,
    HandOver,
    Seated,
)
from euchre_server.referee.spec import TableMode
from euchre_server.referee.state import Stage

# Joining


def test_the_first_hand_is_dealt_when_all_have_joined() -> None:
    """A table waits for its last seat, then deals and asks the seat left of the dealer."""
    table = Referee(table_spec())
    table.feed(Opened(0))
    table.feed(SeatJoined(1, Seat(0), 1))
    table.feed(SeatJoined(2, Seat(2), 1))
    waiting = [type(f) for f in table.facts]

    table.feed(SeatJoined(3, Seat(1), 1))

    assert [SeatChanged, SeatChanged] == waiting
    assert [SeatChanged, HandStarted] == [type(f) for f in table.facts[2:]]
    assert [Seated, Ask] == [type(m) for m in table.told(0)]
    assert [Seated] == [type(m) for m in table.told(1)]


def test_who_never_joins_forfeits() -> None:
    """At the join deadline the absent seats are at fault; a forfeit never pays any of them."""
    table = Referee(table_spec())
    table.feed(Opened(0))
    table.feed(SeatJoined(5, Seat(1), 1))

    early = table.time(9_999)
    table.time(10_000)

    assert [] == early
    assert [FaultKind.START_FAILED] * 2 == fault_kinds(table)
    assert TableEnded(
        scores=(0, 6 - 2, 0),
        winners=(Seat(1),),
        cause=EndCause.NEVER_JOINED,
        blame=Blame.SEAT,
        blamed_seat=Seat(0),
        rated=True,
    ) == ending(table)
    assert 10_000 == table.booked[-1].at


def test_nobody_joins_nobody_wins() -> None:
    """A table at which nobody appears ends all the same, without a winner."""
    table = Referee(table_spec())
    table.feed(Opened(0))

    table.time(10_000)

    assert ((0, 0, 0), ()) == (ending(table).scores, ending(table).winners)


def test_a_stall_moves_the_join_deadline() -> None:
    """The arena's own slowness costs nobody the seat."""
    table = Referee(table_spec())
    table.feed(Opened(0))

    table.feed(Stalled(12_000, 3_000))
    at_deadline = table.time(12_999)
    table.time(13_000)

    assert [] == at_deadline
    assert table.has_ended


def test_a_process_that_did_not_start_forfeits_at_once() -> None:
    """B75: a bot that exits at start is no time-out: its table ends without waiting."""
    table = Referee(table_spec())
    table.feed(Opened(0))

    table.feed(SeatDied(40, Seat(2), FaultKind.START_FAILED, "exit status 1"))

    assert [FaultKind.START_FAILED] == fault_kinds(table)
    assert (EndCause.NEVER_JOINED, Seat(2), (4, 4, 0)) == (
        ending(table).cause,
        ending(table).blamed_seat,
        ending(table).scores,
    )


# Play to the end


def test_a_board_hand_counts_its_points() -> None:
    """G1: N takes four tricks; the table ends with the points of the hand, blame on nobody."""
    table = Referee.at(table_spec("two-handed"), G1)
    play = (
        "order; decline; play JC; play 9S; play KS; play AS; play KC; play TS; "
        "play KD; play 9H; play TD; play TC"
    )
    for at, text in enumerate(play.split("; ")):
        table.write(at * 10)
        table.answer(at * 10 + 5, parse_action(text))

    assert HandEnded(
        hand_number=1, points=(1, 0), scores=(1, 0), tricks_won=(4, 1), passed_out=False
    ) == next(f for f in table.facts if isinstance(f, HandEnded))
    assert TableEnded(
        scores=(1, 0),
        winners=(Seat(0),),
        cause=EndCause.PLAYED,
        blame=Blame.NONE,
        blamed_seat=None,
        rated=True,
    ) == ending(table)
    assert [HandOver, Closed] == [type(m) for m in table.told(1)[-2:]]
    assert isinstance(table.outputs[-1], Ended)


def test_a_second_delivery_of_the_last_card_scores_once() -> None:
    """B32: the final card delivered twice brings its points once."""
    table = Referee.at(table_spec("two-handed", mode=TableMode.GAME), G1)
    table.play_on(
        0,
        lambda ask: list(ask.legal)[-1],
        until=lambda ask: len(ask.view.tricks) == 4 and ask.view.trick is not None,
    )
    seat, ask = table.write(500)
    card = first_legal(ask)
    table.answer(501, card)
    scores = table.state.scores

    table.feed(Answered(502, seat, 2, ask.decision_id, card))

    assert scores == table.state.scores
    assert FaultKind.STALE is fault_kinds(table)[-1]
    assert 1 == sum(isinstance(f, HandEnded) for f in table.facts)


def test_a_passed_out_board_ends_at_zero() -> None:
    """G5: nobody bids: the board's table ends at zero and is not dealt again."""
    table = Referee.at(table_spec(), G2)
    table.play_on(0, lambda _: Pass())

    assert ((0, 0, 0), EndCause.PLAYED, 1) == (
        ending(table).scores,
        ending(table).cause,
        sum(isinstance(f, HandStarted) for f in table.facts),
    )


def test_a_game_goes_on_to_the_target() -> None:
    """A game deals on, the deal passing left, until somebody has the target; then it is told."""
    table = Referee(table_spec("two-handed,target=5", mode=TableMode.GAME, first_dealer=1))
    table.open()
    table.play_on(0, lambda ask: list(ask.legal)[-1])

    hands = [f for f in table.facts if isinstance(f, HandStarted)]
    ended = [f for f in table.facts if isinstance(f, HandEnded)]
    assert [(1 + n) % 2 for n in range(len(hands))] == [h.dealer for h in hands]
    assert [(0, 0), *(e.scores for e in ended[:-1])] == [h.scores for h in hands]
    assert list(range(1, len(hands) + 1)) == [h.hand_number for h in hands]
    assert max(ending(table).scores) >= 5 > max(ended[-2].scores)
    assert [HandOver, GameOver, Closed] == [type(m) for m in table.told(0)[-3:]]
    assert len({h.deck for h in hands}) == len(hands) > 1


def test_four_hands_four_dealers() -> None:
    """B36: first dealer seat 2: the dealers are 2, 0, 1, 2."""
    table = Referee(table_spec("three-handed,target=50", mode=TableMode.GAME, first_dealer=2))
    table.open()
    table.play_on(0, lambda ask: list(ask.legal)[-1], until=lambda ask: ask.view.hand_number == 5)

    dealers = [f.dealer for f in table.facts if isinstance(f, HandStarted)]
    assert [2, 0, 1, 2, 0] == dealers


def test_after_a_passed_out_hand_others_cards_are_as_hidden_as_before() -> None:
    """B38: in the second hand a view shows no card but those of its own seat and the up-card."""
    table = Referee(table_spec(mode=TableMode.GAME))
    table.open()
    table.play_on(0, lambda _: Pass(), until=lambda ask: ask.view.hand_number == 2)

    seat, ask = table.ask
    assert table.state.hand is not None
    assert set(table.state.hand.hand(seat)) == set(ask.view.hand)
    assert ((), (), ()) == (ask.view.history, ask.view.tricks, ask.view.dummy)


def test_the_result_sums_up() -> None:
    """The result tells hands, decisions, points and every fault by kind, zeros included."""
    table = Referee(table_spec("two-handed,target=5", mode=TableMode.GAME))
    table.open()
    table.write(0)
    table.answer(1, parse_action("play JD"))
    table.play_on(2, lambda ask: list(ask.legal)[-1])

    result = result_of(table.state)
    ended = [f for f in table.facts if isinstance(f, HandEnded)]
    assert result is not None
    assert (len(ended), sum(isinstance(f, Acted) for f in table.facts)) == (
        result.hands,
        result.decisions,
    )
    assert result.scores == result.points == ended[-1].scores
    assert {kind: int(kind is FaultKind.ILLEGAL) for kind in FaultKind} == result.faults[0]
    assert dict.fromkeys(FaultKind, 0) == result.faults[1]


def test_an_open_table_has_no_result() -> None:
    """Nobody gets a result before the end."""
    assert result_of(Referee.at(table_spec(), G2).state) is None


# The arena's own ends


def test_the_arenas_fault_voids() -> None:
    """Where the arena failed nothing counts, whatever was overdue."""
    table = Referee.at(table_spec(), G2)
    table.write(0)

    table.feed(ArenaFault(99_999, "out of memory"))

    assert TableEnded(
        scores=(0, 0, 0),
        winners=(),
        cause=EndCause.ARENA_FAULT,
        blame=Blame.ARENA,
        blamed_seat=None,
        rated=False,
    ) == ending(table)
    assert [] == fault_kinds(table)


def test_a_stopped_table_has_no_result_and_no_blame() -> None:
    """An operator's stop ends the table unrated; every seat is told."""
    table = Referee.at(table_spec(), G2)

    table.feed(Stopped(5))

    assert (EndCause.STOPPED, Blame.NONE, False) == (
        ending(table).cause,
        ending(table).blame,
        ending(table).rated,
    )
    assert all(isinstance(table.told(s)[-1], Closed) for s in range(3))


def test_a_draining_table_finishes_its_hand() -> None:
    """While the arena drains the hand in play is finished and no other dealt; the game rests."""
    table = Referee(table_spec("two-handed", mode=TableMode.GAME))
    table.open()
    table.write(0)
    table.feed(Drain(1))

    table.answer(2)
    table.play_on(3, lambda ask: list(ask.legal)[-1])

    assert isinstance(table.facts[-1], HandEnded)
    assert (Stage.OVER, None) == (table.state.stage, table.state.ending)
    assert [] == table.feed(Stopped(9))
    resumed, outputs = step(rebuild(table.state.spec, table.facts), Resumed(9))
    assert (Stage.PLAYING, 1) == (resumed.stage, resumed.hand_count)
    assert not any(isinstance(output, Ended) for output in outputs)


def test_a_draining_table_that_has_not_begun_rests_at_once() -> None:
    """Nothing is booked of it, and whoever comes later finds it as it was."""
    table = Referee(table_spec("two-handed", mode=TableMode.GAME))
    table.feed(Opened(0))
    booked = list(table.facts)

    outputs = table.feed(Drain(1))

    assert [Adjourned()] == outputs
    assert booked == table.facts


def test_an_ended_table_takes_nothing_more() -> None:
    """After its end no input changes a table or brings anything about."""
    table = Referee.at(table_spec(), G2)
    table.feed(Stopped(5))
    before = table.state
    events: list[Input] = [
        Answered(6, Seat(0), 2, 1, Pass()),
        Written(6, Seat(0), 2, 1),
        SeatJoined(6, Seat(0), 3),
        SeatDied(6, Seat(0), FaultKind.CRASH, ""),
        Stalled(6, 100),
        ArenaFault(6, "x"),
        Stopped(6),
        Drain(6),
    ]

    outputs = [table.feed(event) for event in events]

    assert [[]] * len(events) == outputs
    assert before == table.state
