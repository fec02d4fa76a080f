"""The composition root: the only place that builds the server's parts and joins them."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from skat_server.clock import Clock, SystemClock, secret_bytes
from skat_server.config import DATABASE, Auth, Settings, is_loopback
from skat_server.players.accounts import AccountLimits, Accounts
from skat_server.players.doors import AccountDoor, Door, OpenDoor
from skat_server.players.patience import Patience
from skat_server.rpc.quotas import QuotaLimits
from skat_server.rpc.server import Parts, RpcServer, address_of
from skat_server.storage.accounts import AccountStore
from skat_server.storage.accounts_memory import MemoryAccounts
from skat_server.storage.accounts_sqlite import SqliteAccounts
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Durability, Store
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import Sessions


class App:
    """A running server as an async context manager.

    Attributes:
        settings: how it is run.
        tables: all tables.
        sessions: the live sessions.
        store: the log.
        accounts: accounts, tokens, and the audit log.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        store: Store | None = None,
        accounts: AccountStore | None = None,
        entropy: Callable[[int], bytes] = secret_bytes,
    ) -> None:
        """Join the parts; nothing listens yet.

        Args:
            settings: how it is run.
            clock: the machine's clock unless a test brings its own.
            store: one that the settings ask for unless another is given.
            accounts: those in the file of the store unless others are given.
            entropy: gives so many unpredictable bytes.
        """
        self.settings = settings
        self.store: Store = store or _new_store(settings)
        clock = clock or SystemClock()
        limits = TableLimits(
            running=settings.max_tables,
            ended=settings.kept_tables,
            per_owner=settings.max_tables_per_player,
            seats_per_player=settings.max_seats_per_player,
        )
        self.tables = Tables(self.store, clock, limits)
        self.sessions = Sessions(self.tables, clock)
        self.accounts = Accounts(
            accounts or _accounts_beside(self.store),
            clock,
            entropy,
            AccountLimits(settings.max_bots_per_account, settings.max_tokens_per_account),
            are_in_use=settings.auth is Auth.ACCOUNTS,
        )
        parts = Parts(
            tables=self.tables,
            sessions=self.sessions,
            store=self.store,
            accounts=self.accounts,
            door=self._door(clock),
            quotas=QuotaLimits(
                streams=settings.max_streams_per_player,
                tables=settings.max_tables_per_account,
                seats=settings.max_seats_per_account,
            ),
            clock=clock,
            entropy=entropy,
        )
        self._rpc = RpcServer(parts, with_reflection=settings.reflection)

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

    async def __aenter__(self) -> Self:
        """Open the store, then start to listen.

        Raises:
            OSError: the address cannot be bound.
            UnusableStoreError: the store cannot be used.
        """
        await self.store.open()
        try:
            await self._rpc.start(self.settings.host, self.settings.port)
        except BaseException:
            await self.store.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop: streams end with GOING_AWAY, running calls get their grace; the store is last."""
        await self._rpc.stop(self.settings.grace)
        await self.store.close()


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
