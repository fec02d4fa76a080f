"""How a session behaves."""

from dataclasses import dataclass, field
from enum import Enum
from importlib import metadata

from skat_client._backoff import Backoff
from skat_client._items import Delivery


class Transport(Enum):
    """What carries a session."""

    STREAM = 1
    """One stream both ways: the cheapest, and nobody waits."""
    POLLING = 2
    """Single calls, where something between here and the server allows no streams both ways."""


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How a session behaves. Times are in seconds."""

    client_name: str = "skat-client"
    """Name of the program, up to 80 characters."""
    client_version: str = field(default_factory=lambda: metadata.version("skat-client"))
    """Its version, up to 40 characters."""
    delivery: Delivery = Delivery.WITH_DECISIONS
    max_downtime: float | None = None
    """Give up after this long without a connection of any use; None means never."""
    welcome_timeout: float = 10.0
    """A server that has not said welcome by then counts as lost."""
    close_timeout: float = 2.0
    """How long the server may take to end the stream after the client has closed its side."""
    backoff: Backoff = field(default_factory=Backoff)
    transport: Transport = Transport.STREAM
