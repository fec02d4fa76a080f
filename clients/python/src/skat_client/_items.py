"""What a session or a watch hands out, one thing after the other."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from skat_client._actions import Action
from skat_client._decisions import Decision
from skat_client._events import TableEvent
from skat_client._sight import TableSight
from skat_client.errors import ErrorReason


class Delivery(Enum):
    """When the server sends what it has."""

    LIVE = 1
    """Every event at once: for people and for what they look at."""
    WITH_DECISIONS = 2
    """Events wait for the next own decision or the deal's end, five seconds at most: for bots."""


@dataclass(frozen=True, slots=True)
class Connected:
    """The session is open, for the first time or again."""

    session_id: str
    """Names the session in the server's log; empty where the session is polled."""
    player_id: str
    """The caller's public id, derived from the token; empty where the session is polled."""
    server_time: datetime | None
    """The server's clock, in UTC; None where the session is polled."""
    is_first: bool
    """Whether it was open never before."""


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table begins here: forget whatever was known of it."""

    sight: TableSight


@dataclass(frozen=True, slots=True)
class EventSeen:
    """Something happened; the sight knows it already."""

    event: TableEvent
    sight: TableSight


@dataclass(frozen=True, slots=True)
class DecisionAsked:
    """An open decision of the own seat; it replaces an older one of the table."""

    decision: Decision
    sight: TableSight


@dataclass(frozen=True, slots=True)
class SubmissionRefused:
    """An action was refused and nothing changed. A decision that is still open is asked again."""

    table_id: str
    turn_id: str
    """Empty for a proposal out of turn."""
    action: Action | None
    """The action, where the session still knows it."""
    reason: ErrorReason | None
    """Why; None when this version of the client does not know the reason."""
    message: str
    """The same for people."""


@dataclass(frozen=True, slots=True)
class GoingAway:
    """The server stops soon. Play goes on until then; the session comes back by itself."""

    resume_by: datetime
    """The connection ends by this time at the latest, in UTC."""
    endpoint: str | None
    """Where the session goes on, `host:port`; None means at the same server, after a moment."""


SessionItem = Connected | TableShown | EventSeen | DecisionAsked | SubmissionRefused | GoingAway
"""What a session hands out."""

WatchItem = TableShown | EventSeen
"""What a watch hands out."""
