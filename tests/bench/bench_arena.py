"""Measures whole matches against a bare grpc.aio echo in the same run.

    python tests/bench/bench_arena.py [BOARDS]

An arena's decision is a round trip: a question with the whole view, and its answer. So decisions a
second of a recorded match of three `random` bots stand against round trips a second of an echo with
as many streams and processes and messages of the same sizes. The machine's speed drifts: an echo
runs before and after each match, only the ratio to both counts, and of the rounds the median. Of a
match's time is taken off what a match of one board takes: the start of the arena and of nine bot
processes.

At K = 1 a game is one message after another, while all streams of the echo are busy at once: what
an echo of one stream makes is the most that any arena could reach there, so it is printed too.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from tables import Referee, table_spec

from euchre_arena.v1 import action_pb2, arena_service_pb2, card_pb2
from euchre_server.referee.outputs import Ask, Send
from euchre_server.session import wire

ECHO = str(Path(__file__).with_name("echo.py"))
STREAMS = 3
ECHO_SECONDS = 4.0
TABLES = (1, 16)
ROUNDS = 3
FLOORS = {1: 0.33, 16: 0.66}


def message_sizes() -> tuple[int, int]:
    """Returns the mean bytes of a question, and of an answer, over some three-handed hands."""
    questions = []
    for board in range(1, 41):
        table = Referee(table_spec("three-handed", board=board, table_id="t" * 16))
        table.open()
        table.play_on(0, lambda ask: next(iter(ask.legal)))
        questions += [
            len(wire.frame([wire.seat_message(table.spec, output.seat, output.message)]))
            for output in table.outputs
            if isinstance(output, Send) and isinstance(output.message, Ask)
        ]
    answer = arena_service_pb2.ConnectRequest(
        messages=[
            arena_service_pb2.BotMessage(
                answer=arena_service_pb2.Answer(
                    table_id="t" * 16,
                    decision_id=5,
                    action=action_pb2.Action(
                        kind=action_pb2.ACTION_KIND_PLAY, cards=[card_pb2.CARD_JD]
                    ),
                )
            )
        ]
    )
    return round(mean(questions)), answer.ByteSize()


def echo_rate(down: int, up: int, streams: int = STREAMS) -> float:
    """Returns round trips a second of the echo, all streams together."""
    with subprocess.Popen(
        [sys.executable, ECHO, "serve", str(down)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        dial = [sys.executable, ECHO, "dial", address, str(up), str(ECHO_SECONDS)]
        clients = [
            subprocess.Popen(dial, stdout=subprocess.PIPE, text=True) for _ in range(streams)
        ]
        rate = sum(float(client.communicate(timeout=60)[0]) for client in clients)
        server.communicate("", timeout=60)
    return rate


def match_cost(tables: int, boards: int) -> tuple[int, float]:
    """Returns decisions and seconds of a recorded match of three `random` bots."""
    with tempfile.TemporaryDirectory() as data:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "euchre_server.cli.main", "match", "--json"),
                *("--rules", "three-handed", "--bot", "random", "--bot", "random"),
                *("--bot", "random", "--boards", str(boards), "--tables", str(tables)),
                *("--data", data),
            ],
            stdout=subprocess.PIPE,
            check=True,
            timeout=600,
        )
    result = json.loads(done.stdout)
    faults = sum(sum(row["faults"].values()) for row in result["standings"])
    if faults:
        sys.exit(f"the match had {faults} faults; its speed means nothing")
    return result["decisions"], result["seconds"]


def match_rate(tables: int, boards: int, start: tuple[int, float]) -> float:
    """Returns decisions a second, the start of the processes left out."""
    decisions, seconds = match_cost(tables, boards)
    return (decisions - start[0]) / (seconds - start[1])


def main() -> None:
    """Prints the rates and their ratios."""
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    down, up = message_sizes()
    say(f"question {down} bytes, answer {up} bytes, {STREAMS} streams, {boards} boards")
    starts = {tables: match_cost(tables, 1) for tables in TABLES}
    ratios: dict[int, list[float]] = {tables: [] for tables in TABLES}
    alone: list[float] = []
    for round_ in range(1, ROUNDS + 1):
        echo = echo_rate(down, up)
        for tables in TABLES:
            rate = match_rate(tables, boards, starts[tables])
            after = echo_rate(down, up)
            ratios[tables].append(rate / mean((echo, after)))
            say(
                f"round {round_}: echo {echo:7,.0f} round trips/s, K = {tables:2} {rate:7,.0f} "
                f"decisions/s, echo {after:7,.0f}: ratio {ratios[tables][-1]:.2f}"
            )
            echo = after
        alone.append(echo_rate(down, up, streams=1) / echo)
    for tables in TABLES:
        say(f"K = {tables:2}  ratio {median(ratios[tables]):.2f} (to reach: {FLOORS[tables]})")
    say(f"an echo with one message in flight, as at K = 1: ratio {median(alone):.2f}")


def say(line: str) -> None:
    """Prints a line at once: a round takes a minute."""
    print(line, flush=True)  # noqa: T201  # printing is its job


if __name__ == "__main__":
    main()
