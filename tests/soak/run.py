"""A soak from its beginning to its verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.crash.relay import relaying
from tests.crash.supervising import METRICS_OPTION, Supervisor, supervised
from tests.histories.model import Violation
from tests.observability.scraping import scrape
from tests.soak.flatness import Flatness, flatness
from tests.soak.load import Load
from tests.soak.plan import RELAYS, Plan
from tests.soak.sampling import Sample, usage_of
from tests.soak.shelf import Shelf

Tell = Callable[[Sample], None]

MOST_SERIES = 1_500
"""Beyond which a server would be a burden to Prometheus, whatever was played on it."""


@dataclass(frozen=True, slots=True)
class Report:
    """What has come of it."""

    plan: Plan
    samples: list[Sample]
    flatness: Flatness
    violations: list[Violation]
    tables: int
    """Played to their end."""
    actions: int
    cuts: int
    kills: int
    rude: dict[str, int]
    """How often each rude client came."""
    rude_cut_short: dict[str, int]
    """How often it did not come to the end of what it had in mind."""
    exit_code: int
    """Of the server."""
    errors: int
    """Lines of the server's log that speak of an error."""
    series: int
    """That the server shows to Prometheus in the end."""

    @property
    def faults(self) -> list[str]:
        """What must not be, in words; empty when all is well."""
        found = [str(violation) for violation in self.violations]
        found += self.flatness.faults
        found += [f"exit code {self.exit_code}"] * (self.exit_code != 0)
        found += [f"{self.errors} errors in the log of the server"] * (self.errors != 0)
        found += [f"{self.series} series of metrics"] * (self.series >= MOST_SERIES)
        return found + ["no table was played to its end"] * (self.tables == 0)


async def soak(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Run a server under load and judge it.

    Args:
        plan: what to do.
        folder: an empty one for data, log and histories.
        tell: is given every sample.

    Returns:
        The verdict with its figures.
    """
    data, samples = folder / "data", list[Sample]()
    shelf = Shelf(folder / "histories", data)
    async with AsyncExitStack() as stack:
        supervisor = await stack.enter_async_context(
            supervised(data, "--grace", "1", METRICS_OPTION, "0")
        )
        relays = [
            await stack.enter_async_context(relaying(lambda: supervisor.address))
            for _ in range(RELAYS)
        ]
        load = Load(plan, supervisor, relays, shelf)
        watching = asyncio.create_task(_watch(plan, supervisor, load, samples, tell))
        try:
            await load.run()
        finally:
            watching.cancel()
        await supervisor.replaced()
        series = len((await scrape(supervisor.web_address)).samples)
        exit_code = await supervisor.stop()
        errors = _errors_in(supervisor.log)
    return Report(
        plan=plan,
        samples=samples,
        flatness=Flatness(is_judged=False) if load.kills else flatness(samples),
        violations=list(shelf.violations()),
        tables=load.ended,
        actions=load.actions,
        cuts=load.cuts,
        kills=load.kills,
        rude=dict(load.rude),
        rude_cut_short=dict(load.rude_cut_short),
        exit_code=exit_code,
        errors=errors,
        series=series,
    )


async def _watch(
    plan: Plan, supervisor: Supervisor, load: Load, samples: list[Sample], tell: Tell
) -> None:
    began = perf_counter()
    while True:
        await asyncio.sleep(plan.sample_every)
        usage = usage_of(supervisor.pid)
        if usage is None:
            continue
        now = perf_counter() - began
        sample = Sample(now, usage, load.open_tables, load.ended, load.actions)
        samples.append(sample)
        tell(sample)


def _errors_in(log: str) -> int:
    return sum('"level": "error"' in line or "Traceback" in line for line in log.splitlines())
