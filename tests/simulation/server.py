"""One life of the server: the real core over a simulated store, and its ends of the streams.

A `Stream` does with a session what the `Play` handler does, without a wire: whatever has come
in goes to the tables, whatever is ready goes out when the connection takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from skat_server.errors import RefusedError
from skat_server.tables.outbox import Delivery, Outbox, TableUpdate
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import Session, Sessions, Submission
from skat_server.tables.state import Occupant
from skat_server.tables.table import Table
from skat_server.tables.turns import own_seat
from tests.histories.model import IN_PROCESS, Acknowledged, Frame, Question, Refused
from tests.server.stores import at_once
from tests.simulation.machine import Machine
from tests.simulation.messages import (
    Answer,
    Ended,
    GetTable,
    Hello,
    LeaveSeat,
    News,
    Reply,
    TakeSeat,
    ToClient,
    ToServer,
    Watch,
)
from tests.simulation.network import Link
from tests.simulation.store import SimStore

LINGERS: Final = 10.0
"""Seconds that a player counts as connected after his poll."""

LIMITS: Final = TableLimits(running=100, ended=100, per_owner=100, seats_per_player=100)


class Server:
    """The core in one process.

    Attributes:
        machine: the process.
        store: its store.
        tables: its tables.
        sessions: its sessions.
        links: all connections that it ever had.
    """

    def __init__(self, machine: Machine, store: SimStore) -> None:
        """Start with what the store has."""
        self.machine = machine
        self.store = store
        self.tables = Tables(store, machine, LIMITS, chance=machine.chance.randbytes)
        self.tables.recover(at_once(store.load(LIMITS.ended)))
        self.sessions = Sessions(self.tables, machine)
        self.links: list[Link] = []

    def carries(self, table_id: str) -> bool:
        """Whether a table can be found."""
        try:
            self.tables.find(table_id)
        except RefusedError:
            return False
        return True

    def stream(self, send: Callable[[ToClient], None]) -> Stream:
        """The server's end of a new connection."""
        return Stream(self, send)


class Stream:
    """The server's end of one connection."""

    def __init__(self, server: Server, send: Callable[[ToClient], None]) -> None:
        """Wait for a hello."""
        self._server = server
        self._send = send
        self._session: Session | None = None
        self._outbox: Outbox | None = None
        self._results: list[Acknowledged | Refused] = []
        self._is_writing = False
        self._is_poll = False
        self.slowest_write = 0.001
        """Seconds that the connection may take before it accepts more."""

    def receive(self, message: ToServer) -> None:
        """A message has arrived."""
        if self._session is not None:
            self._session.heard()
        match message:
            case Hello():
                self._open(message)
            case Watch():
                self._watch(message)
            case Answer():
                self._submit(message)
            case TakeSeat() | LeaveSeat() | GetTable():
                self._call(message)

    def close(self) -> None:
        """The connection is gone."""
        if self._session is not None:
            self._server.sessions.close(self._session)
        elif self._outbox is not None:
            self._outbox.close()
        self._session = self._outbox = None

    def _open(self, hello: Hello) -> None:
        self._is_poll = hello.decided is not None
        self._session = self._server.sessions.open(
            hello.player_id, hello.delivery, hello.positions, self._wake, hello.decided or {}
        )
        self._outbox = self._session.outbox
        self._wake()

    def _watch(self, watch: Watch) -> None:
        try:
            table = self._server.tables.find(watch.table_id)
        except RefusedError as refusal:
            self._send(Ended(refusal.reason))
            return
        self._outbox = Outbox(Delivery.LIVE, self._server.machine, self._wake)
        self._outbox.attach(table, None, watch.after)

    def _wake(self) -> None:
        """Something is ready; it leaves when the connection takes it."""
        if not self._is_writing:
            self._is_writing = True
            self._server.machine.soon(self.slowest_write, self._write)

    def _write(self) -> None:
        self._is_writing = False
        if self._session is not None and self._session.ended is not None:
            self._send(Ended(self._session.ended.reason))
            self.close()
            return
        results, self._results = self._results, []
        for result in results:
            self._send(result)
        if self._outbox is None:
            return
        news = [_news(update) for update in self._outbox.drain()]
        for one in news:
            self._send(one)
        if self._is_poll and news:
            self._end_poll()

    def _end_poll(self) -> None:
        """The poll is answered; its player counts as connected for a while."""
        assert self._session is not None
        self._server.sessions.linger(self._session, LINGERS)
        self._session = self._outbox = None
        self._send(Ended(None))

    def _answer(self, result: Acknowledged | Refused) -> None:
        self._results.append(result)
        self._wake()

    def _submit(self, answer: Answer) -> None:
        submission = Submission(
            answer.table_id, answer.turn_id, answer.last_sequence, answer.action
        )
        done = partial(self._settled, answer)
        if self._server.sessions.submit(answer.player_id, submission, done):
            self._answer(Acknowledged(answer.table_id, answer.turn_id, str(answer.action)))

    def _settled(self, answer: Answer, refusal: RefusedError | None) -> None:
        if refusal is not None:
            self._answer(Refused(answer.table_id, answer.turn_id, refusal.reason))
            if self._outbox is not None:
                self._outbox.repeat_decision(answer.table_id)
        elif answer.is_call:
            self._answer(Acknowledged(answer.table_id, answer.turn_id, str(answer.action)))

    def _call(self, call: TakeSeat | LeaveSeat | GetTable) -> None:
        sessions = self._server.sessions
        try:
            table = self._server.tables.find(call.table_id)
            done = partial(self._called, call, table)
            match call:
                case TakeSeat(player_id, _, seat):
                    sessions.sit(table, Occupant(player_id, player_id), seat, done)
                case LeaveSeat(player_id):
                    own_seat(table.state, player_id)
                    sessions.leave(table, player_id, done)
                case GetTable():
                    done(None)
        except RefusedError as refusal:
            self._send(Reply(call, refusal.reason, is_over=False))

    def _called(
        self,
        call: TakeSeat | LeaveSeat | GetTable,
        table: Table,
        refusal: RefusedError | None,
    ) -> None:
        reason = None if refusal is None else refusal.reason
        self._send(Reply(call, reason, is_over=table.is_over))


def _news(update: TableUpdate) -> News:
    """An update as its viewer can use it and note it down."""
    decision = update.decision
    question = None
    if decision is not None:
        question = Question(decision.turn_id, IN_PROCESS.question(decision))
    events = tuple((shown.sequence, shown) for shown in update.facts)
    view = update.sequence if update.is_view else None
    frame = Frame(update.table.table_id, view, update.viewer, events, question)
    return News(frame, decision, update.table.is_over)
