"""What the servicers share: who calls, waiting for a table, pages."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import grpc
from google.protobuf.message import Message

from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player, player_of
from skat_server.tables.table import Done

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]
else:  # generic in the type stubs only
    Context = grpc.aio.ServicerContext

WRITE_WITHIN: Final = 10.0
"""Seconds that the transport may refuse a message before the reader counts as too slow."""

DEFAULT_PAGE: Final = 50
LARGEST_PAGE: Final = 200
LONGEST_TOKEN: Final = 12

_Row = TypeVar("_Row")


def caller(context: Context) -> Player:
    """The player who makes this call.

    Raises:
        RefusedError: UNAUTHENTICATED.
    """
    return player_of(_authorization(context))


def caller_id_or_none(context: Context) -> str | None:
    """The id of the player who makes this call, None without a token.

    Raises:
        RefusedError: UNAUTHENTICATED for a token that cannot be used.
    """
    authorization = _authorization(context)
    return None if authorization is None else player_of(authorization).player_id


def _authorization(context: Context) -> str | None:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            return value if isinstance(value, str) else value.decode(errors="replace")
    return None


async def settled(start: Callable[[Done], object]) -> None:
    """Start a table's command and wait until its step is durable.

    Raises:
        RefusedError: why nothing happened.
    """
    outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(refusal: RefusedError | None) -> None:
        if outcome.done():
            return
        if refusal is None:
            outcome.set_result(None)
        else:
            outcome.set_exception(refusal)

    start(done)
    await outcome


async def write_in_time(context: Context, response: Message) -> None:
    """Write to a stream whose reader keeps up.

    Raises:
        RefusedError: SLOW_CONSUMER when the transport takes nothing for too long.
    """
    try:
        async with asyncio.timeout(WRITE_WITHIN):
            await context.write(response)
    except TimeoutError as error:
        raise RefusedError(
            Reason.SLOW_CONSUMER, f"nothing was read for {WRITE_WITHIN:.0f} s; reconnect"
        ) from error


def check_length(field: str, text: str, longest: int, *, shortest: int = 0) -> None:
    """Refuse a text that is too long, too short, or not printable.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    if not shortest <= len(text) <= longest:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"{field} has {len(text)} characters; use {shortest} to {longest}",
            field=field,
        )
    if not text.isprintable():
        raise RefusedError(
            Reason.INVALID_FIELD, f"{field} has characters that cannot be printed", field=field
        )


def page(rows: Sequence[_Row], page_size: int, page_token: str) -> tuple[Sequence[_Row], str]:
    """One page of a list and the token of the next one, empty on the last page.

    Raises:
        RefusedError: INVALID_FIELD for a token that no page gave.
    """
    start = page_start(page_token)
    end = start + min(page_size or DEFAULT_PAGE, LARGEST_PAGE)
    return rows[start:end], str(end) if end < len(rows) else ""


def page_start(page_token: str) -> int:
    """The number in the token of a page, 0 for the first page.

    Raises:
        RefusedError: INVALID_FIELD for a token that no page gave.
    """
    readable = page_token.isascii() and page_token.isdigit() and len(page_token) <= LONGEST_TOKEN
    if page_token and not readable:
        raise RefusedError(
            Reason.INVALID_FIELD,
            "page_token is not one that a page gave; leave it empty for the first page",
            field="page_token",
        )
    return int(page_token or "0")
