"""The live sessions of players: one each, the newest wins."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from skat_engine.actions import Action
from skat_engine.seats import Seat
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.tables.observing import UNOBSERVED, Observer
from skat_server.tables.outbox import Delivery, Outbox
from skat_server.tables.registry import Tables
from skat_server.tables.state import Occupant
from skat_server.tables.table import Table
from skat_server.tables.writer import Done
from skat_server.values import value

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@value
class Submission:
    """One action at one table."""

    table_id: str
    turn_id: str
    """The decision answered; empty for a proposal out of turn."""
    last_sequence: int
    """Of a proposal out of turn: the last fact that the player has seen."""
    action: Action


@dataclass(frozen=True, slots=True)
class GoingAway:
    """Notice that the server stops."""

    resume_by: float
    """Every session ends by then, in seconds since 1970."""
    endpoint: str
    """Where to go on; empty means here, after a moment."""


class Session:
    """One player's open stream or poll: an outbox, and how it ends.

    Attributes:
        player_id: whose session it is.
        outbox: what is still to be sent.
        heard_at: when the player last gave a sign of life, in seconds of the monotonic clock.
        going_away: the notice that the player is to be given; None while the server stays.
        ended: why the session ends from the server's side; None while it lives.
    """

    def __init__(
        self, player_id: str, delivery: Delivery, clock: Clock, wake: Callable[[], None]
    ) -> None:
        """Open without tables."""
        self.player_id = player_id
        self.outbox = Outbox(delivery, clock, wake)
        self.heard_at = clock.monotonic()
        self.going_away: GoingAway | None = None
        self.ended: RefusedError | None = None
        self._clock = clock
        self._wake = wake

    def heard(self) -> None:
        """The player has sent something, whatever it was."""
        self.heard_at = self._clock.monotonic()

    def last_heard(self) -> float:
        """When the player last gave a sign of life, in seconds of the monotonic clock."""
        return self.heard_at

    def give_notice(self, notice: GoingAway) -> None:
        """The server stops soon; play goes on until then."""
        self.going_away = notice
        self._wake()

    def end(self, reason: RefusedError) -> None:
        """End the session from the server's side; the first reason counts."""
        self.ended = self.ended or reason
        self._wake()


class Sessions:
    """Finds the session of a player and keeps its tables up to date."""

    def __init__(self, tables: Tables, clock: Clock, observer: Observer = UNOBSERVED) -> None:
        """Start without sessions.

        Args:
            tables: where players sit.
            clock: tells when they were heard.
            observer: is told of sessions and submissions, for figures.
        """
        self._tables = tables
        self._clock = clock
        self._observer = observer
        self._live: dict[str, Session] = {}
        self._notice: GoingAway | None = None
        self._going_away = False
        self._watchers: dict[Callable[[], None], None] = {}

    def open(
        self,
        player_id: str,
        delivery: Delivery,
        positions: Mapping[str, int],
        wake: Callable[[], None],
        decided: Mapping[str, str] = _NOTHING,
    ) -> Session:
        """Open the session of a player over all tables at which he sits.

        Tables that are over are followed to their end when `positions` names them.

        A session that the player had before is ended with SESSION_SUPERSEDED.

        Args:
            player_id: whose session.
            delivery: when events leave.
            positions: sequence of the last fact seen, by table id; other tables begin with a
                view.
            wake: called when the session has something to send or has ended.
            decided: turn of the decision that the player has already, by table id.
        """
        before = self._live.pop(player_id, None)
        if before is not None:
            before.outbox.close()
            before.end(
                RefusedError(Reason.SESSION_SUPERSEDED, "the same player opened another session")
            )
        session = Session(player_id, delivery, self._clock, wake)
        self._live[player_id] = session
        session.going_away = self._notice
        if self._going_away:
            session.end(_going_away())
        self._observer.session_opened(is_resumed=bool(positions), supersedes=before is not None)
        for table, seat in self._tables.of_player(player_id):
            position = table.resume_position(seat, positions.get(table.table_id))
            if table.table_id in positions:
                self._observer.table_resumed(_missed(table, seat, position))
            session.outbox.attach(table, seat, position, decided.get(table.table_id, ""))
            table.came(player_id, session.last_heard)
        self._tell_the_end(session, positions)
        for watcher in tuple(self._watchers):
            watcher()
        return session

    def _tell_the_end(self, session: Session, positions: Mapping[str, int]) -> None:
        """Send what followed at tables that ended while the player was away."""
        for table_id, sequence in positions.items():
            place = self._tables.place_of(session.player_id, table_id)
            if place is not None and place[0].is_over:
                table, seat = place
                session.outbox.attach(table, seat, table.resume_position(seat, sequence))

    def close(self, session: Session) -> None:
        """The stream of a session is gone."""
        session.outbox.close()
        if self._live.get(session.player_id) is session:
            del self._live[session.player_id]
            for table, _ in self._tables.of_player(session.player_id):
                table.went(session.player_id)

    def follow(self, table: Table) -> None:
        """The sessions of those who sit at a new table follow it from now on."""
        for seat, occupant in enumerate(table.state.occupants):
            session = None if occupant is None else self._live.get(occupant.player_id)
            if session is not None:
                session.outbox.attach(table, seat, None)
                table.came(session.player_id, session.last_heard)

    def watch(self, call: Callable[[], None]) -> None:
        """Call back whenever somebody has opened a session."""
        self._watchers[call] = None

    def unwatch(self, call: Callable[[], None]) -> None:
        """Call back no more."""
        self._watchers.pop(call, None)

    def linger(self, session: Session, seconds: float) -> None:
        """The poll of a session is over; its player stays connected for so many seconds more."""
        session.outbox.close()
        self._clock.call_later(seconds, partial(self.close, session))

    @property
    def live(self) -> Collection[Session]:
        """The sessions of all who are connected."""
        return self._live.values()

    def is_connected(self, player_id: str) -> bool:
        """Whether a player has a session open."""
        return player_id in self._live

    def heard(self, player_id: str) -> None:
        """A player has sent something outside of his session, if he has one."""
        session = self._live.get(player_id)
        if session is not None:
            session.heard()

    def heard_at(self, player_id: str) -> float | None:
        """When a connected player last gave a sign of life, by the monotonic clock."""
        session = self._live.get(player_id)
        return None if session is None else session.heard_at

    def sit(self, table: Table, occupant: Occupant, seat: Seat | None, done: Done) -> None:
        """Seat a player; once that is durable, his session follows the table."""
        is_new = table.state.seat_of(occupant.player_id) is None

        def seated(refusal: RefusedError | None) -> None:
            session = self._live.get(occupant.player_id)
            taken = table.state.seat_of(occupant.player_id)
            if refusal is None and is_new and session is not None and taken is not None:
                session.outbox.attach(table, taken, None)
                table.came(occupant.player_id, session.last_heard)
            done(refusal)

        self._tables.sit(table, occupant, seat, seated)

    def leave(self, table: Table, player_id: str, done: Done) -> None:
        """Let a player get up; once that is durable, his session is told nothing more."""

        def left(refusal: RefusedError | None) -> None:
            session = self._live.get(player_id)
            if refusal is None and session is not None:
                session.outbox.detach(table.table_id)
                table.went(player_id)
            done(refusal)

        self._tables.leave(table, player_id, left)

    def announce_going_away(self, resume_by: float, endpoint: str = "") -> None:
        """Tell every session, and those that open later, that the server stops.

        Args:
            resume_by: when the sessions end at the latest, in seconds since 1970.
            endpoint: where to go on; empty means here, after a moment.
        """
        self._notice = GoingAway(resume_by, endpoint)
        for session in tuple(self._live.values()):
            session.give_notice(self._notice)

    def end_all(self) -> None:
        """The server shuts down: every session ends with GOING_AWAY, later ones at once."""
        self._going_away = True
        for session in tuple(self._live.values()):
            session.end(_going_away())

    def is_asked(self, player_id: str, submission: Submission) -> bool:
        """Whether a submission answers a decision that is open, for all that its player knows."""
        place = self._tables.place_of(player_id, submission.table_id)
        return place is not None and place[0].is_asked(place[1], submission.turn_id)

    def submit(self, player_id: str, submission: Submission, done: Done) -> bool:
        """Bring one submission of a player to its table.

        Returns:
            True when the same action had settled the turn before: nothing happens, `done` is
            not called.
        """
        place = self._tables.place_of(player_id, submission.table_id)
        if place is None:
            message = f"you hold no seat at table {quoted(submission.table_id)}"
            done(RefusedError(Reason.NOT_SEATED, message))
            return False
        table, seat = place
        done = self._observer.submitted(done)
        if not submission.turn_id:
            table.propose(seat, submission.last_sequence, submission.action, done)
            return False
        if table.was_settled_by(seat, submission.turn_id, submission.action):
            self._observer.repeated()
            return True
        table.answer(seat, submission.turn_id, submission.action, done)
        return False


def _missed(table: Table, seat: Seat, position: int | None) -> int | None:
    """Facts that somebody who goes on from a position has not seen; None when he gets a view."""
    news = None if position is None else table.log.after(seat, position)
    return None if news is None else len(news)


def _going_away() -> RefusedError:
    return RefusedError(Reason.GOING_AWAY, "the server shuts down; reconnect")
