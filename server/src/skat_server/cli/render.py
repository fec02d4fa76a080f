"""Progress bars and tables; the only module of the command line that imports rich."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

Advance = Callable[[int], None]
"""Tell a progress bar that so much more is done."""


@contextmanager
def byte_progress(what: str, total: int) -> Iterator[Advance]:
    """A bar over a number of bytes, on standard error and only when that is a terminal.

    Args:
        what: stands before the bar.
        total: all bytes.
    """
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
        # Lines for a terminal are written above the bar; lines for a pipe must stay there.
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(what, total=total)

        def advance(amount: int) -> None:
            progress.advance(task, amount)

        yield advance
