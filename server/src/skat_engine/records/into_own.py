"""A record from elsewhere as one of our own, under the rules of the preset ``isko``.

What the International Skat Server lets players do besides the rules is said with our words where
they book the same: showing the cards is a claim, a defender's resignation after it is consent
and any other one a concession. What our form has no field for is left out: time, ratings,
comment and series.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from skat_engine.actions import ACCEPT, GIVE_UP, LAY_OPENS, REJECT, Action
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError
from skat_engine.presets import preset
from skat_engine.records.iss import results
from skat_engine.records.model import Fact, IssOrigin, OwnOrigin, Record
from skat_engine.records.moves import Leave, NameGame, Resign, ShowCards, TimeOut
from skat_engine.records.outcomes import Identical
from skat_engine.records.own import new_record
from skat_engine.records.replay import replay
from skat_engine.records.unsayable import Unsayable, UnsayableError
from skat_engine.results import DealResult
from skat_engine.ruleset import RuleSet
from skat_engine.seats import POSITIONS, Position

_Moves = tuple[tuple[Position, Action], ...]

_FIRST = 1
"""The place in a series that nobody has noted."""


def in_our_own_words(record: Record) -> Record:
    """The same deal as a record of ours; one that is one already stays as it is.

    Raises:
        UnsayableError: what our rules do not know, or what they would book otherwise.
    """
    if isinstance(record.origin, OwnOrigin):
        return record
    outcome = replay(record)
    if not isinstance(outcome, Identical):
        raise UnsayableError(Unsayable.CONTRADICTION, str(outcome))
    if isinstance(record.origin, IssOrigin):
        rules = preset("isko")
        moves, result = _told(rules, record)
    else:
        rules, moves = record.rules, _plain(record)
        result = _result_of(rules, record, moves)
    seats = record.seats
    return new_record(record.id, rules, seats, record.seating, _FIRST, record.dealt, moves, result)


def _plain(record: Record) -> _Moves:
    """Moves that are actions of the rules already."""
    return tuple((who, what) for who, what in record.moves if isinstance(what, Action))


def _result_of(rules: RuleSet, record: Record, moves: _Moves) -> DealResult:
    """What these moves come to.

    Raises:
        IllegalActionError: one of them may not be made.
        UnsayableError: the deal does not end with them.
    """
    deal = Deal(rules, record.dealt)
    for who, what in moves:
        deal.apply(who, what)
    if deal.result is None:
        raise UnsayableError(Unsayable.ENDING, "by our rules the deal is not over")
    return deal.result


def _told(rules: RuleSet, record: Record) -> tuple[_Moves, DealResult]:
    """The first way to tell the deal in our words that books what the server booked."""
    facts = {claim.field: claim.value for claim in record.expected}
    if facts[results.OUTCOME] == results.UNKNOWN:
        raise UnsayableError(Unsayable.ENDING, "the deal has not ended")
    refusals: list[UnsayableError] = []
    for moves in _Telling(record, facts.get("d")).ways():
        try:
            result = _result_of(rules, record, moves)
        except IllegalActionError as error:
            refusals.append(UnsayableError(Unsayable.MOVE, str(error)))
            continue
        except UnsayableError as error:
            refusals.append(error)
            continue
        score = None if result.game is None else result.game.value.score
        if score == facts.get("v"):
            return moves, result
        why = f"the server booked {facts.get('v')}; our rules book {score}"
        refusals.append(UnsayableError(Unsayable.BOOKING, why))
    raise next((one for one in refusals if one.what is Unsayable.BOOKING), refusals[0])


@dataclass(frozen=True, slots=True)
class _Telling:
    """One deal of the server, to be told in our words."""

    record: Record
    declarer: Fact
    """As the server says; None or -1 when there was none."""

    def ways(self) -> Iterator[_Moves]:
        """The deal in our words, once for each thing that its end can have meant."""
        moves = self.record.moves
        if any(isinstance(what, TimeOut | Leave) for _, what in moves):
            raise UnsayableError(Unsayable.INTERRUPTION, "somebody ran out of time or left")
        resigned = tuple(who for who, what in moves if isinstance(what, Resign))
        shown = any(isinstance(what, ShowCards) for _, what in moves)
        if not isinstance(moves[-1][1], Resign):
            yield self._played_on(resigned, shown=shown)
            return
        for end in self._ends(resigned, shown=shown):
            yield (*_plain(self.record), *end)

    def _ends(self, resigned: tuple[Position, ...], *, shown: bool) -> Iterator[_Moves]:
        """What the last word, a resignation, can have meant."""
        first, second = self._defenders()
        declarer = 3 - first - second
        if resigned[-1] == declarer:
            yield ((declarer, GIVE_UP),)
            yield ((declarer, GIVE_UP), (first, ACCEPT))
        elif shown:
            consent = ((first, ACCEPT), (second, ACCEPT))
            yield from (((declarer, claim), *consent) for claim in LAY_OPENS)
        else:
            yield ((resigned[0], GIVE_UP), (declarer, ACCEPT))

    def _played_on(self, resigned: tuple[Position, ...], *, shown: bool) -> _Moves:
        """The deal with a claim that was turned down, if there was one."""
        if resigned and not shown:
            raise UnsayableError(Unsayable.VOTE, "a defender resigned and nothing came of it")
        told: list[tuple[Position, Action]] = []
        waiting = shown
        for who, what in self.record.moves:
            if isinstance(what, Action):
                told.append((who, what))
            elif isinstance(what, ShowCards) and waiting:
                waiting = False
                told += [(who, LAY_OPENS[0]), *self._turned_down(resigned)]
            else:
                assert isinstance(what, NameGame | Resign | ShowCards)
        return tuple(told)

    def _turned_down(self, resigned: tuple[Position, ...]) -> list[tuple[Position, Action]]:
        """The votes up to the one against."""
        first, second = self._defenders()
        return [(first, ACCEPT), (second, REJECT)] if first in resigned else [(first, REJECT)]

    def _defenders(self) -> tuple[Position, Position]:
        """In the order in which they are asked."""
        assert isinstance(self.declarer, int)
        assert self.declarer in POSITIONS
        return (self.declarer + 1) % 3, (self.declarer + 2) % 3
