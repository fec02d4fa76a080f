"""AccountService: the caller's account, its bots and their tokens."""

from typing import Final

from google.protobuf.duration_pb2 import Duration

from skat.v1 import account_service_pb2 as pb
from skat.v1 import account_service_pb2_grpc
from skat_server.errors import Reason, RefusedError
from skat_server.players.accounts import Accounts, By
from skat_server.players.identity import PLAYING, Player
from skat_server.rpc.callers import Context, caller
from skat_server.rpc.convert.accounts import (
    bot_to_proto,
    scopes_from_proto,
    scopes_to_proto,
    token_to_proto,
)
from skat_server.rpc.pages import size_of, unreadable_page_token
from skat_server.rpc.quotas import Quotas
from skat_server.rpc.revocations import Revocations
from skat_server.storage.accounts import Scope

LONGEST_LIFETIME_S: Final = 100 * 366 * 24 * 60 * 60
_KEY_MARK: Final = "."
"""Stands between the two parts of the key of a page of tokens."""


class AccountServicer(account_service_pb2_grpc.AccountServiceServicer):
    """Translates AccountService to the accounts."""

    def __init__(self, accounts: Accounts, quotas: Quotas, revocations: Revocations) -> None:
        """Serve these accounts."""
        self._accounts = accounts
        self._quotas = quotas
        self._revocations = revocations

    async def GetCaller(
        self, request: pb.GetCallerRequest, context: Context
    ) -> pb.GetCallerResponse:
        """Say who calls and what he may."""
        del request
        player = caller(context)
        return pb.GetCallerResponse(
            player_id=player.player_id,
            account_id=player.account_id,
            bot_id=player.bot_id,
            scopes=scopes_to_proto(player.scopes),
            quotas=[
                pb.Quota(name=use.name, limit=use.limit, used=use.used)
                for use in await self._quotas.uses(player)
            ],
        )

    async def CreateBot(
        self, request: pb.CreateBotRequest, context: Context
    ) -> pb.CreateBotResponse:
        """Make a bot of the caller's account."""
        player = self._member(context)
        owner = await self._accounts.find_own(player.account_id, "")
        bot = await self._accounts.create_bot(owner, request.name, _by(player, "CreateBot"))
        return pb.CreateBotResponse(bot=bot_to_proto(bot))

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """Return a page of the account's bots, by name."""
        player = self._member(context)
        size = size_of(request.page_size)
        rows = await self._accounts.store.accounts(player.account_id, request.page_token, size + 1)
        token = rows[size - 1].name if len(rows) > size else ""
        return pb.ListBotsResponse(bots=map(bot_to_proto, rows[:size]), next_page_token=token)

    async def IssueToken(
        self, request: pb.IssueTokenRequest, context: Context
    ) -> pb.IssueTokenResponse:
        """Make a token for the account or a bot of it."""
        player = self._member(context)
        scopes = scopes_from_proto(request.scopes) or PLAYING
        _require_own(scopes, player)
        lifetime = _lifetime_ms(request.lifetime) if request.HasField("lifetime") else None
        holder = await self._accounts.find_own(player.account_id, request.bot_id)
        issued = await self._accounts.issue(holder, scopes, lifetime, _by(player, "IssueToken"))
        shown = token_to_proto(issued.token, player.account_id)
        return pb.IssueTokenResponse(token=shown, text=issued.text.text)

    async def ListTokens(
        self, request: pb.ListTokensRequest, context: Context
    ) -> pb.ListTokensResponse:
        """Return a page of the account's tokens, the newest first."""
        player = self._member(context)
        size = size_of(request.page_size)
        before = _token_key(request.page_token) if request.page_token else None
        rows = await self._accounts.store.tokens(player.account_id, before, size + 1)
        last = rows[size - 1] if len(rows) > size else None
        return pb.ListTokensResponse(
            tokens=[token_to_proto(token, player.account_id) for token in rows[:size]],
            next_page_token=f"{last.created_ms}{_KEY_MARK}{last.token_id}" if last else "",
        )

    async def RevokeToken(
        self, request: pb.RevokeTokenRequest, context: Context
    ) -> pb.RevokeTokenResponse:
        """Revoke a token of the account, and end what was opened with it."""
        player = self._member(context)
        by = _by(player, "RevokeToken")
        token = await self._accounts.revoke(request.token_id, by, player.account_id)
        await self._revocations.look()
        return pb.RevokeTokenResponse(token=token_to_proto(token, player.account_id))

    def _member(self, context: Context) -> Player:
        self._accounts.require_use()
        return caller(context)


def _by(player: Player, action: str) -> By:
    return By(player.account_id, action)


def _require_own(scopes: frozenset[Scope], player: Player) -> None:
    for scope in sorted(scopes - player.scopes, key=lambda scope: scope.value):
        raise RefusedError(
            Reason.SCOPE_MISSING,
            f"your token lacks the scope {scope.value}, so it cannot give it",
            scope=scope.value,
        )


def _lifetime_ms(lifetime: Duration) -> int:
    if not 0 < lifetime.ToSeconds() <= LONGEST_LIFETIME_S:
        raise RefusedError(
            Reason.INVALID_FIELD, "lifetime needs a second to a hundred years", field="lifetime"
        )
    return lifetime.ToMilliseconds()


def _token_key(page_token: str) -> tuple[int, str]:
    created, mark, token_id = page_token.partition(_KEY_MARK)
    if not (mark and created.isascii() and created.isdigit() and len(created) <= len("9" * 15)):
        raise unreadable_page_token()
    return int(created), token_id
