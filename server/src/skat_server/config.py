"""The settings of a server, as one frozen value."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skat_server.storage.protocols import Durability

DATABASE: Final = "skat.db"
"""The name of the database in its folder."""
DEFAULT_DATA: Final = Path("skat-data")
"""The folder when nobody names one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 7654
    """Port to listen on; 0 takes a free one."""
    reflection: bool = True
    """Let tools ask for the services and messages."""
    grace: float = 5.0
    """Seconds that running calls get when the server stops."""
    max_tables: int = 10_000
    """Tables that are not over; further ones are refused."""
    kept_tables: int = 1_000
    """Tables that are over and can still be asked for; older ones are forgotten."""
    max_tables_per_player: int = 2_048
    """Running tables that one player may have made."""
    max_seats_per_player: int = 2_048
    """Tables at which one player may sit at once."""
    data: Path | None = None
    """Folder of the database; None keeps everything in memory."""
    durability: Durability = Durability.ACTION
    """How well the database keeps what was acknowledged; MEMORY needs no folder."""
    migrates: bool = False
    """Bring a database of an older server up to date, after a copy, instead of refusing it."""
