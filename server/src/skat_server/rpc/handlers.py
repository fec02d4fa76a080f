"""How a service with handlers of its own is joined to a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc

if TYPE_CHECKING:  # generic in the type stubs only
    Handlers = dict[str, grpc.RpcMethodHandler[Any, Any]]


def add_handlers(server: grpc.aio.Server, service: str, handlers: Handlers) -> None:
    """Add the methods of a service, as generated code does.

    Args:
        server: where to add them.
        service: full name of the service.
        handlers: by the names of the methods.
    """
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    server.add_registered_method_handlers(service, handlers)
