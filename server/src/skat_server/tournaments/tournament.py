"""The single writer of a tournament: one change at a time, kept before it counts."""

import asyncio
from collections.abc import Callable

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.storage.protocols import Batch, Entry, Store, StoreError, TableLog
from skat_server.tournaments import entries
from skat_server.tournaments.state import (
    ENDED,
    Change,
    Fixed,
    TournamentState,
    changed,
    first_state,
)


class Tournament:
    """One tournament and its log.

    Attributes:
        fixed: what was fixed when it was made.
        state: the durable state.
        watchers: called after every change.
    """

    def __init__(self, fixed: Fixed, store: Store, clock: Clock) -> None:
        """Set it up; it counts once `create` is durable."""
        self.fixed = fixed
        self.state = first_state(fixed)
        self.watchers: dict[Callable[[], None], None] = {}
        self._store = store
        self._clock = clock
        self._keeping: asyncio.Future[RefusedError | None] | None = None
        """What the store is at work on."""

    @classmethod
    def recovered(cls, log: TableLog, store: Store, clock: Clock) -> "Tournament":
        """The tournament of a log, as it was after its last entry.

        Raises:
            ConfigError: its file cannot be used any more.
            RefusedError: a change in it could not happen; the log is not one of ours.
        """
        first, *others = log.lines
        tournament = cls(entries.fixed_from(log.table_id, first.entry), store, clock)
        for line in others:
            change = entries.change_from(line.entry)
            tournament.state = changed(tournament.fixed, tournament.state, change)
        return tournament

    @property
    def tournament_id(self) -> str:
        """The tournament's id."""
        return self.fixed.tournament_id

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.state.stage in ENDED

    async def create(self) -> None:
        """Begin the log, before anything else.

        Raises:
            RefusedError: STORE_UNAVAILABLE.
        """
        await self._keep(entries.created(self.fixed), self.state)

    async def change(self, change: Change) -> None:
        """Make a change, once it is durable.

        Whoever asks may go away while the store is at work; what he has asked for happens.

        Raises:
            RefusedError: it cannot happen now, or the store cannot take it.
        """
        while self._keeping is not None:
            await asyncio.wait([self._keeping])
        after = changed(self.fixed, self.state, change)
        await self._keep(entries.entry_of(change), after)

    def tell(self) -> None:
        """Call the watchers: something has changed, here or at a table."""
        for watcher in tuple(self.watchers):
            watcher()

    async def _keep(self, entry: Entry, after: TournamentState) -> None:
        outcome: asyncio.Future[RefusedError | None]
        self._keeping = outcome = asyncio.get_running_loop().create_future()

        def done(error: StoreError | None) -> None:
            self._keeping = None
            if error is None:
                self.state = after
                outcome.set_result(None)
                self.tell()
            else:
                message = "the store cannot take it; try again"
                outcome.set_result(RefusedError(Reason.STORE_UNAVAILABLE, message))

        is_last = after.stage in ENDED
        at = self._clock.now()
        self._store.append(Batch(self.tournament_id, at, (entry,), is_last=is_last), done)
        refusal = await asyncio.shield(outcome)
        if refusal is not None:
            raise refusal
