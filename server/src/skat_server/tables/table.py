"""One table: what can be asked of it, and what it does by itself."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from skat_engine.actions import Action, GiveUp, LayOpen, SayKontra
from skat_engine.deal import Deal
from skat_engine.seats import Position, Seat
from skat_server.clock import Clock, secret_bytes
from skat_server.errors import Reason, RefusedError
from skat_server.storage.protocols import Durability, Store
from skat_server.tables import steps
from skat_server.tables.clocks import AT_ONCE, NOTHING, TimeLeft
from skat_server.tables.faults import FaultCause
from skat_server.tables.house import Chance, HouseBot, house_answer
from skat_server.tables.log import FactLog
from skat_server.tables.state import (
    ENDED,
    Occupant,
    OpenDecision,
    TableConfig,
    TableState,
    decision_of_deal,
    is_secret,
    open_decision,
)
from skat_server.tables.steps import Settlement, Step
from skat_server.tables.timing import Heard, Pause, Timing
from skat_server.tables.turns import (
    TurnHiddenError,
    own_seat,
    position_to_answer,
    require_holder,
    require_own_play,
    require_uninterrupted,
)
from skat_server.tables.writer import Command, Done, Writer, nobody

RETURN_WITHIN: Final = 30.0
"""Seconds after a restart in which players may come back at the cost of nobody's time."""

RETRY_AFTER: Final = 1.0
"""Seconds after which a table tries again what the store could not take from itself."""


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
        decision: the open decision; None while a step is being kept.
        viewers: who is told of changes, in the order of their coming.
    """

    __slots__ = (
        "_bot",
        "_chance",
        "_clock",
        "_kept_since",
        "_retry_at",
        "_returning",
        "_settled",
        "_settled_before",
        "_store",
        "_strikes",
        "_timing",
        "_writer",
        "config",
        "decision",
        "log",
        "state",
        "viewers",
    )

    def __init__(
        self,
        config: TableConfig,
        store: Store,
        clock: Clock,
        state: TableState | None = None,
        chance: Chance = secret_bytes,
    ) -> None:
        """Set the table up; it counts once `open` is durable.

        Args:
            config: what is fixed.
            store: keeps its log.
            clock: for stamps and think times.
            state: where it goes on; with all seats free when not given.
            chance: of house bots that play by it.
        """
        self.config = config
        self.state = state or steps.first_state(config)
        self.log = FactLog(self.state.told)
        self.decision: OpenDecision | None = None
        self.viewers: dict[Viewer, None] = {}
        self._store = store
        self._clock = clock
        self._writer = Writer(config.table_id, self, store, clock)
        self._settled: dict[tuple[Seat, str], Settlement] = {}
        self._settled_before: dict[tuple[Seat, str], Settlement] = {}
        self._bot: HouseBot | None = None
        """The house bot that is asked by the open decision."""
        self._chance = chance
        self._timing = Timing(clock, self._rang)
        self._strikes: Counter[tuple[Seat, str]] = Counter()
        """Illegal answers to each decision of the deal."""
        self._returning: dict[str, None] = {}
        """Players who have come back to a seat that a house bot plays for."""
        self._kept_since = 0.0
        self._retry_at = 0.0

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

    def came(self, player_id: str, heard: Heard) -> None:
        """A player has opened a session, be it his first or another one.

        Args:
            player_id: who.
            heard: tells when something was last received from it.
        """
        self._timing.came(player_id, heard)
        self._timing.match(self.state.occupants)
        seat = self.state.seat_of(player_id)
        if seat is not None and self.state.taken_over[seat] is not None:
            self._returning[player_id] = None
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
        self._retry_at = 0.0
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

    def decision_for(self, seat: Seat) -> OpenDecision | None:
        """The decision that a seat has to believe to be open (R-END-5)."""
        decision, deal = self.decision, self.state.deal
        if decision is None or deal is None:
            return None
        if decision.seat == seat:
            return decision if self._bot is None else None
        if deal.proposal is None or seat in self._writer.early:
            return None
        position = self.state.seating.position_of(seat)
        if position is None or (known := deal.known_to(position)).to_act != position:
            return None
        if self.state.house_bot(seat) is not None:
            return None
        return decision_of_deal(known, self.state.seating, self.state.turn_id(position))

    def time_left(self, seat: Seat) -> TimeLeft:
        """What a seat has left for the decision that it has to believe to be open."""
        return self._timing.left(seat)

    def answer(self, seat: Seat, turn_id: str, action: Action, done: Done) -> None:
        """Answer the open decision of a seat, for whoever sits there now."""
        received, holder = self._clock.monotonic(), self.state.occupants[seat]

        def command(state: TableState) -> Step:
            require_holder(state, seat, holder)
            if self.was_settled_by(seat, turn_id, action):
                return Step((), (), state)  # it has waited behind its twin
            position = position_to_answer(state, seat, turn_id)
            try:
                require_uninterrupted(state, position, action)
                return self._acted(state, position, action, received)
            except RefusedError as refusal:
                return self._struck(state, position, turn_id, refusal)

        self._writer.submit(command, done)

    def propose(self, seat: Seat, last_sequence: int, action: Action, done: Done) -> None:
        """Propose to end the deal, or say Kontra, in or out of turn."""
        received, holder = self._clock.monotonic(), self.state.occupants[seat]

        def command(state: TableState) -> Step:
            require_holder(state, seat, holder)
            position = state.seating.position_of(seat)
            if state.deal is None or position is None:
                raise RefusedError(Reason.WRONG_PHASE, "you play in no deal now")
            if not isinstance(action, GiveUp | LayOpen | SayKontra):
                raise RefusedError(Reason.STALE_TURN, f"{action} needs the turn_id of a decision")
            if last_sequence != self.log.last(seat):
                raise RefusedError(
                    Reason.STALE_SEQUENCE, "more has happened at the table; read it and decide anew"
                )
            require_own_play(state, seat)
            require_uninterrupted(state, position, action)
            return self._acted(state, position, action, received)

        self._writer.submit(command, done)

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
            position_to_answer(self.state, seat, turn_id)
        except RefusedError:
            return False
        return True

    def _acted(
        self, state: TableState, position: Position, action: Action, received: float
    ) -> Step:
        """The step of an action that was received at this moment."""
        seat, decision = state.seating.active[position], self.decision
        is_asked = decision is not None and decision.seat == seat
        spent = self._timing.spent(seat, received) if is_asked else AT_ONCE
        return steps.act(self.config, state, position, action, spent)

    def _struck(
        self, state: TableState, position: Position, turn_id: str, refusal: RefusedError
    ) -> Step:
        """The step that an illegal answer brings about, if it is one too many.

        Raises:
            RefusedError: it is not.
            TurnHiddenError: it is, and its turn comes after the next step.
        """
        assert state.deal is not None
        seat = state.seating.active[position]
        self._strikes[seat, turn_id] += 1
        if self._strikes[seat, turn_id] <= self.config.faults.illegal_actions:
            raise refusal
        if state.deal.known_to(position) is not state.deal:
            raise TurnHiddenError(seat)
        spent = self._timing.spent(seat, self._clock.monotonic())
        step = steps.default(self.config, state, FaultCause.ILLEGAL_ACTIONS, spent)
        message = f"{refusal}; that was one illegal action too many"
        return replace(step, refusal=RefusedError(Reason.TOO_MANY_ILLEGAL, message))

    def chore(self) -> Command | None:
        """What the table does by itself now: let players return, and house bots answer."""
        if self._bot is None and not self._returning:
            return None
        if self._timing.is_halted or self._retry_at > self._clock.monotonic():
            return None
        return self._give_back if self._returning else self._answer_for_the_house

    def _give_back(self, state: TableState) -> Step:
        player_id = next(iter(self._returning))
        seat = state.seat_of(player_id)
        if seat is None or state.stage in ENDED:
            del self._returning[player_id]
            return Step((), (), state)
        step = steps.give_back(state, seat)
        if not step.entries:
            del self._returning[player_id]
        return step

    def _answer_for_the_house(self, state: TableState) -> Step:
        decision, bot = self.decision, self._bot
        assert decision is not None
        assert bot is not None
        position = state.seating.position_of(decision.seat)
        assert position is not None
        action = house_answer(bot, decision.phase, decision.options, self._chance)
        return steps.act(self.config, state, position, action, AT_ONCE)

    def _rang(self) -> None:
        """Some time may be up."""
        if self._is_up():
            self._writer.submit(self._run_out, nobody)
        else:
            self._writer.go_on()

    def _is_up(self) -> bool:
        """Whether the time for the open decision is up."""
        decision = self.decision
        return decision is not None and self._bot is None and self._timing.is_up(decision.seat)

    def _run_out(self, state: TableState) -> Step:
        decision = self.decision
        if decision is None or not self._is_up():
            return Step((), (), state)
        seat = decision.seat
        spent = self._timing.run_out(seat)
        cause = self._timing.cause(seat, state.occupants[seat])
        return steps.default(self.config, state, cause, spent)

    def rest(self) -> None:
        """Ring when the next time is up, or when something is to be tried again."""
        decision = self.decision
        if decision is None:
            if self.is_over:
                self._timing.stop()
        elif self._timing.is_halted:
            return
        elif self._returning or self._bot is not None:
            self._timing.ring_at(self._retry_at)
        elif not self._timing.is_paused:
            self._timing.ring_at(max(self._timing.ends_at(decision.seat), self._retry_at))

    def hold(self) -> None:
        """No question is open while the store is at work."""
        self._kept_since = self._timing.now()
        self.decision = None

    def give_up(self) -> None:
        """Ask again what was asked before; the attempt has cost nobody any time."""
        self._timing.forgive(self._timing.now() - self._kept_since)
        self._retry_at = self._clock.monotonic() + RETRY_AFTER
        self.reopen()
        self._tell_viewers()  # who came while the store was at work has not been asked yet

    def adopt(self, step: Step, at: float) -> None:
        """Make the step the state and tell everybody."""
        self._retry_at = 0.0
        self.take(step, at)
        self.reopen()
        self._tell_viewers()

    def _tell_viewers(self) -> None:
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
            self._strikes.clear()
        occupants, self.state = self.state.occupants, step.after
        if self.state.occupants is not occupants:
            self._timing.match(self.state.occupants)
        for told in step.told:
            self.log.append(at, told.facts, told.seating)
        assert self.log.told == self.state.told, "a step has not counted its facts"

    def reopen(self) -> None:
        """Ask what is to be asked now; the time to think counts from the first time."""
        state = self.state
        self.decision = decision = open_decision(state)
        self._bot = None if decision is None else state.house_bot(decision.seat)
        if decision is None or state.deal is None:
            return
        secret = state.deal.proposal is not None and is_secret(state.deal)
        if secret:
            self._ask_believed(state.deal)
        if self._bot is None:
            self._ask(decision, is_hidden=secret)

    def _ask_believed(self, deal: Deal) -> None:
        """Somebody may have to believe that he is asked himself: his time runs as well."""
        seat = self.state.seating.active[deal.turn()]
        believed = self.decision_for(seat)
        if believed is not None and believed is not self.decision:
            self._ask(believed, is_hidden=False)

    def _ask(self, decision: OpenDecision, *, is_hidden: bool) -> None:
        """Let the time of a seat run, which no house bot plays."""
        state, policy, seat = self.state, self.config.clock, decision.seat
        account, own_ms = (
            state.conduct.accounts[state.seating.active.index(seat)],
            policy.decision_ms,
        )
        if is_hidden:  # what others see later must not depend on it (R-END-5)
            account, own_ms = NOTHING, own_ms or account.bank_ms
        self._timing.ask(decision.turn_id, seat, own_ms, account, state.occupants[seat])
