"""TournamentService: making, running and reading tournaments."""

import asyncio
from collections.abc import Callable

from skat.v1 import tournament_pb2, tournament_service_pb2_grpc
from skat.v1 import tournament_service_pb2 as pb
from skat_engine.shuffling import MOST_NONCE_BYTES, SEED_BYTES
from skat_server.clock import new_id
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.players.accounts import Accounts
from skat_server.players.identity import Player
from skat_server.players.names import check_name
from skat_server.rpc.callers import Context, caller, caller_id_or_none
from skat_server.rpc.convert.tournaments import (
    cross_table_to_proto,
    entry_to_proto,
    pairing_to_proto,
    preview_to_proto,
    sprt_to_proto,
    standings_to_proto,
    tournament_to_proto,
)
from skat_server.rpc.pages import page
from skat_server.rpc.texts import check_length
from skat_server.storage.protocols import TOURNAMENT_PREFIX
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.config import MOST_ENTRIES, TournamentConfig
from skat_server.tournaments.directory import Tournaments, read_file
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.build import format_of
from skat_server.tournaments.preview import preview
from skat_server.tournaments.state import (
    Change,
    Entrant,
    Opened,
    Paused,
    Registered,
    Resumed,
    Started,
    Withdrawn,
)
from skat_server.tournaments.summary import Summary
from skat_server.tournaments.tournament import Tournament

LONGEST_FILE = 64 * 1024
LONGEST_REQUEST_ID = 64
LONGEST_REASON = 200


class TournamentServicer(tournament_service_pb2_grpc.TournamentServiceServicer):
    """Translates TournamentService to the tournaments of the server."""

    def __init__(
        self,
        tournaments: Tournaments,
        sessions: Sessions,
        accounts: Accounts,
        entropy: Callable[[int], bytes],
    ) -> None:
        """Serve these tournaments."""
        self._tournaments = tournaments
        self._accounts = accounts
        self._sessions = sessions
        self._entropy = entropy

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        """Make a draft."""
        check_length("request_id", request.request_id, LONGEST_REQUEST_ID)
        organiser, text = caller(context), _checked_file(request.config)
        await self._require_own_players(organiser, read_file(text))
        tournament = await self._tournaments.create(
            new_id(TOURNAMENT_PREFIX.removesuffix("-")),
            organiser.player_id,
            text,
            self._entropy(SEED_BYTES),
            request.request_id,
            organiser.account_id,
        )
        return pb.CreateTournamentResponse(tournament=await self._shown(tournament))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Context
    ) -> pb.GetTournamentResponse:
        """Return one."""
        return pb.GetTournamentResponse(tournament=await self._shown(self._found(request, context)))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Context
    ) -> pb.ListTournamentsResponse:
        """Return a page of them."""
        del context
        rows, token = page(self._tournaments.listed(), request.page_size, request.page_token)
        return pb.ListTournamentsResponse(
            tournaments=[self._listed(row) for row in rows], next_page_token=token
        )

    async def PreviewSchedule(
        self, request: pb.PreviewScheduleRequest, context: Context
    ) -> pb.PreviewScheduleResponse:
        """Look ahead."""
        del context
        if request.entries > MOST_ENTRIES:
            text = f"{MOST_ENTRIES} entries are the most"
            raise RefusedError(Reason.INVALID_FIELD, text, field="entries")
        config = read_file(_checked_file(request.config))
        try:
            found = await asyncio.to_thread(preview, config, request.entries or None)
            return preview_to_proto(found)
        except ValueError as error:
            raise RefusedError(Reason.BAD_TOURNAMENT, str(error)) from error

    async def OpenTournament(
        self, request: pb.OpenTournamentRequest, context: Context
    ) -> pb.OpenTournamentResponse:
        """Let entries register."""
        changed = await self._change(request, context, Opened())
        return pb.OpenTournamentResponse(tournament=changed)

    async def Register(self, request: pb.RegisterRequest, context: Context) -> pb.RegisterResponse:
        """Enter the caller."""
        player = caller(context)
        check_name(request.name)
        if len(request.client_nonce) > MOST_NONCE_BYTES:
            text = f"client_nonce has at most {MOST_NONCE_BYTES} bytes"
            raise RefusedError(Reason.INVALID_FIELD, text, field="client_nonce")
        tournament = self._found(request, context)
        owner = player.account_id or player.player_id
        entrant = Entrant(request.name, (player.player_id,), owner, None, request.client_nonce)
        await tournament.change(Registered(entrant))
        entries = tournament.state.entrants
        number = next(n for n, entry in enumerate(entries) if player.player_id in entry.players)
        shown = entry_to_proto(number, entries[number], self._sessions.is_connected)
        return pb.RegisterResponse(entry=shown)

    async def Withdraw(self, request: pb.WithdrawRequest, context: Context) -> pb.WithdrawResponse:
        """Take the caller's entry back."""
        player_id = caller(context).player_id
        tournament = self._found(request, context)
        names = [e.name for e in tournament.state.entrants if player_id in e.players]
        await tournament.change(Withdrawn(names[0] if names else ""))
        return pb.WithdrawResponse()

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Context
    ) -> pb.StartTournamentResponse:
        """Begin play."""
        changed = await self._change(request, context, Started())
        return pb.StartTournamentResponse(tournament=changed)

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, context: Context
    ) -> pb.PauseTournamentResponse:
        """Begin no new tables."""
        changed = await self._change(request, context, Paused())
        return pb.PauseTournamentResponse(tournament=changed)

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Context
    ) -> pb.ResumeTournamentResponse:
        """Go on."""
        changed = await self._change(request, context, Resumed())
        return pb.ResumeTournamentResponse(tournament=changed)

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, context: Context
    ) -> pb.CancelTournamentResponse:
        """End it here."""
        check_length("reason", request.reason, LONGEST_REASON)
        tournament = self._own(request, context)
        await self._tournaments.cancel(tournament, request.reason)
        return pb.CancelTournamentResponse(tournament=await self._shown(tournament))

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        """Return the table."""
        tournament = self._found(request, context)
        figures, names = await self._figures(tournament)
        return pb.GetStandingsResponse(
            standings=standings_to_proto(names, figures, figures.standings),
            without_faults=standings_to_proto(names, figures, figures.without_faults),
        )

    async def GetCrossTable(
        self, request: pb.GetCrossTableRequest, context: Context
    ) -> pb.GetCrossTableResponse:
        """Return who beat whom."""
        figures, names = await self._figures(self._found(request, context))
        return pb.GetCrossTableResponse(rows=cross_table_to_proto(names, figures))

    async def GetTest(self, request: pb.GetTestRequest, context: Context) -> pb.GetTestResponse:
        """Return where the sequential test stands."""
        tournament = self._found(request, context)
        event = format_of(tournament.fixed.config)
        if not isinstance(event, AbTest):
            kind = tournament.fixed.config.format.kind
            text = f"only an ab_test has a sequential test, and the format is {kind}; see standings"
            raise RefusedError(Reason.TOURNAMENT_STATE, text, state=tournament.state.stage.value)
        results = (await self._tournaments.loaded(tournament)).standing.event.results
        test = event.test_after(results)
        end = tournament.state.end
        return pb.GetTestResponse(test=sprt_to_proto(test, end.name if end else ""))

    async def ListPairings(
        self, request: pb.ListPairingsRequest, context: Context
    ) -> pb.ListPairingsResponse:
        """Return a page of the schedule."""
        tournament = self._found(request, context)
        runner = await self._tournaments.loaded(tournament)
        tables = [
            (match, number)
            for match in runner.standing.plan.matches
            for number in range(len(match.lineups))
        ]
        rows, token = page(tables, request.page_size, request.page_token)
        pairings = [pairing_to_proto(match, number, runner) for match, number in rows]
        return pb.ListPairingsResponse(pairings=pairings, next_page_token=token)

    async def _require_own_players(self, organiser: Player, config: TournamentConfig) -> None:
        """Nobody is made to play: an organiser can name the players of his account only.

        Raises:
            RefusedError: BAD_TOURNAMENT.
        """
        players = {player for entry in config.entries for player in entry.players}
        for player in sorted(players) if organiser.account_id else ():
            try:
                await self._accounts.find_own(organiser.account_id, player)
            except RefusedError as refusal:
                raise RefusedError(
                    Reason.BAD_TOURNAMENT,
                    f"{quoted(player)} is no player of your account; name the entry without "
                    "players, and let its owner register",
                ) from refusal

    async def _change(
        self, request: "_Named", context: Context, change: Change
    ) -> tournament_pb2.Tournament:
        tournament = self._own(request, context)
        await tournament.change(change)
        return await self._shown(tournament)

    def _found(self, request: "_Named", context: Context) -> Tournament:
        return self._tournaments.find(request.tournament_id, caller_id_or_none(context))

    def _own(self, request: "_Named", context: Context) -> Tournament:
        player_id = caller(context).player_id
        tournament = self._tournaments.find(request.tournament_id, player_id)
        if player_id != tournament.fixed.organiser_id:
            raise RefusedError(Reason.NOT_ALLOWED, "only who made a tournament may change it")
        return tournament

    async def _shown(self, tournament: Tournament) -> tournament_pb2.Tournament:
        runner = await self._tournaments.readable(tournament)
        return tournament_to_proto(tournament, runner, self._sessions.is_connected)

    def _listed(self, tournament: Tournament) -> tournament_pb2.Tournament:
        """A tournament in a list, for which nothing is read."""
        runner = self._tournaments.runner(tournament)
        known = runner if runner.is_loaded else None
        message = tournament_to_proto(tournament, known, self._sessions.is_connected)
        message.ClearField("config")  # a page of files would be too large for a client's limits
        return message

    async def _figures(self, tournament: Tournament) -> tuple[Summary, list[str]]:
        runner = await self._tournaments.loaded(tournament)
        figures = await runner.figures()
        return figures, [entrant.name for entrant in tournament.state.entrants]


_Named = (
    pb.GetTournamentRequest
    | pb.OpenTournamentRequest
    | pb.RegisterRequest
    | pb.WithdrawRequest
    | pb.StartTournamentRequest
    | pb.PauseTournamentRequest
    | pb.ResumeTournamentRequest
    | pb.CancelTournamentRequest
    | pb.GetStandingsRequest
    | pb.GetCrossTableRequest
    | pb.GetTestRequest
    | pb.ListPairingsRequest
)
"""Requests that name a tournament."""


def _checked_file(text: str) -> str:
    if not 0 < len(text) <= LONGEST_FILE:
        raise RefusedError(
            Reason.INVALID_FIELD, f"config has 1 to {LONGEST_FILE} characters", field="config"
        )
    return text
