"""How long a seat may think: its account for a deal, and the meter of one question.

An account is what the log says and nothing else: it changes with the answers that became
durable. A meter is what the clock on the wall says, and dies with the process.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from skat_engine.records import ClockPolicy

__all__ = ["DEFAULT_CLOCK", "Account", "ClockPolicy", "Limits", "Meter", "Spent", "TimeLeft"]

DEFAULT_CLOCK: Final = ClockPolicy(
    decision_ms=30_000, bank_ms=120_000, increment_ms=0, grace_ms=30_000
)

_MS: Final = 1_000

# Values that are made for every action are named tuples, which cost half of a frozen dataclass.


class Spent(NamedTuple):
    """What an answer took, in whole milliseconds."""

    think_ms: int = 0
    """From the opening of the decision to the receipt of the answer, without the time in which
    the store could keep nothing."""
    grace_ms: int = 0
    """How much of it was grace."""


AT_ONCE: Final = Spent()
"""Of a house bot, or out of turn."""


@dataclass(frozen=True, slots=True)
class Account:
    """What a seat has left in the deal under way, in milliseconds."""

    bank_ms: int
    grace_ms: int
    safe_answers: int = 0
    """How many its faults have brought it in this deal."""

    def after(self, policy: ClockPolicy, spent: Spent) -> "Account":
        """What is left after a decision: its own time is free, the bank pays what goes beyond."""
        beyond = spent.think_ms - spent.grace_ms - policy.decision_ms
        bank_ms = self.bank_ms - min(max(beyond, 0), self.bank_ms)
        grace_ms = self.grace_ms - min(spent.grace_ms, self.grace_ms)
        return Account(bank_ms, grace_ms, self.safe_answers)

    def answered(self, policy: ClockPolicy, spent: Spent) -> "Account":
        """What is left after an answer in time."""
        if spent.think_ms <= policy.decision_ms and not spent.grace_ms:
            left = self
        else:
            left = self.after(policy, spent)
        if not policy.increment_ms:
            return left
        return replace(left, bank_ms=left.bank_ms + policy.increment_ms)

    def defaulted(self, policy: ClockPolicy, spent: Spent) -> "Account":
        """What is left after a safe answer."""
        left = self.after(policy, spent)
        return replace(left, safe_answers=left.safe_answers + 1)

    def limits(self, policy: ClockPolicy) -> "Limits":
        """What the next decision has."""
        return Limits(policy.decision_ms, self.bank_ms, self.grace_ms)

    def secret_limits(self, policy: ClockPolicy) -> "Limits":
        """What a question has of which others may not know (R-END-5).

        Neither bank nor grace pay for it: what others see later must not depend on it.
        """
        return Limits(policy.decision_ms or self.bank_ms, 0, 0)


class Limits(NamedTuple):
    """What one decision has, in milliseconds."""

    own_ms: int
    bank_ms: int
    grace_ms: int


class TimeLeft(NamedTuple):
    """What is left at one moment, in milliseconds: own time runs before the bank."""

    own_ms: int
    bank_ms: int
    grace_ms: int


class Meter(NamedTuple):
    """Measures one question to one seat. All moments are seconds of a monotonic clock."""

    turn_id: str
    limits: Limits
    asked_at: float
    """When the question was asked."""
    began_at: float
    """The same, moved by every pause."""
    away_at: float | None = None
    """Since when the seat has no session, not before `began_at`; None while it has one."""
    graced: float = 0.0
    """Seconds of grace used before that."""

    def grace_at(self, now: float) -> float:
        """Seconds of grace used so far."""
        if self.away_at is None:
            return self.graced
        return min(self.limits.grace_ms / _MS, self.graced + max(0.0, now - self.away_at))

    def ends_at(self) -> float:
        """When the time will have run out if the seat comes no more, or goes no more."""
        limits = self.limits
        grace = self.graced if self.away_at is None else limits.grace_ms / _MS
        return self.began_at + grace + (limits.own_ms + limits.bank_ms) / _MS

    def spent(self, now: float) -> Spent:
        """What an answer takes that is received now; nothing when it came before its question."""
        think_ms = int((now - self.began_at) * _MS) if now > self.began_at else 0
        if self.away_at is None and not self.graced:
            return Spent(think_ms)
        return Spent(think_ms, min(think_ms, int(self.grace_at(now) * _MS)))

    def run_out(self, now: float) -> Spent:
        """What a decision took whose time is up: all that it had, whatever the timer lost."""
        spent, limits = self.spent(now), self.limits
        least = spent.grace_ms + limits.own_ms + limits.bank_ms
        return Spent(max(spent.think_ms, least), spent.grace_ms)

    def left(self, now: float) -> TimeLeft:
        """What is left now."""
        limits, spent = self.limits, self.spent(now)
        used = spent.think_ms - spent.grace_ms
        return TimeLeft(
            max(0, limits.own_ms - used),
            max(0, limits.bank_ms - max(0, used - limits.own_ms)),
            limits.grace_ms - spent.grace_ms,
        )

    def gone(self, now: float) -> "Meter":
        """The seat has lost its session."""
        return self if self.away_at is not None else self._replace(away_at=now)

    def back(self, now: float) -> "Meter":
        """The seat has a session again."""
        if self.away_at is None:
            return self
        return self._replace(away_at=None, graced=self.grace_at(now))

    def shifted(self, seconds: float) -> "Meter":
        """So much time did not count."""
        away_at = None if self.away_at is None else self.away_at + seconds
        return self._replace(began_at=self.began_at + seconds, away_at=away_at)
