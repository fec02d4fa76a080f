"""How a soak is told while it runs, and in the end."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.live import Live
from rich.panel import Panel

from tests.soak.plan import Plan
from tests.soak.run import Report
from tests.soak.sampling import Sample

EVERY: Final = 10.0
"""Seconds between two lines where no panel can be drawn."""
SHOWN: Final = 20
"""Faults that are shown."""


class Teller:
    """A panel on a terminal, a line now and then elsewhere."""

    def __init__(self, plan: Plan, console: Console) -> None:
        """Say nothing yet."""
        self._plan = plan
        self._console = console
        self._live = Live(console=console, transient=True) if console.is_terminal else None
        self._said = -EVERY

    def __enter__(self) -> Self:
        """Open the panel."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        if self._live is not None:
            self._live.stop()

    def tell(self, sample: Sample) -> None:
        """Show how things are."""
        line = line_of(sample)
        if self._live is not None:
            done = f"{sample.at:.0f} of {self._plan.seconds:.0f} s"
            self._live.update(Panel(line, title="soak", subtitle=done, expand=False))
        elif sample.at - self._said >= EVERY:
            self._said = sample.at
            self._console.print(line, soft_wrap=True)


def line_of(sample: Sample) -> str:
    """A sample for people."""
    usage = sample.usage
    return (
        f"{sample.at:6.0f} s  {usage.rss_kib / 1024:7.1f} MiB  {usage.threads:3} threads  "
        f"{usage.descriptors:5} descriptors  {sample.open_tables:4} tables open  "
        f"{sample.ended_tables:6} ended  {sample.actions:8} actions"
    )


def conclude(report: Report, console: Console) -> None:
    """Say what has come of it: for people, then one line of JSON."""
    for fault in report.faults[:SHOWN]:
        console.print(f"FAULT {fault}", soft_wrap=True, markup=False)
    flat = report.flatness
    if flat.is_judged:
        console.print(
            f"memory {flat.rss_median_kib / 1024:.1f} MiB, {flat.rss_rise_kib / 1024:+.1f} MiB in "
            f"{flat.seconds:.0f} s; descriptors {flat.more_descriptors:+.0f}, "
            f"threads {flat.more_threads:+.0f}",
            soft_wrap=True,
        )
    else:
        console.print("memory is not judged: no server was warm for long enough", soft_wrap=True)
    console.print(json.dumps(figures(report)), soft_wrap=True, markup=False)


def figures(report: Report) -> dict[str, object]:
    """The verdict for programs."""
    flat = report.flatness
    return {
        "ok": not report.faults,
        "seconds": report.plan.seconds,
        "tables": report.plan.tables,
        "tables_ended": report.tables,
        "actions": report.actions,
        "actions_per_second": round(report.actions / report.plan.seconds, 1),
        "cuts": report.cuts,
        "kills": report.kills,
        "rude_clients": report.rude,
        "rude_cut_short": report.rude_cut_short,
        "violations": len(report.violations),
        "server_errors": report.errors,
        "series": report.series,
        "exit_code": report.exit_code,
        "flatness_judged": flat.is_judged,
        "rss_median_mib": round(flat.rss_median_kib / 1024, 1),
        "rss_rise_mib": round(flat.rss_rise_kib / 1024, 1),
        "judged_seconds": round(flat.seconds),
        "more_descriptors": flat.more_descriptors,
        "more_threads": flat.more_threads,
    }
