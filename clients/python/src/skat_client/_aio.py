"""The client: every call of the server in typed values."""

import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from types import TracebackType
from typing import Self, TypeVar

import grpc

from skat.v1 import (
    play_service_pb2_grpc,
    record_service_pb2_grpc,
    rules_service_pb2_grpc,
    spectate_service_pb2_grpc,
    table_pb2,
    table_service_pb2_grpc,
)
from skat.v1 import record_service_pb2 as records
from skat.v1 import rules_service_pb2 as rules
from skat.v1 import table_service_pb2 as tables
from skat_client import _convert_tables as convert
from skat_client._backoff import Backoff
from skat_client._channel import Tls, open_channel, player_token, server_address, token_metadata
from skat_client._failures import error_from_rpc
from skat_client._items import WatchItem
from skat_client._recovery import Recovery
from skat_client._rules import (
    DealLine,
    DealReplay,
    GameScore,
    GameSummary,
    LegalActions,
    RamschScore,
    RamschSummary,
    RuleBook,
)
from skat_client._session import Session, SessionOptions
from skat_client._tables import (
    DealRecord,
    DealSource,
    FreshDeals,
    RuleSet,
    Seating,
    Table,
    TableState,
    Visibility,
)
from skat_client._watch import watch
from skat_client.errors import ErrorDetails, UnavailableError

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class AsyncClient:
    """A connection to a server, for one player.

    Use it as an asynchronous context manager. Every call raises a `ServerError` when the
    server says no, and `UnavailableError`, which is one, when nobody answers in time.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        token: str | None = None,
        tls: Tls | None = None,
        plaintext: bool | None = None,
        timeout: float = 10.0,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        Args:
            server: `host:port`; else the environment's `SKAT_SERVER`, else `127.0.0.1:7654`.
            token: who the player is; else the environment's `SKAT_TOKEN`, else a new random one.
            tls: how to check the server's certificate.
            plaintext: whether to speak without TLS; None means on the loopback only.
            timeout: seconds that a call may take.

        Raises:
            ConfigurationError: the address or the token cannot be used.
        """
        self.server: str = server_address(server)
        """The server, `host:port`."""
        self.token: str = player_token(token)
        """Who the player is. Keep it to come back as the same player, and keep it secret."""
        self._metadata = token_metadata(self.token)
        self._timeout = timeout
        self._channel = open_channel(self.server, tls, plaintext)
        self._tables = table_service_pb2_grpc.TableServiceStub(self._channel)
        self._records = record_service_pb2_grpc.RecordServiceStub(self._channel)
        self._rules = rules_service_pb2_grpc.RulesServiceStub(self._channel)
        self._spectate = spectate_service_pb2_grpc.SpectateServiceStub(self._channel)
        self._play = play_service_pb2_grpc.PlayServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection."""
        await self._channel.close()

    # -------------------------------------------------------------------------------------- tables

    async def create_table(
        self,
        rule_set: RuleSet | str,
        *,
        display_name: str = "",
        visibility: Visibility = Visibility.PUBLIC,
        deal_source: DealSource | None = None,
        request_id: str | None = None,
    ) -> Table:
        """Make a table. The first deal starts when every seat is taken.

        Args:
            rule_set: the rules, or the name of a preset.
            display_name: a name for people, up to 80 characters.
            visibility: who may find and watch it.
            deal_source: where the deals come from; fresh when None.
            request_id: up to 64 characters; the same id again returns the same table, so that
                a call whose answer was lost can be repeated. None means a new random one.

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
        )
        response = await self._call(self._tables.CreateTable, request)
        return convert.table_from_proto(response.table)

    async def get_table(self, table_id: str) -> Table:
        """One table.

        Raises:
            NotFoundError: no such table, or none that the player may see.
        """
        request = tables.GetTableRequest(table_id=table_id)
        response = await self._call(self._tables.GetTable, request)
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
            response = await self._call(self._tables.ListTables, request)
            for table in response.tables:
                yield convert.table_from_proto(table)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    async def take_seat(
        self, table_id: str, player_name: str, *, seat: int | None = None
    ) -> Seating:
        """Sit down; on the first free seat unless one is named. On the own seat it succeeds again.

        Args:
            table_id: the table.
            player_name: a name for people, 1 to 40 characters.
            seat: the seat wanted.

        Raises:
            SeatTakenError: somebody sits there, or no seat is free.
            AlreadySeatedError: the player has another seat at this table.
            TableOverError: the series has ended or the table was closed.
        """
        request = tables.TakeSeatRequest(table_id=table_id, seat=seat, player_name=player_name)
        response = await self._call(self._tables.TakeSeat, request)
        return Seating(convert.table_from_proto(response.table), response.seat)

    async def leave_seat(self, table_id: str) -> Table:
        """Get up. Play waits at the seat until somebody takes it.

        Raises:
            NotAllowedError: the player has no seat there.
        """
        request = tables.LeaveSeatRequest(table_id=table_id)
        response = await self._call(self._tables.LeaveSeat, request)
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
        response = await self._call(self._tables.EndSeries, request)
        return convert.table_from_proto(response.table)

    async def close_table(self, table_id: str) -> Table:
        """Close a table that this player made; an unfinished deal is dropped.

        Raises:
            NotAllowedError: somebody else made it.
        """
        request = tables.CloseTableRequest(table_id=table_id)
        response = await self._call(self._tables.CloseTable, request)
        return convert.table_from_proto(response.table)

    # ------------------------------------------------------------------------------------- playing

    def open_session(self, options: SessionOptions | None = None) -> Session:
        """The player's session, over all tables at which he sits.

        It connects when it is first iterated. A player has one session: a new one ends the old.
        """
        return Session(self._play, self._metadata, options or SessionOptions())

    async def watch_table(
        self,
        table_id: str,
        *,
        max_downtime: float | None = None,
        backoff: Backoff | None = None,
    ) -> AsyncGenerator[WatchItem, None]:
        """What lies open at a public table, from its current deal until it is over.

        A lost connection is opened again and continues after the last event seen.

        Args:
            table_id: the table.
            max_downtime: give up after this many seconds without a connection; None means never.
            backoff: how long to wait between connections.

        Raises:
            NotFoundError: no such table, or a private one.
            GaveUpError: there was no connection for longer than allowed.
        """
        recovery = Recovery(f"watch of table {table_id}", backoff or Backoff(), max_downtime)
        items = watch(self._spectate, table_id, self._metadata, recovery)
        try:
            async for item in items:
                yield item
        finally:
            await items.aclose()

    # ------------------------------------------------------------------------------------- records

    async def get_deal_record(self, table_id: str, deal_number: int) -> DealRecord:
        """The record of one finished deal, counted from 1.

        Raises:
            NotFoundError: no such table or record, or the deal is not over yet.
        """
        request = records.GetDealRecordRequest(table_id=table_id, deal_number=deal_number)
        response = await self._call(self._records.GetDealRecord, request)
        return convert.deal_record_from_proto(response.record)

    async def list_deal_records(
        self, table_id: str, *, page_size: int = 0
    ) -> AsyncIterator[DealRecord]:
        """The records of a table in the order of its deals; pages are fetched as needed.

        Raises:
            NotFoundError: no such table, or none that the player may see.
        """
        request = records.ListDealRecordsRequest(table_id=table_id, page_size=page_size)
        while True:
            response = await self._call(self._records.ListDealRecords, request)
            for record in response.records:
                yield convert.deal_record_from_proto(record)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    # --------------------------------------------------------------------------------------- rules

    async def list_rule_sets(self) -> RuleBook:
        """Every preset and every option of the rules with its meaning."""
        response = await self._call(self._rules.ListRuleSets, rules.ListRuleSetsRequest())
        return convert.rule_book_from_proto(response)

    async def list_legal_actions(self, line: DealLine) -> LegalActions:
        """What may be done next in a deal.

        Raises:
            InvalidRequestError: a step is not legal, or the cards are no deal.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        request = rules.ListLegalActionsRequest(line=convert.deal_line_to_proto(line))
        response = await self._call(self._rules.ListLegalActions, request)
        return convert.legal_actions_from_proto(response)

    async def replay_deal(self, line: DealLine) -> DealReplay:
        """All events of a deal with nothing hidden, up to the first illegal step.

        Raises:
            InvalidRequestError: the cards are no deal.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        request = rules.ReplayDealRequest(line=convert.deal_line_to_proto(line))
        response = await self._call(self._rules.ReplayDeal, request)
        return convert.replay_from_proto(response)

    async def score_deal(self, rule_set: RuleSet | str, summary: GameSummary) -> GameScore:
        """What a declarer game is worth, and how that comes about.

        Raises:
            InvalidRequestError: the summary is of no possible game.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        if isinstance(rule_set, str):
            rule_set = RuleSet(rule_set)
        request = convert.summary_to_proto(rule_set, summary)
        response = await self._call(self._rules.ScoreDeal, request)
        return convert.game_score_from_proto(response)

    async def score_ramsch(self, rule_set: RuleSet | str, summary: RamschSummary) -> RamschScore:
        """What a Ramsch brings, and how that comes about.

        Raises:
            InvalidRequestError: the summary is of no possible Ramsch.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        if isinstance(rule_set, str):
            rule_set = RuleSet(rule_set)
        request = convert.ramsch_summary_to_proto(rule_set, summary)
        response = await self._call(self._rules.ScoreRamsch, request)
        return convert.ramsch_score_from_proto(response)

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> _Response:
        try:
            return await method(request, timeout=self._timeout, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            failure = error_from_rpc(error)
            if failure.reason is None and isinstance(failure, UnavailableError):
                text = f"no answer from {self.server}: {failure.message}"
                raise UnavailableError(text, ErrorDetails(failure.details.code)) from error
            raise failure from error
