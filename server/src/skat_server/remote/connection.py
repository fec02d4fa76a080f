"""A connection to a running server, and what its refusals look like here."""

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

CALL_SECONDS: Final = 30.0
"""How long one call may take."""
_LARGEST_MESSAGE: Final = 64 * 1024 * 1024


class RemoteError(Exception):
    """The server refused, or cannot be reached; the text says why and what to do.

    Attributes:
        reason: the server's reason; empty where it gave none.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        """Keep sentence and reason."""
        super().__init__(message)
        self.reason = reason


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

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What tells the server who asks."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


@contextmanager
def connected(target: Target) -> Iterator[grpc.Channel]:
    """A channel to a server: plain on the loopback, with TLS elsewhere.

    Raises:
        RemoteError: whatever goes wrong in the block.
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
        OSError: the file with the certificates cannot be read.
    """
    # Channels to one address share a connection unless they are told not to.
    options = [("grpc.use_local_subchannel_pool", 1)]
    credentials = _credentials(target)
    if credentials is None:
        return grpc.aio.insecure_channel(target.address, options)
    return grpc.aio.secure_channel(target.address, credentials, options)


def _credentials(target: Target) -> grpc.ChannelCredentials | None:
    """For TLS; None for plain text, which only the loopback gets."""
    if target.ca is None and target.certificate is None and _is_loopback(target.address):
        return None
    roots, key, certificate = (
        None if path is None else path.read_bytes()
        for path in (target.ca, target.key, target.certificate)
    )
    return grpc.ssl_channel_credentials(roots, key, certificate)


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
    code, details = error.code(), error.details()
    reason = reason_of(error)
    if reason:
        return RemoteError(details or reason, reason)
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
