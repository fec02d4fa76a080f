"""What the dashboards show: panels over declared metrics, so that no name can drift."""

from dataclasses import dataclass
from typing import Final

from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.declaring import Kind, Metric

WINDOW: Final = "$__rate_interval"
"""Filled in by Grafana."""
HERE: Final = '{instance=~"$instance"}'
"""The servers that are chosen on top of a dashboard."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question to Prometheus, and how its answers are named."""

    expr: str
    legend: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture."""

    title: str
    unit: str
    """In Grafana's words."""
    queries: tuple[Query, ...]
    description: str
    kind: str = "timeseries"


@dataclass(frozen=True, slots=True)
class Dashboard:
    """One page of pictures."""

    name: str
    title: str
    panels: tuple[Panel, ...]


def value(metric: Metric, by: str = "") -> Query:
    """A gauge as it is, summed over everything but one label."""
    assert metric.kind is Kind.GAUGE
    return _summed(f"{metric.name}{HERE}", metric, by)


def rate(metric: Metric, by: str = "") -> Query:
    """How often a second a counter counts."""
    assert metric.kind is Kind.COUNTER
    return _summed(f"rate({metric.name}{HERE}[{WINDOW}])", metric, by)


def count(metric: Metric) -> Query:
    """How many values a second a histogram gets."""
    assert metric.kind is Kind.HISTOGRAM
    return Query(f"sum(rate({metric.name}_count{HERE}[{WINDOW}]))", metric.name)


def quantiles(metric: Metric, by: str = "") -> tuple[Query, ...]:
    """The middle and the slow end of a histogram."""
    assert metric.kind is Kind.HISTOGRAM
    labels = f"le, {by}" if by else "le"
    inner = f"sum by ({labels}) (rate({metric.name}_bucket{HERE}[{WINDOW}]))"
    name = f" {{{{{by}}}}}" if by else ""
    return tuple(
        Query(f"histogram_quantile({share}, {inner})", f"p{share * 100:g}{name}")
        for share in (0.5, 0.99)
    )


def plain(name: str, legend: str) -> Query:
    """A metric of the process, which the library of Prometheus declares."""
    return Query(f"sum({name}{HERE})", legend)


def _summed(expr: str, metric: Metric, by: str) -> Query:
    assert not by or by in {label.name for label in metric.labels}
    return Query(
        f"sum by ({by}) ({expr})" if by else f"sum({expr})", f"{{{{{by}}}}}" if by else metric.name
    )


def panel(title: str, unit: str, metric: Metric, *queries: Query) -> Panel:
    """A picture of a metric, described as it is declared."""
    return Panel(title, unit, queries, metric.meaning)


_DEALS: Final = panel("Deals", "ops", declared.DEALS, rate(declared.DEALS, "game"))
_ACTIONS: Final = panel("Actions", "ops", declared.ACTIONS, rate(declared.ACTIONS, "outcome"))
_SECONDS: Final = panel(
    "Receipt to visible", "s", declared.ACTION_SECONDS, *quantiles(declared.ACTION_SECONDS)
)
_COMMIT: Final = panel("Commit", "s", declared.COMMIT, *quantiles(declared.COMMIT))
_TABLES: Final = panel("Tables", "short", declared.TABLES, value(declared.TABLES, "state"))
_STREAMS: Final = panel("Streams", "short", declared.STREAMS, value(declared.STREAMS, "kind"))
_CALLS: Final = panel(
    "Calls by status", "ops", declared.RPC_HANDLED, rate(declared.RPC_HANDLED, "code")
)
_LAG: Final = panel("Event loop lag", "s", declared.LOOP_LAG, *quantiles(declared.LOOP_LAG))
_STATE: Final = panel("State", "short", declared.NODE_STATE, value(declared.NODE_STATE, "state"))
_PROCESSOR: Final = Panel(
    "CPU and memory",
    "short",
    (
        Query(f"sum(rate(process_cpu_seconds_total{HERE}[{WINDOW}]))", "cores"),
        Query(f"sum(process_resident_memory_bytes{HERE}) / 1073741824", "GiB"),
    ),
    "What the process takes: cores, and GiB of memory.",
)
_FAULTS: Final = panel(
    "How deals end", "ops", declared.TERMINATIONS, rate(declared.TERMINATIONS, "cause")
)
_THINK: Final = panel("Think time", "s", declared.THINK, *quantiles(declared.THINK, "phase"))

DASHBOARDS: Final = (
    Dashboard(
        "overview",
        "Skat: overview",
        (
            _STATE,
            _TABLES,
            _DEALS,
            _ACTIONS,
            _SECONDS,
            _COMMIT,
            _LAG,
            _PROCESSOR,
            _STREAMS,
            _CALLS,
            panel("Must be zero", "short", declared.VIOLATIONS, rate(declared.VIOLATIONS, "cause")),
            panel("Log lines", "ops", declared.LOG_LINES, rate(declared.LOG_LINES, "level")),
        ),
    ),
    Dashboard(
        "tournament",
        "Skat: tournaments",
        (
            panel(
                "Tournaments", "short", declared.TOURNAMENTS, value(declared.TOURNAMENTS, "state")
            ),
            panel("Boards", "short", declared.BLOCKS, value(declared.BLOCKS, "state")),
            panel("Tables to come", "short", declared.QUEUE, value(declared.QUEUE, "state")),
            panel("Nothing begins for", "s", declared.QUEUE_OLDEST, value(declared.QUEUE_OLDEST)),
            panel(
                "Sequential test",
                "short",
                declared.SPRT_LLR,
                value(declared.SPRT_LLR),
                value(declared.SPRT_LOWER),
                value(declared.SPRT_UPPER),
            ),
            panel(
                "Leader's interval",
                "short",
                declared.INTERVAL_WIDTH,
                value(declared.INTERVAL_WIDTH),
            ),
            _DEALS,
            _FAULTS,
            _THINK,
            panel(
                "Decisions out of time", "ops", declared.TIMEOUTS, rate(declared.TIMEOUTS, "phase")
            ),
        ),
    ),
    Dashboard(
        "store",
        "Skat: store",
        (
            _COMMIT,
            panel("Transactions", "ops", declared.COMMIT, count(declared.COMMIT)),
            panel("Entries a transaction", "short", declared.BATCH, *quantiles(declared.BATCH)),
            panel(
                "Entries that wait",
                "short",
                declared.PENDING,
                value(declared.PENDING),
                value(declared.PENDING_LIMIT),
            ),
            panel("Failures", "ops", declared.STORE_ERRORS, rate(declared.STORE_ERRORS, "cause")),
            panel("Database", "bytes", declared.DATA_BYTES, value(declared.DATA_BYTES)),
            panel("Free space", "bytes", declared.DATA_FREE, value(declared.DATA_FREE)),
            panel("Last start", "s", declared.REPLAY, value(declared.REPLAY)),
        ),
    ),
    Dashboard(
        "sessions",
        "Skat: sessions",
        (
            panel("Players", "short", declared.SESSIONS, value(declared.SESSIONS)),
            _STREAMS,
            panel(
                "Messages",
                "ops",
                declared.MESSAGES,
                Query(
                    f"sum by (kind, direction) (rate({declared.MESSAGES.name}{HERE}[{WINDOW}]))",
                    "{{kind}} {{direction}}",
                ),
            ),
            panel(
                "Sessions",
                "ops",
                declared.SESSION_OPENS,
                rate(declared.SESSION_OPENS),
                rate(declared.SESSION_RESUMES),
                rate(declared.SESSION_SUPERSEDES),
            ),
            panel(
                "Missed at a resume", "short", declared.RESUME_GAP, *quantiles(declared.RESUME_GAP)
            ),
            panel(
                "Sent a view instead",
                "ops",
                declared.RESUME_COMPACTIONS,
                rate(declared.RESUME_COMPACTIONS),
            ),
            panel(
                "News that wait", "short", declared.WAITING_TABLES, value(declared.WAITING_TABLES)
            ),
            panel(
                "What ends streams",
                "ops",
                declared.DISCONNECTS,
                rate(declared.DISCONNECTS, "cause"),
            ),
            panel(
                "Not let in", "ops", declared.AUTH_FAILURES, rate(declared.AUTH_FAILURES, "cause")
            ),
            panel("Too much", "ops", declared.RATE_LIMITED, rate(declared.RATE_LIMITED, "cause")),
            _CALLS,
            panel("Grace", "s", declared.GRACE, rate(declared.GRACE)),
        ),
    ),
)
