"""What a load run shall do, as values."""

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final

SEATS: Final = 3
"""Seats of a table of this load."""


class PlanError(ValueError):
    """A load that cannot be run; the text says what to write instead."""


class LoadBot(Enum):
    """Who sits at a table."""

    RANDOM = "random"
    """A player of ours: now and then it bids, and it plays any legal card."""
    FIRST_OPTION = "first-option"
    """A player of ours: always the plainest answer, so nearly every deal is passed in."""
    HOUSE_RANDOM = "house-random"
    """A bot of the server's own, over no stream."""
    HOUSE_FIRST_OPTION = "house-first-option"
    """A bot of the server's own, over no stream."""

    @property
    def is_house(self) -> bool:
        """Whether it lives in the server."""
        return self in {LoadBot.HOUSE_RANDOM, LoadBot.HOUSE_FIRST_OPTION}


Sample = Callable[[Random], float]
"""Draws a number of seconds."""


@dataclass(frozen=True, slots=True)
class ThinkTime:
    """How long players think, as a distribution."""

    text: str
    """As it was written."""
    sample: Sample = field(repr=False, compare=False)


_AT_ONCE: Final = "0"
AT_ONCE: Final = ThinkTime(_AT_ONCE, lambda _: 0.0)
"""Everybody answers at once."""


def parse_think_time(text: str) -> ThinkTime:
    """Read a distribution of think times, in milliseconds.

    >>> parse_think_time("uniform:100-300").sample(Random(1)) <= 0.3
    True

    Args:
        text: `0`, `fixed:MS`, `uniform:MS-MS`, `exp:MEAN` or `lognormal:MEDIAN,SIGMA`.

    Raises:
        PlanError: it is none of them.
    """
    if text == _AT_ONCE:
        return AT_ONCE
    kind, _, rest = text.partition(":")
    try:
        return ThinkTime(text, _DISTRIBUTIONS[kind](rest))
    except (KeyError, ValueError):
        raise PlanError(
            f"{text!r} is no think time; write 0, fixed:50, uniform:20-200, exp:100 or "
            "lognormal:80,0.6, in milliseconds"
        ) from None


def _fixed(text: str) -> Sample:
    seconds = _seconds(text)
    return lambda _: seconds


def _uniform(text: str) -> Sample:
    least, most = map(_seconds, text.split("-"))
    if least > most:
        raise ValueError
    return lambda chance: chance.uniform(least, most)


def _exponential(text: str) -> Sample:
    mean = _positive(text)
    return lambda chance: mean * chance.expovariate(1.0)


def _lognormal(text: str) -> Sample:
    median, sigma = text.split(",")
    middle, width = _positive(median), float(sigma)
    if not 0 <= width <= _WIDEST:
        raise ValueError
    return lambda chance: middle * chance.lognormvariate(0.0, width)


def _positive(text: str) -> float:
    """A mean of nothing would be a distribution of nothing."""
    seconds = _seconds(text)
    if not seconds:
        raise ValueError
    return seconds


def _seconds(text: str) -> float:
    milliseconds = float(text)
    if not 0 <= milliseconds <= _LONGEST_MS:
        raise ValueError
    return milliseconds / 1000


_LONGEST_MS: Final = 3_600_000
_WIDEST: Final = 5.0
_DISTRIBUTIONS: Final[Mapping[str, Callable[[str], Sample]]] = {
    "fixed": _fixed,
    "uniform": _uniform,
    "exp": _exponential,
    "lognormal": _lognormal,
}


STORM_SHARE: Final = 0.5
"""Which part of the sessions a storm cuts where nobody says."""
SLOW_SECONDS: Final = 1.0
"""How long slow readers wait where nobody says."""


@dataclass(frozen=True, slots=True)
class Storms:
    """Sessions that lose their connections all at once, again and again."""

    every: float
    """Seconds from one storm to the next."""
    share: float
    """Which part of the sessions, above 0 and up to 1."""


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """Everything about a run but the server.

    Raises:
        PlanError: it cannot be run.
    """

    sessions: int = 3
    """Players, each with a stream and a connection of its own."""
    tables: int = 1
    """Tables that are played at any time; one that is over is replaced."""
    bots: tuple[LoadBot, ...] = (LoadBot.RANDOM,)
    """Who sits there, seat by seat, and from the start again."""
    seconds: float = 10.0
    """How long to measure, after the ramp-up."""
    ramp_up: float = 0.0
    """Seconds over which sessions and tables come."""
    deals: int | None = None
    """End sooner, after so many deals in all; None for no such end."""
    think: ThinkTime = AT_ONCE
    storms: Storms | None = None
    spectators: int = 0
    """Streams that watch the tables, one after the other."""
    slow_readers: int = 0
    """As many more, which wait after every message."""
    slow_seconds: float = SLOW_SECONDS
    """How long they wait."""
    preset: str = "isko"
    overrides: tuple[tuple[str, str], ...] = ()
    """Options of the rules, name and value."""
    deal_source: str | None = None
    """Any text: the same cards in every run with it; None for cards that nobody knows."""
    records: Path | None = None
    """Where the records of finished deals go; None fetches none."""
    metrics: str | None = None
    """Where the server shows its own counters, a URL; None asks for none."""
    tokens: tuple[str, ...] = field(default=(), repr=False)
    """One for each session; made up when there are none, as an open server allows."""
    seed: int = 1
    """Of the choices and think times of the players."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run."""
        self._require_numbers()
        if len(self.bots) > SEATS:
            raise PlanError(f"--bots names {len(self.bots)}, and a table has {SEATS} seats")
        if self.sessions < self.wire_seats:
            raise PlanError(
                f"--sessions {self.sessions} does not fill the {self.wire_seats} seats of a table "
                f"that are played from here; take {self.wire_seats} or more"
            )
        if not self.wire_seats:
            raise PlanError("--bots names bots of the server only; one must play from here")
        if self.tokens and len(self.tokens) < self.sessions:
            raise PlanError(
                f"there are {len(self.tokens)} tokens for {self.sessions} sessions; every session "
                "needs its own"
            )
        if len(set(self.tokens)) < len(self.tokens):
            raise PlanError("a token stands there twice; a session ends when another one has its")
        if self.metrics is not None and not self.metrics.startswith(("http://", "https://")):
            raise PlanError(
                f"--metrics {self.metrics}: write a whole address, http://HOST:PORT/metrics"
            )

    def _require_numbers(self) -> None:
        storms = self.storms or Storms(1.0, STORM_SHARE)
        for option, number in (
            ("--seconds", self.seconds),
            ("--ramp-up", self.ramp_up),
            ("--slow-pause", self.slow_seconds),
            ("--storm-every", storms.every),
            ("--storm-share", storms.share),
        ):
            if not math.isfinite(number):
                raise PlanError(f"{option} {number} is no number that can be counted to")

    @property
    def seated(self) -> tuple[LoadBot, ...]:
        """Who sits at a table, seat by seat; house bots on the highest seats."""
        named = [self.bots[seat % len(self.bots)] for seat in range(SEATS)]
        return tuple(sorted(named, key=lambda bot: bot.is_house))

    @property
    def wire_seats(self) -> int:
        """Seats of a table that are played from here."""
        return sum(not bot.is_house for bot in self.seated)

    @property
    def idle_sessions(self) -> int:
        """Sessions for which there is no seat: they have a stream, and nothing to play."""
        return max(0, self.sessions - self.tables * self.wire_seats)

    @property
    def connections(self) -> int:
        """Connections that the run needs."""
        return self.sessions + self.spectators + self.slow_readers

    def players_of(self, table: int) -> tuple[int, ...]:
        """The numbers of the sessions that play at the table of this number, by seat."""
        seats = self.wire_seats
        # The first one makes the table and answers for it, so that is somebody else each time.
        turns = (table * seats + (seat + table) % seats for seat in range(seats))
        return tuple(turn % self.sessions for turn in turns)

    def deals_seed(self, table: int, series: int) -> bytes | None:
        """The seed of the deals of one series, the same in every run; None for fresh deals.

        Args:
            table: number of the table.
            series: how many it has played before.
        """
        if self.deal_source is None:
            return None
        return hashlib.sha256(f"{self.deal_source}/{table}/{series}".encode()).digest()
