"""Says something to whoever started a server, where that is still possible."""

import os
import sys
from pathlib import Path

import typer


def say(text: str, *, err: bool = False) -> None:
    """Print a line; a server goes on, and stops as it should, when nobody can be told.

    Args:
        text: what to say.
        err: on standard error.
    """
    try:
        typer.echo(text, err=err)
    except (OSError, ValueError):  # a full disk, a pipe without a reader, a closed file
        _be_quiet(err=err)


def _be_quiet(*, err: bool) -> None:
    """Say nothing more there: what is left in the file would spoil the exit code."""
    nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # until the end
    if err:
        sys.stderr = nowhere
    else:
        sys.stdout = nowhere
