"""Play a record again and hold it against what it says."""

from dataclasses import dataclass
from typing import Protocol, assert_never

from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, Refusal
from skat_engine.occasions import ORDINARY
from skat_engine.records import xskat
from skat_engine.records.facts import result_facts
from skat_engine.records.iss.house import IssTable
from skat_engine.records.model import Fact, IssOrigin, OwnOrigin, Record, XskatOrigin
from skat_engine.records.moves import HouseMove, Move
from skat_engine.records.outcomes import Differs, Identical, compare


class _Table(Protocol):
    """What a record is played on."""

    def take(self, move: Move) -> None:
        """Make one move, or raise `IllegalActionError`."""

    def facts(self) -> dict[str, Fact]:
        """What came of the deal, in the names of the record."""


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A move of a record that our rules refuse."""

    number: int
    """Which, from 1."""
    said: str
    """Who did what, as the record says it."""
    why: str


def replay(record: Record) -> Identical | Differs:
    """Play a record move by move and compare everything it says.

    A move that our rules refuse is a difference: the record says that it was legal. Nothing is
    raised.
    """
    outcome = play(record)
    if isinstance(outcome, IllegalMove):
        where, wanted = f"move {outcome.number}", f"legal {outcome.said}"
        return Differs(record.id, where, wanted, outcome.why)
    return compare(record.id, record.expected, outcome)


def play(record: Record) -> dict[str, Fact] | IllegalMove:
    """Play a record move by move: what came of it, or the first move that our rules refuse."""
    table = _table(record)
    for number, move in enumerate(record.moves, 1):
        try:
            table.take(move)
        except IllegalActionError as error:
            who, what = move
            return IllegalMove(number, f"{who} {what}", str(error))
    return table.facts()


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
        origin = record.origin
        occasion = origin.occasion if isinstance(origin, OwnOrigin) else ORDINARY
        self.deal = Deal(record.rules, record.dealt, occasion)

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
