"""Summaries of a whole file, one a line, scored and held against what they expect.

In constant memory; a row that cannot be read becomes a result and the next row is read.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from skat_engine.errors import NotationError
from skat_engine.records.files import id_in, row_of_line, short_reason
from skat_engine.records.model import Expected, Fact
from skat_engine.records.outcomes import Differs, Identical, Unreadable, compare
from skat_engine.records.rows import Row
from skat_engine.records.summaries import expected_facts, score_facts


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """What a row scores, beside what it says that it scores."""

    row_id: str
    """The id of the row if it can be made out, else its place in the file."""
    facts: Mapping[str, Fact]
    """See `score_facts`; ``error`` also says why a row cannot be read."""
    expected: tuple[Expected, ...] | NotationError
    """What the row expects, or why that cannot be read."""

    def check(self) -> Identical | Differs | Unreadable:
        """Hold the facts against what is expected; the first difference counts."""
        if isinstance(self.expected, NotationError):
            return Unreadable(self.row_id, short_reason(self.expected))
        return compare(self.row_id, self.expected, self.facts)


def score_lines(lines: Iterable[bytes], *, explain: bool = False) -> Iterator[ScoredRow]:
    """Score each line that is not blank, in order.

    Args:
        lines: one JSON object each.
        explain: say everything that led to the score as well.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _score_line(line, f"line {number}", explain=explain)


def _score_line(line: bytes, place: str, *, explain: bool) -> ScoredRow:
    try:
        row = row_of_line(line)
    except NotationError as error:
        return ScoredRow(place, {"error": short_reason(error)}, error)
    row_id = id_in(row) or place
    try:
        facts = score_facts(row, explain=explain)
    except NotationError as error:
        return ScoredRow(row_id, {"error": short_reason(error)}, error)
    return ScoredRow(row_id, facts, _expected(row))


def _expected(row: Row) -> tuple[Expected, ...] | NotationError:
    try:
        return expected_facts(row)
    except NotationError as error:
        return error
