"""Tournaments: messages to values, one function a type."""

from typing import Final

from skat.v1 import spectate_service_pb2, tournament_pb2
from skat_client._convert_enums import enum_from_proto
from skat_client._convert_policies import time_from_proto
from skat_client._tables import HouseBot
from skat_client._tournaments import (
    Entry,
    Standing,
    Standings,
    StandingsSeen,
    Tournament,
    TournamentState,
)

_ENDS: Final[dict[int, str]] = {
    number: name.removeprefix("TOURNAMENT_END_").lower()
    for name, number in tournament_pb2.TournamentEnd.items()
}


def tournament_from_proto(message: tournament_pb2.Tournament) -> Tournament:
    """A tournament."""
    return Tournament(
        tournament_id=message.tournament_id,
        name=message.name,
        state=enum_from_proto(TournamentState, message.state),
        end=_end(message.end),
        reason=message.reason,
        config=message.config,
        entries=tuple([entry_from_proto(entry) for entry in message.entries]),
        games_done=message.games_done,
        games_planned=message.games_planned,
        seed_commitment=message.seed_commitment,
        boards_root=message.boards_root,
        seed=message.seed,
        created_at=time_from_proto(message.created_at),
    )


def _end(number: int) -> str:
    """A reason that this version does not have is shown by its number: it only explains."""
    return _ENDS.get(number, str(number)) if number else ""


def entry_from_proto(message: tournament_pb2.Entry) -> Entry:
    """Somebody who takes part."""
    return Entry(
        number=message.number,
        name=message.name,
        house_bot=enum_from_proto(HouseBot, message.house_bot) if message.house else None,
        connected=message.connected,
        client_nonce=message.client_nonce,
    )


def standings_from_proto(message: tournament_pb2.Standings) -> Standings:
    """A table."""
    return Standings(
        rows=tuple([_standing_from_proto(row) for row in message.rows]),
        confidence=message.confidence,
        blocks=message.blocks,
        games=message.games,
    )


def seen_from_proto(message: spectate_service_pb2.WatchStandingsResponse) -> StandingsSeen:
    """What somebody sees who watches."""
    return StandingsSeen(
        tournament_from_proto(message.tournament), standings_from_proto(message.standings)
    )


def _standing_from_proto(row: tournament_pb2.StandingRow) -> Standing:
    return Standing(
        entry=row.entry,
        name=row.name,
        place=row.place,
        strength=row.strength,
        low=row.low,
        high=row.high,
        best_place=row.best_place,
        worst_place=row.worst_place,
        games=row.games,
        points_per_36=row.points_per_36,
        faults=row.faults,
    )
