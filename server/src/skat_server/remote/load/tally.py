"""What was seen in a run so far: counts, times, faults."""

from collections import Counter
from dataclasses import dataclass, field

from skat_server.remote.load.histogram import Histogram


@dataclass(slots=True)
class Tally:
    """Counts of one stretch of a run. It is changed in place by everybody who plays."""

    actions: int = 0
    """Answers sent."""
    deals: int = 0
    """Deals that ended."""
    series: int = 0
    """Tables that were played to their end."""
    requests: int = 0
    """Messages from the players to the server."""
    responses: int = 0
    """Messages from the server to the players."""
    watched: int = 0
    """Events that spectators were told."""
    fell_behind: int = 0
    """Views that spectators got in place of events that they were too slow for."""
    decision: Histogram = field(default_factory=Histogram)
    """From an answer to the table's next question, wherever it arrives."""
    welcome: Histogram = field(default_factory=Histogram)
    """From the opening of a stream to the server's welcome."""
    reconnect: Histogram = field(default_factory=Histogram)
    """From the loss of a connection to the next welcome."""
    call: Histogram = field(default_factory=Histogram)
    """Single calls: making tables, taking seats, closing tables."""
    lag: Histogram = field(default_factory=Histogram)
    """How late this program does what is due: what it adds to every other time."""
    faults: Counter[str] = field(default_factory=Counter)
    """What went wrong, by cause."""


@dataclass(slots=True)
class Books:
    """The tally of now, and what outlives it.

    It is shared by everybody who plays.
    """

    tally: Tally = field(default_factory=Tally)
    """Of this stretch; a new one begins when the ramp-up is over."""
    sessions: int = 0
    """Open sessions."""
    tables: int = 0
    """Running tables."""
    deals: int = 0
    """Deals that ended since the start, the ramp-up included."""
    server_deals: int = 0
    """The same as the server's tables say it, of those that are over."""
    was_reached: bool = False
    """The server has answered at least once; from then on lost connections are opened again."""
    answers: int = 0
    """Single calls that the server has answered, be it with a refusal."""
    is_silent: bool = False
    """Whether it has not answered the last one."""

    def begin(self) -> None:
        """Begin a new stretch."""
        self.tally = Tally()

    def deal_ended(self) -> None:
        """Count a deal."""
        self.tally.deals += 1
        self.deals += 1

    def called(self, *, is_answered: bool) -> None:
        """Note whether the server has answered a single call."""
        self.answers += is_answered
        self.is_silent = not is_answered

    def fault(self, cause: str) -> None:
        """Count what went wrong."""
        self.tally.faults[cause] += 1
