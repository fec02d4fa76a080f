"""What a load came to, as one document and as rows for people."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from typing import Final

from skat_server.remote.load.histogram import QUANTILES, Histogram
from skat_server.remote.load.metrics import ServerCounters
from skat_server.remote.load.run import Glance, Outcome, Stage
from skat_server.remote.load.tally import Tally

FORMAT: Final = "skat-load"
VERSION: Final = 1
BUSY: Final = 0.85
"""Share of a core from which on this program itself is what the run has measured."""

_LONG: Final = 1.0
"""Seconds from which on a table that waits at the end is told."""

Row = tuple[str, ...]


def document(outcome: Outcome, target: str) -> Mapping[str, object]:
    """Everything, as it is written with ``--json``; docs/load.md explains every field.

    Args:
        outcome: of the run.
        target: the server's address.
    """
    tally, seconds = outcome.tally, outcome.seconds
    return {
        "format": FORMAT,
        "version": VERSION,
        "skat_server": metadata.version("skat-server"),
        "target": target,
        "plan": _plan(outcome),
        "seconds": round(seconds, 3),
        "is_of_ramp_up": outcome.is_of_ramp_up,
        "throughput": {
            "actions": tally.actions,
            "actions_per_second": round(_per(tally.actions, seconds), 1),
            "deals": tally.deals,
            "deals_per_second": round(_per(tally.deals, seconds), 1),
            "series": tally.series,
            "requests": tally.requests,
            "responses": tally.responses,
            "watched_events": tally.watched,
            "fell_behind": tally.fell_behind,
        },
        "latency_ms": {name: times.in_milliseconds() for name, times in _latencies(tally)},
        "faults": dict(sorted(tally.faults.items())),
        "at_the_end": {
            "sessions": outcome.sessions,
            "tables": outcome.tables,
            "sessions_missing": outcome.sessions_missing,
            "tables_missing": outcome.tables_missing,
            "left_behind": outcome.left_behind,
            "server_is_gone": outcome.is_server_gone,
            "waiting": len(outcome.waiting),
            "longest_wait_ms": round(1000 * max(outcome.waiting, default=0.0), 3),
        },
        "records": outcome.records,
        "generator": {
            "cpu_seconds": round(outcome.cpu_seconds, 3),
            "cpu_share": round(_per(outcome.cpu_seconds, seconds), 3),
            "was_the_limit": is_limit(outcome),
        },
        "server": {
            "deals_seen_here": outcome.books.deals,
            "deals_of_its_tables": outcome.books.server_deals,
            **_counters(outcome.server),
        },
    }


def _counters(server: ServerCounters | None) -> Mapping[str, object]:
    if server is None:
        return {}
    return {
        "metrics_url": server.url,
        "was_restarted": server.was_restarted,
        "counters": dict(server.counters),
        "gauges": dict(server.gauges),
    }


def is_limit(outcome: Outcome) -> bool:
    """Whether this program had no time left, so that the server might have done more."""
    return bool(outcome.tally.actions) and outcome.cpu_seconds > BUSY * outcome.seconds


def remarks(outcome: Outcome) -> Iterator[str]:
    """What whoever reads the figures must know to read them right, a sentence each."""
    missing = outcome.sessions_missing or outcome.tables_missing
    if missing and not outcome.is_of_ramp_up:
        yield (
            f"{outcome.sessions_missing:,} of {outcome.plan.sessions:,} sessions and "
            f"{outcome.tables_missing:,} of {outcome.plan.tables:,} tables had not come by the "
            "end, so the figures are of fewer: let them come during a longer --ramp-up, and see "
            "the faults"
        )
    if is_limit(outcome):
        yield (
            "this program had no time left: the server can do more than these figures say; run "
            "several of it side by side, or fewer sessions with more tables each"
        )
    if outcome.server is not None and outcome.server.was_restarted:
        yield (
            "the server was started anew while it was measured: its own counters began again, and "
            "are left out"
        )
    if outcome.left_behind:
        yield f"tables that could not be closed: {outcome.left_behind:,}"


def figure_rows(outcome: Outcome) -> Sequence[Row]:
    """What was done, name and figure."""
    tally, seconds = outcome.tally, outcome.seconds
    rows = [
        ("seconds", f"{seconds:.1f}{' of the ramp-up' if outcome.is_of_ramp_up else ''}"),
        ("sessions", f"{outcome.sessions:,} of {outcome.plan.sessions:,}"),
        ("tables", f"{outcome.tables:,} of {outcome.plan.tables:,}"),
        ("actions/s", f"{_per(tally.actions, seconds):,.0f}"),
        ("deals/s", f"{_per(tally.deals, seconds):,.1f}"),
        ("actions, deals", f"{tally.actions:,}, {tally.deals:,}"),
        ("messages to the server, from it", f"{tally.requests:,}, {tally.responses:,}"),
        ("of one core for this program", f"{_per(outcome.cpu_seconds, seconds):.0%}"),
    ]
    if outcome.server is not None and outcome.server.cpu_seconds:
        cpu = outcome.server.cpu_seconds
        rows.append(("of one core for the server", f"{_per(cpu, seconds):.0%}"))
        rows.append(("actions per core-second of the server", f"{tally.actions / cpu:,.0f}"))
    if max(outcome.waiting, default=0.0) > _LONG:
        waits = f"{len(outcome.waiting):,}, up to {max(outcome.waiting):.1f} s"
        rows.append(("tables without a question", waits))
    if tally.watched:
        rows.append(("events to spectators", f"{tally.watched:,}"))
    if tally.fell_behind:
        rows.append(("views for spectators who fell behind", f"{tally.fell_behind:,}"))
    if outcome.records:
        rows.append(("records put away", f"{outcome.records:,}"))
    return rows


LATENCY_COLUMNS: Final = ("ms from", "times", *(q.replace("_", ".") for q in QUANTILES), "max")
"""What stands in the rows of `latency_rows`."""


def latency_rows(tally: Tally) -> Sequence[Row]:
    """Times in milliseconds: what, how many, quantiles, the longest."""
    return [
        (_LATENCIES[name], f"{times.count:,}", *_milliseconds(times))
        for name, times in _latencies(tally)
        if times.count
    ]


def _milliseconds(times: Histogram) -> Iterator[str]:
    for share in QUANTILES.values():
        yield f"{1000 * times.quantile(share):.2f}"
    yield f"{1000 * times.longest:.2f}"


def fault_rows(tally: Tally) -> Sequence[Row]:
    """What went wrong and how often, the most frequent first."""
    return [(cause, f"{count:,}") for cause, count in tally.faults.most_common()]


def glance_rows(glance: Glance, before: Glance) -> Sequence[Row]:
    """How it goes, for a panel that changes in place.

    Args:
        glance: now.
        before: a moment ago, for the rate of now.
    """
    books, tally = glance.books, glance.books.tally
    stage = (glance.stage.value, f"{glance.elapsed:.0f} of {glance.most:,.0f} s")
    if glance.stage is Stage.CLOSING:
        return [stage, ("tables left", f"{books.tables:,}")]
    pace = _per(glance.actions - before.actions, glance.elapsed - before.elapsed)
    faults = f"{sum(tally.faults.values()):,}"
    if tally.faults:
        faults += f", most of them {tally.faults.most_common(1)[0][0]}"
    p50, p99 = (1000 * tally.decision.quantile(share) for share in (0.5, 0.99))
    return [
        stage,
        ("sessions, tables", f"{books.sessions:,}, {books.tables:,}"),
        ("actions/s", f"{max(0.0, pace):,.0f}"),
        ("deals", f"{tally.deals:,}"),
        ("next question, ms", f"{p50:.2f} p50, {p99:.2f} p99"),
        ("faults", faults),
    ]


def _plan(outcome: Outcome) -> Mapping[str, object]:
    plan = outcome.plan
    return {
        "sessions": plan.sessions,
        "tables": plan.tables,
        "bots": [bot.value for bot in plan.seated],
        "seconds": plan.seconds,
        "deals": plan.deals,
        "ramp_up": plan.ramp_up,
        "think": plan.think.text,
        "storms": (
            None
            if plan.storms is None
            else {"every": plan.storms.every, "share": plan.storms.share}
        ),
        "spectators": plan.spectators,
        "slow_readers": plan.slow_readers,
        "slow_pause": plan.slow_seconds,
        "rules": plan.preset,
        "overrides": dict(plan.overrides),
        "deal_source": plan.deal_source,
        "seed": plan.seed,
    }


def _latencies(tally: Tally) -> Sequence[tuple[str, Histogram]]:
    return [
        ("decision", tally.decision),
        ("call", tally.call),
        ("welcome", tally.welcome),
        ("reconnect", tally.reconnect),
        ("generator_lag", tally.lag),
    ]


_INSTANT: Final = 1e-9
_LATENCIES: Final[Mapping[str, str]] = {
    "decision": "answer to next question",
    "call": "single call",
    "welcome": "new stream to welcome",
    "reconnect": "lost connection to welcome",
    "generator_lag": "lateness of this program",
}


def _per(amount: float, seconds: float) -> float:
    """How much a second; a run may end before time has passed."""
    return amount / max(seconds, _INSTANT)
