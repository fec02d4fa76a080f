"""Looks at the machine: its libraries, its clock, how many files it lets a process open."""

import platform
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import metadata, util
from pathlib import Path
from typing import Final

from skat_server.config import LEAST_CONNECTIONS, OWN_FILES, Settings, connections_within
from skat_server.doctor.finding import Finding, Verdict, bad, doubtful, good

EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""Before this the server was not written."""
FUTURE: Final = 60.0
"""Seconds by which a file may be younger than now."""
USEFUL: Final = 100
"""Connections below which nobody is advised to do with as many as there are."""


def look_at_libraries() -> Finding:
    """Which versions run here, and whether the faster loop is there."""
    text = (
        f"skat-server {metadata.version('skat-server')}, Python {platform.python_version()}, "
        f"grpcio {metadata.version('grpcio')}, SQLite {sqlite3.sqlite_version}"
    )
    if util.find_spec("uvloop") is None:
        faster = "pip install 'skat-server[speed]' makes it faster."
        return Finding("libraries", Verdict.GOOD, text, faster)
    return good("libraries", f"{text}, uvloop {metadata.version('uvloop')}")


def look_at_clock(now: float, data: Path | None) -> Finding:
    """Whether the clock can be right: after this server was written, and after its own files.

    Args:
        now: seconds since 1970.
        data: the folder of the database.
    """
    text = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    advice = "Set the clock and let it follow a time server, for instance with chrony."
    if now < EARLIEST:
        return bad("clock", f"{text} is long ago", advice)
    youngest = max(_changes_in(data), default=now)
    if youngest > now + FUTURE:
        ahead = youngest - now
        return bad("clock", f"{text}, {ahead:,.0f} s before the last change of the data", advice)
    return good("clock", text)


def _changes_in(folder: Path | None) -> Iterator[float]:
    """When the files of a folder were changed; what cannot be looked at is for others to find."""
    if folder is None:
        return
    with suppress(OSError):
        for file in folder.iterdir():
            with suppress(FileNotFoundError):  # a server that runs takes its files away
                yield file.stat().st_mtime


def look_at_open_files(settings: Settings) -> Finding:
    """Whether as many connections fit as are allowed."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.limits.connections + OWN_FILES
    if most == resource.RLIM_INFINITY or most >= wanted:
        return good("open files", f"{wanted:,} are enough, and as many are allowed")
    text = (
        f"{most:,} are allowed, {wanted:,} are wanted for {settings.limits.connections:,} "
        "connections"
    )
    advice = how_to_allow_files(wanted)
    fitting = connections_within(most)
    if fitting < LEAST_CONNECTIONS:
        return bad("open files", f"{text}: hardly anybody could connect", advice)
    if fitting >= USEFUL:
        advice += f" Where that cannot be, --max-connections {fitting} fits."
    return doubtful("open files", text, advice)


def how_to_allow_files(wanted: int) -> str:
    """How somebody lets a server open so many files."""
    return (
        f"Raise the limit: LimitNOFILE={wanted} in the unit of systemd, "
        f"`--ulimit nofile={wanted}` for a container, or `ulimit -Hn {wanted}` as root in the "
        "shell that starts the server."
    )
