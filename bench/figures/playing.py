"""Players at full speed beside the yardstick: one table, many, and many to a session."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final, Protocol

from bench.client import Kind
from bench.driving import Client, alternating, client
from bench.plan import Plan, Values
from bench.processes import raw_server, skat_server
from bench.seating import SEATS
from bench.windows import Window, median
from skat_server.storage.protocols import Durability

RAW_STREAMS = 64
SOME_TABLES = 64
MANY_TABLES = 1_000
BATCHED_TABLES = 256
SETTLED: Final = 3
"""Windows' lengths that play goes on without a pause before messages are counted."""
STEADY: Final = 6
"""Windows' lengths in which they are. Tables that began together bid together, which takes more
messages than tricks do: this is a deal and more at 1,000 tables."""


class Windows(Protocol):
    """Whoever plays windows."""

    def window(self, seconds: float) -> Window:
        """Play for so long."""


def raw(plan: Plan) -> Values:
    """The yardstick alone."""
    streams = plan.sized(RAW_STREAMS)
    with ExitStack() as stack:
        rounds = alternating([_echo(stack, plan, streams)], plan.rounds, plan.seconds)
    return {"streams": streams, **_of_raw([window for (window,) in rounds])}


def single(plan: Plan) -> Values:
    """One table: how long a decision takes from hand to hand, beside one stream of the echo."""
    with ExitStack() as stack:
        echo, field = _echo(stack, plan, 1), _field(stack, plan, 1, SEATS)
        in_memory = _field(stack, plan, 1, SEATS, Durability.MEMORY)
        rounds = alternating([echo, field, in_memory], plan.rounds, plan.seconds)
        messages = steady(field, plan)
    raws, plays, memories = zip(*rounds, strict=True)
    return {
        **_of_play(plays),
        **messages,
        **_of_raw(raws),
        "p50_ratio": median([play.p50_us / one.p50_us for one, play, _ in rounds]),
        "memory_p50_us": median([window.p50_us for window in memories]),
        "memory_p50_ratio": median([play.p50_us / one.p50_us for one, _, play in rounds]),
    }


def tables_64(plan: Plan) -> Values:
    """64 tables, a session a seat."""
    tables = plan.sized(SOME_TABLES)
    return _beside_raw(plan, tables, SEATS * tables)


def tables_1000(plan: Plan) -> Values:
    """1,000 tables, a session a seat, also beside 64 of them."""
    tables, few = plan.sized(MANY_TABLES), plan.sized(SOME_TABLES)
    with ExitStack() as stack:
        echo = _echo(stack, plan, SEATS * tables)
        many = _field(stack, plan, tables, SEATS * tables)
        less = _field(stack, plan, few, SEATS * few)
        rounds = alternating([echo, many, less], plan.rounds, plan.seconds)
        messages = steady(many, plan)
    to_less = [play.per_core_second / other.per_core_second for _, play, other in rounds]
    pairs = [(one, play) for one, play, _ in rounds]
    return {**_of_pairs(pairs), **messages, "tables": tables, "ratio_to_64": median(to_less)}


def batched(plan: Plan) -> Values:
    """Three sessions that sit at 256 tables each."""
    return _beside_raw(plan, plan.sized(BATCHED_TABLES), SEATS)


def durability(plan: Plan) -> Values:
    """What it costs that every action is on the disk before anybody sees it."""
    tables = plan.sized(BATCHED_TABLES)
    with ExitStack() as stack:
        fields = [
            _field(stack, plan, tables, SEATS, durability)
            for durability in (Durability.MEMORY, Durability.ACTION, Durability.DEAL)
        ]
        rounds = alternating(fields, plan.rounds, plan.seconds)
    return {
        "tables": tables,
        "memory_us": median([memory.cpu_us for memory, _, _ in rounds]),
        "action_us": median([action.cpu_us for _, action, _ in rounds]),
        "deal_us": median([deal.cpu_us for _, _, deal in rounds]),
        "cost": median([action.cpu_us / memory.cpu_us - 1 for memory, action, _ in rounds]),
        "cost_deal": median([deal.cpu_us / memory.cpu_us - 1 for memory, _, deal in rounds]),
    }


def _beside_raw(plan: Plan, tables: int, sessions: int) -> Values:
    with ExitStack() as stack:
        echo = _echo(stack, plan, sessions)
        field = _field(stack, plan, tables, sessions)
        rounds = alternating([echo, field], plan.rounds, plan.seconds)
        messages = steady(field, plan)
    pairs = [(one, play) for one, play in rounds]
    return {"tables": tables, "sessions": sessions, **_of_pairs(pairs), **messages}


def steady(field: Windows, plan: Plan) -> Values:
    """How many messages a decision takes while play goes on.

    Between the windows of a round nobody is asked anything, and events that wait for a decision
    leave without one: neither those messages nor the few of a fresh start are the rule.
    """
    field.window(SETTLED * plan.seconds)
    window = field.window(STEADY * plan.seconds)
    return {"messages_per_decision": median([window.messages / window.count])}


def _echo(stack: ExitStack, plan: Plan, streams: int) -> Client:
    server = stack.enter_context(raw_server(plan.machine))
    return stack.enter_context(client(plan.machine, Kind.ECHO, server, streams=streams))


def _field(
    stack: ExitStack,
    plan: Plan,
    tables: int,
    sessions: int,
    durability: Durability = Durability.ACTION,
) -> Client:
    server = stack.enter_context(skat_server(plan.machine, durability))
    options = {"tables": tables, "sessions": sessions}
    return stack.enter_context(client(plan.machine, Kind.FIELD, server, **options))


def _of_pairs(pairs: Sequence[tuple[Window, Window]]) -> Values:
    """Ratios are taken within a round and their median then."""
    return {
        **_of_play([play for _, play in pairs]),
        **_of_raw([one for one, _ in pairs]),
        "ratio": median([play.per_core_second / one.per_core_second for one, play in pairs]),
        "p99_ratio": median([play.p99_us / one.p99_us for one, play in pairs]),
    }


def _of_raw(windows: Sequence[Window]) -> Values:
    return {
        "raw_per_core_second": median([window.per_core_second for window in windows]),
        "raw_p50_us": median([window.p50_us for window in windows]),
        "raw_p99_us": median([window.p99_us for window in windows]),
    }


def _of_play(windows: Sequence[Window]) -> Values:
    actions, deals = sum(one.count for one in windows), sum(one.deals for one in windows)
    return {
        "actions_per_core_second": median([window.per_core_second for window in windows]),
        "actions_per_second": median([window.count / window.seconds for window in windows]),
        "deals_per_core_second": median([window.deals / window.cpu for window in windows]),
        "actions_per_deal": round(actions / max(1, deals), 1),
        "cpu_us": median([window.cpu_us for window in windows]),
        "busy": median([window.cpu / window.seconds for window in windows]),
        "p50_us": median([window.p50_us for window in windows]),
        "p99_us": median([window.p99_us for window in windows]),
    }
