"""A client process: it waits for a line with seconds on its input, plays so long, and tells.

Behind the seconds may stand how long its players think from now on.

python -m bench.client echo ADDRESS PID --streams 64
python -m bench.client field ADDRESS PID --tables 64 --sessions 192 [--think 0.01]
python -m bench.client watched ADDRESS PID --spectators 100 --think 0.005
"""

import argparse
import asyncio
import gc
import sys
from enum import Enum
from typing import Final

from bench.field import Field
from bench.files import allow_connections
from bench.pingpong import PingPong
from bench.processes import Process
from bench.watching import Watched
from bench.windows import Player

READY: Final = "ready"


class Kind(Enum):
    """What a client process does."""

    ECHO = "echo"
    """Sends messages to the bare echo and waits for them."""
    FIELD = "field"
    """Plays at tables."""
    WATCHED = "watched"
    """Plays at one table, and watches it from many seats beside it."""


def player_of(options: argparse.Namespace) -> Player:
    """What the options ask for."""
    server = Process(options.address, options.pid)
    kind: Kind = options.kind
    match kind:
        case Kind.ECHO:
            return PingPong(server, options.streams)
        case Kind.FIELD:
            return Field(server, options.tables, options.sessions, options.think)
        case Kind.WATCHED:
            return Watched(server, options.spectators, options.think)


async def serve(player: Player) -> None:
    """Play a window for every line of the input, until it ends."""
    await player.start()
    print(READY, flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        window = await player.window(*map(float, line.split()))
        print(window.to_json(), flush=True)
    await player.stop()


def main() -> None:
    """Read the options and serve."""
    parser = argparse.ArgumentParser(description="play against a server under measurement")
    parser.add_argument("kind", type=Kind, help=", ".join(kind.value for kind in Kind))
    parser.add_argument("address", help="where the server listens")
    parser.add_argument("pid", type=int, help="the server's process, whose CPU time is read")
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=3)
    parser.add_argument("--spectators", type=int, default=1)
    parser.add_argument("--think", type=float, default=0.0, help="mean seconds of a decision")
    allow_connections()
    gc.freeze()
    gc.set_threshold(100_000)
    asyncio.run(serve(player_of(parser.parse_args())))


if __name__ == "__main__":
    main()
