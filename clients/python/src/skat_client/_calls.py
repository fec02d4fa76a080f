"""What every group of calls needs: a server, a player, and one way to fail."""

from typing import TypeVar

import grpc

from skat_client._channel import Tls, server_address
from skat_client._failures import error_from_rpc
from skat_client._tokens import player_token, token_metadata
from skat_client._wires import Wires
from skat_client.errors import ErrorDetails, ProtocolError, UnavailableError

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class Calls:
    """A connection to a server, for one player."""

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
            token: who the player is; else the environment's `SKAT_TOKEN`, else the token in the
                file that its `SKAT_TOKEN_FILE` names, which is made when it is not there, else a
                new random one.
            tls: how to check the server's certificate.
            plaintext: whether to speak without TLS; None means on the loopback only.
            timeout: seconds that a call may take.

        Raises:
            ConfigurationError: the address or the token cannot be used.
        """
        self.token: str = player_token(token)
        """Who the player is. Keep it to come back as the same player, and keep it secret."""
        self._wires = Wires(server_address(server), tls, plaintext)
        self._metadata = token_metadata(self.token)
        self._timeout = timeout

    @property
    def server(self) -> str:
        """The server, `host:port`; another one after a server has sent its clients there."""
        return self._wires.target

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> _Response:
        try:
            response = await method(request, timeout=self._timeout, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            failure = error_from_rpc(error)
            if failure.reason is None and isinstance(failure, UnavailableError):
                text = f"no answer from {self.server}: {failure.message}"
                raise UnavailableError(text, ErrorDetails(failure.details.code)) from error
            raise failure from error
        if response is None:
            # So the library says that the bytes are no message.
            raise ProtocolError(f"{self.server} answered what cannot be read")
        return response
