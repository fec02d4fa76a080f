"""What every method needs of its caller: one table, total over the contract.

A method that is missing here is a bug that shows when the server starts, not when a stranger
calls it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from google.protobuf.descriptor import ServiceDescriptor

from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player
from skat_server.storage.accounts import Scope


@dataclass(frozen=True, slots=True)
class Need:
    """What a method needs."""

    scopes: tuple[Scope, ...] = ()
    """Whoever shows a token needs one of these; the first is named where none is there."""
    is_open: bool = False
    """Whether it also serves callers without a token."""


ANYBODY: Final = Need(is_open=True)
ANY_TOKEN: Final = Need()
WATCHING: Final = Need((Scope.SPECTATE,), is_open=True)
"""Without a token only public tables; a token that shall show private ones needs the scope."""
PLAYING: Final = Need((Scope.PLAY,))
PLAYING_OR_ORGANISING: Final = Need((Scope.PLAY, Scope.ORGANISE))
ORGANISING: Final = Need((Scope.ORGANISE,))
OPERATING: Final = Need((Scope.ADMIN,), is_open=True)
"""On a port of its own, where the certificate or the loopback answers for who has no token."""

_BY_SERVICE: Final[dict[str, dict[str, Need]]] = {
    "TableService": {
        "CreateTable": ORGANISING,
        "GetTable": ANYBODY,
        "ListTables": ANYBODY,
        "TakeSeat": PLAYING,
        "LeaveSeat": PLAYING,
        "EndSeries": PLAYING_OR_ORGANISING,
        "CloseTable": ORGANISING,
    },
    "PlayService": {"Play": PLAYING, "PollDecisions": PLAYING, "SubmitAction": PLAYING},
    "SpectateService": {"WatchTable": WATCHING, "WatchStandings": WATCHING},
    "TournamentService": {
        "CreateTournament": ORGANISING,
        "GetTournament": ANYBODY,
        "ListTournaments": ANYBODY,
        "PreviewSchedule": ANYBODY,
        "OpenTournament": ORGANISING,
        "Register": PLAYING,
        "Withdraw": PLAYING,
        "StartTournament": ORGANISING,
        "PauseTournament": ORGANISING,
        "ResumeTournament": ORGANISING,
        "CancelTournament": ORGANISING,
        "GetStandings": ANYBODY,
        "GetCrossTable": ANYBODY,
        "GetTest": ANYBODY,
        "ListPairings": ANYBODY,
    },
    "RecordService": {
        "GetDealRecord": WATCHING,
        "ListDealRecords": WATCHING,
        "VerifyDeal": ANYBODY,
    },
    "RulesService": {
        "ListRuleSets": ANYBODY,
        "ListLegalActions": ANYBODY,
        "ReplayDeal": ANYBODY,
        "ScoreDeal": ANYBODY,
        "ScoreRamsch": ANYBODY,
    },
    "AccountService": {
        "GetCaller": ANY_TOKEN,
        "CreateBot": ORGANISING,
        "ListBots": ORGANISING,
        "IssueToken": ORGANISING,
        "ListTokens": ORGANISING,
        "RevokeToken": ORGANISING,
    },
    "AdminService": {
        "CreateAccount": OPERATING,
        "Drain": OPERATING,
        "ForfeitSeat": OPERATING,
        "VoidDeal": OPERATING,
        "Ban": OPERATING,
        "Unban": OPERATING,
        "ListAuditEvents": OPERATING,
    },
}

PACKAGE: Final = "/skat.v1."
"""How the paths of all methods of the contract begin."""

NEEDS: Final[Mapping[str, Need]] = {
    f"{PACKAGE}{service}/{method}": need
    for service, methods in _BY_SERVICE.items()
    for method, need in methods.items()
}
"""By the path of the method."""


def require_entries(services: Iterable[ServiceDescriptor]) -> None:
    """Make sure that every method of these services has its entry.

    Raises:
        LookupError: one has none; the server must not start.
    """
    paths = {
        f"/{service.full_name}/{method.name}" for service in services for method in service.methods
    }
    missing = sorted(paths - NEEDS.keys())
    if missing:
        raise LookupError(f"say in rpc/rights.py who may call {', '.join(missing)}")


def require_right(need: Need, player: Player | None, stranger: RefusedError) -> None:
    """Let a caller through who may call a method.

    Args:
        need: what the method needs.
        player: the caller; None for one without a token.
        stranger: why somebody without a token is refused.

    Raises:
        RefusedError: UNAUTHENTICATED or SCOPE_MISSING.
    """
    if player is None:
        if not need.is_open:
            raise stranger
        return
    if need.scopes and player.scopes.isdisjoint(need.scopes):
        lacking = need.scopes[0].value
        raise RefusedError(
            Reason.SCOPE_MISSING, f"the token lacks the scope {lacking}", scope=lacking
        )
