"""TableService: making, finding and joining tables."""

from collections.abc import Callable
from functools import partial
from typing import Final

from skat.v1 import rule_set_pb2, table_pb2, table_service_pb2_grpc
from skat.v1 import table_service_pb2 as pb
from skat_engine.options import FirstDealer, SessionEnd
from skat_engine.shuffling import SEED_BYTES, shuffled_deck
from skat_server.clock import Clock, new_id
from skat_server.rpc.callers import Context, caller
from skat_server.rpc.convert.policies import (
    clock_from_proto,
    faults_from_proto,
    seated_from_proto,
)
from skat_server.rpc.convert.tables import (
    nonce_from_proto,
    rule_set_from_proto,
    source_from_proto,
    stage_from_proto,
    table_to_proto,
    visibility_from_proto,
)
from skat_server.rpc.pages import page
from skat_server.rpc.quotas import Quotas
from skat_server.rpc.texts import check_length
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tables.settling import settled
from skat_server.tables.sources import ListedDeals
from skat_server.tables.state import Occupant, TableConfig
from skat_server.tables.table import Table
from skat_server.tables.turns import own_seat

LONGEST_TABLE_NAME: Final = 80
LONGEST_PLAYER_NAME: Final = 40
LONGEST_REQUEST_ID: Final = 64


class TableServicer(table_service_pb2_grpc.TableServiceServicer):
    """Translates TableService to the registry of tables."""

    def __init__(
        self,
        tables: Tables,
        sessions: Sessions,
        quotas: Quotas,
        clock: Clock,
        entropy: Callable[[int], bytes],
    ) -> None:
        """Serve these tables."""
        self._tables = tables
        self._sessions = sessions
        self._quotas = quotas
        self._clock = clock
        self._entropy = entropy

    async def CreateTable(
        self, request: pb.CreateTableRequest, context: Context
    ) -> pb.CreateTableResponse:
        """Make a table."""
        owner = caller(context)
        check_length("display_name", request.display_name, LONGEST_TABLE_NAME)
        check_length("request_id", request.request_id, LONGEST_REQUEST_ID)
        config = self._config(request, owner.player_id)
        if not self._tables.was_requested(owner.player_id, request.request_id):
            await self._quotas.require_table(owner)
        made: list[Table] = []
        await settled(lambda done: made.append(self._tables.create(config, done)))
        return pb.CreateTableResponse(table=self._shown(made[0]))

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        """Return one table. Whoever has the id of a private table may look at it."""
        del context
        return pb.GetTableResponse(table=self._shown(self._tables.find(request.table_id)))

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Context
    ) -> pb.ListTablesResponse:
        """Return a page of the public tables."""
        del context
        tables = self._tables.public(stage_from_proto(request.state))
        shown, token = page(tables, request.page_size, request.page_token)
        return pb.ListTablesResponse(
            tables=[self._shown(table) for table in shown], next_page_token=token
        )

    async def TakeSeat(self, request: pb.TakeSeatRequest, context: Context) -> pb.TakeSeatResponse:
        """Sit down; the player's session follows the table from now on."""
        player = caller(context)
        check_length("player_name", request.player_name, LONGEST_PLAYER_NAME, shortest=1)
        table = self._tables.find(request.table_id)
        wanted = request.seat if request.HasField("seat") else None
        nonce = nonce_from_proto(request.client_nonce)
        occupant = Occupant(player.player_id, request.player_name, nonce=nonce)
        if table.state.seat_of(player.player_id) is None:
            await self._quotas.require_seat(player)
        await settled(partial(self._sessions.sit, table, occupant, wanted))
        seat = own_seat(table.state, player.player_id)
        return pb.TakeSeatResponse(table=self._shown(table), seat=seat)

    async def LeaveSeat(
        self, request: pb.LeaveSeatRequest, context: Context
    ) -> pb.LeaveSeatResponse:
        """Get up."""
        player = caller(context)
        table = self._tables.find(request.table_id)
        await settled(partial(self._sessions.leave, table, player.player_id))
        return pb.LeaveSeatResponse(table=self._shown(table))

    async def EndSeries(
        self, request: pb.EndSeriesRequest, context: Context
    ) -> pb.EndSeriesResponse:
        """Ask for the end of a series that has no other."""
        player = caller(context)
        table = self._tables.find(request.table_id)
        await settled(partial(table.end_series, player.player_id))
        return pb.EndSeriesResponse(table=self._shown(table))

    async def CloseTable(
        self, request: pb.CloseTableRequest, context: Context
    ) -> pb.CloseTableResponse:
        """Close a table of the caller's own."""
        player = caller(context)
        table = self._tables.find(request.table_id)
        await settled(partial(table.close_by, player.player_id))
        return pb.CloseTableResponse(table=self._shown(table))

    def _shown(self, table: Table) -> table_pb2.Table:
        return table_to_proto(table, self._sessions.is_connected)

    def _config(self, request: pb.CreateTableRequest, owner_id: str) -> TableConfig:
        source = source_from_proto(request.deal_source, self._entropy)
        overrides = dict(request.rule_set.overrides)
        if isinstance(source, ListedDeals):
            overrides.setdefault("session_end", SessionEnd.FIXED_DEALS.value)
            overrides["session_deals"] = str(len(source.deals))
        rules = rule_set_from_proto(
            rule_set_pb2.RuleSet(preset=request.rule_set.preset, overrides=overrides)
        )
        by_chance = rules.first_dealer is not FirstDealer.SEAT_0
        return TableConfig(
            table_id=new_id("table"),
            owner_id=owner_id,
            display_name=request.display_name,
            preset=request.rule_set.preset,
            overrides=tuple(sorted(overrides.items())),
            rules=rules,
            visibility=visibility_from_proto(request.visibility),
            source=source,
            draw=shuffled_deck(self._entropy(SEED_BYTES)) if by_chance else (),
            created_at=self._clock.now(),
            request_id=request.request_id,
            clock=clock_from_proto(request.clock if request.HasField("clock") else None),
            faults=faults_from_proto(request.faults),
            seated=seated_from_proto(request.house_bots, rules.seats),
        )
