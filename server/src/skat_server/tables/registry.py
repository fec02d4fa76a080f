"""All tables of the server: made, found, listed, retired."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from skat_engine.seats import Seat
from skat_server.clock import Clock, secret_bytes
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.storage.protocols import Store, TableLog
from skat_server.tables.audience import Audience
from skat_server.tables.house import Chance
from skat_server.tables.observing import UNOBSERVED, Observer
from skat_server.tables.reading import EntryError
from skat_server.tables.recovery import RecoveryError, recovered
from skat_server.tables.state import Occupant, Stage, TableConfig, TableState, Visibility
from skat_server.tables.table import Table
from skat_server.tables.timing import Pause
from skat_server.tables.writer import Done

_log = structlog.get_logger()

MOST_REQUESTS: Final = 10_000
"""Request ids that are remembered for repeated calls."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """How many tables the server carries."""

    running: int
    """Tables that are not over."""
    ended: int
    """Tables that are over and can still be asked for; older ones are forgotten."""
    per_owner: int
    """Running tables that one player may have made."""
    seats_per_player: int
    """Tables at which one player may sit at once."""


class Tables:
    """Finds tables by id and by player.

    Attributes:
        limits: how many tables there may be.
        parked: how many could not be read back, and are not carried.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        limits: TableLimits,
        chance: Chance = secret_bytes,
        observer: Observer = UNOBSERVED,
    ) -> None:
        """Start without tables.

        Args:
            store: keeps their logs; while it can keep nothing all clocks stand still.
            clock: tells the time.
            limits: how many there may be.
            chance: of house bots that play by it.
            observer: is told of every step at every table, for figures and logs.
        """
        self._chance = chance
        self._observer = observer
        self.parked = 0
        self._store = store
        self._clock = clock
        self.limits = limits
        self._tables: dict[str, Table] = {}
        self._opening: dict[str, tuple[Table, list[Done]]] = {}
        """Tables that are not durable yet, and who waits for that."""
        self._of_player: dict[str, dict[str, Table]] = {}
        self._running_of: Counter[str] = Counter()
        """Running tables by owner."""
        self._ended: deque[str] = deque()
        self._by_request: dict[tuple[str, str], str] = {}
        self._is_opening = True
        store.watch(self._store_changed)

    def create(self, config: TableConfig, done: Done) -> Table:
        """Make a table, or return the one that the same request has made.

        Args:
            config: what is fixed.
            done: told when the table is durable.

        Raises:
            RefusedError: QUOTA_EXCEEDED when the server carries too many tables, DRAINING when it
                opens none any more.
        """
        key = (config.owner_id, config.request_id)
        known = self._by_request.get(key, "")
        if known in self._opening:
            table, waiting = self._opening[known]
            waiting.append(done)
            return table
        if known in self._tables:
            done(None)
            return self._tables[known]
        self._require_opening()
        self._require_room(config.owner_id)
        table = self._made(config)
        self._opening[config.table_id] = (table, [done])
        self._remember(key, config.table_id)
        table.open(partial(self._opened, table))
        return table

    def was_requested(self, owner_id: str, request_id: str) -> bool:
        """Whether a request of a player has made a table that can still be found."""
        known = self._by_request.get((owner_id, request_id), "")
        return known in self._opening or known in self._tables

    def stop_opening(self) -> None:
        """Refuse new tables from now on: the server stops."""
        self._is_opening = False

    def _require_opening(self) -> None:
        if not self._is_opening:
            raise RefusedError(Reason.DRAINING, "the server stops and opens no tables; come again")

    def recover(self, logs: Iterable[TableLog]) -> None:
        """Go on with the tables of these logs, before anything else.

        A table whose log cannot be folded is not carried; its log stays as it is.

        Args:
            logs: of running tables and of the latest that are over, in the order of opening.
        """
        ended = []
        for log in logs:
            try:
                table = recovered(log, self._made)
            except RecoveryError as error:
                self.parked += 1
                _log.error("table.parked", table_id=log.table_id, reason=str(error))
                continue
            self._remember((table.config.owner_id, table.config.request_id), table.table_id)
            self._carry(table)
            if table.is_over:
                ended.append((log.lines[-1].at, table))
            else:
                table.await_players()
        for _, table in sorted(ended, key=lambda at_and_table: at_and_table[0]):
            self._retire(table)
        self._store_changed()  # all clocks start, and house bots go on

    def _made(self, config: TableConfig, state: TableState | None = None) -> Table:
        return Table(
            config, self._store, self._clock, state, chance=self._chance, observer=self._observer
        )

    def _carry(self, table: Table) -> None:
        """From now on a table can be found."""
        if not table.is_over:
            table.viewers[_Retirer(self._retire)] = None
        self._tables[table.table_id] = table
        self._running_of[table.config.owner_id] += 1
        for occupant in table.state.occupants:
            if occupant is not None and occupant.house is None:
                self._link(occupant.player_id, table)

    def _require_room(self, owner_id: str) -> None:
        running = len(self._opening) + len(self._tables) - len(self._ended)
        if running >= self.limits.running:
            raise RefusedError(
                Reason.QUOTA_EXCEEDED,
                f"the server carries {running} tables, which is its limit",
                limit="tables",
            )
        own = self.count_owned(owner_id)
        if own >= self.limits.per_owner:
            raise RefusedError(
                Reason.QUOTA_EXCEEDED,
                f"{own} tables of yours are running; close some first",
                limit="tables_per_player",
                subject=owner_id,
            )

    def count_owned(self, owner_id: str) -> int:
        """How many running tables a player has made."""
        opening = (table for table, _ in self._opening.values())
        return self._running_of[owner_id] + sum(t.config.owner_id == owner_id for t in opening)

    def count_seats(self, player_id: str) -> int:
        """At how many running tables a player sits."""
        return len(self._of_player.get(player_id, ()))

    def _opened(self, table: Table, refusal: RefusedError | None) -> None:
        """A table can be found once it is durable; one that failed is forgotten."""
        _, waiting = self._opening.pop(table.table_id)
        if refusal is None:
            self._carry(table)
        for done in waiting:
            done(refusal)

    def get(self, table_id: str) -> Table | None:
        """The table of an id, None when it is not carried."""
        return self._tables.get(table_id)

    def find(self, table_id: str) -> Table:
        """The table of an id.

        Raises:
            RefusedError: TABLE_NOT_FOUND.
        """
        table = self._tables.get(table_id)
        if table is None:
            raise _not_found(table_id)
        return table

    def find_visible(self, table_id: str, player_id: str | None) -> Table:
        """The table of an id if this caller may look at it.

        Raises:
            RefusedError: TABLE_NOT_FOUND, also for a private table of others.
        """
        table = self.find(table_id)
        if not Audience.of(table.config, table.state).includes(player_id):
            raise _not_found(table_id)
        return table

    async def require_readable(self, table_id: str, player_id: str | None) -> str:
        """Let this caller read the records of a table, also of one that is carried no more.

        Returns:
            The tournament that the table belongs to; empty for none.

        Raises:
            RefusedError: TABLE_NOT_FOUND, also for a private table of others.
        """
        if table_id in self._tables:
            return self.find_visible(table_id, player_id).config.tournament_id
        log = await self._store.log(table_id)
        try:
            audience = None if log is None else Audience.in_log(log)
        except EntryError as error:
            _log.error("table.unreadable", table_id=table_id, reason=str(error))
            audience = None
        if audience is None or not audience.includes(player_id):
            raise _not_found(table_id)
        return audience.tournament_id

    def public(self, stage: Stage | None) -> Sequence[Table]:
        """Public tables, the newest first; only those in a stage when one is named."""
        return [
            table
            for table in reversed(self._tables.values())
            if table.config.visibility is Visibility.PUBLIC
            and (stage is None or table.state.stage is stage)
        ]

    @property
    def carried(self) -> Collection[Table]:
        """All tables that can be found, those that are over included."""
        return self._tables.values()

    def playing(self) -> Sequence[Table]:
        """Tables with a deal under way."""
        return [table for table in self._tables.values() if table.state.stage is Stage.PLAYING]

    @property
    def deals_under_way(self) -> int:
        """How many deals have begun and are not over."""
        return len(self.playing())

    def of_player(self, player_id: str) -> Iterator[tuple[Table, Seat]]:
        """The running tables at which a player sits, with his seat."""
        for table in tuple(self._of_player.get(player_id, {}).values()):
            seat = table.state.seat_of(player_id)
            if seat is not None and not table.is_over:
                yield table, seat

    def place_of(self, player_id: str, table_id: str) -> tuple[Table, Seat] | None:
        """A table and the seat that a player holds there, also when it is over."""
        table = self._tables.get(table_id)
        seat = None if table is None else table.state.seat_of(player_id)
        return None if table is None or seat is None else (table, seat)

    def sit(self, table: Table, occupant: Occupant, seat: Seat | None, done: Done) -> None:
        """Seat a player, within his limit."""
        held = self._of_player.get(occupant.player_id, {})
        if table.table_id not in held and len(held) >= self.limits.seats_per_player:
            refusal = RefusedError(
                Reason.QUOTA_EXCEEDED,
                f"you sit at {len(held)} tables already",
                limit="seats_per_player",
                subject=occupant.player_id,
            )
            done(refusal)
            return

        def seated(refusal: RefusedError | None) -> None:
            if table.state.seat_of(occupant.player_id) is None or table.is_over:
                self._unlink(occupant.player_id, table)
            else:
                self._link(occupant.player_id, table)
            done(refusal)

        self._link(occupant.player_id, table)  # counts while it is being kept
        table.sit(occupant, seat, seated)

    def leave(self, table: Table, player_id: str, done: Done) -> None:
        """Let a player get up; in a tournament everybody keeps the seat of the schedule."""
        if table.config.tournament_id:
            message = "seats of a tournament are fixed; who does not play is played for"
            done(RefusedError(Reason.NOT_ALLOWED, message))
            return

        def left(refusal: RefusedError | None) -> None:
            if refusal is None:
                self._unlink(player_id, table)
            done(refusal)

        table.leave(player_id, left)

    def freeze(self) -> None:
        """Let no table do anything by itself any more: the server is about to stop."""
        for table in self._tables.values():
            table.pause_clocks(Pause.FREEZE)

    def _store_changed(self) -> None:
        """Clocks stand still while nothing can be kept (F4)."""
        for table in tuple(self._tables.values()):
            if self._store.is_available:
                table.resume_clocks()
            else:
                table.pause_clocks()

    def _retire(self, table: Table) -> None:
        """Keep a table that is over for a while, and forget the oldest such."""
        for occupant in table.state.occupants:
            if occupant is not None:
                self._unlink(occupant.player_id, table)
        self._running_of -= Counter([table.config.owner_id])
        self._ended.append(table.table_id)
        while len(self._ended) > self.limits.ended:
            oldest = self._ended.popleft()
            del self._tables[oldest]
            self._store.retire(oldest)

    def _link(self, player_id: str, table: Table) -> None:
        self._of_player.setdefault(player_id, {})[table.table_id] = table

    def _unlink(self, player_id: str, table: Table) -> None:
        held = self._of_player.get(player_id, {})
        held.pop(table.table_id, None)
        if not held:
            self._of_player.pop(player_id, None)

    def _remember(self, key: tuple[str, str], table_id: str) -> None:
        _, request_id = key
        if request_id:
            self._by_request[key] = table_id
        if len(self._by_request) > MOST_REQUESTS:
            del self._by_request[next(iter(self._by_request))]


def _not_found(table_id: str) -> RefusedError:
    return RefusedError(Reason.TABLE_NOT_FOUND, f"there is no table {quoted(table_id)}")


class _Retirer:
    """Watches a table until it is over."""

    def __init__(self, retire: Callable[[Table], None]) -> None:
        self._retire = retire

    def table_changed(self, table: Table) -> None:
        if table.is_over:
            table.viewers.pop(self)
            self._retire(table)
