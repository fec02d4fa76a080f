"""How soon a new session is let in while others play: `admission`."""

import asyncio
import time
from contextlib import ExitStack
from typing import Final

from bench.client import Kind
from bench.connections import connect, leave, welcomed
from bench.driving import Client, client
from bench.plan import Plan, Values
from bench.processes import Process, skat_server
from bench.seating import SEATS, tokens_for
from bench.windows import Window, median, quantile_us

TABLES: Final = 64
SHARE: Final = 0.7
"""Of what the server can do, is asked of it while sessions come."""

_ALONE: Final = 0.1
"""Share of the time of a decision at saturation that is left of it when nobody waits in line."""


def admission(plan: Plan) -> Values:
    """Let sessions come at 70 % of saturation, one after the other."""
    tables = plan.sized(TABLES)
    sizes = {"tables": tables, "sessions": SEATS * tables}
    with (
        skat_server(plan.machine) as server,
        client(plan.machine, Kind.FIELD, server, **sizes) as full,
    ):
        full.window(plan.seconds)
        most = full.window(plan.seconds)
    rate = SHARE * most.count / most.seconds
    think = max(0.0, tables / rate - _ALONE * most.p50_us / 1e6)
    waits: list[float] = []
    busy = []
    with ExitStack() as stack:
        server = stack.enter_context(skat_server(plan.machine))
        players = stack.enter_context(
            client(plan.machine, Kind.FIELD, server, **sizes, think=think)
        )
        for _ in range(plan.rounds):
            window, taken = asyncio.run(_while_playing(players, server, plan.seconds))
            waits += taken
            busy.append(window.cpu / window.seconds)
    return {
        "sessions": len(waits),
        "busy": median(busy),
        "p50_ms": round(quantile_us(waits, 0.50) / 1_000, 1),
        "p99_ms": round(quantile_us(waits, 0.99) / 1_000, 1),
    }


async def _while_playing(
    players: Client, server: Process, seconds: float
) -> tuple[Window, list[float]]:
    """A window, and how long each session took that came meanwhile."""
    window = asyncio.create_task(asyncio.to_thread(players.window, seconds))
    waits: list[float] = []
    while not window.done():
        start = time.perf_counter()
        call = await welcomed(connect(server.address), tokens_for(1)[0])
        waits.append(time.perf_counter() - start)
        await leave(call)
    return await window, waits
