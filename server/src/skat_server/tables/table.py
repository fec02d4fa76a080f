"""One table: what can be asked of it, and what it is."""

from functools import partial
from typing import Final, Protocol

from skat_engine.actions import Action
from skat_engine.seats import Seat
from skat_server.clock import Clock, secret_bytes
from skat_server.errors import RefusedError
from skat_server.storage.protocols import Durability, Store
from skat_server.tables import steps
from skat_server.tables.answers import Answers
from skat_server.tables.asking import Asking
from skat_server.tables.chores import Chores
from skat_server.tables.clocks import TimeLeft
from skat_server.tables.faults import FaultCause
from skat_server.tables.house import Chance
from skat_server.tables.log import FactLog
from skat_server.tables.observing import UNOBSERVED, Observer
from skat_server.tables.state import ENDED, Occupant, OpenDecision, TableConfig, TableState
from skat_server.tables.steps import Step
from skat_server.tables.timing import Heard, Pause, Timing
from skat_server.tables.turns import own_seat, position_to_answer
from skat_server.tables.writer import Command, Done, Writer, nobody

RETURN_WITHIN: Final = 30.0
"""Seconds after a restart in which players may come back at the cost of nobody's time."""


class Viewer(Protocol):
    """Somebody who is told that a table has something new."""

    def table_changed(self, table: "Table") -> None:
        """Called after every step that became durable, or could not: then it is asked again."""


class Table:
    """One table and its series.

    All changes go through its writer: a command makes a step from the present state, the store
    keeps the step, then the state changes and the viewers are told. While the store is at work no
    decision is open. What the table does by itself goes the same way: the answers of house bots,
    and those that a seat gets whose time is up.

    Attributes:
        config: what was fixed when the table was made.
        state: the durable state.
        log: the facts that can still be sent.
        viewers: who is told of changes, in the order of their coming.
    """

    __slots__ = (
        "_answers",
        "_asking",
        "_chores",
        "_clock",
        "_observer",
        "_store",
        "_timing",
        "_writer",
        "config",
        "log",
        "state",
        "viewers",
    )

    def __init__(  # noqa: PLR0913, PLR0917  # what a table stands on
        self,
        config: TableConfig,
        store: Store,
        clock: Clock,
        state: TableState | None = None,
        chance: Chance = secret_bytes,
        observer: Observer = UNOBSERVED,
    ) -> None:
        """Set the table up; it counts once `open` is durable.

        Args:
            config: what is fixed.
            store: keeps its log.
            clock: for stamps and think times.
            state: where it goes on; with all seats free when not given.
            chance: of house bots that play by it.
            observer: is told of every step, for figures and logs.
        """
        self.config = config
        self.state = state or steps.first_state(config)
        self.log = FactLog(self.state.told)
        self.viewers: dict[Viewer, None] = {}
        self._store = store
        self._clock = clock
        self._observer = observer
        self._writer = Writer(config.table_id, self, store, clock)
        self._timing = Timing(clock, self._rang)
        self._asking = Asking(config, self._timing, self._writer.early)
        self._answers = Answers(config, self._asking, self._timing, self.log, clock)
        self._chores = Chores(config, self._asking, self._timing, clock, chance)

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self.config.table_id

    @property
    def durability(self) -> Durability:
        """How well its log is kept."""
        return self._store.durability

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen here any more."""
        return self.state.stage in ENDED

    @property
    def is_paused(self) -> bool:
        """Whether its clocks stand still."""
        return self._timing.is_paused

    @property
    def decision(self) -> OpenDecision | None:
        """The open decision; None while a step is being kept."""
        return self._asking.decision

    def open(self, done: Done) -> None:
        """Begin the log, before anything else."""
        self._writer.keep(steps.opened(self.config, self.state), done)

    def sit(self, occupant: Occupant, seat: Seat | None, done: Done) -> None:
        """Take a seat, the first free one when none is named."""
        self._writer.submit(lambda state: steps.sit(self.config, state, occupant, seat), done)

    def leave(self, player_id: str, done: Done) -> None:
        """Get up."""
        self._writer.submit(lambda state: steps.leave(state, own_seat(state, player_id)), done)

    def end_series(self, player_id: str, done: Done) -> None:
        """Ask for the end of a series that has no other."""
        self._writer.submit(lambda state: steps.request_end(self.config, state, player_id), done)

    def close_by(self, player_id: str, done: Done) -> None:
        """End the table here, for its owner only."""
        self._writer.submit(lambda state: steps.close_by(self.config, state, player_id), done)

    def close(self, reason: str, done: Done) -> None:
        """End the table here."""
        self._writer.submit(lambda state: steps.close(state, reason), done)

    def forfeit(self, seat: Seat, cause: FaultCause, reason: str, done: Done) -> None:
        """End the table here because of one seat."""
        self._writer.submit(lambda state: steps.close(state, reason, cause, seat), done)

    def void_deal(self, reason: str, done: Done) -> None:
        """Drop the deal under way and deal its number anew."""
        self._writer.submit(lambda state: steps.void_deal(self.config, state, reason), done)

    def answer(self, seat: Seat, turn_id: str, action: Action, done: Done) -> None:
        """Answer the open decision of a seat, for whoever sits there now."""
        received, holder = self._clock.monotonic(), self.state.occupants[seat]
        command = partial(self._answers.answer, seat, holder, turn_id, action, received)
        self._writer.submit(command, done)

    def propose(self, seat: Seat, last_sequence: int, action: Action, done: Done) -> None:
        """Propose to end the deal, or say Kontra, in or out of turn."""
        received, holder = self._clock.monotonic(), self.state.occupants[seat]
        command = partial(self._answers.propose, seat, holder, last_sequence, action, received)
        self._writer.submit(command, done)

    def was_settled_by(self, seat: Seat, turn_id: str, action: Action) -> bool:
        """Whether this very action of this seat closed the turn, in this deal or the last."""
        return self._answers.has_settled(seat, turn_id, action)

    def is_asked(self, seat: Seat, turn_id: str) -> bool:
        """Whether this turn is open for a seat, for all that it knows."""
        try:
            position_to_answer(self.state, seat, turn_id)
        except RefusedError:
            return False
        return True

    def decision_for(self, seat: Seat | None) -> OpenDecision | None:
        """The decision that a seat has to believe to be open (R-END-5); none of a spectator's."""
        asking = self._asking
        decision = asking.decision
        if decision is not None and decision.seat == seat:
            return decision if asking.bot is None else None
        return asking.believed_by(self.state, seat) if asking.is_secret else None

    def time_left(self, seat: Seat) -> TimeLeft:
        """What a seat has left for the decision that it has to believe to be open."""
        return self._timing.left(seat)

    def resume_position(self, seat: Seat, sequence: int | None) -> int | None:
        """Where a player may go on reading; None for a view.

        What was told before he took the seat was told to somebody else, or to him elsewhere.
        """
        since = self.state.seated_at[seat]
        return sequence if sequence is not None and sequence >= since else None

    def came(self, player_id: str, heard: Heard) -> None:
        """A player has opened a session, be it his first or another one.

        Args:
            player_id: who.
            heard: tells when something was last received from it.
        """
        self._timing.came(player_id, heard)
        self._timing.match(self.state.occupants)
        self._chores.came(self.state, player_id)
        if self._timing.is_awaiting:
            self._resume_when_all_are_back()
        self._writer.go_on()

    def went(self, player_id: str) -> None:
        """A player has no session any more."""
        self._timing.went(player_id)
        self._timing.match(self.state.occupants)

    def pause_clocks(self, why: Pause = Pause.STORE) -> None:
        """Let no time pass and do nothing by itself, until it is resumed."""
        self._timing.pause(why)

    def resume_clocks(self, why: Pause = Pause.STORE) -> None:
        """Go on where the clocks stood, when nothing else stops them."""
        self._timing.resume(why)
        self._chores.put_off_no_more()
        self._writer.go_on()

    def await_players(self) -> None:
        """After a restart: clocks stand still until everybody is back, or too much time is over."""
        self.pause_clocks(Pause.RETURN)
        self._clock.call_later(RETURN_WITHIN, partial(self.resume_clocks, Pause.RETURN))
        self._resume_when_all_are_back()

    def _resume_when_all_are_back(self) -> None:
        state = self.state
        missing = (
            occupant
            for seat, occupant in enumerate(state.occupants)
            if occupant is not None and state.house_bot(seat) is None
            if not self._timing.has_session(occupant)
        )
        if not any(missing):
            self.resume_clocks(Pause.RETURN)

    def _rang(self) -> None:
        """Some time may be up."""
        if self._chores.is_up():
            self._writer.submit(self._chores.run_out, nobody)
        else:
            self._writer.go_on()

    def chore(self) -> Command | None:
        """What the table does by itself now; if nothing, it rings when there may be something."""
        return self._chores.next(self.state)

    def hold(self) -> None:
        """No question is open while the store is at work."""
        self._asking.withdraw()

    def give_up(self) -> None:
        """Ask again what was asked before."""
        self._chores.put_off()
        self._asking.ask_again(self.state)
        self._tell_viewers()  # who came while the store was at work has not been asked yet

    def adopt(self, step: Step, at: float) -> None:
        """Make the step the state and tell everybody."""
        self._chores.put_off_no_more()
        before = self.state
        self.take(step, at)
        self._asking.ask(step.after)
        self._tell_viewers()
        self._observer.stepped(self.config, before, step)

    def take(self, step: Step, at: float) -> None:
        """Make a durable step the state, of which nobody is told yet.

        Args:
            step: made from the present state.
            at: when it was given to the store, in seconds since 1970.
        """
        if step.settles is not None:
            self._answers.settle(step.settles)
        before, self.state = self.state, step.after
        if step.after.dealt != before.dealt:
            self._answers.begin_deal()
        if step.after.occupants is not before.occupants:
            self._timing.match(step.after.occupants)
        for told in step.told:
            self.log.append(at, told.facts, told.seating)
        assert self.log.told == self.state.told, "a step has not counted its facts"

    def reopen(self) -> None:
        """Ask what is to be asked now; the time to think counts from the first time."""
        self._asking.ask(self.state)

    def _tell_viewers(self) -> None:
        for viewer in tuple(self.viewers):
            viewer.table_changed(self)
