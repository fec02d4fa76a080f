"""What a call that failed is called, for people."""

import grpc
import pytest

from skat_server.remote.connection import Target, explained


def failed(details: str) -> grpc.aio.AioRpcError:
    """A call as gRPC ends it; no name server is asked here."""
    none = grpc.aio.Metadata()
    return grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, none, none, details)


@pytest.mark.parametrize(
    "details",
    [
        "errors resolving nobody.invalid:7: [field:hostname lookup error:address lookup failed for "
        "nobody.invalid:7: Domain name not found]",
        "DNS resolution failed for nobody.invalid:7: C-ares status is not ARES_SUCCESS",
    ],
    ids=["new", "old"],
)
def test_a_host_that_is_none_is_said(details: str) -> None:
    error = explained(Target("nobody.invalid:7"), failed(details), option="--target")
    assert "there is no host of the name nobody.invalid" in str(error)
    assert "--target" in str(error)
