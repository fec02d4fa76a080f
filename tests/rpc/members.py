"""A server that keeps accounts, and players with tokens of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from skat.v1 import account_service_pb2 as pb
from skat.v1 import account_service_pb2_grpc
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Auth, Settings
from skat_server.players.accounts import By, Issued
from skat_server.players.identity import PLAYING
from skat_server.storage.accounts import Account, AccountStore, Scope
from tests.rpc.deals import MIXED
from tests.rpc.game import listed
from tests.rpc.player import Player

LOCAL = By("local", "test")


def bearer(text: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller with this token."""
    return (("authorization", f"Bearer {text}"),)


class Member(Player):
    """A player with a token that the server has issued.

    Attributes:
        account: whose token it is: an account or a bot.
        issued: the token.
        own: the stub of AccountService.
    """

    def __init__(self, channel: grpc.aio.Channel, account: Account, issued: Issued) -> None:
        """Call with this token."""
        super().__init__(channel, account.name)
        self.account = account
        self.issued = issued
        self.metadata = bearer(issued.text.text)
        self.own = account_service_pb2_grpc.AccountServiceStub(channel)

    @property
    def token_id(self) -> str:
        """The public id of the token."""
        return self.issued.token.token_id

    async def get_caller(self) -> pb.GetCallerResponse:
        """Ask who one is."""
        return await self.own.GetCaller(pb.GetCallerRequest(), metadata=self.metadata)

    async def create_bot(self, name: str) -> pb.CreateBotResponse:
        """Make a bot."""
        return await self.own.CreateBot(pb.CreateBotRequest(name=name), metadata=self.metadata)

    async def issue(self, **fields: Any) -> pb.IssueTokenResponse:
        """Make a token."""
        request = pb.IssueTokenRequest(**fields)
        return await self.own.IssueToken(request, metadata=self.metadata)

    async def revoke(self, token_id: str) -> pb.RevokeTokenResponse:
        """Revoke a token."""
        request = pb.RevokeTokenRequest(token_id=token_id)
        return await self.own.RevokeToken(request, metadata=self.metadata)


@dataclass
class Club:
    """A running server with accounts, and a connection to it."""

    app: App
    channel: grpc.aio.Channel
    clock: ManualClock

    async def account(self, name: str) -> Member:
        """A new account with its first token."""
        return Member(self.channel, *await self.app.accounts.create_account(name, LOCAL))

    async def bot(self, owner: Member, name: str) -> Member:
        """A new bot with a token to play and to watch."""
        bot = await self.app.accounts.create_bot(owner.account, name, LOCAL)
        return await self.again(bot)

    async def playing(self) -> tuple[Member, list[Member], str]:
        """An owner, three bots of his in a deal, and their table."""
        ann = await self.account("ann")
        bots = [await self.bot(ann, name) for name in ("b0", "b1", "b2")]
        table = await ann.create_table(listed([MIXED, MIXED]))
        for bot in bots:
            await bot.open()
            await bot.take_seat(table.table_id)
        return ann, bots, table.table_id

    async def again(
        self,
        account: Account,
        scopes: frozenset[Scope] = PLAYING,
        lifetime_ms: int | None = None,
    ) -> Member:
        """One more token of an account or bot."""
        issued = await self.app.accounts.issue(account, scopes, lifetime_ms, LOCAL)
        return Member(self.channel, account, issued)


@asynccontextmanager
async def club(accounts: AccountStore | None = None, **settings: Any) -> AsyncIterator[Club]:
    """Run a server that keeps accounts.

    Args:
        accounts: where they are kept, in memory when not given.
        settings: beside the mode.
    """
    clock = ManualClock()
    chosen = Settings(**{"port": 0, "grace": 0.0, "auth": Auth.ACCOUNTS, **settings})
    async with (
        App(chosen, clock=clock, accounts=accounts) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        yield Club(app, channel, clock)
