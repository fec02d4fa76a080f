"""The settings of a server, as one frozen value."""

import ipaddress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from skat_server.storage.protocols import Durability

DATABASE: Final = "skat.db"
"""The name of the database in its folder."""
DEFAULT_DATA: Final = Path("skat-data")
"""The folder when nobody names one."""


class Auth(Enum):
    """Who may play on a server."""

    OPEN = "open"
    """Whoever brings a random token of his own making; on the loopback also without one."""
    ACCOUNTS = "accounts"
    """Whoever has a token that the server has issued."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 7654
    """Port to listen on; 0 takes a free one."""
    reflection: bool = True
    """Let tools ask for the services and messages."""
    auth: Auth = Auth.OPEN
    """Who may play."""
    guests: bool = True
    """On an open server on the loopback: callers without a token are one player, the guest."""
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
    max_streams_per_player: int = 20
    """Streams that one player may have open."""
    max_tables_per_account: int = 4_096
    """Running tables that an account and its bots may have made."""
    max_seats_per_account: int = 8_192
    """Seats that an account and its bots may hold at once."""
    max_bots_per_account: int = 100
    """Bots of one account."""
    max_tokens_per_account: int = 200
    """Tokens of an account and its bots; one that has ended counts for a day."""
    wrong_tokens: int = 20
    """Wrong tokens in a row that one address may present."""
    wrong_token_seconds: float = 6.0
    """Seconds after which one more is allowed."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def default_auth(host: str) -> Auth:
    """Who may play when nothing is said: on the loopback everybody."""
    return Auth.OPEN if is_loopback(host) else Auth.ACCOUNTS
