"""Calls about the caller: account, bots and tokens."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

from google.protobuf.duration_pb2 import Duration

from skat.v1 import account_pb2
from skat.v1 import account_service_pb2 as accounts
from skat_client import _convert_accounts as convert
from skat_client._accounts import BotAccount, Caller, IssuedToken, Scope, Token
from skat_client._calls import Calls


class AccountCalls(Calls):
    """The account service.

    A server may keep no accounts: there a token of the caller's own making is enough, and all
    but `get_caller` fail with `NotAllowedError` (`NO_ACCOUNTS`).
    """

    async def get_caller(self) -> Caller:
        """Who the server takes the caller for, and what of its limits is used."""
        response = await self._call(self._wires.accounts.GetCaller, accounts.GetCallerRequest())
        return convert.caller_from_proto(response)

    async def create_bot(self, name: str) -> BotAccount:
        """Make a bot of the caller's account.

        Args:
            name: unique, 1 to 40 characters.

        Raises:
            InvalidRequestError: another account or bot has this name.
            NotAllowedError: the token may not organise, or the server keeps no accounts.
        """
        request = accounts.CreateBotRequest(name=name)
        response = await self._call(self._wires.accounts.CreateBot, request)
        return convert.bot_from_proto(response.bot)

    async def list_bots(self, *, page_size: int = 0) -> AsyncIterator[BotAccount]:
        """The bots of the caller's account by name; pages are fetched as needed.

        Raises:
            NotAllowedError: the token may not organise, or the server keeps no accounts.
        """
        request = accounts.ListBotsRequest(page_size=page_size)
        while True:
            response = await self._call(self._wires.accounts.ListBots, request)
            for bot in response.bots:
                yield convert.bot_from_proto(bot)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    async def issue_token(
        self, bot_id: str = "", *, scopes: Sequence[Scope] = (), lifetime: timedelta | None = None
    ) -> IssuedToken:
        """Make a token; its text is shown this once.

        Args:
            bot_id: the bot it shall speak for; empty for the account itself.
            scopes: what it shall allow, no more than the caller's own; none means to play and to
                watch.
            lifetime: how long it shall be good; None means for ever.

        Raises:
            NotFoundError: the account has no such bot.
            NotAllowedError: the token may not organise, or the server keeps no accounts.
        """
        request = accounts.IssueTokenRequest(
            bot_id=bot_id, scopes=[account_pb2.Scope.ValueType(scope.value) for scope in scopes]
        )
        if lifetime is not None:
            duration = Duration()
            duration.FromTimedelta(lifetime)
            request.lifetime.CopyFrom(duration)
        response = await self._call(self._wires.accounts.IssueToken, request)
        return convert.issued_from_proto(response)

    async def list_tokens(self, *, page_size: int = 0) -> AsyncIterator[Token]:
        """The tokens of the caller's account, the newest first; pages are fetched as needed.

        Raises:
            NotAllowedError: the token may not organise, or the server keeps no accounts.
        """
        request = accounts.ListTokensRequest(page_size=page_size)
        while True:
            response = await self._call(self._wires.accounts.ListTokens, request)
            for token in response.tokens:
                yield convert.token_from_proto(token)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    async def revoke_token(self, token_id: str) -> Token:
        """Revoke a token of the caller's account; to do so again changes nothing.

        Streams opened with it end within five seconds.

        Args:
            token_id: its public id, as `list_tokens` has it.

        Raises:
            NotFoundError: the account has no such token.
            NotAllowedError: the token may not organise, or the server keeps no accounts.
        """
        request = accounts.RevokeTokenRequest(token_id=token_id)
        response = await self._call(self._wires.accounts.RevokeToken, request)
        return convert.token_from_proto(response.token)
