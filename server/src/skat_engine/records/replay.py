"""Play a record again and hold it against what it says."""

from typing import Protocol, assert_never

from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, Refusal, RuleSetError
from skat_engine.records import xskat
from skat_engine.records.facts import result_facts
from skat_engine.records.iss.house import IssTable
from skat_engine.records.model import Fact, IssOrigin, OwnOrigin, Record, XskatOrigin
from skat_engine.records.moves import HouseMove, Move
from skat_engine.records.outcomes import Differs, ReplayOutcome, Unreadable, compare


class _Table(Protocol):
    """What a record is played on."""

    def take(self, move: Move) -> None:
        """Make one move, or raise `IllegalActionError`."""

    def facts(self) -> dict[str, Fact]:
        """What came of the deal, in the names of the record."""


def replay(record: Record) -> ReplayOutcome:
    """Play a record move by move and compare everything it says.

    A move that our rules refuse is a difference: the record says that it was legal. A rule set
    that cannot be played makes the record unreadable. Nothing is raised.
    """
    try:
        table = _table(record)
    except RuleSetError as error:
        return Unreadable(record.id, str(error))
    for number, move in enumerate(record.moves, 1):
        try:
            table.take(move)
        except IllegalActionError as error:
            who, what = move
            return Differs(record.id, f"move {number}", f"legal {who} {what}", str(error))
    return compare(record.id, record.expected, table.facts())


def _table(record: Record) -> _Table:
    match record.origin:
        case OwnOrigin() | XskatOrigin():
            return _PlainTable(record)
        case IssOrigin():
            return IssTable(record)
        case _:
            assert_never(record.origin)


class _PlainTable:
    """A deal under the rules of the record and nothing else."""

    def __init__(self, record: Record) -> None:
        """Lay the cards out."""
        self.record = record
        self.deal = Deal(record.rules, record.dealt)

    def take(self, move: Move) -> None:
        """Make one move."""
        position, action = move
        if isinstance(action, HouseMove):
            raise IllegalActionError(Refusal.WRONG_PHASE, "the rules know no such move")
        self.deal.apply(position, action)

    def facts(self) -> dict[str, Fact]:
        """What came of the deal."""
        if isinstance(self.record.origin, XskatOrigin):
            return xskat.deal_facts(self.record, self.deal)
        if self.deal.result is None:
            return {"ending": "unfinished"}
        return result_facts(self.deal.result)
