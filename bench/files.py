"""Open files of a measurement: every connection is one, in the server and in its client."""

from collections.abc import Mapping
from typing import Final

from skat_server.config import LEAST_CONNECTIONS, OWN_FILES
from skat_server.open_files import raise_file_limit

UNFIT: Final = 2
"""Exit code where the machine allows too few."""
_ENOUGH: Final = 20_000
_BESIDE: Final = 8
"""Connections beside those of a figure: the one that makes the tables, others that just close."""


def files_for(connections: int) -> int:
    """How many files a process of a figure needs that has so many connections to its server."""
    return OWN_FILES + max(LEAST_CONNECTIONS, connections + _BESIDE)


def allow_connections(wanted: int = _ENOUGH) -> int:
    """Let this process, and those that it starts, have so many open files, or what is allowed.

    Returns:
        How many they may have, at most as many as wanted.
    """
    return raise_file_limit(wanted)


def why_too_few(wanted: Mapping[str, int]) -> str | None:
    """Why not all of it can be measured, with what to do; None where it can.

    Args:
        wanted: how many files each figure needs, by name.
    """
    allowed = allow_connections(max(_ENOUGH, *wanted.values()))
    lacking = {name: files for name, files in wanted.items() if files > allowed}
    if not lacking:
        return None
    needs = ", ".join(f"{name} {files:,}" for name, files in lacking.items())
    return (
        f"Only {allowed:,} open files are allowed, and figures need more: {needs}.\n"
        f"Raise the limit (`ulimit -Hn {max(lacking.values())}` as root in the shell that starts "
        "it), or measure less."
    )
