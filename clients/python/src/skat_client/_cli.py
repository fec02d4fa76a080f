"""The command line `skat-client`: bundled bots, tables, and watching."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from skat_client import _commands as commands
from skat_client._aio import AsyncClient
from skat_client._channel import DEFAULT_SERVER, SERVER_VARIABLE, TOKEN_VARIABLE
from skat_client._tables import TableState
from skat_client.errors import (
    AlreadySeatedError,
    BadRuleSetError,
    BotError,
    NotAllowedError,
    NotFoundError,
    SeatTakenError,
    SessionSupersededError,
    SkatError,
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
    SeatTakenError: "Make another table with `skat-client create --preset isko`.",
    AlreadySeatedError: f"Every bot needs a token of its own: --token or {TOKEN_VARIABLE}.",
    TableOverError: "Make another table with `skat-client create --preset isko`.",
    SessionSupersededError: "Another program plays under the same token; give each bot its own "
    f"with --token or {TOKEN_VARIABLE}.",
    UnauthenticatedError: "Any random text of 16 to 200 characters will do as a token.",
    BadRuleSetError: "`skat-client presets --options` lists presets, options and their values.",
    NotAllowedError: "Its players and whoever made it may; the token it was made with is in "
    f"{TOKEN_VARIABLE} or --token.",
    BotError: "This is a fault of the bot, not of the server.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    try:
        return asyncio.run(run_command(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED


async def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run one command in the running loop; the exit status."""
    options = _parser().parse_args(arguments)
    command: Command = options.command
    try:
        async with commands.new_client(options) as client:
            await command(client, options, _say)
    except (SkatError, ExceptionGroup) as failure:
        error = _first_of(failure)
        if not isinstance(error, SkatError):
            raise
        hint = next((text for kind, text in _HINTS.items() if isinstance(error, kind)), "")
        sys.stderr.write("\n".join(filter(None, (f"skat-client: {error}", hint))) + "\n")
        return FAILED
    except BrokenPipeError:
        # Whoever read the lines has had enough; the interpreter's last flush must not fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _first_of(failure: Exception) -> Exception:
    while isinstance(failure, ExceptionGroup):
        failure = failure.exceptions[0]
    return failure


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skat-client", description="Play, watch and list tables of a Skat game server."
    )
    commands_of = parser.add_subparsers(required=True, metavar="COMMAND")
    connection = _connection_options()
    _add_play(commands_of.add_parser("play", parents=[connection], help="play with a bundled bot"))
    _add_watch(commands_of.add_parser("watch", parents=[connection], help="show a public table"))
    _add_create(commands_of.add_parser("create", parents=[connection], help="make a table"))
    _add_end(
        commands_of.add_parser("end", parents=[connection], help="end a series that has no end")
    )
    _add_tables(commands_of.add_parser("tables", parents=[connection], help="list public tables"))
    _add_presets(commands_of.add_parser("presets", parents=[connection], help="list the rules"))
    return parser


def _connection_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument(
        "--server",
        metavar="HOST:PORT",
        help=f"the server; else {SERVER_VARIABLE}, else {DEFAULT_SERVER}",
    )
    options.add_argument(
        "--token",
        help="who you are, 16 to 200 characters; "
        f"else {TOKEN_VARIABLE}, which no list of processes shows, else a new random one",
    )
    options.add_argument(
        "--plaintext", action="store_true", help="no TLS, though the server is another machine"
    )
    options.add_argument(
        "--ca-file", metavar="FILE", help="PEM file of the authorities that vouch for the server"
    )
    return options


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bot", default="rules", help="random, first-option, chaos or rules (default)"
    )
    parser.add_argument("--table", metavar="ID", help="default: the newest one with a free seat")
    parser.add_argument("--seat", type=int, help="default: the first free one")
    parser.add_argument("--name", default="", help="your name at the table; default: the bot's")
    parser.add_argument("--seed", type=int, default=0, help="of the bot's chance; default 0")
    _add_max_downtime(parser)
    parser.set_defaults(command=commands.play)


def _add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="id of a public table")
    _add_max_downtime(parser)
    parser.set_defaults(command=commands.watch_table)


def _add_max_downtime(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-downtime",
        type=float,
        metavar="SECONDS",
        help="give up after this long without a connection; default: never",
    )


def _add_create(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="isko", help="the rules; default isko")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="override an option"
    )
    parser.add_argument("--seats", type=int, help="places at the table")
    parser.add_argument("--deals", type=int, help="deals of the series")
    parser.add_argument("--name", default="", help="a name for the table")
    parser.add_argument(
        "--bots", default="", metavar="BOT,...", help="seat these bundled bots and play them"
    )
    parser.add_argument("--private", action="store_true", help="neither listed nor watched")
    parser.add_argument("--seed", metavar="HEX", help="deals from a seed of 32 bytes, for practice")
    parser.set_defaults(command=commands.create_table)


def _add_end(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="id of a table that you made or play at")
    parser.set_defaults(command=commands.end_series)


def _add_tables(parser: argparse.ArgumentParser) -> None:
    states = [str(state) for state in TableState]
    parser.add_argument("--state", choices=states, help="only tables in this state")
    parser.set_defaults(command=commands.list_tables)


def _add_presets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", action="store_true", help="the options and their values too")
    parser.set_defaults(command=commands.list_presets)
