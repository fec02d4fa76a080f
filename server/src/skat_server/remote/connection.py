"""A connection to a running server, and what its refusals look like here."""

import ipaddress
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.error import URLError

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

CALL_SECONDS: Final = 30.0
"""How long one call may take."""
_LARGEST_MESSAGE: Final = 64 * 1024 * 1024
_RECONNECT_MS: Final = 200
"""Between two tries to reach a server that is away. The library's own pause grows to two minutes,
and would be all that is measured of a server that comes back."""
_NO_HANDSHAKE: Final = re.compile("handshake")
"""What the library says where the server speaks no TLS, or its certificate is not trusted."""
_CLOSED: Final = re.compile("failed to connect.*Socket closed")
"""What it says where the server speaks TLS and it does not, or the server wants no more."""
_NO_HOST: Final = re.compile("errors resolving|DNS resolution failed")
"""What it says where no name server knows the host, or none answers."""
_PORTS: Final = range(1, 65_536)


class RemoteError(Exception):
    """The server refused, or cannot be reached; the text says why and what to do.

    Attributes:
        reason: the server's reason; empty where it gave none.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        """Keep sentence and reason."""
        super().__init__(message)
        self.reason = reason


class AddressError(RemoteError):
    """What was given as a server's address is none."""


@dataclass(frozen=True, slots=True)
class Target:
    """Which server, and who asks."""

    address: str
    """host:port."""
    token: str = ""
    """The organiser's; empty for calls that need none."""
    ca: Path | None = None
    """Certificates that the server's is checked with; the system's own where not given."""
    certificate: Path | None = None
    """What the caller shows of himself, in PEM; nothing where not given."""
    key: Path | None = None
    """Its private key."""
    plaintext: bool = False
    """Whether to do without TLS beyond the loopback as well."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What tells the server who asks."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


@contextmanager
def connected(target: Target) -> Iterator[grpc.Channel]:
    """A channel to a server: plain on the loopback, with TLS elsewhere.

    Raises:
        RemoteError: whatever goes wrong in the block, or the address is none.
    """
    options = [("grpc.max_receive_message_length", _LARGEST_MESSAGE)]
    credentials = _credentials(target)
    if credentials is None:
        channel = grpc.insecure_channel(target.address, options)
    else:
        channel = grpc.secure_channel(target.address, credentials, options)
    try:
        yield channel
    except grpc.RpcError as error:
        raise explained(target, error) from error
    finally:
        channel.close()


def own_connection(target: Target) -> grpc.aio.Channel:
    """A channel for coroutines that shares its connection with no other one.

    Raises:
        RemoteError: the address is none.
        OSError: the file with the certificates cannot be read.
    """
    options = [
        # Channels to one address share a connection unless they are told not to.
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.initial_reconnect_backoff_ms", _RECONNECT_MS),
        ("grpc.max_reconnect_backoff_ms", _RECONNECT_MS),
    ]
    credentials = _credentials(target)
    if credentials is None:
        return grpc.aio.insecure_channel(target.address, options)
    return grpc.aio.secure_channel(target.address, credentials, options)


def _credentials(target: Target) -> grpc.ChannelCredentials | None:
    """For TLS; None for plain text, which only the loopback gets unasked."""
    require_address(target.address)
    is_bare = target.ca is None and target.certificate is None
    if target.plaintext or (is_bare and _is_loopback(target.address)):
        return None
    roots, key, certificate = (
        None if path is None else path.read_bytes()
        for path in (target.ca, target.key, target.certificate)
    )
    return grpc.ssl_channel_credentials(roots, key, certificate)


def require_address(address: str) -> None:
    """Make sure that something is an address.

    Raises:
        AddressError: it is none.
    """
    host, _, port = address.rpartition(":")
    is_named = host and "/" not in host and port.isdecimal()
    if not (is_named and int(port) in _PORTS):
        raise AddressError(
            f"{address!r} is no server address: write host:port, for instance localhost:7654"
        )


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def explained(target: Target, error: grpc.RpcError, *, option: str = "--server") -> RemoteError:
    """A failed call as a refusal that says why and what to do.

    Args:
        target: whom it has asked.
        error: how it has failed.
        option: names another server on the command line.
    """
    code, details = error.code(), error.details() or ""
    reason = reason_of(error)
    if reason:
        return RemoteError(details or reason, reason)
    if code is grpc.StatusCode.UNAVAILABLE and _NO_HANDSHAKE.search(details):
        return RemoteError(
            f"{target.address} and this program do not agree on TLS. Does the server speak it, and "
            f"is its certificate for this name and from who --ca names? {details}"
        )
    if code is grpc.StatusCode.UNAVAILABLE and _NO_HOST.search(details):
        host = target.address.rpartition(":")[0]
        return RemoteError(
            f"there is no host of the name {host}, as far as is known here; name another server "
            f"with {option}"
        )
    if code is grpc.StatusCode.UNAVAILABLE and _CLOSED.search(details):
        return RemoteError(
            f"{target.address} closes every connection: it speaks TLS, then name its certificate "
            "with --ca, or it has as many as it may (skat-server serve --max-connections)"
        )
    if code is grpc.StatusCode.UNAVAILABLE:
        return RemoteError(
            f"no server answers at {target.address}; start one with `skat-server serve`, or name "
            f"another with {option}"
        )
    return RemoteError(f"{code.name}: {details}")


def reason_of(error: grpc.RpcError) -> str:
    """The server's own reason; empty where it gave none."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    for detail in () if status is None else status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info.reason
    return ""


def why_unanswered(error: Exception) -> str:
    """What was in the way of a request over HTTP, in the words of the machine."""
    cause = error.reason if isinstance(error, URLError) else error
    return (cause.strerror if isinstance(cause, OSError) else None) or str(cause)
