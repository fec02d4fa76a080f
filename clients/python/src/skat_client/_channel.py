"""Where the server is and how it is talked to."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import grpc

from skat_client.errors import ConfigurationError

DEFAULT_SERVER: Final = "127.0.0.1:7654"
"""Where `make serve` listens."""

SERVER_VARIABLE: Final = "SKAT_SERVER"

_PORTS: Final = range(1, 65_536)

CHANNEL_OPTIONS: Final = (
    # A dead peer shows after 30 s. The server permits a ping every 10 s.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # Sessions have their own back-off; a long one inside the channel would only delay it.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # A frame can hold a whole deal for every table of the session.
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.max_send_message_length", 1024 * 1024),
    # One connection for each client, also when two of them use the same target.
    ("grpc.use_local_subchannel_pool", 1),
)


@dataclass(frozen=True, slots=True)
class Tls:
    """How to check the server's certificate."""

    root_certificates: bytes | None = None
    """PEM; None means the authorities that the gRPC library trusts."""
    server_name: str | None = None
    """The name in the certificate, where it is not the host of the target."""


def is_loopback(target: str) -> bool:
    """Whether the target is this machine.

    >>> is_loopback("localhost:7654"), is_loopback("[::1]:7654"), is_loopback("skat.example:443")
    (True, True, False)
    """
    if target.startswith("unix:"):
        return True
    host = target.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_target(target: str) -> str:
    """The target as it is.

    Raises:
        ConfigurationError: it is not `host:port`, with a port from 1 to 65535.
    """
    host, _, port = target.rpartition(":")
    is_named = host and "/" not in host and port.isdecimal()
    if target.startswith("unix:") or (is_named and int(port) in _PORTS):
        return target
    raise ConfigurationError(
        f"{target!r} is no server address: write host:port, for instance localhost:7654"
    )


def open_channel(target: str, tls: Tls | None, plaintext: bool | None) -> grpc.aio.Channel:
    """A channel: plain on the loopback, with TLS elsewhere, unless told otherwise."""
    check_target(target)
    if plaintext is None:
        plaintext = tls is None and is_loopback(target)
    options: tuple[tuple[str, int | str], ...] = CHANNEL_OPTIONS
    if is_loopback(target):
        # A proxy of the environment does not reach this machine.
        options += (("grpc.enable_http_proxy", 0),)
    if plaintext:
        return grpc.aio.insecure_channel(target, options=options)
    tls = tls or Tls()
    if tls.server_name is not None:
        options += (("grpc.ssl_target_name_override", tls.server_name),)
    credentials = grpc.ssl_channel_credentials(tls.root_certificates)
    return grpc.aio.secure_channel(target, credentials, options=options)


def server_address(target: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The target given, else the one in the environment, else the default."""
    return target or environment.get(SERVER_VARIABLE) or DEFAULT_SERVER
