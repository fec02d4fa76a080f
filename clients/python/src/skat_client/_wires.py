"""The channels of a client, and the calls on the one in use."""

from typing import Final

import grpc

from skat.v1 import (
    account_service_pb2_grpc,
    play_service_pb2_grpc,
    record_service_pb2_grpc,
    rules_service_pb2_grpc,
    spectate_service_pb2_grpc,
    table_service_pb2_grpc,
    tournament_service_pb2_grpc,
)
from skat_client._channel import Tls, check_target, is_loopback, open_channel


class Wires:
    """Where calls go. A server may send its clients to another one; the settings stay."""

    def __init__(self, target: str, tls: Tls | None, plaintext: bool | None) -> None:
        """Prepare the channel to the first server; nothing is sent yet.

        Raises:
            ConfigurationError: the target is no address.
        """
        check_target(target)
        self.home: Final = target
        """The server that the user named."""
        self._tls = tls
        self._plaintext = plaintext
        self._is_plain_at_home = tls is None and is_loopback(target)
        self._channels = {target: self._open(target)}
        self._retired: grpc.aio.Channel | None = None
        self._use(target)

    async def move(self, target: str) -> None:
        """Make all further calls at another server; the channel to the first one stays open.

        Raises:
            ConfigurationError: the target is no address.
        """
        if target == self.target:
            return
        check_target(target)
        left = self.target
        if target not in self._channels:
            self._channels[target] = self._open(target)
        self._use(target)
        if left != self.home:
            await self._channels.pop(left).close()

    async def renew(self) -> None:
        """Make all further calls over a new connection to the server in use.

        The library would go on with a connection that is half open until its own signs of life
        fail. Calls under way keep it until they end, or until this is asked once more.
        """
        retired, self._retired = self._retired, self._channels[self.target]
        self._channels[self.target] = self._open(self.target)
        self._use(self.target)
        if retired is not None:
            await retired.close()

    async def aclose(self) -> None:
        """Close all channels."""
        if self._retired is not None:
            await self._retired.close()
        for channel in self._channels.values():
            await channel.close()

    def _use(self, target: str) -> None:
        channel = self._channels[target]
        self.target = target
        """The server in use."""
        self.accounts = account_service_pb2_grpc.AccountServiceStub(channel)
        self.play = play_service_pb2_grpc.PlayServiceStub(channel)
        self.records = record_service_pb2_grpc.RecordServiceStub(channel)
        self.rules = rules_service_pb2_grpc.RulesServiceStub(channel)
        self.spectate = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.tournaments = tournament_service_pb2_grpc.TournamentServiceStub(channel)

    def _open(self, target: str) -> grpc.aio.Channel:
        plaintext = self._plaintext
        if plaintext is None:
            # Nobody is sent from a checked server to an unchecked one, nor in the clear off
            # this machine.
            plaintext = self._is_plain_at_home and is_loopback(target)
        return open_channel(target, self._tls, plaintext)
