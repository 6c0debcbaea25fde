"""What waits for a session: order, frames, questions held back, and the end."""

from euchre_server.session.outbox import FRAME_OVERHEAD, Outbox


class Calls:
    """Counts calls."""

    count = 0

    def __call__(self) -> None:
        self.count += 1


def outbox(*, frame: int = 1000, queue: int = 5000, opened: int = 1) -> Outbox:
    """Returns an empty outbox."""
    box = Outbox(max_frame_bytes=frame, max_queue_bytes=queue, notify=Calls())
    box.max_open_decisions = opened
    return box


def test_what_has_gathered_leaves_as_one_frame() -> None:
    """Messages keep their order and share a frame."""
    box = outbox()
    for number in range(3):
        box.put(bytes([number]))

    frame = box.next_frame()

    assert [b"\0", b"\1", b"\2"] == frame.messages
    assert [] == box.next_frame().messages


def test_frames_are_cut_at_the_limit() -> None:
    """No frame is larger than the limit, unless one message alone is."""
    size = 100 + FRAME_OVERHEAD
    box = outbox(frame=3 * size)
    for _ in range(4):
        box.put(b"x" * 100)
    box.put(b"y" * 900)

    lengths = [len(box.next_frame().messages) for _ in range(4)]

    assert [3, 1, 1, 0] == lengths


def test_a_frame_tells_its_questions() -> None:
    """Whoever writes a frame learns which questions are written with it."""
    box = outbox(opened=2)
    box.put(b"-")
    box.ask(b"a", "t1", 4)
    box.ask(b"b", "t2", 9)

    assert [("t1", 4), ("t2", 9)] == box.next_frame().decisions


def test_no_more_questions_are_out_than_wanted() -> None:
    """Further questions wait, in order, and go out one by one as others are settled."""
    box = outbox(opened=1)
    for table in ("t1", "t2", "t3"):
        box.ask(table.encode(), table, 1)
    first = box.next_frame().messages
    box.settled("t1")
    second = box.next_frame().messages
    box.settled("t2")

    assert [[b"t1"], [b"t2"], [b"t3"]] == [first, second, box.next_frame().messages]


def test_a_waiting_question_that_is_settled_never_goes_out() -> None:
    """When a table ends before its question was sent, it is not sent."""
    box = outbox(opened=1)
    box.ask(b"t1", "t1", 1)
    box.ask(b"t2", "t2", 1)

    box.settled("t2")
    box.settled("t1")

    assert [b"t1"] == box.next_frame().messages


def test_an_outbox_knows_when_it_is_full() -> None:
    """More than the limit waiting unread is full; what went out counts no more."""
    box = outbox(frame=200, queue=250)
    box.put(b"x" * 200)
    before = box.is_full
    box.put(b"x" * 100)
    full = box.is_full
    box.next_frame()

    assert (False, True, False) == (before, full, box.is_full)


def test_a_closed_outbox_takes_nothing_but_gives_what_it_has() -> None:
    """The last words still go out."""
    box = outbox()
    box.put(b"bye")
    box.close()
    box.put(b"more")

    assert [b"bye"] == box.next_frame().messages
    assert box.is_closed
    assert box.is_empty


def test_a_bot_is_busy_from_the_question_until_it_is_settled() -> None:
    """Only what was written keeps a bot busy; what still waits here does not."""
    box = outbox(opened=2)
    box.ask(b"a", "t1", 1)
    before = box.is_busy
    box.next_frame()
    asked = box.is_busy
    box.settled("t1")

    assert (False, True, False) == (before, asked, box.is_busy)
