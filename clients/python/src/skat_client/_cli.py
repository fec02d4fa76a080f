"""The command line `skat-client`: bundled bots, tables, and watching."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from skat_client import _commands as commands
from skat_client._aio import AsyncClient
from skat_client._channel import SERVER_VARIABLE
from skat_client._parser import new_parser
from skat_client._tokens import TOKEN_VARIABLE
from skat_client.errors import (
    AlreadySeatedError,
    BadRuleSetError,
    BotError,
    ErrorReason,
    FairnessError,
    NotAllowedError,
    NotFoundError,
    SeatTakenError,
    ServerError,
    SessionSupersededError,
    SkatError,
    TableLostError,
    TableOverError,
    UnauthenticatedError,
    UnavailableError,
)

FAILED: Final = 1
"""Exit status when the server says no or does not answer."""
INTERRUPTED: Final = 130
"""Exit status after Ctrl-C."""

Command = Callable[[AsyncClient, argparse.Namespace, commands.Say], Coroutine[Any, Any, None]]

_HINTS: Final[Mapping[type[SkatError], str]] = {
    UnavailableError: "Start a server with `make serve`, or name another with --server "
    f"HOST:PORT or {SERVER_VARIABLE}.",
    NotFoundError: "`skat-client tables` lists the public tables.",
    NotAllowedError: "It takes the token that made the table, or sits at it: --token or "
    f"{TOKEN_VARIABLE}.",
    SeatTakenError: "Leave --seat out to get any free seat; if none is free, make another table "
    "with `skat-client create --preset isko`.",
    AlreadySeatedError: f"Every bot needs a token of its own: --token or {TOKEN_VARIABLE}.",
    FairnessError: "Do not trust this server's cards; keep what it said.",
    TableLostError: "The server keeps its tables where it was started with --data. Make another "
    "one with `skat-client create --preset isko`.",
    TableOverError: "Make another table with `skat-client create --preset isko`.",
    SessionSupersededError: "Another program plays under the same token; give each bot its own "
    f"with --token or {TOKEN_VARIABLE}.",
    UnauthenticatedError: "Where the server keeps accounts, its operator has tokens; elsewhere "
    "any random text of 16 to 200 characters will do.",
    BadRuleSetError: "`skat-client presets --options` lists presets, options and their values.",
    BotError: "This is a fault of the bot, not of the server.",
}

_HINTS_OF_SIGNS: Final = {
    "CERTIFICATE_VERIFY_FAILED": "Nobody whom this machine trusts has signed the server's "
    "certificate: name the file of those who have with --ca.",
    "Hostname Verification Check": "The server's certificate is for another name: give that one "
    "with --server-name.",
    "create security handshaker": "What --ca names has no certificates in PEM form.",
    "plaintext=True": "The server speaks plain text? Add --plaintext.",
    "Socket closed": "The server speaks TLS? Name the authorities of its certificate with --ca.",
}
"""What a connection that was refused looks like; libraries say it in words alone."""

_HINTS_OF_REASON: Final[Mapping[ErrorReason, str]] = {
    ErrorReason.TOURNAMENT_NOT_FOUND: "`skat-server tournament list` shows the tournaments of a "
    "server.",
    ErrorReason.TOURNAMENT_STATE: "Its organiser opens and starts it.",
    ErrorReason.NAME_TAKEN: "Choose another name.",
    **dict.fromkeys(
        (ErrorReason.DRAINING, ErrorReason.GOING_AWAY),
        "The server is being restarted: say it again in a minute.",
    ),
    ErrorReason.STORE_UNAVAILABLE: "Its disk is full or slow: tell its operator, and say it again "
    "later.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    try:
        return asyncio.run(run_command(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED


async def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run one command in the running loop; the exit status."""
    options = new_parser().parse_args(arguments)
    command: Command = options.command
    try:
        async with commands.new_client(options) as client:
            await command(client, options, _say)
    except (SkatError, ExceptionGroup) as failure:
        error = _first_of(failure)
        if not isinstance(error, SkatError):
            raise
        sys.stderr.write("\n".join(filter(None, (f"skat-client: {error}", _hint(error)))) + "\n")
        return FAILED
    except BrokenPipeError:
        # Whoever read the lines has had enough; the interpreter's last flush must not fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _hint(error: SkatError) -> str:
    """What to do about it."""
    for sign, hint in _HINTS_OF_SIGNS.items():
        if sign in str(error):
            return hint
    reason = error.reason if isinstance(error, ServerError) else None
    if reason is not None and reason in _HINTS_OF_REASON:
        return _HINTS_OF_REASON[reason]
    return next((text for kind, text in _HINTS.items() if isinstance(error, kind)), "")


def _first_of(failure: Exception) -> Exception:
    while isinstance(failure, ExceptionGroup):
        failure = failure.exceptions[0]
    return failure


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
