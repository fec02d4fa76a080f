"""A table made again from its log, with everything that its viewers are owed.

It knows the text of the entries and the rules of the engine, and no code by which the server
itself makes steps, numbers facts or recovers: it would repeat their mistakes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from skat_engine import (
    Action,
    Booking,
    Deal,
    RuleSet,
    Series,
    deal_from_seed,
    parse_action,
    parse_cards,
    parse_dealt,
    parse_option,
    preset,
)
from skat_engine.errors import IllegalActionError, NotationError
from skat_engine.events import DealEnded, Event, Unseen
from skat_engine.seats import POSITIONS
from skat_engine.shuffling import commitment
from skat_engine.views import project
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables import facts
from skat_server.tables.faults import FaultCause
from skat_server.tables.state import decision_of_deal
from tests.histories.model import Question, Reading, TableHistory
from tests.histories.telling import Telling

HOUSE = "house-"
"""How the names of the server's own bots begin."""


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """An action that counts."""

    seat: int
    player_id: str
    """Who sat there."""
    turn_id: str
    text: str
    dealt: int
    """In which dealing of cards."""
    is_own: bool
    """Whether the player sent it; else the server acted for the seat."""


@dataclass(slots=True)
class Replayed:
    """What a log says.

    Attributes:
        players: who sits where at the end, empty for nobody.
        telling: what each viewer is owed.
        questions: by seat and the number of the last event before it.
        actions: all that count, in order.
        bookings: of all deals that count.
        dealt: how often cards were dealt.
        deal_is_open: whether the last deal has not ended.
        is_over: whether nothing can follow.
        broken: why the log cannot be followed any further (H6), empty when it can.
        unlike: results and chance that replay gives differently (H4).
    """

    players: list[str]
    telling: Telling
    questions: dict[tuple[int, int], list[Question]] = field(default_factory=dict)
    actions: list[LoggedAction] = field(default_factory=list)
    bookings: list[Booking] = field(default_factory=list)
    dealt: int = 0
    deal_is_open: bool = False
    is_over: bool = False
    broken: str = ""
    unlike: list[str] = field(default_factory=list)


def replayed(table: TableHistory, reading: Reading) -> Replayed:
    """Fold a log."""
    fold = _Fold(table, reading)
    for line in table.lines[1:]:
        try:
            fold.take(line.at, line.entry)
        except (IllegalActionError, NotationError, _BrokenLogError) as error:
            fold.out.broken = f"{line.entry.kind.value} {line.entry.payload}: {error}"
            break
    fold.out.deal_is_open = fold.deal is not None
    return fold.out


class _BrokenLogError(Exception):
    """An entry does not fit those before it."""


class _Fold:
    """The state between two entries."""

    def __init__(self, table: TableHistory, reading: Reading) -> None:
        opening = table.lines[0].entry
        if opening.kind is not EntryKind.TABLE_OPENED:
            raise AssertionError("every log begins with the opening of its table")
        row = json.loads(opening.payload)
        rules = _rules(row)
        self.table_id = table.table_id
        self.reading = reading
        self.series = Series(rules, parse_cards(row["draw"]))
        self.seating = self.series.next_seating()
        self.deal: Deal | None = None
        self.seed = b""
        self.turns = [0, 0, 0]
        self.end_requested = False
        self.stand_ins: set[int] = set()
        """Seats of players for whom the house plays."""
        seated = row["seated"] or [None] * rules.seats
        players = [one["player"] if one else "" for one in seated]
        self.out = Replayed(players, Telling(rules.seats, reading))

    def take(self, at: float, entry: Entry) -> None:
        """Fold one entry in."""
        if self.out.is_over:
            raise _BrokenLogError("the table was over")
        if entry.kind is EntryKind.ACTION:
            position, text, *_ = entry.payload.split(" ")
            self._act(at, int(position), text)
        elif entry.kind in _TAKE:
            _TAKE[entry.kind](self, at, json.loads(entry.payload))
        else:
            raise _BrokenLogError("nobody knows what it means")
        self._ask()

    def _tell(self, at: float, fact: facts.Fact) -> None:
        self.out.telling.everybody(at, fact, self.seating)

    # ------------------------------------------------------------------------------ seats

    def _seat(self, at: float, row: dict[str, Any]) -> None:
        seat: int = row["seat"]
        before, self.out.players[seat] = self.out.players[seat], row.get("player", "")
        if bool(before) == bool(self.out.players[seat]):
            raise _BrokenLogError(f"on seat {seat} sat {before or 'nobody'}")
        taken = "player" in row
        self._tell(at, facts.SeatTaken(seat, row["name"]) if taken else facts.SeatLeft(seat))

    def _stand_in(self, at: float, row: dict[str, Any]) -> None:
        """The house plays for a seat, or does so no longer."""
        seat, begins = row["seat"], "cause" in row
        if begins == (seat in self.stand_ins):
            raise _BrokenLogError(f"who plays for seat {seat} does not change")
        self.stand_ins ^= {seat}
        if begins:
            self._tell(at, facts.SeatTakenOver(seat, FaultCause(row["cause"])))
        else:
            self._tell(at, facts.SeatReturned(seat))

    # ------------------------------------------------------------------------------ deals

    def _deal(self, at: float, row: dict[str, Any]) -> None:
        if self.deal is not None:
            raise _BrokenLogError("the deal before is not over")
        self.out.dealt += 1
        self._check_chance(row)
        self.seating, self.turns = self.series.next_seating(), [0, 0, 0]
        occasion = self.series.next_occasion()
        self.deal = Deal(self.series.rules, parse_dealt(row["dealt"]), occasion)
        name = f"{self.table_id}/{row['deal']}"
        self.seed = bytes.fromhex(row["seed"] or "")
        bound = commitment(self.seed, name) if self.seed else b""
        hand = facts.HandReceived(row["deal"], None, occasion, name, bound)
        self.out.telling.dealt(at, self.deal.opening(), hand, self.seating)

    def _check_chance(self, row: dict[str, Any]) -> None:
        place = (self.series.deals_done + 1, self.out.dealt, self.series.dealer)
        if (row["deal"], row["dealing"], row["dealer"]) != place:
            self.out.unlike.append(f"deal {row['deal']} is not the next one, which is {place}")
        if row["seed"] and deal_from_seed(bytes.fromhex(row["seed"])) != parse_dealt(row["dealt"]):
            self.out.unlike.append(f"the cards of deal {row['deal']} are not those of its seed")

    def _book(self, at: float, row: dict[str, Any]) -> None:
        if self.deal is None or self.deal.result is None:
            raise _BrokenLogError("the deal is not over")
        booking = self.series.book(self.deal.result)
        if (row["deal"], tuple(row["totals"])) != (booking.deal_number, booking.totals):
            self.out.unlike.append(
                f"deal {row['deal']} was booked as {row['totals']}, replay gives {booking.totals}"
            )
        if booking.counts:
            self.out.bookings.append(booking)
        if self.end_requested:
            self.series.request_end()
        self._tell(at, facts.DealBooked(booking, self.seed))
        self.deal = None
        if self.series.is_over:
            self._finish(at)

    def _void(self, at: float, row: dict[str, Any]) -> None:
        if self.deal is None:
            raise _BrokenLogError("no deal is under way")
        self.deal = None
        self._tell(at, facts.DealVoided(row["reason"]))

    def _close(self, at: float, row: dict[str, Any]) -> None:
        self.deal = None
        cause = None if row["cause"] is None else FaultCause(row["cause"])
        self._tell(at, facts.TableClosed(row["reason"], cause, row["seat"]))
        self.out.is_over = True

    def _request_end(self, at: float, row: dict[str, Any]) -> None:
        self.end_requested = True
        self._tell(at, facts.EndRequested(row["seat"]))
        if self.deal is None:
            self._finish(at)

    def _finish(self, at: float) -> None:
        places: dict[int, int] = {}
        for group in self.series.sheet.ranking():
            places.update(dict.fromkeys(group, len(places) + 1))
        ordered = tuple(places[seat] for seat in range(len(self.out.players)))
        self._tell(at, facts.SeriesEnded(self.series.sheet.totals, ordered))
        self.out.is_over = True

    # ------------------------------------------------------------------------------ actions

    def _act(self, at: float, position: int, text: str) -> None:
        """Somebody acts, or a bot of the house for him."""
        seat = self.seating.active[position]
        player = self.out.players[seat]
        is_own = seat not in self.stand_ins and not player.startswith(HOUSE)
        self._log_action(position, text, is_own=is_own)
        happened = self._applied(position, parse_action(text))
        self._count_turns([_seen_by(happened, viewer) for viewer in POSITIONS])
        self.out.telling.happened(at, happened, self.seating)

    def _default(self, at: float, row: dict[str, Any]) -> None:
        """The seat that is asked gets its safe answer, of which all may know who know it is."""
        position, text = row["position"], row["action"]
        if self.deal is None or self.deal.to_act != position:
            raise _BrokenLogError(f"position {position} is not asked")
        if str(self.deal.legal(position)[0]) != text:
            raise _BrokenLogError(f"{text} is not the safe answer")
        knowing = [viewer for viewer in POSITIONS if self.deal.known_to(viewer) is self.deal]
        among = None if len(knowing) == len(POSITIONS) else tuple(knowing)
        self._log_action(position, text, is_own=False)
        happened = self._applied(position, parse_action(text))
        seen = [_seen_by(happened, viewer) + (viewer in knowing) for viewer in POSITIONS]
        self._count_turns(seen)
        seat = self.seating.active[position]
        fact = facts.DecisionDefaulted(seat, FaultCause(row["cause"]), among)
        self.out.telling.some(at, fact, self.seating, among)
        self.out.telling.happened(at, happened, self.seating)

    def _log_action(self, position: int, text: str, *, is_own: bool) -> None:
        seat = self.seating.active[position]
        player, turn_id = self.out.players[seat], self._turn_id(position)
        self.out.actions.append(LoggedAction(seat, player, turn_id, text, self.out.dealt, is_own))

    def _turn_id(self, position: int) -> str:
        return f"{self.out.dealt}.{self.turns[position]}"

    def _applied(self, position: int, action: Action) -> list[Event]:
        if self.deal is None:
            raise _BrokenLogError("no deal is under way")
        return self.deal.apply(position, action)

    def _count_turns(self, seen: list[int]) -> None:
        """Whoever is told something has another turn then; all when it is told to all alike."""
        for position, count in enumerate(seen):
            self.turns[position] += bool(count) or len(set(seen)) == 1

    def _ask(self) -> None:
        """Note the questions that are open now, for all that each seat knows (R-END-5)."""
        if self.deal is None:
            return
        for position in POSITIONS:
            known = self.deal.known_to(position)
            if known.to_act == position:
                self._note_question(known, position)

    def _note_question(self, known: Deal, position: int) -> None:
        seat = self.seating.active[position]
        decision = decision_of_deal(known, self.seating, self._turn_id(position))
        assert decision is not None
        question = Question(decision.turn_id, self.reading.question(decision))
        key = (seat, self.out.telling.number(seat))
        self.out.questions.setdefault(key, []).append(question)


_TAKE: Final[dict[EntryKind, Callable[[_Fold, float, dict[str, Any]], None]]] = {
    EntryKind.SEAT_TAKEN: _Fold._seat,
    EntryKind.SEAT_LEFT: _Fold._seat,
    EntryKind.SEAT_TAKEN_OVER: _Fold._stand_in,
    EntryKind.SEAT_RETURNED: _Fold._stand_in,
    EntryKind.DECISION_DEFAULTED: _Fold._default,
    EntryKind.DEAL_STARTED: _Fold._deal,
    EntryKind.DEAL_VOIDED: _Fold._void,
    EntryKind.DEAL_ENDED: _Fold._book,
    EntryKind.END_REQUESTED: _Fold._request_end,
    EntryKind.TABLE_CLOSED: _Fold._close,
}
"""What is done with each kind but the most frequent one."""


def _seen_by(happened: list[Event], position: int) -> int:
    """Of how many events a position may know."""
    return sum(not isinstance(project(event, position), Unseen | DealEnded) for event in happened)


def _rules(row: dict[str, Any]) -> RuleSet:
    overrides = {name: parse_option(name, text) for name, text in row["overrides"].items()}
    return preset(row["preset"], overrides)
