"""Says on standard output what whoever started a server waits for, where that is still possible.

What goes to standard error goes the way of log lines: `observability/line_queue.py`.
"""

import os
import sys
from pathlib import Path

import typer


def say(text: str) -> None:
    """Print a line; a server goes on, and stops as it should, when nobody can be told."""
    try:
        typer.echo(text)
    except (OSError, ValueError):  # a full disk, a pipe without a reader, a closed file
        drop_output()


def drop_output() -> None:
    """Drop what could not be printed: at the end of the program it would spoil the exit code."""
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # until the end
