"""``python -m tests.simulation``: many seeds with a progress bar, or one of them in full."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.simulation.run import Outcome, simulate

FAILED = 1
CHUNK = 20
"""Seeds that a process takes at once."""
RARELY = 50_000
"""Objects until their cycles are looked for: runs leave many, and are short."""
SHOWN = 10
"""Violations of a seed that are shown."""


def main() -> int:
    """Run what the command line asks for."""
    options = _options()
    gc.set_threshold(RARELY)
    out = Console(highlight=False)
    if options.seed is not None:
        return _replay(options.seed, out)
    started = perf_counter()
    failed = [outcome for outcome in _outcomes(options) if outcome.violations]
    seconds = perf_counter() - started
    for outcome in failed[:SHOWN]:
        _explain(outcome, out)
    used = sum(os.times()[:4])
    out.print(
        f"{options.seeds} seeds from {options.first}: {len(failed)} failed; {seconds:.1f} s, "
        f"{options.seeds * 60 / seconds:.0f} seeds a minute, "
        f"{options.seeds * 60 / used:.0f} for each minute of a core",
        soft_wrap=True,
    )
    return FAILED if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1_000, help="how many runs")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="replay this one alone and show its trace")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    return parser.parse_args()


def _outcomes(options: argparse.Namespace) -> Iterator[Outcome]:
    """Every run, as it comes."""
    seeds = range(options.first, options.first + options.seeds)
    columns = (TextColumn("simulate"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        task = progress.add_task("", total=len(seeds))
        for outcome in _each(seeds, options.jobs):
            progress.advance(task)
            if outcome.violations:
                progress.console.print(f"seed {outcome.seed}: {outcome.violations[0]}")
            yield outcome


def _each(seeds: range, jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from map(simulate, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_brief, seeds, chunksize=CHUNK)


def _brief(seed: int) -> Outcome:
    """A run without its trace, which would be long to hand over."""
    return simulate(seed).without_trace()


def _replay(seed: int, out: Console) -> int:
    """One run, moment by moment."""
    outcome = simulate(seed)
    for moment, *what in outcome.trace:
        out.print(f"{moment:12.6f}", *what, markup=False, soft_wrap=True)
    _explain(outcome, out)
    out.print(
        f"seed {seed}: {outcome.lives} servers, {outcome.elapsed:.1f} virtual seconds, "
        f"trace {outcome.digest[:16]}, {len(outcome.violations)} violations",
        soft_wrap=True,
    )
    return FAILED if outcome.violations else 0


def _explain(outcome: Outcome, out: Console) -> None:
    if outcome.violations:
        out.print(f"seed {outcome.seed} failed; make simulate SEED={outcome.seed} replays it")
    for violation in outcome.violations[:SHOWN]:
        out.print(f"  {violation}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
