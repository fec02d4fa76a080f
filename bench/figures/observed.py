"""What it costs to be watched: `observed`."""

from contextlib import ExitStack

from bench.client import Kind
from bench.driving import Client, alternating, client
from bench.figures.playing import BATCHED_TABLES
from bench.plan import Plan, Values
from bench.processes import observed_server
from bench.seating import SEATS
from bench.windows import median


def observed(plan: Plan) -> Values:
    """A server with a port for metrics and lines of INFO beside one with neither."""
    tables = plan.sized(BATCHED_TABLES)
    with ExitStack() as stack:
        watched = _field(stack, plan, tables, is_observed=True)
        alone = _field(stack, plan, tables, is_observed=False)
        rounds = alternating([watched, alone], plan.rounds, plan.seconds)
    return {
        "tables": tables,
        "observed_us": median([seen.cpu_us for seen, _ in rounds]),
        "unobserved_us": median([unseen.cpu_us for _, unseen in rounds]),
        "cost": median([seen.cpu_us / unseen.cpu_us - 1 for seen, unseen in rounds]),
    }


def _field(stack: ExitStack, plan: Plan, tables: int, *, is_observed: bool) -> Client:
    server = stack.enter_context(observed_server(plan.machine, is_observed=is_observed))
    return stack.enter_context(
        client(plan.machine, Kind.FIELD, server, tables=tables, sessions=SEATS)
    )
