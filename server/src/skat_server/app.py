"""The composition root: the only place that builds the server's parts and joins them."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from types import TracebackType
from typing import Final, Self

import structlog

from skat_server.clock import Clock, SystemClock, secret_bytes
from skat_server.config import DATABASE, Auth, Settings, is_loopback
from skat_server.draining import Drain
from skat_server.observability.logging import LogLevel, configure_logging
from skat_server.observability.metrics.room import Room
from skat_server.observability.web import Web
from skat_server.players.accounts import AccountLimits, Accounts
from skat_server.players.doors import AccountDoor, Door, OpenDoor
from skat_server.players.patience import Patience
from skat_server.rpc.listener import address_of
from skat_server.rpc.quotas import QuotaLimits
from skat_server.rpc.server import RpcServer
from skat_server.rpc.services import Parts
from skat_server.storage.accounts import AccountStore
from skat_server.storage.accounts_memory import MemoryAccounts
from skat_server.storage.accounts_sqlite import SqliteAccounts
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import (
    Durability,
    Store,
    StoreError,
    TableLog,
    UnusableStoreError,
)
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.directory import Tournaments, is_tournament
from skat_server.watching.server import ServerWatch

CUT_AFTER: Final = 2.0
"""Seconds that calls get which are left when no deal is waited for any more."""

_log = structlog.get_logger()


class App:
    """A running server as an async context manager.

    Attributes:
        settings: how it is run.
        tables: all tables.
        sessions: the live sessions.
        tournaments: all tournaments.
        store: the log.
        accounts: accounts, tokens, and the audit log.
        drain: how it stops.
        room: its numbers.
    """

    def __init__(  # noqa: PLR0913  # tests bring their own parts
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        store: Store | None = None,
        accounts: AccountStore | None = None,
        entropy: Callable[[int], bytes] = secret_bytes,
        room: Room | None = None,
    ) -> None:
        """Join the parts; nothing listens yet.

        Args:
            settings: how it is run.
            clock: the machine's clock unless a test brings its own.
            store: one that the settings ask for unless another is given.
            accounts: those in the file of the store unless others are given.
            entropy: gives so many unpredictable bytes.
            room: keeps its numbers; a new one unless one is given.
        """
        if not structlog.is_configured():
            # Inside of another program: what matters, and nothing that may hold cards.
            configure_logging(level=LogLevel.WARNING)
        self.settings = settings
        self.store: Store = store or _new_store(settings)
        self._clock = clock = clock or SystemClock()
        self.room = room or Room()
        self._watch = ServerWatch(self.room, self.store, clock)
        self.tables = Tables(self.store, clock, _table_limits(settings), entropy, self._watch.play)
        self.sessions = Sessions(self.tables, clock, self._watch.play)
        self.tournaments = Tournaments(self.tables, self.sessions, self.store, clock)
        self.drain = Drain(self.tables, self.sessions, clock, settings.grace)
        self._watch.follow(self.tables, self.sessions, self.tournaments, self.drain)
        self.drain.watch(self._say_stopping)
        self.store.watch(self._store_changed)
        self.accounts = Accounts(
            accounts or _accounts_beside(self.store),
            clock,
            entropy,
            AccountLimits(settings.max_bots_per_account, settings.max_tokens_per_account),
            are_in_use=settings.auth is Auth.ACCOUNTS,
        )
        self._rpc = RpcServer(self._parts(clock, entropy), settings)
        self._web = Web(self.room, self._watch.reasons, clock.monotonic)

    def _parts(self, clock: Clock, entropy: Callable[[int], bytes]) -> Parts:
        """What the services need."""
        settings, door = self.settings, self._door(clock)
        return Parts(
            tables=self.tables,
            sessions=self.sessions,
            tournaments=self.tournaments,
            store=self.store,
            accounts=self.accounts,
            door=door,
            admin_door=OpenDoor(has_guests=False) if settings.auth is Auth.OPEN else door,
            quotas=QuotaLimits(
                streams=settings.max_streams_per_player,
                tables=settings.max_tables_per_account,
                seats=settings.max_seats_per_account,
            ),
            clock=clock,
            entropy=entropy,
            drain=self.drain,
            room=self.room,
        )

    def _door(self, clock: Clock) -> Door:
        settings = self.settings
        if settings.auth is Auth.OPEN:
            return OpenDoor(has_guests=settings.guests and is_loopback(settings.host))
        patience = Patience(settings.wrong_tokens, settings.wrong_token_seconds)
        return AccountDoor(self.accounts.store, clock, patience)

    @property
    def address(self) -> str:
        """``host:port`` where it listens, once started."""
        return address_of(self.settings.host, self._rpc.port)

    @property
    def admin_address(self) -> str | None:
        """``host:port`` of the operator's side, once started; None when there is none."""
        port = self._rpc.admin_port
        if port is None or self.settings.admin is None:
            return None
        return address_of(self.settings.admin.host, port)

    @property
    def web_address(self) -> str | None:
        """``host:port`` for probes and Prometheus, once started; None when there is none."""
        if self.settings.web is None:
            return None
        return address_of(self.settings.web.host, self._web.port)

    async def wait_stopping(self) -> None:
        """Wait until somebody has told the server to stop and its deals are over, or time is.

        Raises:
            StoreError: the store has failed for good; only another process can go on.
        """
        await self.drain.wait_over()
        if self.store.fatal is not None:
            raise self.store.fatal

    async def __aenter__(self) -> Self:
        """Open the store, go on with its tables, then start to listen.

        Raises:
            CertificateError: a certificate cannot be used.
            ListenError: an address cannot be bound.
            UnusableStoreError: the store cannot be used.
        """
        began = self._clock.monotonic()
        try:
            if self.settings.web is not None:
                self._web.start(self.settings.web.host, self.settings.web.port)
            await self.store.open()
            with _collector_paused():
                logs = await self._logs()
                self.tables.recover(log for log in logs if not is_tournament(log))
                self.tournaments.recover(filter(is_tournament, logs))
            self._watch.replayed(self._clock.monotonic() - began)
            self.tournaments.start_running()
            await self._rpc.start()
        except BaseException:
            await self.tournaments.stop()
            await self._rpc.abandon()
            await self.store.close()
            await self._web.stop()
            raise
        self._watch.start()
        self._say_started(self._clock.monotonic() - began)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop: no more tables, the deals under way, the streams and calls, then the store."""
        self.drain.start()
        if kind is not None:
            self.drain.hurry()
        await self.drain.wait_over()
        await self.tournaments.stop()
        self.tables.freeze()
        await self._rpc.stop(min(self.drain.left, CUT_AFTER))
        await self.store.close()
        self._watch.stop()
        await self._web.stop()
        _log.info("server.stopped")

    async def _logs(self) -> Sequence[TableLog]:
        try:
            return await self.store.load(self.settings.kept_tables)
        except StoreError as error:
            raise UnusableStoreError(
                f"the tables cannot be read: {error}.\n"
                "Look with `skat-server store verify`, and restore a backup."
            ) from error

    def _say_started(self, seconds: float) -> None:
        _log.info(
            "server.started",
            version=metadata.version("skat-server"),
            host=self.settings.host,
            port=self._rpc.port,
            tables=len(self.tables.carried),
            seconds=round(seconds, 3),
        )

    def _say_stopping(self) -> None:
        _log.info(
            "drain.started", seconds=round(self.drain.left, 3), deals=self.tables.deals_under_way
        )

    def _store_changed(self) -> None:
        if self.store.fatal is not None:
            self.drain.hurry()


def _table_limits(settings: Settings) -> TableLimits:
    """How many tables there may be."""
    return TableLimits(
        running=settings.max_tables,
        ended=settings.kept_tables,
        per_owner=settings.max_tables_per_player,
        seats_per_player=settings.max_seats_per_player,
    )


def _new_store(settings: Settings) -> Store:
    """The store that the settings ask for."""
    if settings.data is None or settings.durability is Durability.MEMORY:
        return MemoryStore()
    path = settings.data / DATABASE
    return SqliteStore(path, settings.durability, migrates=settings.migrates)


def _accounts_beside(store: Store) -> AccountStore:
    """Accounts in the file of a store, in memory where it has none."""
    if isinstance(store, SqliteStore):
        return SqliteAccounts(store.database)
    return MemoryAccounts()


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Let no garbage be looked for while a million things are made that stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
