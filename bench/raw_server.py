"""The yardstick: a bare grpc.aio server that sends back what it gets, and nothing else.

python -m bench.raw_server [--loop uvloop]
"""

import argparse
import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc

SERVICE: Final = "bench.Echo"
METHOD: Final = "Play"
PATH: Final = f"/{SERVICE}/{METHOD}"


async def echo(
    requests: AsyncIterator[bytes], context: "grpc.aio.ServicerContext[Any, Any]"
) -> None:
    """Send every message back."""
    async for request in requests:
        await context.write(request)


async def serve() -> None:
    """Listen on a free port of the loopback, say so, and serve until killed."""
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        METHOD: grpc.stream_stream_rpc_method_handler(echo)
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"echo listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


def main() -> None:
    """Read the options and serve."""
    parser = argparse.ArgumentParser(description="a bare echo over gRPC")
    parser.add_argument("--loop", choices=("asyncio", "uvloop"), default="asyncio")
    run(parser.parse_args().loop)


def run(loop: str) -> None:
    """Serve on an event loop of this kind."""
    factory = None
    if loop == "uvloop":
        import uvloop  # noqa: PLC0415  # an extra

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve())


if __name__ == "__main__":
    main()
