"""The settings of a server, as frozen values."""

import ipaddress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from skat_server.storage.protocols import Durability

DATABASE: Final = "skat.db"
"""The name of the database in its folder."""
OWN_FILES: Final = 256
"""Files that are no connections of players: the database, libraries, the operator's port. A server
that has just started has some twenty; reports, backups and connections that are being refused need
more for a while."""
LEAST_CONNECTIONS: Final = 16
"""Connections of players below which a server does not start: a table, who watches it, and tools.
With a single one it would look well and let nobody play."""
DEFAULT_DATA: Final = Path("skat-data")
"""The folder when nobody names one."""


def connections_within(files: int) -> int:
    """How many players' connections fit where a process may open so many files."""
    return max(0, files - OWN_FILES)


class Auth(Enum):
    """Who may play on a server."""

    OPEN = "open"
    """Whoever brings a random token of his own making; on the loopback also without one."""
    ACCOUNTS = "accounts"
    """Whoever has a token that the server has issued."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The files that a listener needs to speak TLS, in PEM form."""

    certificate: Path
    """The certificate, followed by those that lead to its root."""
    key: Path
    """Its private key, without a pass phrase."""
    client_ca: Path | None = None
    """Who must have signed the certificates of clients; None asks clients for none."""


@dataclass(frozen=True, slots=True)
class AdminSettings:
    """The operator's port."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 0
    """Port to listen on; 0 takes a free one."""
    tls: TlsFiles | None = None
    """With `client_ca`; None speaks plain text, which only the loopback may."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The port for probes and Prometheus, which speaks plain HTTP and tells no secrets."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 0
    """Port to listen on; 0 takes a free one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What callers may ask of a server (operations: budgets). Answers to decisions are free."""

    unasked_per_second: int = 50
    """Requests and submissions of a stream that settle no decision."""
    unasked_burst: int = 100
    """How many of them may come at once."""
    calls_per_second: int = 200
    """Calls of one player, and of one address."""
    calls_burst: int = 1_000
    """How many of them may come at once: a bot takes its seats one by one."""
    connections: int = 10_000
    """Connections to the port of the players."""
    streams: int = 10_000
    """Streams of all kinds at once."""
    streams_per_address: int = 1_000
    """Streams from one address."""
    connections_per_player: int = 5
    """Connections over which the streams of one player come."""
    spectators: int = 2_000
    """Streams of spectators; players must always find room."""
    waiting_results: int = 100_000
    """Refusals over all streams that wait for their readers."""
    trusted_networks: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
    """Addresses that are not limited as addresses: this machine, and a proxy in front of it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 7654
    """Port to listen on; 0 takes a free one."""
    tls: TlsFiles | None = None
    """None speaks plain text."""
    admin: AdminSettings | None = None
    """None has no port for the operator."""
    web: WebSettings | None = None
    """None has no port for probes and Prometheus."""
    reflection: bool = True
    """Let tools ask for the services and messages."""
    auth: Auth = Auth.OPEN
    """Who may play."""
    guests: bool = True
    """On an open server on the loopback: callers without a token are one player, the guest."""
    heartbeat: float = 5.0
    """Seconds after which a stream that says nothing gives a sign of life."""
    handshake: float = 5.0
    """Seconds within which a new connection has to speak HTTP/2."""
    grace: float = 25.0
    """Seconds that deals under way and running calls get when the server stops."""
    limits: Limits = Limits()
    """What callers may ask."""
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
