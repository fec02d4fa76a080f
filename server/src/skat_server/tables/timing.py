"""The clocks of one table as they run: who has a session, and when the next time is up."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from skat_engine.seats import Seat
from skat_server.clock import Clock, Timer
from skat_server.tables.clocks import Account, Meter, Spent, TimeLeft
from skat_server.tables.faults import FaultCause
from skat_server.tables.state import Occupant

Heard = Callable[[], float]
"""When something was last received from a player's session, by the monotonic clock."""

EARLY: Final = 0.0005
"""Seconds by which a timer may come early and still count: half of what clocks tell apart."""


class Pause(Enum):
    """Why clocks stand still."""

    STORE = "store"
    """The store can keep nothing."""
    FREEZE = "freeze"
    """The server is about to stop."""
    RETURN = "return"
    """The server has just started, and players are on their way back (R5, R23)."""


class Timing:
    """Measures the questions of one table and rings when a time may be up.

    There is one timer at most, and it is left alone while it rings too early: answers come far
    more often than times run out.

    Attributes:
        is_paused: whether the clocks stand still.
        is_halted: whether they do because the table can or shall do nothing.
    """

    __slots__ = (
        "_clock",
        "_meters",
        "_paused_at",
        "_pauses",
        "_ring",
        "_rings_at",
        "_sessions",
        "_timer",
        "is_halted",
        "is_paused",
    )

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        """Start without questions and sessions.

        Args:
            clock: tells the time.
            ring: called when a time may be up.
        """
        self._clock = clock
        self._ring = ring
        self._meters: dict[Seat, Meter] = {}
        """Of the question that each seat was asked last."""
        self._sessions: dict[str, Heard] = {}
        """Of the players who have one."""
        self._pauses: frozenset[Pause] = frozenset()
        self._paused_at = 0.0
        self.is_paused = self.is_halted = False
        self._timer: Timer | None = None
        self._rings_at = 0.0

    @property
    def is_awaiting(self) -> bool:
        """Whether players are on their way back."""
        return Pause.RETURN in self._pauses

    def now(self) -> float:
        """The moment at which the clocks stand."""
        return self._paused_at if self.is_paused else self._clock.monotonic()

    def ask(  # called for every action
        self,
        turn_id: str,
        seat: Seat,
        own_ms: int,
        account: Account,
        occupant: Occupant | None,
    ) -> None:
        """A question is open; one that was open before goes on.

        Args:
            turn_id: names the question.
            seat: who is asked.
            own_ms: milliseconds of its own.
            account: what the seat has beyond that.
            occupant: who sits there.
        """
        meter = self._meters.get(seat)
        if meter is not None and meter.turn_id == turn_id:
            return
        asked_at = self._clock.monotonic()
        began_at = self._paused_at if self.is_paused else asked_at
        here = occupant is not None and occupant.player_id in self._sessions
        away_at = None if here else began_at
        self._meters[seat] = Meter(turn_id, own_ms, account, asked_at, began_at, away_at)

    def spent(self, seat: Seat, received: float) -> Spent:
        """What the open question of a seat has taken when its answer was received."""
        now = min(received, self._paused_at) if self.is_paused else received
        return self._meters[seat].spent(now)

    def run_out(self, seat: Seat) -> Spent:
        """What the open question of a seat took, whose time is up."""
        return self._meters[seat].run_out(self.now())

    def left(self, seat: Seat) -> TimeLeft:
        """What a seat has left for its open question."""
        return self._meters[seat].left(self.now())

    def is_up(self, seat: Seat) -> bool:
        """Whether the time for the open question of a seat is up."""
        return not self.is_paused and self._meters[seat].ends_at() - self.now() < EARLY

    def cause(self, seat: Seat, occupant: Occupant | None) -> FaultCause:
        """Why a seat has let its time run out."""
        if occupant is None:
            return FaultCause.SEAT_EMPTY
        heard = self._sessions.get(occupant.player_id)
        if heard is None:
            return FaultCause.DISCONNECTED
        stalled = heard() <= self._meters[seat].asked_at
        return FaultCause.STALLED if stalled else FaultCause.TIMEOUT

    def has_session(self, occupant: Occupant | None) -> bool:
        """Whether somebody sits there who has a session."""
        return occupant is not None and occupant.player_id in self._sessions

    def came(self, player_id: str, heard: Heard) -> None:
        """A player has a session, or another one."""
        self._sessions[player_id] = heard

    def went(self, player_id: str) -> None:
        """A player has none any more."""
        self._sessions.pop(player_id, None)

    def match(self, occupants: Sequence[Occupant | None]) -> None:
        """Let grace run where nobody is, and only there."""
        now = self.now()
        for seat, meter in self._meters.items():
            here = self.has_session(occupants[seat])
            self._meters[seat] = meter.back(now) if here else meter.gone(now)

    def pause(self, why: Pause) -> None:
        """Stop all clocks."""
        if not self.is_paused:
            self._paused_at = self._clock.monotonic()
        self._set_pauses(self._pauses | {why})

    def resume(self, why: Pause) -> None:
        """Let them go on where they stood, when nothing else stops them."""
        if self._pauses == {why}:
            self.forgive(self._clock.monotonic() - self._paused_at)
        self._set_pauses(self._pauses - {why})

    def _set_pauses(self, pauses: frozenset[Pause]) -> None:
        self._pauses = pauses
        self.is_paused = bool(pauses)
        self.is_halted = bool(pauses - {Pause.RETURN})

    def forgive(self, seconds: float) -> None:
        """So much of the time until now did not count."""
        for seat, meter in self._meters.items():
            self._meters[seat] = meter.shifted(seconds)

    def ring_after(self, seat: Seat, retry_at: float) -> None:
        """Ring when the time of a seat will be up as things are, and not before another moment."""
        if not self.is_paused:
            self.ring_at(max(retry_at, self._meters[seat].ends_at()))

    def ring_at(self, at: float) -> None:
        """Ring at this moment or before."""
        if self._timer is not None:
            if self._rings_at <= at:
                return
            self._timer.cancel()
        self._rings_at = at
        self._timer = self._clock.call_later(max(0.0, at - self._clock.monotonic()), self._rang)

    def stop(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rang(self) -> None:
        self._timer = None
        self._ring()
