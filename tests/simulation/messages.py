"""What travels between bots and servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skat_engine import Action
from skat_server.errors import Reason
from skat_server.tables.outbox import Delivery
from skat_server.tables.state import OpenDecision
from tests.histories.model import Acknowledged, Frame, Refused


@dataclass(frozen=True, slots=True)
class Hello:
    """Opens a session."""

    player_id: str
    delivery: Delivery
    positions: Mapping[str, int]
    decided: Mapping[str, str] | None = None
    """Turns that the player is thinking about, by table, in a poll; None in a stream."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Follows a table from outside."""

    table_id: str
    after: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """One submission."""

    player_id: str
    table_id: str
    turn_id: str
    last_sequence: int
    action: Action
    is_call: bool = False
    """It is answered when it is durable, whoever has a session."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down, or find that one sits already."""

    player_id: str
    table_id: str
    seat: int


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Get up."""

    player_id: str
    table_id: str


@dataclass(frozen=True, slots=True)
class GetTable:
    """Ask whether a table is over of which one has been told nothing."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of a call that is no submission."""

    call: TakeSeat | LeaveSeat | GetTable
    reason: Reason | None
    """None when it was done."""
    is_over: bool
    """Nothing will happen at the table any more."""


@dataclass(frozen=True, slots=True)
class News:
    """What is ready of one table, and the open question as the bot can use it."""

    frame: Frame
    decision: OpenDecision | None
    is_over: bool
    """Nothing follows at the table."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The server ends the stream, or has answered the poll."""

    reason: Reason | None


ToServer = Hello | Watch | Answer | TakeSeat | LeaveSeat | GetTable
ToClient = News | Acknowledged | Refused | Reply | Ended
