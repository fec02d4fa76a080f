"""What a caller has of what he may have: tables, seats, streams, and those of his account (T21)."""

from dataclasses import dataclass

from skat_server.errors import Reason, RefusedError
from skat_server.players.accounts import Accounts
from skat_server.players.identity import Player
from skat_server.rpc.lag import LoopLag
from skat_server.rpc.live_calls import LiveCalls
from skat_server.tables.registry import Tables


@dataclass(frozen=True, slots=True)
class QuotaLimits:
    """What callers may have."""

    streams: int
    """Streams that one player may have open."""
    tables: int
    """Running tables made by the players of one account between them."""
    seats: int
    """Seats held by them."""


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """One limit and what is used of it."""

    name: str
    limit: int
    used: int


class Quotas:
    """Counts what callers use. The limits of one player are held by those who count anyway."""

    def __init__(
        self,
        tables: Tables,
        live: LiveCalls,
        accounts: Accounts,
        limits: QuotaLimits,
        lag: LoopLag,
    ) -> None:
        """Count these."""
        self._lag = lag
        self._tables = tables
        self._live = live
        self._accounts = accounts
        self._limits = limits

    async def require_table(self, player: Player) -> None:
        """Let a player make one more table; nothing may be awaited between this and that.

        Raises:
            RefusedError: QUOTA_EXCEEDED; OVERLOADED while the server hardly keeps up.
        """
        self._lag.require_calm()
        if player.account_id:
            _require_room(await self._tables_of_account(player.account_id), player.account_id)

    async def require_seat(self, player: Player) -> None:
        """Let a player take one more seat; nothing may be awaited between this and that.

        Raises:
            RefusedError: QUOTA_EXCEEDED.
        """
        if player.account_id:
            _require_room(await self._seats_of_account(player.account_id), player.account_id)

    async def uses(self, player: Player) -> list[QuotaUse]:
        """All limits that hold for a caller."""
        own, limits, player_id = self._tables, self._tables.limits, player.player_id
        uses = [
            QuotaUse("tables_per_player", limits.per_owner, own.count_owned(player_id)),
            QuotaUse("seats_per_player", limits.seats_per_player, own.count_seats(player_id)),
            QuotaUse("streams_per_player", self._limits.streams, self._live.streams_of(player_id)),
        ]
        if player.account_id:
            uses += await self._of_account(player.account_id)
        return uses

    async def _of_account(self, account_id: str) -> list[QuotaUse]:
        limits = self._accounts.limits
        uses = [await self._tables_of_account(account_id), await self._seats_of_account(account_id)]
        if limits.bots is not None:
            bots = await self._accounts.store.count_bots(account_id)
            uses.append(QuotaUse("bots_per_account", limits.bots, bots))
        if limits.tokens is not None:
            tokens = await self._accounts.count_tokens(account_id)
            uses.append(QuotaUse("tokens_per_account", limits.tokens, tokens))
        return uses

    async def _tables_of_account(self, account_id: str) -> QuotaUse:
        family = await self._accounts.family(account_id)
        used = sum(map(self._tables.count_owned, family))
        return QuotaUse("tables_per_account", self._limits.tables, used)

    async def _seats_of_account(self, account_id: str) -> QuotaUse:
        family = await self._accounts.family(account_id)
        used = sum(map(self._tables.count_seats, family))
        return QuotaUse("seats_per_account", self._limits.seats, used)


def _require_room(use: QuotaUse, account_id: str) -> None:
    if use.used >= use.limit:
        what = use.name.partition("_")[0]
        raise RefusedError(
            Reason.QUOTA_EXCEEDED,
            f"the account has {use.used} {what}, which is its limit",
            limit=use.name,
            subject=account_id,
        )
