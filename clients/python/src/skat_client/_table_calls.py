"""Calls that make, find and join tables."""

import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Final

from skat.v1 import table_pb2
from skat.v1 import table_service_pb2 as tables
from skat_client import _convert_tables as convert
from skat_client._calls import Calls
from skat_client._convert_policies import clock_policy_to_proto, fault_policy_to_proto
from skat_client._policies import ClockPolicy, FaultPolicy
from skat_client._tables import (
    DealSource,
    FreshDeals,
    HouseBot,
    RuleSet,
    Seating,
    Table,
    TableState,
    Visibility,
)
from skat_client.errors import ProtocolError

NONCE_BYTES: Final = 32
"""Length of a nonce that the client makes; the longest that a server takes."""


class TableCalls(Calls):
    """The table service."""

    async def create_table(  # noqa: PLR0913 - a table has many settings, all with defaults
        self,
        rule_set: RuleSet | str,
        *,
        display_name: str = "",
        visibility: Visibility = Visibility.PUBLIC,
        deal_source: DealSource | None = None,
        request_id: str | None = None,
        clock: ClockPolicy | None = None,
        faults: FaultPolicy | None = None,
        house_bots: Sequence[HouseBot] = (),
    ) -> Table:
        """Make a table. The first deal starts when every seat is taken.

        Args:
            rule_set: the rules, or the name of a preset.
            display_name: a name for people, up to 80 characters.
            visibility: who may find and watch it.
            deal_source: where the deals come from; fresh when None.
            request_id: up to 64 characters; the same id again returns the same table, so that
                a call whose answer was lost can be repeated. None means a new random one.
            clock: how long the seats may think; the server's own policy when None.
            faults: what happens to those that do not play; the server's own policy when None.
            house_bots: bots of the server that sit down first, on the highest seats; at most all
                seats but one.

        Raises:
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        if isinstance(rule_set, str):
            rule_set = RuleSet(rule_set)
        request = tables.CreateTableRequest(
            rule_set=convert.rule_set_to_proto(rule_set),
            display_name=display_name,
            visibility=table_pb2.Visibility.ValueType(visibility.value),
            deal_source=convert.deal_source_to_proto(deal_source or FreshDeals()),
            request_id=secrets.token_urlsafe(16) if request_id is None else request_id,
            clock=clock_policy_to_proto(clock) if clock else None,
            faults=fault_policy_to_proto(faults) if faults else None,
            house_bots=[table_pb2.HouseBot.ValueType(bot.value) for bot in house_bots],
        )
        response = await self._call(self._wires.tables.CreateTable, request)
        return convert.table_from_proto(response.table)

    async def get_table(self, table_id: str) -> Table:
        """One table.

        Raises:
            NotFoundError: no such table, or none that the player may see.
        """
        request = tables.GetTableRequest(table_id=table_id)
        response = await self._call(self._wires.tables.GetTable, request)
        return convert.table_from_proto(response.table)

    async def list_tables(
        self, state: TableState | None = None, *, page_size: int = 0
    ) -> AsyncIterator[Table]:
        """Public tables, the newest first; only those in a state when one is given.

        Pages are fetched as they are needed, of 50 tables unless `page_size` says otherwise.
        """
        number = state.value if state else table_pb2.TABLE_STATE_UNSPECIFIED
        request = tables.ListTablesRequest(
            page_size=page_size, state=table_pb2.TableState.ValueType(number)
        )
        while True:
            response = await self._call(self._wires.tables.ListTables, request)
            for table in response.tables:
                yield convert.table_from_proto(table)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    async def take_seat(
        self,
        table_id: str,
        player_name: str,
        *,
        seat: int | None = None,
        client_nonce: bytes | None = None,
    ) -> Seating:
        """Sit down; on the first free seat unless one is named.

        On the own seat it succeeds again and changes nothing, but takes the seat back from a
        house bot that plays for the player.

        Args:
            table_id: the table.
            player_name: a name for people, 1 to 40 characters.
            seat: the seat wanted.
            client_nonce: the player's share in the chance of the deals, up to 32 bytes; a new
                random one when None.

        Raises:
            SeatTakenError: somebody sits there, or no seat is free.
            AlreadySeatedError: the player has another seat at this table.
            TableOverError: the series has ended or the table was closed.
        """
        nonce = secrets.token_bytes(NONCE_BYTES) if client_nonce is None else client_nonce
        request = tables.TakeSeatRequest(
            table_id=table_id, seat=seat, player_name=player_name, client_nonce=nonce
        )
        response = await self._call(self._wires.tables.TakeSeat, request)
        table = convert.table_from_proto(response.table)
        if response.seat >= len(table.seats):
            raise ProtocolError(f"the server sent seat {response.seat} of {len(table.seats)}")
        return Seating(table, response.seat)

    async def leave_seat(self, table_id: str) -> Table:
        """Get up. The seat's clock runs on; when it has run out the house plays.

        Raises:
            NotAllowedError: the player has no seat there.
        """
        request = tables.LeaveSeatRequest(table_id=table_id)
        response = await self._call(self._wires.tables.LeaveSeat, request)
        return convert.table_from_proto(response.table)

    async def end_series(self, table_id: str) -> Table:
        """Ask for the end of a series that has no other, as the rules of some presets have it.

        It ends after the deal under way, or after the circuit of dealers under way where the
        rules want that. The players of the table and whoever made it may ask.

        Raises:
            NotAllowedError: somebody else asks, or the series ends by itself.
            TableOverError: the series has ended or the table was closed.
        """
        request = tables.EndSeriesRequest(table_id=table_id)
        response = await self._call(self._wires.tables.EndSeries, request)
        return convert.table_from_proto(response.table)

    async def close_table(self, table_id: str) -> Table:
        """Close a table that this player made; an unfinished deal is dropped.

        Raises:
            NotAllowedError: somebody else made it.
        """
        request = tables.CloseTableRequest(table_id=table_id)
        response = await self._call(self._wires.tables.CloseTable, request)
        return convert.table_from_proto(response.table)
