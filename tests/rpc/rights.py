"""The matrix of rights: who gets in where, and what everybody asks for there.

Every method has a row here, and every row a cell for every kind of caller. The table that is
asked about is private, with a deal under way; its owner is one account, those who sit there
are bots of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from skat.v1 import (
    account_service_pb2,
    action_pb2,
    admin_service_pb2,
    play_service_pb2,
    record_service_pb2,
    rule_set_pb2,
    rules_service_pb2,
    spectate_service_pb2,
    table_service_pb2,
    tournament_service_pb2,
)


class Kind(Enum):
    """Who calls."""

    NOBODY = auto()
    """Without a token."""
    GARBAGE = auto()
    """With a token that is none."""
    EXPIRED = auto()
    REVOKED = auto()
    BANNED = auto()
    SPECTATOR = auto()
    """Of another account, allowed to watch only."""
    PLAYER = auto()
    """Of another account, allowed to play only."""
    ORGANISER = auto()
    """Another account, allowed everything but the operator's side."""
    OWNER = auto()
    """The account that made the table."""
    SEATED = auto()
    """The bot that is asked at the table; allowed to play and to watch."""
    NEIGHBOUR = auto()
    """A bot on another seat there, with the same rights."""
    OPERATOR = auto()
    """Of another account, allowed the operator's side only."""


@dataclass(frozen=True)
class Scene:
    """What there is to ask for."""

    table_id: str
    """The private table."""
    turn_id: str
    """The decision that is open there."""
    seat: int
    """Whose it is."""
    bot_id: str
    """Another bot of the owner's."""
    token_id: str
    """A token of it."""
    tournament_id: str = "tournament-none"
    """A tournament of the owner's, open for entries."""
    draft_id: str = "tournament-draft"
    """One that is a draft."""


IN: Final = "in"
"""Let in; what is asked for may be refused for reasons that are none of rights."""

NOT_OF_RIGHTS: Final = frozenset(
    {
        "BAD_RULE_SET",
        "BAD_TOURNAMENT",
        "INVALID_FIELD",
        "RECORD_NOT_FOUND",
        "TOURNAMENT_STATE",
    }
)
"""Refusals that only those hear who were let in."""

BAD_TOKENS: Final = {
    Kind.GARBAGE: "UNAUTHENTICATED",
    Kind.EXPIRED: "TOKEN_REVOKED",
    Kind.REVOKED: "TOKEN_REVOKED",
    Kind.BANNED: "BANNED",
}
"""A token that is not good is refused everywhere, also where none is needed."""

Cells = dict[Kind, str]


def row(*cells: str) -> Cells:
    """One row: nobody, spectator, player, organiser, owner, seated, neighbour, operator."""
    kinds = (kind for kind in Kind if kind not in BAD_TOKENS)
    return {**BAD_TOKENS, **dict(zip(kinds, cells, strict=True))}


_NO_TOKEN: Final = "UNAUTHENTICATED"
_NO_SCOPE: Final = "SCOPE_MISSING"
_HIDDEN: Final = "TABLE_NOT_FOUND"
_NO_DRAFT: Final = "TOURNAMENT_NOT_FOUND"

OPEN: Final = row(IN, IN, IN, IN, IN, IN, IN, IN)
ANY_TOKEN: Final = row(_NO_TOKEN, IN, IN, IN, IN, IN, IN, IN)
PLAYING: Final = row(_NO_TOKEN, _NO_SCOPE, IN, IN, IN, IN, IN, _NO_SCOPE)
ORGANISING: Final = row(_NO_TOKEN, _NO_SCOPE, _NO_SCOPE, IN, IN, _NO_SCOPE, _NO_SCOPE, _NO_SCOPE)
WATCHING: Final = row(_HIDDEN, _HIDDEN, _NO_SCOPE, _HIDDEN, IN, IN, IN, _NO_SCOPE)
OPERATING: Final = row(IN, *[_NO_SCOPE] * 6, IN)


def at_the_table(stranger: str, neighbour: str) -> Cells:
    """What only the seated may do, who the others are being told in these words."""
    return row(_NO_TOKEN, _NO_SCOPE, stranger, stranger, stranger, IN, neighbour, _NO_SCOPE)


def of_the_account(organiser: str) -> Cells:
    """What concerns the owner alone: his bots, his tournaments."""
    return {**ORGANISING, Kind.ORGANISER: organiser}


Ask = Callable[[Scene], Message]
"""Makes the request about what there is."""

_numbers = count(1)


def _pass(scene: Scene) -> Message:
    return play_service_pb2.SubmitActionRequest(
        submission=play_service_pb2.Submission(
            table_id=scene.table_id,
            turn_id=scene.turn_id,
            action=action_pb2.Action(pass_auction=action_pb2.Pass()),
        )
    )


MATRIX: Final[dict[str, tuple[Cells, Ask]]] = {
    "skat.v1.TableService.CreateTable": (
        ORGANISING,
        lambda _: table_service_pb2.CreateTableRequest(
            rule_set=rule_set_pb2.RuleSet(preset="isko")
        ),
    ),
    "skat.v1.TableService.GetTable": (
        OPEN,
        lambda scene: table_service_pb2.GetTableRequest(table_id=scene.table_id),
    ),
    "skat.v1.TableService.ListTables": (OPEN, lambda _: table_service_pb2.ListTablesRequest()),
    "skat.v1.TableService.TakeSeat": (
        at_the_table("SEAT_TAKEN", "ALREADY_SEATED"),
        lambda scene: table_service_pb2.TakeSeatRequest(
            table_id=scene.table_id, seat=scene.seat, player_name="intruder"
        ),
    ),
    "skat.v1.TableService.LeaveSeat": (
        at_the_table("NOT_SEATED", IN),
        lambda scene: table_service_pb2.LeaveSeatRequest(table_id=scene.table_id),
    ),
    "skat.v1.TableService.EndSeries": (
        row(_NO_TOKEN, _NO_SCOPE, "NOT_ALLOWED", "NOT_ALLOWED", IN, IN, IN, _NO_SCOPE),
        lambda scene: table_service_pb2.EndSeriesRequest(table_id=scene.table_id),
    ),
    "skat.v1.TableService.CloseTable": (
        of_the_account("NOT_ALLOWED"),
        lambda scene: table_service_pb2.CloseTableRequest(table_id=scene.table_id),
    ),
    "skat.v1.PlayService.Play": (
        PLAYING,
        lambda _: play_service_pb2.PlayRequest(hello=play_service_pb2.Hello()),
    ),
    "skat.v1.PlayService.PollDecisions": (
        PLAYING,
        lambda _: play_service_pb2.PollDecisionsRequest(),
    ),
    "skat.v1.PlayService.SubmitAction": (at_the_table("NOT_SEATED", "NOT_YOUR_TURN"), _pass),
    "skat.v1.SpectateService.WatchTable": (
        WATCHING,
        lambda scene: spectate_service_pb2.WatchTableRequest(table_id=scene.table_id),
    ),
    "skat.v1.SpectateService.WatchStandings": (
        row(_NO_DRAFT, _NO_DRAFT, _NO_SCOPE, _NO_DRAFT, IN, _NO_DRAFT, _NO_DRAFT, _NO_SCOPE),
        lambda scene: spectate_service_pb2.WatchStandingsRequest(tournament_id=scene.draft_id),
    ),
    "skat.v1.TournamentService.CreateTournament": (
        ORGANISING,
        lambda _: tournament_service_pb2.CreateTournamentRequest(config="name = 1"),
    ),
    "skat.v1.TournamentService.GetTournament": (
        row(*[_NO_DRAFT] * 4, IN, *[_NO_DRAFT] * 3),
        lambda scene: tournament_service_pb2.GetTournamentRequest(tournament_id=scene.draft_id),
    ),
    "skat.v1.TournamentService.ListTournaments": (
        OPEN,
        lambda _: tournament_service_pb2.ListTournamentsRequest(),
    ),
    "skat.v1.TournamentService.PreviewSchedule": (
        OPEN,
        lambda _: tournament_service_pb2.PreviewScheduleRequest(config="name = 1"),
    ),
    "skat.v1.TournamentService.OpenTournament": (
        of_the_account("NOT_ALLOWED"),
        lambda scene: tournament_service_pb2.OpenTournamentRequest(
            tournament_id=scene.tournament_id
        ),
    ),
    "skat.v1.TournamentService.Register": (
        PLAYING,
        lambda scene: tournament_service_pb2.RegisterRequest(
            tournament_id=scene.tournament_id, name=f"entry {next(_numbers)}"
        ),
    ),
    "skat.v1.TournamentService.Withdraw": (
        row(_NO_TOKEN, _NO_SCOPE, *["NOT_SEATED"] * 5, _NO_SCOPE),
        lambda scene: tournament_service_pb2.WithdrawRequest(tournament_id=scene.tournament_id),
    ),
    "skat.v1.TournamentService.StartTournament": (
        of_the_account("NOT_ALLOWED"),
        lambda scene: tournament_service_pb2.StartTournamentRequest(
            tournament_id=scene.tournament_id
        ),
    ),
    "skat.v1.TournamentService.PauseTournament": (
        of_the_account("NOT_ALLOWED"),
        lambda scene: tournament_service_pb2.PauseTournamentRequest(
            tournament_id=scene.tournament_id
        ),
    ),
    "skat.v1.TournamentService.ResumeTournament": (
        of_the_account("NOT_ALLOWED"),
        lambda scene: tournament_service_pb2.ResumeTournamentRequest(
            tournament_id=scene.tournament_id
        ),
    ),
    "skat.v1.TournamentService.CancelTournament": (
        of_the_account("NOT_ALLOWED"),
        lambda scene: tournament_service_pb2.CancelTournamentRequest(
            tournament_id=scene.tournament_id
        ),
    ),
    "skat.v1.TournamentService.GetStandings": (
        OPEN,
        lambda scene: tournament_service_pb2.GetStandingsRequest(tournament_id=scene.tournament_id),
    ),
    "skat.v1.TournamentService.GetCrossTable": (
        OPEN,
        lambda scene: tournament_service_pb2.GetCrossTableRequest(
            tournament_id=scene.tournament_id
        ),
    ),
    "skat.v1.TournamentService.GetTest": (
        OPEN,
        lambda scene: tournament_service_pb2.GetTestRequest(tournament_id=scene.tournament_id),
    ),
    "skat.v1.TournamentService.ListPairings": (
        OPEN,
        lambda scene: tournament_service_pb2.ListPairingsRequest(tournament_id=scene.tournament_id),
    ),
    "skat.v1.RecordService.GetDealRecord": (
        WATCHING,
        lambda scene: record_service_pb2.GetDealRecordRequest(
            table_id=scene.table_id, deal_number=1
        ),
    ),
    "skat.v1.RecordService.ListDealRecords": (
        WATCHING,
        lambda scene: record_service_pb2.ListDealRecordsRequest(table_id=scene.table_id),
    ),
    "skat.v1.RecordService.VerifyDeal": (
        OPEN,
        lambda _: record_service_pb2.VerifyDealRequest(json="{}"),
    ),
    "skat.v1.RulesService.ListRuleSets": (OPEN, lambda _: rules_service_pb2.ListRuleSetsRequest()),
    "skat.v1.RulesService.ListLegalActions": (
        OPEN,
        lambda _: rules_service_pb2.ListLegalActionsRequest(),
    ),
    "skat.v1.RulesService.ReplayDeal": (OPEN, lambda _: rules_service_pb2.ReplayDealRequest()),
    "skat.v1.RulesService.ScoreDeal": (OPEN, lambda _: rules_service_pb2.ScoreDealRequest()),
    "skat.v1.RulesService.ScoreRamsch": (OPEN, lambda _: rules_service_pb2.ScoreRamschRequest()),
    "skat.v1.AccountService.GetCaller": (
        ANY_TOKEN,
        lambda _: account_service_pb2.GetCallerRequest(),
    ),
    "skat.v1.AccountService.CreateBot": (
        ORGANISING,
        lambda _: account_service_pb2.CreateBotRequest(name=f"new {next(_numbers)}"),
    ),
    "skat.v1.AccountService.ListBots": (
        ORGANISING,
        lambda _: account_service_pb2.ListBotsRequest(),
    ),
    "skat.v1.AccountService.IssueToken": (
        of_the_account("ACCOUNT_NOT_FOUND"),
        lambda scene: account_service_pb2.IssueTokenRequest(bot_id=scene.bot_id),
    ),
    "skat.v1.AccountService.ListTokens": (
        ORGANISING,
        lambda _: account_service_pb2.ListTokensRequest(),
    ),
    "skat.v1.AccountService.RevokeToken": (
        of_the_account("TOKEN_NOT_FOUND"),
        lambda scene: account_service_pb2.RevokeTokenRequest(token_id=scene.token_id),
    ),
    "skat.v1.AdminService.CreateAccount": (
        OPERATING,
        lambda _: admin_service_pb2.CreateAccountRequest(name=f"new {next(_numbers)}"),
    ),
    "skat.v1.AdminService.Drain": (
        OPERATING,
        lambda _: admin_service_pb2.DrainRequest(grace=Duration(seconds=3_600)),
    ),
    "skat.v1.AdminService.ForfeitSeat": (
        OPERATING,
        lambda scene: admin_service_pb2.ForfeitSeatRequest(
            table_id=scene.table_id, seat=scene.seat, reason="rude"
        ),
    ),
    "skat.v1.AdminService.VoidDeal": (
        OPERATING,
        lambda scene: admin_service_pb2.VoidDealRequest(table_id=scene.table_id, reason="rude"),
    ),
    "skat.v1.AdminService.Ban": (
        OPERATING,
        lambda scene: admin_service_pb2.BanRequest(id=scene.bot_id, reason="rude"),
    ),
    "skat.v1.AdminService.Unban": (
        OPERATING,
        lambda scene: admin_service_pb2.UnbanRequest(id=scene.bot_id),
    ),
    "skat.v1.AdminService.ListAuditEvents": (
        OPERATING,
        lambda _: admin_service_pb2.ListAuditEventsRequest(),
    ),
}
"""By the full name of the method."""
