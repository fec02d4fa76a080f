"""How far a run is, on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_OTHERS: Final = 32
"""Columns of a terminal that the bar, the count and the clock take."""


@contextmanager
def under_way(name: str, says: str, done: int, count: int) -> Iterator[None]:
    """Show that a figure is being measured: a bar on a terminal, a line elsewhere.

    Args:
        name: of the figure.
        says: what is measured.
        done: how many figures are there already.
        count: how many there will be.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        print(f"# {name}: {says}", file=sys.stderr, flush=True)
        yield
        return
    with Progress(
        BarColumn(bar_width=13),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=console,
        transient=True,
        refresh_per_second=1,  # it takes time from what is measured
        redirect_stdout=False,
        redirect_stderr=False,
    ) as progress:
        text = f"{name}: {says}"[: max(len(name), console.width - _OTHERS)]
        progress.add_task(text, total=count, completed=done)
        yield
