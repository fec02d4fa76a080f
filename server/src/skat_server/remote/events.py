"""A tournament that was played on a server, as data for reports and exports."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import grpc

from skat.v1 import table_pb2, tournament_pb2
from skat_server.errors import Reason
from skat_server.remote.connection import RemoteError, reason_of
from skat_server.remote.organiser import Organiser
from skat_server.storage.protocols import SealedDeal
from skat_server.tables.house import HouseBot
from skat_server.tournaments.config import parse_config
from skat_server.tournaments.event import Event, PlayedMatch, PlayedTable
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.state import Entrant, Fixed
from skat_server.tournaments.tables import played_table

Progress = Callable[[int, int], None]


def fetch_event(organiser: Organiser, tournament_id: str, progress: Progress) -> tuple[Event, str]:
    """Everything of a tournament that has ended, and why it has.

    Args:
        organiser: asks the server.
        tournament_id: which one.
        progress: told how many tables of how many are read.

    Raises:
        RemoteError: it has not ended yet, or its tables are not this caller's to read.
    """
    tournament = organiser.get(tournament_id)
    if tournament.end == tournament_pb2.TOURNAMENT_END_UNSPECIFIED:
        raise RemoteError("the tournament has not ended; its boards are secret until then")
    all_pairings = list(organiser.pairings(tournament_id))
    pairings = [pairing for pairing in all_pairings if pairing.table_id]
    tables: defaultdict[str, list[tuple[tournament_pb2.Pairing, PlayedTable, TableResult]]]
    tables = defaultdict(list)
    for done, pairing in enumerate(pairings, start=1):
        key, _, _ = pairing.key.rpartition(".")
        sealed = _records(organiser, pairing.table_id)
        tables[key].append((pairing, *played_table(pairing.table_id, sealed)))
        progress(done, len(pairings))
    planned = Counter(pairing.key.rpartition(".")[0] for pairing in all_pairings)
    matches = {key: _match(key, rows) for key, rows in tables.items() if len(rows) == planned[key]}
    end = tournament_pb2.TournamentEnd.Name(tournament.end).removeprefix("TOURNAMENT_END_")
    event = Event(_fixed(tournament), tuple(map(_entrant, tournament.entries)), matches)
    return event, end.lower()


def _records(organiser: Organiser, table_id: str) -> list[SealedDeal]:
    """The records of a table of the tournament.

    Raises:
        RemoteError: the server has no such table, or not for this caller; it does not say which.
    """
    try:
        return [
            SealedDeal(deal.deal_number, deal.json, deal.sha256, deal.previous_sha256)
            for deal in organiser.records(table_id)
        ]
    except grpc.RpcError as error:
        reason = reason_of(error)
        if reason != Reason.TABLE_NOT_FOUND.name:
            raise
        raise RemoteError(
            f"table {table_id!r} is not there, or not for you: only the organiser can read all "
            "tables of a tournament. Name his token with --token, or a file with SKAT_TOKEN_FILE",
            reason,
        ) from error


def _match(
    key: str, rows: Sequence[tuple[tournament_pb2.Pairing, PlayedTable, TableResult]]
) -> PlayedMatch:
    first = rows[0][0]
    lineups = tuple(tuple(pairing.lineup) for pairing, _, _ in rows)
    match = Match(key, lineups, first.first_board, first.boards, first.round)
    result = MatchResult(match, tuple(points for _, _, points in rows))
    return PlayedMatch(result, tuple(table for _, table, _ in rows))


def _fixed(tournament: tournament_pb2.Tournament) -> Fixed:
    return Fixed(
        tournament_id=tournament.tournament_id,
        organiser_id="",
        text=tournament.config,
        config=parse_config(tournament.config),
        seed=tournament.seed,
        created_at=tournament.created_at.seconds,
    )


def _entrant(entry: tournament_pb2.Entry) -> Entrant:
    house = None
    if entry.house:
        name = table_pb2.HouseBot.Name(entry.house_bot).removeprefix("HOUSE_BOT_")
        house = HouseBot[name]
    return Entrant(entry.name, house=house, nonce=entry.client_nonce)
