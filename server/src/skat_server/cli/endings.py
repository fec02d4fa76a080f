"""How a command ends that cannot go on: with a sentence on standard error and an exit code."""

from pathlib import Path
from typing import Final

import typer

from skat_server.cli.reading import printable

EXIT_INTERRUPTED: Final = 130
"""After Ctrl-C, as shells count it, and after SIGTERM where it is heeded like that."""


def ended(why: object, code: int) -> typer.Exit:
    """Say why, line by line, without anything that a terminal would obey.

    Args:
        why: an error, or what to do about it.
        code: documented with the command.

    Returns:
        What to raise.
    """
    for line in str(why).splitlines():
        typer.echo(printable(line), err=True)
    return typer.Exit(code)


def ended_by_file(error: OSError, code: int, file: Path | None = None) -> typer.Exit:
    """Say which file cannot be used, and why.

    Args:
        error: what the machine says.
        code: documented with the command.
        file: which one where the error does not name it, as one that comes while it is written.

    Returns:
        What to raise.
    """
    return ended(f"{error.filename or file}: {error.strerror}", code)
