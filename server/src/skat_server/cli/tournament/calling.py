"""What the commands about tournaments share: the server, its options, the file, the mistakes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.cli.endings import ended, ended_by_file
from skat_server.remote.connection import RemoteError, Target, connected
from skat_server.remote.organiser import Organiser
from skat_server.tournaments.config import ConfigError
from skat_server.tournaments.export.files import ExportError
from skat_server.tournaments.export.reading import UnreadableError

EXIT_REFUSED: Final = 1
"""The server says no, or does not answer."""
EXIT_UNUSABLE: Final = 2
"""A file or a folder cannot be used."""
DEFAULT_SERVER: Final = "127.0.0.1:7654"
TOKEN_FILE: Final = "SKAT_TOKEN_FILE"  # noqa: S105  # the name of a variable
"""The variable that names a file with the token, for clients as well."""

Server = Annotated[
    str, typer.Option("--server", envvar="SKAT_SERVER", help="The server, host:port.")
]
Token = Annotated[
    str,
    typer.Option(
        "--token",
        envvar="SKAT_TOKEN",
        help=(
            "The organiser's token; on an open server any of your own with 16 characters or more. "
            "The variable SKAT_TOKEN_FILE names a file that holds it."
        ),
    ),
]
Ca = Annotated[
    Path | None,
    typer.Option("--ca", envvar="SKAT_CA", help="PEM file to check the server's certificate with."),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The tournament.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The organiser's file, TOML.")]


@contextmanager
def organiser_at(server: str, token: str, ca: Path | None) -> Iterator[Organiser]:
    """An organiser at a server, and what goes wrong there explained.

    Raises:
        typer.Exit: with what to do on standard error.
    """
    with explained():
        target = Target(server, token or _kept_token(), ca)
        with connected(target) as channel:
            yield Organiser(channel, target)


def _kept_token() -> str:
    """The token in the file that `TOKEN_FILE` names; empty where it names none.

    Raises:
        ValueError: the file is not there, no text in ASCII, or empty.
        OSError: it cannot be read.
    """
    name = os.environ.get(TOKEN_FILE)
    if not name:
        return ""
    try:
        token = Path(name).read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise ValueError(
            f"{name}, which {TOKEN_FILE} names, is not there; write a token into it, on an open "
            "server any of your own with 16 characters or more"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} holds no token: it is no text in ASCII") from error
    if not token:
        raise ValueError(f"{name} holds no token: it is empty")
    return token


@contextmanager
def explained() -> Iterator[None]:
    """Say what is wrong, and end with the exit code for it.

    Raises:
        typer.Exit: with what to do on standard error.
    """
    try:
        yield
    except RemoteError as error:
        raise ended(error, EXIT_REFUSED) from error
    except (ConfigError, ExportError, UnreadableError, ValueError) as error:
        raise ended(error, EXIT_UNUSABLE) from error
    except OSError as error:
        raise ended_by_file(error, EXIT_UNUSABLE) from error


def text_of(file: Path) -> str:
    """The text of an organiser's file.

    Raises:
        ConfigError: it is no text.
        OSError: it cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is no text in UTF-8") from error
