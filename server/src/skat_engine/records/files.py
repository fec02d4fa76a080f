"""Records of a whole file, one a line, in constant memory.

The lines come in as an iterable, so that whoever opens the file can count, stop or send them.
A line that cannot be read becomes an outcome and the next line is read.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import BinaryIO, Final

from skat_engine.errors import NotationError
from skat_engine.records import iss, own, xskat
from skat_engine.records.model import Record
from skat_engine.records.outcomes import ReplayOutcome, Unreadable
from skat_engine.records.replay import replay
from skat_engine.records.rows import Row, parse_row

MAX_LINE: Final = 65_536
"""Longest line in bytes, many times that of a record, so that a file of junk stays cheap."""

_LONGEST_REASON: Final = 200
_BYTE_ORDER_MARK: Final = "\ufeff"


class FileForm(Enum):
    """The kinds of record files, by the ending of their name."""

    SGF = ".sgf"
    """Records of the International Skat Server."""
    JSON_LINES = ".jsonl"
    """Our own records and games of XSkat, also mixed."""


def form_of(name: str) -> FileForm:
    """The kind of a file by the ending of its name, in small or capital letters.

    Raises:
        NotationError: the ending is unknown.
    """
    for form in FileForm:
        if name.lower().endswith(form.value):
            return form
    endings = " or ".join(form.value for form in FileForm)
    raise NotationError(f"{name}: the ending says what a file holds; it must be {endings}")


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long only the first `MAX_LINE` + 1 bytes."""
    while line := stream.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)


def read_lines(lines: Iterable[bytes], form: FileForm) -> Iterator[Record | Unreadable]:
    """The record on each line that is not blank, or why it cannot be read."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _read_line(line, form, f"line {number}")


def replay_lines(lines: Iterable[bytes], form: FileForm) -> Iterator[ReplayOutcome]:
    """The outcome of each record, in order; nothing in a line stops the next ones."""
    for record in read_lines(lines, form):
        yield record if isinstance(record, Unreadable) else replay(record)


def row_of_line(line: bytes) -> Row:
    """The JSON object on a line.

    Raises:
        NotationError: the line is too long, not UTF-8 text, or not a JSON object.
    """
    _check_length(line)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise NotationError("not UTF-8 text") from None
    return parse_row(text.removeprefix(_BYTE_ORDER_MARK))


def id_in(row: Row) -> str | None:
    """The id of a row, if it can be made out."""
    try:
        return row.name("id")
    except NotationError:
        return None


def short_reason(error: NotationError) -> str:
    """What is wrong, without a whole line of junk in it."""
    return short_text(str(error))


def short_text(text: str) -> str:
    """The text, cut where it becomes too long to be read, and always one that can be sent.

    JSON can spell halves of characters, which no encoding has: they are spelled out again.
    """
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return whole if len(whole) <= _LONGEST_REASON else f"{whole[:_LONGEST_REASON]}…"


def _read_line(line: bytes, form: FileForm, place: str) -> Record | Unreadable:
    try:
        _check_length(line)
        return _read_sgf(line, place) if form is FileForm.SGF else _read_json(line, place)
    except NotationError as error:
        return Unreadable(place, short_reason(error))


def _check_length(line: bytes) -> None:
    if len(line) > MAX_LINE:
        raise NotationError(f"longer than {MAX_LINE} bytes")


def _read_sgf(line: bytes, place: str) -> Record | Unreadable:
    text = line.decode("utf-8", errors="replace").removeprefix(_BYTE_ORDER_MARK)
    try:
        return iss.read_record(text)
    except NotationError as error:
        return Unreadable(iss.record_id_in(text) or place, short_reason(error))


def _read_json(line: bytes, place: str) -> Record | Unreadable:
    row = row_of_line(line)
    try:
        return own.record_of_row(row) if "format" in row else xskat.record_of_row(row)
    except NotationError as error:
        return Unreadable(id_in(row) or place, short_reason(error))
