"""A history: what every client did and was told, and what the store has kept.

Clients write theirs down themselves, in the order in which they saw it and across all their
connections. What an event holds is compared as a whole: facts in a simulation, bytes of messages
where a wire lies between.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from skat_server.errors import Reason
from skat_server.storage.protocols import Entry, SealedDeal, SeatResult
from skat_server.tables.facts import ShownFact
from skat_server.tables.state import OpenDecision

Content = Hashable
"""What an event or a question holds, in a form that can be compared."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision as its player received it."""

    turn_id: str
    content: Content


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection begins."""

    positions: Mapping[str, int]
    """Sequence of the last event read, by table id, as the client named them."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """An action leaves the client."""

    table_id: str
    turn_id: str
    """Empty for a proposal out of turn."""
    last_sequence: int
    """Of a proposal: the last event read."""
    action: str
    """In the notation of the engine."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The server said that it has the action: it is durable."""

    table_id: str
    turn_id: str
    action: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The server said that an action changed nothing."""

    table_id: str
    turn_id: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Frame:
    """All that came at once of one table."""

    table_id: str
    view: int | None
    """Sequence that a view speaks of; None when the frame goes on from the last one."""
    seat: int | None
    """The seat that a view is for; None for a spectator. Without a view it means nothing."""
    events: tuple[tuple[int, Content], ...]
    """Sequence and content of each."""
    question: Question | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A view, as a client notes it down that reads its events one by one."""

    table_id: str
    seat: int | None
    next: int
    """Sequence of the event that it tells first."""


Item = Opened | Submitted | Acknowledged | Refused | Frame | Shown
"""Anything that a client notes down."""


@dataclass(slots=True)
class ClientHistory:
    """One client over all its connections."""

    player_id: str
    """Empty for a spectator."""
    items: list[Item] = field(default_factory=list)
    at_rest: bool = False
    """It was connected until everything had been sent: nothing may be missing at its end."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as the store kept it."""

    epoch: int
    """Which of the successive servers wrote it."""
    at: float
    entry: Entry


@dataclass(frozen=True, slots=True)
class TableHistory:
    """What the store has of one table."""

    table_id: str
    lines: Sequence[Line]
    """All of them, from the first."""
    records: Sequence[SealedDeal]
    results: Sequence[tuple[int, tuple[SeatResult, ...]]]
    """Deal number and what it brought, in the order of booking."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How what the store has is brought into the form that the clients have."""

    event: Callable[[ShownFact], Content]
    question: Callable[[OpenDecision], Content]


@dataclass(frozen=True, slots=True)
class History:
    """Everything that is checked together."""

    tables: Sequence[TableHistory]
    clients: Sequence[ClientHistory]
    reading: Reading
    is_settled: bool = True
    """Faults have stopped long ago: every deal must have ended (H8)."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One promise that was not kept."""

    rule: str
    """``H1`` to ``H8``."""
    table_id: str
    text: str

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.rule} at {self.table_id}: {self.text}"


IN_PROCESS = Reading(
    event=lambda shown: shown,
    question=lambda decision: (
        decision.seat,
        decision.phase,
        decision.bid,
        decision.proposal,
        len(decision.options),
        tuple(decision.options[:10]),
    ),
)
"""Clients that live in the process of the server, without a wire between."""
