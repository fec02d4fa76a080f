"""Progress bars and tables; the only module of the command line that imports rich."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

PIPED: Final = (1 << 16, 25)
"""Columns and lines where nobody's terminal sets a limit; tables take what they need."""

Advance = Callable[[int], None]
"""Tell a progress bar that so much more is done."""


@contextmanager
def byte_progress(what: str, total: int) -> Iterator[Advance]:
    """A bar over a number of bytes, on standard error and only when that is a terminal.

    Args:
        what: stands before the bar.
        total: all bytes.
    """
    with _bar(DownloadColumn()) as progress:
        task = progress.add_task(what, total=total)

        def advance(amount: int) -> None:
            progress.advance(task, amount)

        yield advance


@contextmanager
def step_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar over steps of which the number comes with the first, like `byte_progress`.

    Args:
        what: stands before the bar.
    """
    with _bar(MofNCompleteColumn()) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _bar(amount: ProgressColumn) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        amount,
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not _is_terminal(sys.stderr),
        # Lines for a terminal are written above the bar; lines for a pipe must stay there.
        redirect_stdout=_is_terminal(sys.stdout),
        redirect_stderr=False,
    )


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody reads along; a stream is None where it was closed before the start."""
    return stream is not None and stream.isatty()


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], marked: frozenset[int] = frozenset()
) -> None:
    """Print rows under headings on standard output, as wide as the terminal allows.

    Elsewhere a table is as wide as what is in it, whatever `COLUMNS` says: no name is cut there.

    Args:
        columns: the headings.
        rows: a text for each heading.
        marked: the numbers of rows that stand out.
    """
    table = Table(show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for number, row in enumerate(rows):
        table.add_row(*map(Text, row), style="bold" if number in marked else None)
    width, height = (None, None) if _is_terminal(sys.stdout) else PIPED
    Console(width=width, height=height).print(table)


@contextmanager
def live_lines() -> Iterator[Callable[[Sequence[str]], None] | None]:
    """Lines that change in place on a terminal; None elsewhere, where lines stay."""
    console = Console()
    if not console.is_terminal:
        yield None
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:
        yield lambda lines: live.update(Text("\n".join(lines)), refresh=True)


@contextmanager
def live_rows(title: str) -> Iterator[Callable[[Sequence[Sequence[str]]], None] | None]:
    """A panel of rows that change in place, on standard error; None where that is no terminal.

    Args:
        title: stands above them.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:
        yield lambda rows: live.update(_panel(title, rows), refresh=True)


def _panel(title: str, rows: Sequence[Sequence[str]]) -> Panel:
    grid = Table.grid(padding=(0, 2))
    for row in rows:
        grid.add_row(*map(Text, row))
    return Panel(grid, title=title, title_align="left", expand=False)
