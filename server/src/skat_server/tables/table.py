"""The single writer of a table: one step at a time, kept before anybody hears of it."""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from skat_engine.actions import Action, GiveUp, LayOpen, SayKontra
from skat_engine.seats import Position, Seat
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.storage.protocols import Batch, Store, StoreError
from skat_server.tables import steps
from skat_server.tables.log import FactLog
from skat_server.tables.state import (
    ENDED,
    Occupant,
    OpenDecision,
    TableConfig,
    TableState,
    open_decision,
)
from skat_server.tables.steps import Settlement, Step

Done = Callable[[RefusedError | None], None]
"""Told once per command: None when its step is durable, else why nothing happened."""

Command = Callable[[TableState], Step]
"""Makes the step from the state it finds, or raises `RefusedError`."""

MILLISECONDS: Final = 3
"""Decimals of the time of a batch, so that every store can give it back as it was."""

MOST_WAITING: Final = 64
"""Commands that may wait for the store at one table; further ones are refused."""


class Viewer(Protocol):
    """Somebody who is told that a table has something new."""

    def table_changed(self, table: "Table") -> None:
        """Called after every step that became durable."""


class Table:
    """One table and its series.

    All changes go through `_submit`: the command makes a step from the present state, the
    store keeps the step, then the state changes and the viewers are told. While the store is
    at work no decision is open and further commands wait.

    Attributes:
        config: what was fixed when the table was made.
        state: the durable state.
        log: the facts that can still be sent.
        decision: the open decision; None while a step is being kept.
        viewers: who is told of changes, in the order of their coming.
    """

    __slots__ = (
        "_clock",
        "_interrupted",
        "_keeping",
        "_opened_at",
        "_settled",
        "_settled_before",
        "_store",
        "_waiting",
        "config",
        "decision",
        "log",
        "state",
        "viewers",
    )

    def __init__(
        self, config: TableConfig, store: Store, clock: Clock, state: TableState | None = None
    ) -> None:
        """Set the table up; it counts once `open` is durable.

        Args:
            config: what is fixed.
            store: keeps its log.
            clock: for stamps and think times.
            state: where it goes on; with all seats free when not given.
        """
        self.config = config
        self.state = state or steps.first_state(config)
        self.log = FactLog(self.state.told)
        self.decision: OpenDecision | None = None
        self.viewers: dict[Viewer, None] = {}
        self._store = store
        self._clock = clock
        self._keeping = False
        self._waiting: deque[tuple[Command, Done]] = deque()
        self._interrupted: deque[tuple[Command, Done]] = deque()
        """Commands of players who may not know that somebody else is asked first."""
        self._settled: dict[tuple[Seat, str], Settlement] = {}
        self._settled_before: dict[tuple[Seat, str], Settlement] = {}
        self._opened_at: dict[tuple[Seat, str], float] = {}
        """When each decision of the deal was first open: one that is hidden from its player
        behind another, or that could not be kept, is still the same."""

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self.config.table_id

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen here any more."""
        return self.state.stage in ENDED

    def open(self, done: Done) -> None:
        """Begin the log, before anything else."""
        self._keep(steps.opened(self.config, self.state), done)

    def sit(self, occupant: Occupant, seat: Seat | None, done: Done) -> None:
        """Take a seat, the first free one when none is named."""
        self._submit(lambda state: steps.sit(self.config, state, occupant, seat), done)

    def leave(self, player_id: str, done: Done) -> None:
        """Get up."""
        self._submit(lambda state: steps.leave(state, own_seat(state, player_id)), done)

    def end_series(self, player_id: str, done: Done) -> None:
        """Ask for the end of a series that has no other."""
        self._submit(lambda state: steps.request_end(self.config, state, player_id), done)

    def close_by(self, player_id: str, done: Done) -> None:
        """End the table here, for its owner only."""
        self._submit(lambda state: steps.close_by(self.config, state, player_id), done)

    def close(self, reason: str, done: Done) -> None:
        """End the table here."""
        self._submit(lambda state: steps.close(state, reason), done)

    def answer(self, seat: Seat, turn_id: str, action: Action, done: Done) -> None:
        """Answer the open decision of a seat."""
        received = self._clock.monotonic()

        def command(state: TableState) -> Step:
            if self.was_settled_by(seat, turn_id, action):
                return Step((), (), state)  # it has waited behind its twin
            position = _position_to_answer(state, seat, turn_id)
            _require_uninterrupted(state, position, action)
            think_ms = self._think_ms(seat, received)
            return steps.act(self.config, state, position, action, think_ms)

        self._submit(command, done)

    def propose(self, seat: Seat, last_sequence: int, action: Action, done: Done) -> None:
        """Propose to end the deal, or say Kontra, in or out of turn."""
        received = self._clock.monotonic()

        def command(state: TableState) -> Step:
            position = state.seating.position_of(seat)
            if state.deal is None or position is None:
                raise RefusedError(Reason.WRONG_PHASE, "you play in no deal now")
            if not isinstance(action, GiveUp | LayOpen | SayKontra):
                raise RefusedError(Reason.STALE_TURN, f"{action} needs the turn_id of a decision")
            if last_sequence != self.log.last(seat):
                raise RefusedError(
                    Reason.STALE_SEQUENCE, "more has happened at the table; read it and decide anew"
                )
            _require_uninterrupted(state, position, action)
            think_ms = self._think_ms(seat, received)
            return steps.act(self.config, state, position, action, think_ms)

        self._submit(command, done)

    def resume_position(self, seat: Seat, sequence: int | None) -> int | None:
        """Where a player may go on reading; None for a view.

        What was told before he took the seat was told to somebody else, or to him elsewhere.
        """
        since = self.state.seated_at[seat]
        return sequence if sequence is not None and sequence >= since else None

    def was_settled_by(self, seat: Seat, turn_id: str, action: Action) -> bool:
        """Whether this very action of this seat closed the turn, in this deal or the last."""
        key = (seat, turn_id)
        settled = self._settled.get(key) or self._settled_before.get(key)
        return settled == Settlement(turn_id, seat, action)

    def is_asked(self, seat: Seat, turn_id: str) -> bool:
        """Whether this turn is open for a seat, for all that it knows."""
        try:
            _position_to_answer(self.state, seat, turn_id)
        except RefusedError:
            return False
        return True

    def _think_ms(self, seat: Seat, received: float) -> int:
        """How long the seat has thought; 0 for whoever is not asked."""
        decision = self.decision
        if decision is None or decision.seat != seat:
            return 0
        opened = self._opened_at[seat, decision.turn_id]
        return max(0, int((received - opened) * 1000))

    def _submit(self, command: Command, done: Done) -> None:
        if self._keeping:
            self._wait(self._waiting, command, done)
            return
        try:
            step = command(self.state)
        except RefusedError as refusal:
            done(refusal)
            return
        except _InterruptedError:
            self._wait(self._interrupted, command, done)
            return
        if step.entries:
            self._keep(step, done)
        else:  # nothing changes
            done(None)

    @staticmethod
    def _wait(queue: deque[tuple[Command, Done]], command: Command, done: Done) -> None:
        if len(queue) >= MOST_WAITING:
            done(RefusedError(Reason.QUOTA_EXCEEDED, "too much waits at this table; try again"))
            return
        queue.append((command, done))

    def _keep(self, step: Step, done: Done) -> None:
        """Give a step to the store; it counts once the store has it."""
        self._keeping = True
        self.decision = None
        at = round(self._clock.now(), MILLISECONDS)
        is_last = step.after.stage in ENDED
        batch = Batch(self.table_id, at, step.entries, step.record, is_last)
        self._store.append(batch, partial(self._kept, step, at, done))

    def _kept(self, step: Step, at: float, done: Done, error: StoreError | None) -> None:
        self._keeping = False
        if error is None:
            self._adopt(step, at)
            done(None)
        else:
            self.decision = open_decision(self.state)
            done(RefusedError(Reason.STORE_UNAVAILABLE, "the store cannot take it; try again"))
        while self._waiting and not self._keeping:
            command, waiting = self._waiting.popleft()
            self._submit(command, waiting)

    def _adopt(self, step: Step, at: float) -> None:
        """Make the step the state and tell everybody."""
        self.take(step, at)
        self.reopen()
        self._waiting.extendleft(reversed(self._interrupted))  # they came first
        self._interrupted.clear()
        for viewer in tuple(self.viewers):
            viewer.table_changed(self)

    def take(self, step: Step, at: float) -> None:
        """Make a durable step the state, of which nobody is told yet.

        Args:
            step: made from the present state.
            at: when it was given to the store, in seconds since 1970.
        """
        if step.settles is not None:
            self._settled[step.settles.seat, step.settles.turn_id] = step.settles
        if step.after.dealt != self.state.dealt:
            self._settled, self._settled_before = {}, self._settled
            self._opened_at.clear()
        self.state = step.after
        for told in step.told:
            self.log.append(at, told.facts, told.seating)
        assert self.log.told == self.state.told, "a step has not counted its facts"

    def reopen(self) -> None:
        """Ask what is to be asked now; the time to think counts from the first time."""
        self.decision = decision = open_decision(self.state)
        if decision is not None:
            key = (decision.seat, decision.turn_id)
            self._opened_at.setdefault(key, self._clock.monotonic())


class _InterruptedError(Exception):
    """A player acts while somebody is asked something of which he may not know."""


def _position_to_answer(state: TableState, seat: Seat, turn_id: str) -> Position:
    """The position of a seat that has the decision of this id, for all that it knows."""
    position = state.seating.position_of(seat)
    # Seats count their turns apart: of an id only whose it could be may be told (R-END-5).
    if state.deal is None or position is None or turn_id != state.turn_id(position):
        raise RefusedError(Reason.STALE_TURN, f"turn {quoted(turn_id)} is not open; read on")
    if state.deal.known_to(position).to_act != position:
        raise RefusedError(Reason.NOT_YOUR_TURN, f"turn {quoted(turn_id)} is another seat's")
    return position


def _require_uninterrupted(state: TableState, position: Position, action: Action) -> None:
    """Let an action wait that must not learn why it cannot be taken now (R-END-5).

    What would be refused anyway is refused at once, as it always is.

    Raises:
        RefusedError: the action is illegal for all that the position knows.
        _InterruptedError: the command is tried again after the next step.
    """
    assert state.deal is not None
    known = state.deal.known_to(position)
    if known is state.deal:
        return
    steps.applied(known, position, action)
    raise _InterruptedError


def own_seat(state: TableState, player_id: str) -> Seat:
    """The seat of a player.

    Raises:
        RefusedError: NOT_SEATED.
    """
    seat = state.seat_of(player_id)
    if seat is None:
        raise RefusedError(Reason.NOT_SEATED, "you hold no seat at this table")
    return seat
