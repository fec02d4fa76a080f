"""Files that commands read line by line: refused before anything is printed, then streamed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typer

from skat_engine.records import lines_of
from skat_server.cli.render import Advance, byte_progress

STANDARD_INPUT: Final = Path("-")


def check_is_file(path: Path) -> None:
    """Refuse what is not a file, with a hint.

    Raises:
        typer.BadParameter: the path is a folder, is not there, or may not be looked at.
    """
    try:
        if path.is_dir():
            raise typer.BadParameter(f"{path} is a folder; name the files in it one by one")
        if not path.is_file():
            raise typer.BadParameter(f"{path} does not exist; name files that are there")
    except OSError as error:
        raise _unreadable(path, error) from None


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file under a progress bar, or those of standard input.

    Raises:
        typer.BadParameter: the file may not be read.
    """
    if path == STANDARD_INPUT:
        yield from lines_of(typer.get_binary_stream("stdin"))
        return
    try:
        with path.open("rb") as stream, byte_progress(path.name, path.stat().st_size) as advance:
            yield from _counted(lines_of(stream), advance)
    except OSError as error:
        raise _unreadable(path, error) from None


def printable(text: str) -> str:
    """The text on one line, without anything that a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _unreadable(path: Path, error: OSError) -> typer.BadParameter:
    return typer.BadParameter(f"{path} cannot be read: {error.strerror}")


def _counted(lines: Iterator[bytes], advance: Advance) -> Iterator[bytes]:
    for line in lines:
        advance(len(line))
        yield line
