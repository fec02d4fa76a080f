"""What may be typed after `skat-client`."""

import argparse
from importlib import metadata
from typing import Any

from skat_client import _commands as commands
from skat_client import _playing as playing
from skat_client import _record_commands as record_commands
from skat_client import _token_commands as token_commands
from skat_client import _tournament_commands as tournament_commands
from skat_client._channel import DEFAULT_SERVER, SERVER_VARIABLE
from skat_client._tables import TableState
from skat_client._tokens import TOKEN_FILE_VARIABLE, TOKEN_VARIABLE
from skat_client.bots import BOTS


def new_parser() -> argparse.ArgumentParser:
    """The parser of the command line; what it returns has the function to call as `command`."""
    parser = argparse.ArgumentParser(
        prog="skat-client",
        description="Play, watch and list tables of a Skat game server.",
        epilog="First steps: skat-client create --deals 12 --bots random,first-option,rules",
    )
    version = f"skat-client {metadata.version('skat-client')}"
    parser.add_argument("--version", action="version", version=version)
    commands_of = parser.add_subparsers(required=True, metavar="COMMAND")
    connection = _connection_options()

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands_of.add_parser(name, parents=[connection], help=text, description=text)

    _add_play(add("play", "play with a bundled bot"))
    _add_watch(add("watch", "show a public table as it is played"))
    _add_create(add("create", "make a table, and seat bundled bots there"))
    _add_tables(add("tables", "list public tables"))
    _add_presets(add("presets", "list the rules that a table can have"))
    _add_records(add("records", "print the records of a table's deals, or verify them"))
    _add_table(add("leave", "get up; needs the token under which you sit"), commands.leave_table)
    _add_table(add("end", "ask for the end of an open series"), commands.end_series)
    _add_table(add("close", "close a table; needs the token that made it"), commands.close_table)
    _add_tournament(add("tournament", "take part in tournaments"), connection)
    _add_token(add("token", "show your token, or make one for a bot of your account"))
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
        help="who you are: any random text of 16 to 200 characters; else the one in "
        f"{TOKEN_VARIABLE}, which other users of this machine cannot see, else a new one",
    )
    options.add_argument(
        "--token-file",
        metavar="FILE",
        help="file that holds your token, for you alone; it is made when it is not there; else "
        f"the one in {TOKEN_FILE_VARIABLE}",
    )
    options.add_argument(
        "--plaintext", action="store_true", help="no TLS, though the server is another machine"
    )
    options.add_argument(
        "--ca",
        "--ca-file",
        metavar="FILE",
        help="PEM file of the authorities that vouch for the server",
    )
    options.add_argument(
        "--server-name", metavar="NAME", help="the name in the server's certificate, if another"
    )
    return options


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bot", default="rules", help=f"{', '.join(BOTS)}; default rules")
    parser.add_argument("--table", metavar="ID", help="default: the newest one with a free seat")
    parser.add_argument("--seat", type=int, help="default: the first free one")
    parser.add_argument("--name", default="", help="your name at the table; default: the bot's")
    parser.add_argument("--seed", type=int, default=0, help="of the bot's chance; default 0")
    parser.add_argument(
        "--polling", action="store_true", help="make single calls instead of one stream"
    )
    _add_max_downtime(parser)
    parser.set_defaults(command=playing.play)


def _add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="id of a public table")
    _add_max_downtime(parser)
    parser.set_defaults(command=commands.watch_table)


def _add_max_downtime(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--give-up-after",
        "--max-downtime",
        dest="max_downtime",
        type=float,
        metavar="SECONDS",
        help="how long to try to get a lost connection back; default: for ever",
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
        "--bots",
        default="",
        metavar="BOT,...",
        help="seat these bundled bots, from seat 0 on, and play them to the end; Ctrl-C closes "
        "the table",
    )
    parser.add_argument(
        "--house-bots",
        default="",
        metavar="BOT,...",
        help="bots of the server for the highest seats: first-option, random",
    )
    parser.add_argument(
        "--clock",
        metavar="NAME=SECONDS,...",
        help="how long seats may think: decision, bank for a deal, increment, grace without a "
        "connection; what is not named keeps decision=30,bank=120,increment=0,grace=30",
    )
    parser.add_argument(
        "--faults",
        metavar="NAME=VALUE,...",
        help="illegal answers at a decision, safe answers in a deal, and what follows then: house, "
        "forfeit or none; default illegal=3,safe=3,then=house",
    )
    parser.add_argument("--private", action="store_true", help="neither listed nor watched")
    parser.add_argument("--seed", metavar="HEX", help="deals from a seed of 32 bytes, for practice")
    parser.set_defaults(command=playing.create_table)


def _add_tables(parser: argparse.ArgumentParser) -> None:
    states = [str(state) for state in TableState]
    parser.add_argument("--state", choices=states, help="only tables in this state")
    parser.set_defaults(command=commands.list_tables)


def _add_presets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "preset", nargs="?", metavar="PRESET", help="show what this one changes in the defaults"
    )
    parser.add_argument("--options", action="store_true", help="the options and their values too")
    parser.set_defaults(command=commands.list_presets)


def _add_records(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="+",
        metavar="TABLE",
        help="id of the table; after the word verify, check them",
    )
    parser.set_defaults(command=record_commands.records)


def _add_tournament(parser: argparse.ArgumentParser, connection: argparse.ArgumentParser) -> None:
    commands_of = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        command = commands_of.add_parser(name, parents=[connection], help=text, description=text)
        command.add_argument("tournament", metavar="ID", help="id of the tournament")
        return command

    register = add("register", "enter a tournament that is open; needs the token that will play")
    register.add_argument("name", metavar="NAME", help="name of your entry")
    register.set_defaults(command=tournament_commands.register)
    withdraw = add("withdraw", "take your entry back before the start")
    withdraw.set_defaults(command=tournament_commands.withdraw)
    play = add("play", "play with a bundled bot until the tournament is over")
    play.add_argument("--bot", default="rules", help="random, first-option or rules (default)")
    play.add_argument(
        "--name", default="", help="enter under this name first; default: the bot's name"
    )
    play.add_argument("--seed", type=int, default=0, help="of the bot's chance; default 0")
    _add_max_downtime(play)
    play.set_defaults(command=tournament_commands.play)


def _add_token(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bot", metavar="NAME", help="make a token for this bot of your account")
    parser.add_argument("--days", type=float, help="how long it shall be good; default: for ever")
    parser.add_argument("--out", metavar="FILE", help="write it to a new file, for you alone")
    parser.set_defaults(command=token_commands.token)


def _add_table(parser: argparse.ArgumentParser, command: Any) -> None:
    parser.add_argument("table", metavar="TABLE", help="id of the table")
    parser.set_defaults(command=command)
