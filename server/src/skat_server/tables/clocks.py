"""How long a seat may think: its account for a deal, and the meter of one question.

An account is what the log says and nothing else: it changes with the answers that became
durable. A meter is what the clock on the wall says, and dies with the process.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from skat_engine.records import ClockPolicy
from skat_server.values import value

__all__ = ["DEFAULT_CLOCK", "Account", "ClockPolicy", "Meter", "Spent", "TimeLeft"]

DEFAULT_CLOCK: Final = ClockPolicy(
    decision_ms=30_000, bank_ms=120_000, increment_ms=0, grace_ms=30_000
)

_MS: Final = 1_000


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


NOTHING: Final = Account(0, 0)
"""Of a question that no account pays for."""


class TimeLeft(NamedTuple):
    """What is left at one moment, in milliseconds: own time runs before the bank."""

    own_ms: int
    bank_ms: int
    grace_ms: int


@value
class Meter:
    """Measures one question to one seat. All moments are seconds of a monotonic clock."""

    turn_id: str
    own_ms: int
    """The question's own time."""
    account: Account
    """What the seat has beyond that."""
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
        return min(self.account.grace_ms / _MS, self.graced + max(0.0, now - self.away_at))

    def ends_at(self) -> float:
        """When the time will have run out if the seat comes no more, or goes no more."""
        account = self.account
        grace = self.graced if self.away_at is None else account.grace_ms / _MS
        return self.began_at + grace + (self.own_ms + account.bank_ms) / _MS

    def spent(self, now: float) -> Spent:
        """What an answer takes that is received now; nothing when it came before its question."""
        think_ms = int((now - self.began_at) * _MS)
        if think_ms <= 0:
            return AT_ONCE
        if self.away_at is None and not self.graced:
            return Spent(think_ms)
        return Spent(think_ms, min(think_ms, int(self.grace_at(now) * _MS)))

    def run_out(self, now: float) -> Spent:
        """What a decision took whose time is up: all that it had, whatever the timer lost."""
        spent = self.spent(now)
        least = spent.grace_ms + self.own_ms + self.account.bank_ms
        return Spent(max(spent.think_ms, least), spent.grace_ms)

    def left(self, now: float) -> TimeLeft:
        """What is left now."""
        account = self.account
        think_ms, grace_ms = self.spent(now)
        beyond = think_ms - grace_ms - self.own_ms
        if beyond <= 0:
            return TimeLeft(-beyond, account.bank_ms, account.grace_ms - grace_ms)
        return TimeLeft(0, max(0, account.bank_ms - beyond), account.grace_ms - grace_ms)

    def gone(self, now: float) -> "Meter":
        """The seat has lost its session."""
        return self if self.away_at is not None else replace(self, away_at=now)

    def back(self, now: float) -> "Meter":
        """The seat has a session again."""
        if self.away_at is None:
            return self
        return replace(self, away_at=None, graced=self.grace_at(now))

    def shifted(self, seconds: float) -> "Meter":
        """So much time did not count."""
        away_at = None if self.away_at is None else self.away_at + seconds
        return replace(self, began_at=self.began_at + seconds, away_at=away_at)
