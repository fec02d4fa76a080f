"""``skat-server store``: look at the database of a server, copy, check and migrate it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.cli.endings import ended
from skat_server.cli.reading import printable
from skat_server.cli.render import print_table, step_progress
from skat_server.config import DATABASE, DEFAULT_DATA
from skat_server.storage import revisions
from skat_server.storage.copies import back_up, restore
from skat_server.storage.protocols import UnusableStoreError
from skat_server.storage.sqlite import lock
from skat_server.storage.status import status_of
from skat_server.storage.verifying import Sound, count_deals, verify

app = typer.Typer(no_args_is_help=True, help="The database: look at it, copy, check, migrate.")

EXIT_UNSOUND: Final = 1
EXIT_UNUSABLE: Final = 2

Data = Annotated[
    Path,
    typer.Option(
        metavar="DIR",
        envvar="SKAT_DATA",
        help="Folder of the database.",
    ),
]


@app.callback()
def store() -> None:
    """The database: look at it, copy, check, migrate."""


@app.command()
def status(
    data: Data = DEFAULT_DATA,
    as_json: Annotated[
        bool,
        typer.Option("--json", envvar="SKAT_STORE_JSON", help="Print one JSON object instead."),
    ] = False,
) -> None:
    """Show what is in the database, also while a server runs.

    Exit code: 0 all is well, 2 there is no database, or it cannot be used.
    """
    with _explained():
        found = status_of(_database(data))
    if as_json:
        typer.echo(json.dumps(asdict(found)))
        return
    rows = [(name.replace("_", " "), str(value)) for name, value in asdict(found).items()]
    print_table(("what", "value"), rows)


@app.command()
def migrate(data: Data = DEFAULT_DATA) -> None:
    """Bring the database of an older server up to date, after a copy of it was made.

    No server may be running on it.

    Exit code: 0 it is up to date, 2 it cannot be used.
    """
    database = _database(data)
    with _explained():
        revisions.revision_of(database)
        held = lock.acquire(database)
        try:
            copy = revisions.migrate(database)
        finally:
            held.release()
    if copy is None:
        typer.echo(f"{database} has revision {revisions.HEAD} already")
    else:
        typer.echo(f"{database} now has revision {revisions.HEAD}; as it was before: {copy}")


@app.command()
def backup(
    target: Annotated[
        Path,
        typer.Argument(metavar="DEST", envvar="SKAT_STORE_DEST", help="File to write; a new one."),
    ],
    data: Data = DEFAULT_DATA,
) -> None:
    """Copy the database into one file, also while a server writes to it.

    The copy has everything that was acknowledged when the command began, and has been checked.

    Example: skat-server store backup skat-monday.db

    Exit code: 0 the copy is there, 2 it is not.
    """
    database = _database(data)
    with _explained(), step_progress("backup") as progress:
        back_up(database, target, progress)
    typer.echo(f"{target} holds {database}")


@app.command(name="restore")
def restore_backup(
    source: Annotated[
        Path,
        typer.Argument(metavar="SRC", envvar="SKAT_STORE_SRC", help="A file made by backup."),
    ],
    data: Data = DEFAULT_DATA,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite",
            envvar="SKAT_STORE_OVERWRITE",
            help="Move a database that is there out of the way.",
        ),
    ] = False,
) -> None:
    """Put a backup where the next server finds it; nothing changes if a page of it is damaged.

    Pages are not all: store verify, afterwards, looks into every deal.

    Example: skat-server store restore skat-monday.db --data /var/lib/skat

    Exit code: 0 it is there, 2 it is not.
    """
    database = _database(data)
    with _explained():
        if not source.is_file():
            raise UnusableStoreError(f"{source} is no file; name one made by backup")
        with step_progress("restore") as progress:
            moved = restore(source, database, progress, overwrites=overwrite)
    typer.echo(f"{database} holds {source}")
    if moved is not None:
        typer.echo(f"what was there before is {moved}")
    if revisions.revision_of(database) != revisions.HEAD:
        typer.echo(f"it is of an older server; run: skat-server store migrate --data {data}")


@app.command(name="verify")
def verify_store(data: Data = DEFAULT_DATA) -> None:
    """Check every page, every seal, and every deal by playing it again; also while a server runs.

    Prints a line for whatever is wrong, ``TABLE/DEAL WHY`` or ``pages WHY``, and then a summary:

        12 deals, 12 sound

    Exit code: 0 all is sound, 1 something is not, 2 there is no database, or it cannot be used.
    """
    database = _database(data)
    sound = unsound = 0
    with _explained():
        revisions.require_head(database)
        with step_progress("verify") as progress:
            total = count_deals(database)
            for finding in verify(database):
                if isinstance(finding, Sound):
                    sound += 1
                else:
                    unsound += 1
                    typer.echo(printable(str(finding)))
                progress(sound + unsound, total)
    typer.echo(f"{sound + unsound} deals, {sound} sound")
    if unsound:
        raise typer.Exit(EXIT_UNSOUND)


def _database(data: Path) -> Path:
    return data / DATABASE


@contextmanager
def _explained() -> Iterator[None]:
    """Say what is wrong with a database and what to do, instead of a traceback."""
    try:
        yield
    except UnusableStoreError as error:
        raise ended(error, EXIT_UNUSABLE) from error
    except sqlite3.Error as error:
        text = f"the database cannot be read: {error}\nRestore a backup of it."
        raise ended(text, EXIT_UNUSABLE) from error
