"""What a refused call carries, read the way a client reads it."""

from collections.abc import Awaitable
from dataclasses import dataclass

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status


@dataclass(frozen=True)
class Failure:
    """Status and details of a call that failed."""

    code: grpc.StatusCode
    text: str
    details: tuple[Message, ...]

    @property
    def info(self) -> error_details_pb2.ErrorInfo:
        """The one `ErrorInfo`."""
        (info,) = (d for d in self.details if isinstance(d, error_details_pb2.ErrorInfo))
        return info

    @property
    def reason(self) -> str:
        """The reason's name."""
        return self.info.reason

    @property
    def fields(self) -> list[str]:
        """The fields at fault."""
        return [
            violation.field
            for detail in self.details
            if isinstance(detail, error_details_pb2.BadRequest)
            for violation in detail.field_violations
        ]

    @property
    def retry_ms(self) -> int:
        """When to come back."""
        (retry,) = (d for d in self.details if isinstance(d, error_details_pb2.RetryInfo))
        return retry.retry_delay.ToMilliseconds()


_DETAILS = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.QuotaFailure,
    error_details_pb2.RetryInfo,
)


def failure_of(error: grpc.aio.AioRpcError) -> Failure:
    """Status and details of an error."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # an error has the same methods
    details: list[Message] = []
    for packed in status.details if status else ():
        kind = next(kind for kind in _DETAILS if packed.Is(kind.DESCRIPTOR))
        detail = kind()
        packed.Unpack(detail)
        details.append(detail)
    return Failure(error.code(), error.details() or "", tuple(details))


async def failure(call: Awaitable[object]) -> Failure:
    """The failure of a call that must fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return failure_of(caught.value)
