"""Records of a whole file in another form, one a line, in constant memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skat_engine.records import iss, own
from skat_engine.records.files import MAX_LINE, FileForm, read_lines, short_text
from skat_engine.records.into_iss import in_words_of_iss
from skat_engine.records.into_own import in_our_own_words
from skat_engine.records.model import Record
from skat_engine.records.outcomes import Unreadable
from skat_engine.records.unsayable import Unsayable, UnsayableError


@dataclass(frozen=True, slots=True)
class Converted:
    """A record in the form that was asked for."""

    record_id: str
    line: str
    """Without its line break."""


@dataclass(frozen=True, slots=True)
class NotConvertible:
    """A record that the form has no words for."""

    record_id: str
    what: Unsayable
    why: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.record_id} not convertible: {self.why}"


Conversion = Converted | NotConvertible | Unreadable
"""What came of converting one line."""


def to_line(record: Record, form: FileForm) -> str:
    """The record in this form, without a line break.

    Raises:
        UnsayableError: the form, or the rules that go with it, cannot say it.
    """
    if form is FileForm.SGF:
        line = iss.write_record(in_words_of_iss(record))
    else:
        line = own.to_json_line(in_our_own_words(record))
    if len(line.encode()) >= MAX_LINE:
        raise UnsayableError(Unsayable.TEXT, f"the line would be longer than {MAX_LINE} bytes")
    return line


def convert_lines(lines: Iterable[bytes], form: FileForm, wanted: FileForm) -> Iterator[Conversion]:
    """Each record in the form that is wanted, in order; no line stops the next ones."""
    for record in read_lines(lines, form):
        yield record if isinstance(record, Unreadable) else _convert(record, wanted)


def _convert(record: Record, wanted: FileForm) -> Converted | NotConvertible:
    try:
        return Converted(record.id, to_line(record, wanted))
    except UnsayableError as error:
        return NotConvertible(record.id, error.what, short_text(str(error)))
