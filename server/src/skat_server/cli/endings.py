"""How a command ends that cannot go on: with a sentence on standard error and an exit code."""

import typer

from skat_server.cli.reading import printable


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
