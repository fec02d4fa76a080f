"""The single writer of a table: one step at a time, kept before anybody hears of it."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from skat_engine.actions import Action, GiveUp, LayOpen, SayKontra
from skat_engine.deal import Deal
from skat_engine.seats import Position, Seat
from skat_server.clock import Clock, secret_bytes
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.storage.protocols import Batch, Durability, Store, StoreError
from skat_server.tables import steps
from skat_server.tables.clocks import AT_ONCE, TimeLeft
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

Done = Callable[[RefusedError | None], None]
"""Told once per command: None when its step is durable, else why nothing happened."""

Command = Callable[[TableState], Step]
"""Makes the step from the state it finds, or raises `RefusedError`."""

MOST_AT_ONCE: Final = 256
"""Steps that a table takes in a row before others have their turn: more than a deal has."""

RETURN_WITHIN: Final = 30.0
"""Seconds after a restart in which players may come back at the cost of nobody's time."""

RETRY_AFTER: Final = 1.0
"""Seconds after which a table tries again what the store could not take from itself."""

MOST_WAITING: Final = 64
"""Commands that may wait for the store at one table; further ones are refused."""


class Viewer(Protocol):
    """Somebody who is told that a table has something new."""

    def table_changed(self, table: "Table") -> None:
        """Called after every step that became durable, or could not: then it is asked again."""


class Table:
    """One table and its series.

    All changes go through `_submit`: the command makes a step from the present state, the
    store keeps the step, then the state changes and the viewers are told. While the store is
    at work no decision is open and further commands wait. What the table does by itself goes the
    same way: the answers of house bots, and those that a seat gets whose time is up.

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
        "_early",
        "_interrupted",
        "_is_busy",
        "_keeping",
        "_kept_since",
        "_retry_at",
        "_returning",
        "_settled",
        "_settled_before",
        "_store",
        "_strikes",
        "_timing",
        "_waiting",
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
        self._keeping = False
        self._waiting: deque[tuple[Command, Done]] = deque()
        self._interrupted: deque[tuple[Command, Done]] = deque()
        """Commands of players who may not know that somebody else is asked first."""
        self._early: set[Seat] = set()
        """Their seats: for all that they know their question is answered."""
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
        self._is_busy = False
        """Somebody is being told, or a command is being worked on: further ones wait."""
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

    def forfeit(self, seat: Seat, cause: FaultCause, reason: str, done: Done) -> None:
        """End the table here because of one seat."""
        self._submit(lambda state: steps.close(state, reason, cause, seat), done)

    def void_deal(self, reason: str, done: Done) -> None:
        """Drop the deal under way and deal its number anew."""
        self._submit(lambda state: steps.void_deal(self.config, state, reason), done)

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
        self._go_on()

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
        self._go_on()

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
        if deal.proposal is None or seat in self._early:
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
            _require_holder(state, seat, holder)
            if self.was_settled_by(seat, turn_id, action):
                return Step((), (), state)  # it has waited behind its twin
            position = _position_to_answer(state, seat, turn_id)
            try:
                _require_uninterrupted(state, position, action)
                return self._acted(state, position, action, received)
            except RefusedError as refusal:
                return self._struck(state, position, turn_id, refusal)

        self._submit(command, done)

    def propose(self, seat: Seat, last_sequence: int, action: Action, done: Done) -> None:
        """Propose to end the deal, or say Kontra, in or out of turn."""
        received, holder = self._clock.monotonic(), self.state.occupants[seat]

        def command(state: TableState) -> Step:
            _require_holder(state, seat, holder)
            position = state.seating.position_of(seat)
            if state.deal is None or position is None:
                raise RefusedError(Reason.WRONG_PHASE, "you play in no deal now")
            if not isinstance(action, GiveUp | LayOpen | SayKontra):
                raise RefusedError(Reason.STALE_TURN, f"{action} needs the turn_id of a decision")
            if last_sequence != self.log.last(seat):
                raise RefusedError(
                    Reason.STALE_SEQUENCE, "more has happened at the table; read it and decide anew"
                )
            _require_own_play(state, seat)
            _require_uninterrupted(state, position, action)
            return self._acted(state, position, action, received)

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
            _InterruptedError: it is, and its turn comes after the next step.
        """
        assert state.deal is not None
        seat = state.seating.active[position]
        self._strikes[seat, turn_id] += 1
        if self._strikes[seat, turn_id] <= self.config.faults.illegal_actions:
            raise refusal
        if state.deal.known_to(position) is not state.deal:
            raise _InterruptedError(seat)
        spent = self._timing.spent(seat, self._clock.monotonic())
        step = steps.default(self.config, state, FaultCause.ILLEGAL_ACTIONS, spent)
        message = f"{refusal}; that was one illegal action too many"
        return replace(step, refusal=RefusedError(Reason.TOO_MANY_ILLEGAL, message))

    def _submit(self, command: Command, done: Done) -> None:
        if self._keeping or self._is_busy:
            self._wait(self._waiting, command, done)
            return
        self._waiting.append((command, done))
        self._go_on()

    def _go_on(self) -> None:
        """Do what waits, one step after the other, and then what the table does by itself."""
        if self._keeping or self._is_busy:
            return
        self._is_busy = True
        try:
            for _ in range(MOST_AT_ONCE):
                if not self._waiting:
                    chore = self._chore()
                    if chore is None:
                        break
                    self._waiting.append((chore, _nobody))
                if not self._try(*self._waiting.popleft()):
                    break
            else:
                self._clock.call_later(0.0, self._go_on)
        finally:
            self._is_busy = False
        if not self._keeping:
            self._set_the_clock()

    def _chore(self) -> Command | None:
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
            self._waiting.append((self._run_out, _nobody))
        self._go_on()

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

    def _set_the_clock(self) -> None:
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

    def _try(self, command: Command, done: Done) -> bool:
        """Make a step, and give it to the store; whether the next one can be made at once."""
        try:
            step = command(self.state)
        except RefusedError as refusal:
            done(refusal)
            return True
        except _InterruptedError as interruption:
            self._wait(self._interrupted, command, done)
            self._early.add(interruption.seat)
            return True
        if not step.entries:  # nothing changes
            done(None)
            return True
        self._keep(step, done)
        return not self._keeping

    @staticmethod
    def _wait(queue: deque[tuple[Command, Done]], command: Command, done: Done) -> None:
        if len(queue) >= MOST_WAITING:
            done(RefusedError(Reason.QUOTA_EXCEEDED, "too much waits at this table; try again"))
            return
        queue.append((command, done))

    def _keep(self, step: Step, done: Done) -> None:
        """Give a step to the store; it counts once the store has it."""
        self._keeping = True
        self._kept_since = self._timing.now()
        self.decision = None
        at = self._clock.now()
        is_last = step.after.stage in ENDED
        batch = Batch(self.table_id, at, step.entries, step.record, is_last)
        self._store.append(batch, partial(self._kept, step, at, done))

    def _kept(self, step: Step, at: float, done: Done, error: StoreError | None) -> None:
        """The store has kept a step, or has failed to; it may say so before `_keep` is over."""
        self._keeping = False
        was_busy, self._is_busy = self._is_busy, True
        try:
            if error is None:
                self._adopt(step, at)
                done(step.refusal)
            else:
                self._give_up()
                done(RefusedError(Reason.STORE_UNAVAILABLE, "the store cannot take it; try again"))
        finally:
            self._is_busy = was_busy
        if not was_busy:
            self._go_on()

    def _give_up(self) -> None:
        """Ask again what was asked before; the attempt has cost nobody any time."""
        self._timing.forgive(self._timing.now() - self._kept_since)
        self._retry_at = self._clock.monotonic() + RETRY_AFTER
        self.reopen()
        self._tell_viewers()  # who came while the store was at work has not been asked yet

    def _adopt(self, step: Step, at: float) -> None:
        """Make the step the state and tell everybody."""
        self._retry_at = 0.0
        self.take(step, at)
        self.reopen()
        self._waiting.extendleft(reversed(self._interrupted))  # they came first
        self._interrupted.clear()
        self._early.clear()
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
        account = state.conduct.accounts[state.seating.active.index(seat)]
        limits = account.secret_limits(policy) if is_hidden else account.limits(policy)
        self._timing.ask(decision.turn_id, seat, limits, state.occupants[seat])


def _nobody(refusal: RefusedError | None) -> None:
    """Nobody waits for what the table does by itself; what the store fails is tried again."""
    assert refusal is None or refusal.reason is Reason.STORE_UNAVAILABLE, refusal


class _InterruptedError(Exception):
    """A player acts while somebody is asked something of which he may not know.

    Attributes:
        seat: of the player.
    """

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat


def _position_to_answer(state: TableState, seat: Seat, turn_id: str) -> Position:
    """The position of a seat that has the decision of this id, for all that it knows."""
    position = state.seating.position_of(seat)
    # Seats count their turns apart: of an id only whose it could be may be told (R-END-5).
    if state.deal is None or position is None or turn_id != state.turn_id(position):
        raise RefusedError(Reason.STALE_TURN, f"turn {quoted(turn_id)} is not open; read on")
    if state.deal.known_to(position).to_act != position:
        raise RefusedError(Reason.NOT_YOUR_TURN, f"turn {quoted(turn_id)} is another seat's")
    _require_own_play(state, seat)
    return position


def _require_own_play(state: TableState, seat: Seat) -> None:
    """Refuse players for whom a house bot plays."""
    if state.house_bot(seat) is not None:
        raise RefusedError(Reason.STALE_TURN, "a house bot plays for you; take your seat again")


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
    raise _InterruptedError(state.seating.active[position])


def _require_holder(state: TableState, seat: Seat, holder: Occupant | None) -> None:
    """Nobody acts for a seat that he has left while his action waited.

    Raises:
        RefusedError: NOT_SEATED.
    """
    now = state.occupants[seat]
    if holder is not None and (now is None or now.player_id != holder.player_id):
        raise RefusedError(Reason.NOT_SEATED, f"you have left seat {seat}")


def own_seat(state: TableState, player_id: str) -> Seat:
    """The seat of a player.

    Raises:
        RefusedError: NOT_SEATED.
    """
    seat = state.seat_of(player_id)
    if seat is None:
        raise RefusedError(Reason.NOT_SEATED, "you hold no seat at this table")
    return seat
