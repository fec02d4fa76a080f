"""A server from its start to its end, as a process."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import Any, Final

import structlog

from skat_server.app import App
from skat_server.cli.files import FewFilesError
from skat_server.cli.first_steps import explain_first_steps
from skat_server.cli.loops import spare_the_collector
from skat_server.cli.saying import say
from skat_server.cli.scheduling import batch_while_busy, can_set_policy
from skat_server.cli.service_manager import give_signs_of_life, tell
from skat_server.cli.stop_signals import stop_signals
from skat_server.clock import Clock, SystemClock
from skat_server.config import (
    DATABASE,
    LEAST_CONNECTIONS,
    OWN_FILES,
    Settings,
    connections_within,
    is_loopback,
)
from skat_server.observability.line_queue import LineQueue
from skat_server.observability.metrics.room import Room
from skat_server.open_files import raise_file_limit
from skat_server.storage.protocols import Durability, StoreError

EXIT_STORE_DEAD: Final = 74
"""Nothing can be kept any more; a new start reads what is there."""

LAST_LINES_WITHIN: Final = 2.0
"""Seconds that a server that ends leaves to whoever reads its log."""

_log = structlog.get_logger()


async def run(settings: Settings, room: Room, lines: LineQueue) -> None:
    """Serve until a signal or the operator says to stop, and the stop is over.

    Args:
        settings: how the server is run.
        room: keeps its numbers.
        lines: brings its log to whoever reads it.

    Raises:
        CertificateError: a certificate cannot be used.
        FewFilesError: the machine allows hardly any connections.
        ListenError: an address cannot be bound.
        StoreError: the store has failed before it was watched.
        UnusableStoreError: the store cannot be used.
    """
    app = App(with_files(settings), room=room)
    # From here on, not only once it listens: a start that goes on with many tables takes a while.
    _heed_signals(app)
    clock = SystemClock()
    beside: list[Callable[[Clock], Coroutine[Any, Any, None]]] = [give_signs_of_life]
    if can_set_policy():
        beside.append(batch_while_busy)
    async with app:
        app.store.watch(lambda: _leave_if_dead(app.store.fatal, lines))
        app.drain.watch(lambda: _say_stops(app, lines))
        spare_the_collector()
        _greet(app, lines)
        await explain_first_steps(app, lines.write)
        async with running_beside(watch(clock) for watch in beside):
            tell("READY=1")
            await app.wait_stopping()
    # Everything is told and kept: who hurries now must not spoil the exit code.
    for number in stop_signals():
        signal.signal(number, signal.SIG_IGN)


@asynccontextmanager
async def running_beside(watches: Iterable[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run these until the end of the block; one that fails is told at once, and ends nothing."""
    tasks = [asyncio.create_task(watch) for watch in watches]
    for task in tasks:
        task.add_done_callback(_tell_failure)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _tell_failure(task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        context = {"message": "a watch beside the server has failed", "exception": error}
        task.get_loop().call_exception_handler(context)


def with_files(settings: Settings) -> Settings:
    """The settings with as many connections as the machine allows, after asking it for more.

    Raises:
        FewFilesError: it allows hardly any.
    """
    wanted = settings.limits.connections + OWN_FILES
    allowed = raise_file_limit(wanted)
    if allowed >= wanted:
        return settings
    connections = connections_within(allowed)
    if connections < LEAST_CONNECTIONS:
        raise FewFilesError(allowed, wanted)
    _log.warning("files.few", files=allowed, connections=connections)
    return replace(settings, limits=replace(settings.limits, connections=connections))


def _heed_signals(app: App) -> None:
    """Stop when a signal says so.

    The event loop's own handlers end with it, and a signal after that would end the process.
    """
    loop = asyncio.get_running_loop()

    def heed(_number: int, _frame: FrameType | None) -> None:
        with suppress(RuntimeError):  # a start that was refused, and the loop is closed
            loop.call_soon_threadsafe(_stop, app)

    for number in stop_signals():
        signal.signal(number, heed)


def _stop(app: App) -> None:
    """Begin to stop; the second time wait for nothing any more."""
    if app.drain.is_draining:
        app.drain.hurry()
    else:
        app.drain.start()


def _say_stops(app: App, lines: LineQueue) -> None:
    """Say that the server stops, whoever told it to."""
    deals = app.tables.deals_under_way
    waits = f": {deals} deals under way get up to {app.drain.left:.0f} s" if deals else ""
    lines.write(f"skat-server stops{waits}")
    tell("STOPPING=1")


def _greet(app: App, lines: LineQueue) -> None:
    settings = app.settings
    say(f"skat-server listening on {app.address}")
    say(_keeping(settings))
    if app.admin_address is not None:
        say(f"the operator's port is {app.admin_address}")
    if app.web_address is not None:
        say(f"metrics and health are at http://{app.web_address}")
    if settings.tls is None and not is_loopback(settings.host):
        _log.warning("listen.insecure", host=settings.host)
        lines.write(
            f"WARNING: {app.address} speaks plain text. Whoever is on the way reads every token "
            "and every card, and can play in anybody's place."
        )


def _keeping(settings: Settings) -> str:
    """Where tables are kept, and how well."""
    if settings.data is None:
        return "tables are kept in memory and end with the server"
    path = (settings.data / DATABASE).absolute()
    if settings.durability is Durability.DEAL:
        return f"tables are kept in {path}, finished deals safe from power cuts"
    return f"tables are kept in {path}, every action on the disk before anybody sees it"


def _leave_if_dead(fatal: StoreError | None, lines: LineQueue) -> None:
    """End the process on the spot when nothing can be kept any more.

    An orderly end would write to a file of which nobody knows what it holds, or which is
    another server's by now.
    """
    if fatal is None:
        return
    lines.write(ends_because(fatal))
    lines.close(LAST_LINES_WITHIN)
    os._exit(EXIT_STORE_DEAD)


def ends_because(fatal: StoreError) -> str:
    """What is said when nothing can be kept any more."""
    return f"skat-server ends: {fatal}. Start it again to go on from what is kept."
