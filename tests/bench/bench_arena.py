"""Measures whole matches against a bare grpc.aio echo in the same run.

    python tests/bench/bench_arena.py [BOARDS]

An arena's decision is a round trip: a question with the whole view, and its answer. So decisions a
second of a recorded match of three `random` bots stand against round trips a second of an echo with
as many streams and processes and messages of the same sizes. The machine's speed drifts: the echo
runs before, between and after, and only the ratio counts. Of a match's time is taken off what a
match of one board takes: the start of the arena and of nine bot processes.

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


def match_rate(tables: int, boards: int) -> float:
    """Returns decisions a second, the start of the processes left out."""
    least, start = match_cost(tables, 1)
    decisions, seconds = match_cost(tables, boards)
    return (decisions - least) / (seconds - start)


def main() -> None:
    """Prints the rates and their ratios."""
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    down, up = message_sizes()
    print(f"question {down} bytes, answer {up} bytes, {STREAMS} streams, {boards} boards")  # noqa: T201  # printing is its job
    echoes = [echo_rate(down, up)]
    matches = {}
    for tables in TABLES:
        matches[tables] = match_rate(tables, boards)
        echoes.append(echo_rate(down, up))
    echo = median(echoes)
    alone = echo_rate(down, up, streams=1)
    listed = ", ".join(f"{rate:,.0f}" for rate in echoes)
    print(f"echo    {echo:10,.0f} round trips/s (runs: {listed})")  # noqa: T201  # printing is its job
    print(f"  alone {alone:10,.0f} round trips/s (one message in flight, as at K = 1)")  # noqa: T201  # printing is its job
    for tables, rate in matches.items():
        of_alone = f", {rate / alone:.2f} of one message in flight" if tables == 1 else ""
        print(  # noqa: T201  # printing is its job
            f"K = {tables:2}  {rate:10,.0f} decisions/s, ratio {rate / echo:.2f}"
            f" (to reach: {FLOORS[tables]}){of_alone}"
        )


if __name__ == "__main__":
    main()
