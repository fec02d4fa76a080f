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
    if target.ca is None and _is_loopback(target.address):
        channel = grpc.insecure_channel(target.address, options)
    else:
        roots = None if target.ca is None else target.ca.read_bytes()
        channel = grpc.secure_channel(target.address, grpc.ssl_channel_credentials(roots), options)
    try:
        yield channel
    except grpc.RpcError as error:
        raise _explained(target, error) from error
    finally:
        channel.close()


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _explained(target: Target, error: grpc.RpcError) -> RemoteError:
    code, details = error.code(), error.details()
    reason = _reason(error)
    if reason:
        return RemoteError(details or reason, reason)
    if code is grpc.StatusCode.UNAVAILABLE:
        return RemoteError(
            f"no server answers at {target.address}; start one with `skat-server serve`, or name "
            "another with --server"
        )
    return RemoteError(f"{code.name}: {details}")


def _reason(error: grpc.RpcError) -> str:
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    for detail in () if status is None else status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info.reason
    return ""
