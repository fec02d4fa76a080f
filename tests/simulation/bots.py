"""Clients of the simulation: they read, answer and misbehave, and write their history down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from skat_engine import DECK, Action, GiveUp, LayOpen, Level, PlayCard
from skat_server.errors import Reason
from skat_server.tables.outbox import Delivery
from skat_server.tables.state import OpenDecision
from tests.histories.model import Acknowledged, ClientHistory, Opened, Refused, Submitted
from tests.simulation.habits import GOOD, Habits
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
from tests.simulation.timeline import Timeline

PATIENCE: Final = 15.0
"""Seconds without a message after which a client takes its connection for dead."""

BACKOFF: Final = 1.0
"""Longest time in seconds until a client connects again."""


class Connection(Protocol):
    """A client's end of a connection."""

    def send(self, message: ToServer) -> None:
        """Let a message travel."""

    def hang_up(self) -> None:
        """Close; the server hears of it."""


class Dialler(Protocol):
    """How clients reach whatever server runs now."""

    timeline: Timeline

    def dial(
        self, receive: Callable[[ToClient], None], on_cut: Callable[[], None], slow_read: float
    ) -> Connection | None:
        """A new connection, None while no server listens."""

    def seen_to_end(self) -> None:
        """Called when a client knows that another of its tables is over."""


class Client:
    """Somebody who connects, reads, and connects again.

    Attributes:
        history: what it did and was told.
        read: last event read, by table.
        over: tables that it knows to be over.
        is_dead: it will never come back.
    """

    def __init__(self, dialler: Dialler, player_id: str, habits: Habits) -> None:
        """Be somewhere else yet."""
        self.history = ClientHistory(player_id)
        self.habits = habits
        self.read: dict[str, int] = {}
        self.over: set[str] = set()
        self.is_dead = False
        self._dialler = dialler
        self._timeline = dialler.timeline
        self._chance = dialler.timeline.chance
        self._connection: Connection | None = None
        self._life = 0
        """Counts connections, so that calls for an earlier one are forgotten."""
        self._heard_at = 0.0

    def connect(self) -> None:
        """Open a connection; try again later when nobody listens."""
        self._life += 1
        life = self._life
        self._connection = self._dialler.dial(
            lambda message: self._receive(life, message),
            lambda: self._lost(life),
            self.habits.slow_read,
        )
        if self._connection is None:
            self._timeline.soon(BACKOFF, lambda: self._again(life))
            return
        self._heard_at = self._timeline.elapsed
        self._timeline.later(PATIENCE, lambda: self._look(life))
        self.history.items.append(Opened(dict(self.read)))
        self._greet(self._connection)

    def calm_down(self) -> None:
        """Behave from now on."""
        self.habits = GOOD

    def _greet(self, connection: Connection) -> None:
        """Say the first words on a connection."""
        raise NotImplementedError

    def _again(self, life: int) -> None:
        if life == self._life:
            self.connect()

    def _lost(self, life: int) -> None:
        """The connection is gone."""
        if life == self._life:
            self._connection = None
            self._timeline.soon(BACKOFF, lambda: self._again(life))

    def _look(self, life: int) -> None:
        """Give up a connection on which nothing has come for long."""
        if life != self._life or self._connection is None:
            return
        left = self._heard_at + PATIENCE - self._timeline.elapsed
        if left > 0.001:
            self._timeline.later(left, lambda: self._look(life))
            return
        self.connect()

    def _receive(self, life: int, message: ToClient) -> None:
        if life != self._life:
            return
        self._heard_at = self._timeline.elapsed
        match message:
            case News(frame, _, is_over):
                self.history.items.append(frame)
                last = frame.events[-1][0] if frame.events else frame.view
                self.read[frame.table_id] = self.read[frame.table_id] if last is None else last
                if is_over:
                    self._is_over(frame.table_id)
                self._timeline.note(self.history.player_id, frame.table_id, last)
            case Acknowledged() | Refused():
                self.history.items.append(message)
            case Ended(None):
                self.connect()
            case Ended():
                self._lost(life)
            case _:
                pass
        self._hear(message)

    def _is_over(self, table_id: str) -> None:
        self.over.add(table_id)
        self._dialler.seen_to_end()

    def _hear(self, message: ToClient) -> None:
        """Act on a message."""


class Spectator(Client):
    """Somebody who watches one table.

    Attributes:
        table_id: the table.
    """

    def __init__(self, dialler: Dialler, table_id: str) -> None:
        """Choose the table."""
        super().__init__(dialler, "", GOOD)
        self.table_id = table_id

    def _greet(self, connection: Connection) -> None:
        connection.send(Watch(self.table_id, self.read.get(self.table_id)))


class Bot(Client):
    """A player."""

    def __init__(
        self,
        dialler: Dialler,
        player_id: str,
        habits: Habits,
        places: Mapping[str, int],
        *,
        is_sure: bool,
    ) -> None:
        """Know where to sit.

        Args:
            dialler: how to reach the server.
            player_id: who plays.
            habits: how.
            places: the seat to take, by table.
            is_sure: a seat once taken is kept; else it is taken again on every connection.
        """
        super().__init__(dialler, player_id, habits)
        self._places = places
        self._is_sure = is_sure
        self._seated: set[str] = set()
        self._open: dict[str, OpenDecision] = {}
        """The question that is still to be answered, by table."""
        self._answers: list[Answer] = []
        self._delivery = self._chance.choice([Delivery.LIVE, Delivery.WITH_DECISIONS])

    def calm_down(self) -> None:
        """Behave, and answer what is still open."""
        super().calm_down()
        if self.is_dead:
            return
        for table_id, decision in tuple(self._open.items()):
            self._consider(table_id, decision)

    def _greet(self, connection: Connection) -> None:
        decided = self._decided() if self.habits.polls else None
        hello = Hello(self.history.player_id, self._delivery, dict(self.read), decided)
        connection.send(hello)
        for table_id in self._places:
            if not self._is_sure and table_id not in self.over:
                self._seated.discard(table_id)
            if table_id not in self._seated:
                self._sit(table_id)
            if table_id not in self.read:
                connection.send(GetTable(table_id))
        if self._happens(self.habits.again):
            self._repeat_answer()

    def _decided(self) -> dict[str, str]:
        """The questions that need not be told again."""
        return {table_id: decision.turn_id for table_id, decision in self._open.items()}

    def _happens(self, probability: float) -> bool:
        return probability > 0.0 and self._chance.random() < probability

    def _sit(self, table_id: str) -> None:
        if self._connection is not None and table_id not in self._seated:
            self._connection.send(
                TakeSeat(self.history.player_id, table_id, self._places[table_id])
            )

    def _hear(self, message: ToClient) -> None:
        match message:
            case News(frame, decision, is_over):
                if decision is not None:
                    self._open[frame.table_id] = decision
                    self._consider(frame.table_id, decision)
                if is_over:
                    self._seated.add(frame.table_id)
            case Refused() if self.habits.polls:
                self.connect()
            case Reply():
                self._replied(message)
            case _:
                pass

    def _replied(self, reply: Reply) -> None:
        """A call that was lost or failed is made again."""
        call, reason = reply.call, reply.reason
        table_id = call.table_id
        if isinstance(call, GetTable):
            if reply.is_over:
                self._is_over(table_id)
        elif isinstance(call, TakeSeat):
            if reason is Reason.TABLE_OVER:
                self._is_over(table_id)
            elif reason is None:
                self._seated.add(table_id)
            else:
                self._timeline.soon(2.0, lambda: self._sit(table_id))
        elif reason is None:
            self._open.pop(table_id, None)
            self._timeline.soon(5.0, lambda: self._sit(table_id))

    def _consider(self, table_id: str, decision: OpenDecision) -> None:
        """Decide when to answer."""
        habits = self.habits
        if self._happens(habits.silent):
            del self._open[table_id]
            return
        longest = habits.think * (100.0 if self._happens(habits.slow) else 1.0)
        self._timeline.soon(longest, lambda: self._act(table_id, decision))

    def _act(self, table_id: str, decision: OpenDecision) -> None:
        """Answer, or do what one must not do."""
        if self._open.get(table_id) is not decision or self._connection is None:
            return
        habits = self.habits
        if len(self._seated) == len(self._places) and self._happens(habits.die):
            self._die()
            return
        if self._happens(habits.restless):
            self._seated.discard(table_id)
            self._is_sure = False  # the call may be late, and come after others
            self._connection.send(LeaveSeat(self.history.player_id, table_id))
            return
        if self._happens(habits.foreign):
            self._send(self._foreign_answer(table_id, decision))
        if self._happens(habits.propose):
            self._send(self._proposal(table_id))
        del self._open[table_id]
        answer = self._new_answer(table_id, decision.turn_id, 0, self._choice(decision))
        self._send(answer)
        if self._happens(habits.twice):
            self._send(answer)
        self._answers.append(answer)
        if self._happens(habits.again):
            self._repeat_answer()
        self._leave_connection()

    def _die(self) -> None:
        assert self._connection is not None
        self._connection.hang_up()
        self._life += 1
        self.is_dead = True
        self._dialler.seen_to_end()

    def _leave_connection(self) -> None:
        assert self._connection is not None
        if self._happens(self.habits.hang_up):
            self._connection.hang_up()
        elif self._happens(self.habits.vanish):
            self.connect()

    def _choice(self, decision: OpenDecision) -> Action:
        if self._happens(self.habits.illegal):
            return PlayCard(self._chance.choice(DECK))
        options = decision.options
        return options[self._chance.randrange(min(len(options), 12))]

    def _foreign_answer(self, table_id: str, decision: OpenDecision) -> Answer:
        """For a turn that is over, one that is to come, or one of nobody."""
        dealt, _, turn = decision.turn_id.partition(".")
        other = self._chance.choice([f"{dealt}.{int(turn) + 1}", f"{dealt}.0", "1", "x" * 40])
        return self._new_answer(table_id, other, 0, self._choice(decision))

    def _proposal(self, table_id: str) -> Answer:
        last = self.read[table_id] - self._chance.choice([0, 0, 0, 1])
        actions: list[Action] = [GiveUp(), LayOpen(Level.SIMPLE)]
        action = self._chance.choice(actions)
        return self._new_answer(table_id, "", last, action)

    def _new_answer(self, table_id: str, turn_id: str, last: int, action: Action) -> Answer:
        name, is_call = self.history.player_id, self.habits.polls
        return Answer(name, table_id, turn_id, last, action, is_call)

    def _repeat_answer(self) -> None:
        """Send an answer once more that may have counted long ago."""
        if self._answers:
            self._send(self._chance.choice(self._answers[-3:]))

    def _send(self, answer: Answer) -> None:
        if self._connection is None:
            return
        self.history.items.append(
            Submitted(answer.table_id, answer.turn_id, answer.last_sequence, str(answer.action))
        )
        self._connection.send(answer)
