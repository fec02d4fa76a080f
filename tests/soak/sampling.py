"""What the system knows of a process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process holds at a moment."""

    rss_kib: int
    threads: int
    descriptors: int


@dataclass(frozen=True, slots=True)
class Sample:
    """The server and its load at a moment."""

    at: float
    """Seconds since the beginning."""
    usage: Usage
    open_tables: int
    ended_tables: int
    actions: int


def usage_of(pid: int) -> Usage | None:
    """What a process holds; None when it is gone."""
    process = PROC / str(pid)
    try:
        lines = (process / "status").read_text(encoding="ascii").splitlines()
        descriptors = sum(1 for _ in (process / "fd").iterdir())
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines)
    if "VmRSS" not in fields:
        return None
    return Usage(int(fields["VmRSS"].split()[0]), int(fields["Threads"]), descriptors)
