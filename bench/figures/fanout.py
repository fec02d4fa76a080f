"""What spectators cost: `fan-out`."""

from contextlib import ExitStack

from bench.client import Kind
from bench.driving import Client, alternating, client
from bench.plan import Plan, Values
from bench.processes import raw_server, skat_server
from bench.windows import Window, median

SPECTATORS = 100
THINK = 0.005
"""Mean seconds that the players think: faster ones would fill the messages of the spectators."""


def fan_out(plan: Plan) -> Values:
    """A table with 100 spectators beside one with none, and beside as many streams of the echo."""
    spectators = plan.sized(SPECTATORS)
    with ExitStack() as stack:
        server = stack.enter_context(raw_server(plan.machine))
        echo = stack.enter_context(client(plan.machine, Kind.ECHO, server, streams=spectators))
        watched, alone = (_table(stack, plan, count) for count in (spectators, 0))
        rounds = alternating([echo, watched, alone], plan.rounds, plan.seconds)
    costs = [_cost_us(seen, unseen) for _, seen, unseen in rounds]
    raws = [1e6 / window.per_core_second for window, _, _ in rounds]
    windows = [seen for _, seen, _ in rounds]
    return {
        "spectators": spectators,
        "actions_per_second": median([seen.count / seen.seconds for seen in windows]),
        "events_per_message": median([seen.events / seen.messages for seen in windows]),
        "event_us": median(costs),
        "raw_us": median(raws),
        "ratio": median([cost / one for cost, one in zip(costs, raws, strict=True)]),
    }


def _table(stack: ExitStack, plan: Plan, spectators: int) -> Client:
    server = stack.enter_context(skat_server(plan.machine))
    options = {"spectators": spectators, "think": THINK}
    return stack.enter_context(client(plan.machine, Kind.WATCHED, server, **options))


def _cost_us(watched: Window, alone: Window) -> float:
    """Microseconds of the server for each event and spectator, without those of the play."""
    return (watched.cpu - watched.count * alone.cpu / alone.count) / watched.events * 1e6
