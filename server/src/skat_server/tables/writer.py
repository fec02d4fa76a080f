"""The single writer of a table: one command at a time, each kept before the next is begun."""

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from skat_engine.seats import Seat
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.storage.protocols import Batch, Store, StoreError
from skat_server.tables.state import ENDED, TableState
from skat_server.tables.steps import Step
from skat_server.tables.turns import TurnHiddenError

Done = Callable[[RefusedError | None], None]
"""Told once per command: None when its step is durable, else why nothing happened."""

Command = Callable[[TableState], Step]
"""Makes the step from the state it finds, or raises `RefusedError`."""

MOST_AT_ONCE: Final = 256
"""Steps that a table takes in a row before others have their turn: more than a deal has."""

MOST_WAITING: Final = 64
"""Commands that may wait for the store at one table; further ones are refused."""


class Host(Protocol):
    """Whose steps are written."""

    @property
    def state(self) -> TableState:
        """The durable state."""

    def hold(self) -> None:
        """A step is about to be given to the store."""

    def adopt(self, step: Step, at: float) -> None:
        """A step is durable; it was given to the store at this moment, in seconds since 1970."""

    def give_up(self) -> None:
        """The store could not take a step; the state is what it was."""

    def chore(self) -> Command | None:
        """What is to be done now without anybody asking for it; None lets it rest."""


class Writer:
    """Takes commands in, one after the other.

    A command makes a step from the present state, and the store keeps the step; then it is the
    state. While the store is at work, and while somebody is being told, further commands wait.
    However many there are, they are taken up in one loop, so that the stack does not grow.

    Attributes:
        is_keeping: whether the store is at work.
        interrupted: commands of players who may not know that somebody else is asked first; they
            are tried again after the next step.
        early: their seats; for all that they know their question is answered.
    """

    __slots__ = (
        "_clock",
        "_host",
        "_is_busy",
        "_kept_next",
        "_store",
        "_table_id",
        "_waiting",
        "early",
        "interrupted",
        "is_keeping",
    )

    def __init__(self, table_id: str, host: Host, store: Store, clock: Clock) -> None:
        """Begin with nothing to do.

        Args:
            table_id: whose log it is.
            host: whose steps are written.
            store: keeps them.
            clock: stamps them.
        """
        self._table_id = table_id
        self._host = host
        self._store = store
        self._clock = clock
        self.is_keeping = False
        self._is_busy = False
        """Somebody is being told, or a command is being worked on."""
        self._kept_next: tuple[Step, float, Done] | None = None
        """What the store is at work on, and when it was given to it."""
        self._waiting: deque[tuple[Command, Done]] = deque()
        self.interrupted: deque[tuple[Command, Done]] = deque()
        self.early: set[Seat] = set()

    def submit(self, command: Command, done: Done) -> None:
        """Take a command in; its step is made when those before it are kept."""
        if self.is_keeping or self._is_busy:
            self._wait(self._waiting, command, done)
            return
        self._waiting.append((command, done))
        self.go_on()

    def go_on(self) -> None:
        """Do what waits, one step after the other, and then what the table does by itself."""
        if self.is_keeping or self._is_busy:
            return
        self._is_busy = True
        try:
            for _ in range(MOST_AT_ONCE):
                if not self._waiting:
                    chore = self._host.chore()
                    if chore is None:
                        break
                    self._waiting.append((chore, nobody))
                if not self._try(*self._waiting.popleft()):
                    break
            else:
                self._clock.call_later(0.0, self.go_on)
        finally:
            self._is_busy = False

    def _try(self, command: Command, done: Done) -> bool:
        """Make a step, and give it to the store; whether the next one can be made at once."""
        try:
            step = command(self._host.state)
        except RefusedError as refusal:
            done(refusal)
            return True
        except TurnHiddenError as interruption:
            self._wait(self.interrupted, command, done)
            self.early.add(interruption.seat)
            return True
        if not step.entries:  # nothing changes
            done(None)
            return True
        self.keep(step, done)
        return not self.is_keeping

    @staticmethod
    def _wait(queue: deque[tuple[Command, Done]], command: Command, done: Done) -> None:
        if len(queue) >= MOST_WAITING:
            done(RefusedError(Reason.QUOTA_EXCEEDED, "too much waits at this table; try again"))
            return
        queue.append((command, done))

    def keep(self, step: Step, done: Done) -> None:
        """Give a step to the store; it counts once the store has it."""
        self.is_keeping = True
        self._host.hold()
        at = self._clock.now()
        is_last = step.after.stage in ENDED
        record = None if step.record is None else step.record()
        self._kept_next = step, at, done
        batch = Batch(self._table_id, at, step.entries, record, is_last)
        self._store.append(batch, self._kept)

    def _kept(self, error: StoreError | None) -> None:
        """The store has kept a step, or has failed to; it may say so before `keep` is over."""
        assert self._kept_next is not None
        step, at, done = self._kept_next
        self._kept_next, self.is_keeping = None, False
        was_busy, self._is_busy = self._is_busy, True
        try:
            if error is None:
                if self.interrupted:
                    self._try_again()
                self._host.adopt(step, at)
                done(step.refusal)
            else:
                self._host.give_up()
                done(RefusedError(Reason.STORE_UNAVAILABLE, "the store cannot take it; try again"))
        finally:
            self._is_busy = was_busy
        if not was_busy:
            self.go_on()

    def _try_again(self) -> None:
        """Let what was interrupted wait once more: it came before all others."""
        self._waiting.extendleft(reversed(self.interrupted))
        self.interrupted.clear()
        self.early.clear()


def nobody(refusal: RefusedError | None) -> None:
    """Waits for what a table does by itself; what the store could not take is tried again."""
    assert refusal is None or refusal.reason is Reason.STORE_UNAVAILABLE, refusal
