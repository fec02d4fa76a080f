"""The house rules of the International Skat Server, around a deal of ours.

Bids, cards and tricks are played by `Deal`. What the server adds are ways to end a deal early
and how it books them; the value always comes from `valuation.settle`.

- Schwarz announced ends with the defenders' first trick, Schneider announced as soon as they
  hold more than 30 card points.
- The declarer's resignation ends the deal, that of the defenders when both have said it; on
  the server named ``ISS2`` one is enough once the declarer has shown his cards.
- A time-out or leaving ends it too. Before a game is named it costs a penalty mark: in the
  bidding whoever is at fault; after it the declarer, or both defenders for one another.
- When the defenders are at fault in a trump game, everything still open goes to the declarer.
  When the declarer is, he has what he has; his own Schneider and Schwarz count once a trick
  has been completed.
"""

from dataclasses import replace
from enum import Enum
from typing import Final

from skat_engine.cards import CardSet, card_set, points_in
from skat_engine.contracts import Contract, Level
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, Refusal
from skat_engine.phases import Phase
from skat_engine.records.iss import results
from skat_engine.records.model import Fact, IssOrigin, Record
from skat_engine.records.moves import Leave, Move, NameGame, Resign, ShowCards, TimeOut
from skat_engine.seats import POSITIONS, Position
from skat_engine.state import TRICKS
from skat_engine.valuation import (
    SCHNEIDER_POINTS,
    GameValue,
    Standing,
    is_fulfilled,
    matadors,
    settle,
)

_LENIENT_SERVER: Final = "ISS2"
_ALL_POINTS: Final = 120
_SCHNEIDER: Final = _ALL_POINTS - SCHNEIDER_POINTS
"""A side with no more card points than this is Schneider (R-VAL-2)."""
_NOBODY: Final = -1


class Side(Enum):
    """Who is to blame for an early end."""

    DECLARER = "declarer"
    DEFENDERS = "defenders"


class IssTable:
    """A deal under the rules of this house; `take` moves it on, `facts` says what came of it.

    Attributes:
        deal: the deal under the common rules.
        named: a contract that was named and waits for its discards.
        shown: the declarer has shown his cards.
        resigned: the positions that said they resign.
        conceded: the side whose resignation ended the deal.
        stopped: who ran out of time or left, and which of the two.
    """

    __slots__ = ("conceded", "deal", "lenient", "named", "resigned", "shown", "stopped")

    def __init__(self, record: Record) -> None:
        """Lay the cards of a record out."""
        origin = record.origin
        self.deal = Deal(record.rules, record.dealt)
        self.lenient = isinstance(origin, IssOrigin) and origin.server == _LENIENT_SERVER
        self.named: Contract | None = None
        self.shown = False
        self.resigned: frozenset[Position] = frozenset()
        self.conceded: Side | None = None
        self.stopped: tuple[Position, TimeOut | Leave] | None = None

    @property
    def is_over(self) -> bool:
        """Whether the deal has come to an end, by the cards or by the house rules."""
        ended = self.deal.is_over or self.conceded is not None or self.stopped is not None
        return ended or _announcement_failed(self.deal)

    def take(self, move: Move) -> None:
        """Make one move.

        Raises:
            IllegalActionError: the rules or the house do not allow it now.
        """
        position, what = move
        if self.is_over:
            raise IllegalActionError(Refusal.DEAL_OVER, "the deal is over")
        match what:
            case NameGame(contract):
                self._name(position, contract)
            case ShowCards():
                self._show(position, what)
            case Resign():
                self._resign(position)
            case TimeOut() | Leave():
                self.stopped = position, what
            case _:
                self.deal.apply(position, what)

    def _name(self, position: Position, contract: Contract) -> None:
        """Name the game before the discards, which only who took the skat does."""
        deal = self.deal
        if deal.phase is not Phase.ANNOUNCE or position != deal.to_act or contract.hand:
            raise IllegalActionError(Refusal.WRONG_PHASE, f"{contract} cannot be named now")
        self.named = contract

    def _show(self, position: Position, show: ShowCards) -> None:
        deal = self.deal
        if deal.phase is not Phase.PLAY or position != deal.declarer:
            raise IllegalActionError(Refusal.NOT_OFFERED, "only the declarer shows, in play")
        if show.cards is not None and card_set(show.cards) != deal.hands[position]:
            raise IllegalActionError(Refusal.CARD_NOT_HELD, "the cards shown are not the hand")
        self.shown = True

    def _resign(self, position: Position) -> None:
        deal = self.deal
        if deal.phase is not Phase.PLAY or position in self.resigned:
            raise IllegalActionError(Refusal.NOT_OFFERED, "resigning is for play, once a seat")
        self.resigned |= {position}
        if position == deal.declarer:
            self.conceded = Side.DECLARER
        elif (self.lenient and self.shown) or len(self.resigned) > 1:
            self.conceded = Side.DEFENDERS

    def facts(self) -> dict[str, Fact]:
        """What came of the deal, in the server's own field names."""
        if not self.is_over:
            return {results.OUTCOME: results.UNKNOWN}
        contract = self.deal.contract or self.named
        if contract is not None:
            return self._game_facts(contract)
        if self.stopped is None:
            return {results.OUTCOME: results.PASSED}
        return self._penalty_facts()

    def _game_facts(self, contract: Contract) -> dict[str, Fact]:
        blame = self._blame()
        standing = _final_standing(self._standing(contract), blame)
        fulfilled = _is_won(standing, blame)
        reached = _reached(standing, fulfilled=fulfilled)
        value = settle(standing, fulfilled=fulfilled, reached=reached, rules=self.deal.rules)
        return {
            "d": self.deal.declarer,
            **_value_facts(value, standing, reached),
            **self._end_facts(frozenset()),
        }

    def _penalty_facts(self) -> dict[str, Fact]:
        """An end without a game."""
        assert self.stopped is not None
        culprit, declarer = self.stopped[0], self.deal.declarer
        if declarer is None or culprit == declarer:
            marked = frozenset({culprit})
        else:
            marked = frozenset(POSITIONS) - {declarer}
        return {
            results.OUTCOME: results.PENALTY,
            "d": _NOBODY if declarer is None else declarer,
            results.BID: results.BID_REACHED,
            **dict.fromkeys(("v", "m", "p", "t", "s", "z"), 0),
            **self._end_facts(marked),
        }

    def _end_facts(self, marked: frozenset[Position]) -> dict[str, Fact]:
        """How the deal was ended and who got a penalty mark."""
        facts: dict[str, Fact] = {f"p{seat}": int(seat in marked) for seat in POSITIONS}
        facts |= {"l": _NOBODY, "to": _NOBODY, "r": int(self.conceded is not None)}
        if self.stopped is not None:
            culprit, how = self.stopped
            facts["l" if isinstance(how, Leave) else "to"] = culprit
        return facts

    def _blame(self) -> Side | None:
        """The side that ended a game early, None when the cards did."""
        if self.stopped is None:
            return self.conceded
        return Side.DECLARER if self.stopped[0] == self.deal.declarer else Side.DEFENDERS

    def _standing(self, contract: Contract) -> Standing:
        """The standing at the end; without discards the skat as dealt counts for them."""
        deal = self.deal
        if deal.contract is not None:
            return deal.standing()
        assert deal.declarer is not None
        own = CardSet(deal.hands[deal.declarer] | deal.dealt.skat)
        return Standing(
            contract=contract,
            bid=deal.bid,
            matadors=0 if contract.is_null else matadors(contract.kind, own),
            declarer_points=points_in(deal.dealt.skat),
            defender_points=0,
            declarer_tricks=0,
            defender_tricks=0,
        )


def _announcement_failed(deal: Deal) -> bool:
    """Whether the defenders have already done what an announced level forbids."""
    if deal.contract is None or not deal.contract.announced:
        return False
    standing = deal.standing()
    if deal.contract.announced is Level.SCHWARZ:
        return standing.defender_tricks > 0
    return standing.defender_points > _SCHNEIDER


def _final_standing(standing: Standing, blame: Side | None) -> Standing:
    """The standing with everything open credited, when the defenders broke a trump game off."""
    if blame is not Side.DEFENDERS or standing.contract.is_null:
        return standing
    return replace(
        standing,
        declarer_points=_ALL_POINTS - standing.defender_points,
        declarer_tricks=TRICKS - standing.defender_tricks,
    )


def _is_won(standing: Standing, blame: Side | None) -> bool:
    """Whether the declarer did what the game asks; he may have before he broke it off."""
    if standing.contract.is_null and blame is Side.DECLARER:
        return False
    needs_all = standing.contract.announced is Level.SCHWARZ
    return is_fulfilled(standing) and (not needs_all or standing.declarer_tricks == TRICKS)


def _reached(standing: Standing, *, fulfilled: bool) -> Level:
    """The level that counts as reached: not one that was announced and missed."""
    if standing.contract.is_null:
        return Level.SIMPLE
    if fulfilled:
        if standing.declarer_tricks == TRICKS:
            return Level.SCHWARZ
        return Level.SCHNEIDER if standing.declarer_points >= SCHNEIDER_POINTS else Level.SIMPLE
    return _own_level(standing)


def _own_level(standing: Standing) -> Level:
    """Schneider and Schwarz of a declarer who lost, unless they were announced."""
    if standing.declarer_tricks + standing.defender_tricks == 0:
        return Level.SIMPLE
    announced = standing.contract.announced
    if standing.declarer_tricks == 0 and announced < Level.SCHWARZ:
        return Level.SCHWARZ
    if standing.declarer_points <= _SCHNEIDER and announced < Level.SCHNEIDER:
        return Level.SCHNEIDER
    return Level.SIMPLE


def _value_facts(value: GameValue, standing: Standing, reached: Level) -> dict[str, Fact]:
    return {
        results.OUTCOME: results.WIN if value.won else results.LOSS,
        "v": value.score,
        "m": value.matadors,
        results.BID: results.OVERBID if value.overbid else results.BID_REACHED,
        "p": standing.declarer_points,
        "t": standing.declarer_tricks,
        "s": int(reached >= Level.SCHNEIDER),
        "z": int(reached is Level.SCHWARZ),
    }
