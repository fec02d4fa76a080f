"""One port with a gRPC server behind it."""

from collections.abc import Sequence
from typing import Final

import grpc

from skat_server.certificates import Certificate
from skat_server.ports import ListenError, why_not

MAX_MESSAGE_BYTES: Final = 256 * 1024
"""Largest message that is read: a frame of 1,024 submissions fits, floods do not (ADR 0015)."""
MAX_METADATA_BYTES: Final = 8 * 1024
SPARE_CALLS: Final = 2_000
"""Calls beyond the streams that are carried; the transport refuses more without a reason."""

MAX_CONCURRENT_STREAMS: Final = 1_000
"""Calls under way on one connection; further ones wait in the client. The library forgets calls
that are given up without a message, and only this bounds them (ADR 0016)."""

_OPTIONS: Final[Sequence[tuple[str, int]]] = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", 2 * MAX_METADATA_BYTES),
    ("grpc.max_concurrent_streams", MAX_CONCURRENT_STREAMS),
    # Fast senders may otherwise have megabytes on a stream that nobody has read yet; what is
    # left is the 64 KiB of the protocol, and a single message.
    ("grpc.http2.bdp_probe", 0),
    # A second server on the same port must fail, not share it silently.
    ("grpc.so_reuseport", 0),
    # Bots may ping every 10 s, also while they wait between deals; the default of five
    # minutes would cut honest ones with too_many_pings.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Find dead peers, and close connections that say nothing.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 300_000),
)


def address_of(host: str, port: int) -> str:
    """Host and port as gRPC reads them: an IPv6 address needs brackets.

    >>> address_of("::1", 7654)
    '[::1]:7654'
    """
    is_bare = ":" in host and not host.startswith("[")
    return f"[{host}]:{port}" if is_bare else f"{host}:{port}"


class Listener:
    """A gRPC server on one port.

    Attributes:
        server: to which services are added before it starts.
        port: the bound port, once started.
    """

    def __init__(
        self,
        interceptors: Sequence[grpc.aio.ServerInterceptor],
        *,
        handshake: float,
        connections: int,
        streams: int,
    ) -> None:
        """Build the server; nothing listens yet.

        Args:
            interceptors: the outermost first.
            handshake: seconds within which a new connection has to speak.
            connections: most of them at once.
            streams: most calls at once, those that the transport refuses left aside.
        """
        self.port = 0
        self._is_running = False
        calls = streams + SPARE_CALLS
        self.server = grpc.aio.server(
            interceptors=interceptors,
            options=(
                *_OPTIONS,
                ("grpc.server_handshake_timeout_ms", round(handshake * 1_000)),
                ("grpc.max_allowed_incoming_connections", connections),
                # Players who all come back at once wait for the loop; of more than a thousand
                # calls the library would otherwise end some by chance, as if they were cancelled.
                ("grpc.server.max_pending_requests", calls),
                ("grpc.server.max_pending_requests_hard_limit", calls),
            ),
            maximum_concurrent_rpcs=calls,
        )

    async def start(self, host: str, port: int, certificate: Certificate | None) -> None:
        """Listen; in plain text without a certificate.

        Args:
            host: the address.
            port: 0 takes a free one.
            certificate: what it shows to clients.

        Raises:
            ListenError: the address cannot be bound.
        """
        wanted = address_of(host, port)
        try:
            if certificate is None:
                self.port = self.server.add_insecure_port(wanted)
            else:
                self.port = self.server.add_secure_port(wanted, _credentials(certificate))
        except RuntimeError as error:
            # The library does not say what is in the way.
            reason = why_not(host, port) or OSError("is another server there?")
            raise ListenError(f"cannot listen on {wanted}", reason) from error
        await self._run()

    async def abandon(self) -> None:
        """End a server that has not started, or only just.

        The library complains while the interpreter ends about servers that were never stopped, and
        stops only those that have run. This one has no port, so nobody can call it meanwhile.
        """
        if not self._is_running:
            await self._run()
        await self.server.stop(None)

    async def _run(self) -> None:
        await self.server.start()
        self._is_running = True


def _credentials(certificate: Certificate) -> grpc.ServerCredentials:
    return grpc.ssl_server_credentials(
        [(certificate.key, certificate.chain)],
        root_certificates=certificate.client_ca,
        require_client_auth=certificate.client_ca is not None,
    )
