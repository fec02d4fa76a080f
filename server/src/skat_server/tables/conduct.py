"""How the three positions have behaved in the deal under way, as far as the log tells it."""

from dataclasses import dataclass, replace
from typing import Final, Self

from skat_engine.records import Fault, FaultCause, Timekeeping
from skat_engine.seats import Position
from skat_server.tables.clocks import NOTHING, Account, ClockPolicy, Spent

RAN_OUT: Final = frozenset(
    {
        FaultCause.TIMEOUT,
        FaultCause.STALLED,
        FaultCause.DISCONNECTED,
        FaultCause.SEAT_EMPTY,
    }
)
"""Causes of a decision whose time is up."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """Accounts and faults of one deal. Nothing here depends on who learns of what."""

    accounts: tuple[Account, Account, Account] = (NOTHING, NOTHING, NOTHING)
    """By position."""
    graces: tuple[tuple[int, int], ...] = ()
    """Which actions, from 0, were taken after some grace, and how many milliseconds of it."""
    faults: tuple[Fault, ...] = ()
    """Which actions were safe answers."""
    stand_ins: tuple[int, ...] = ()
    """Which actions a house bot took for a player whose seat it had taken over."""
    is_played: bool = False
    """A player has acted himself."""

    @classmethod
    def at_the_start(cls, policy: ClockPolicy) -> Self:
        """Of a deal that begins."""
        account = Account(policy.bank_ms, policy.grace_ms)
        return cls((account, account, account))

    def stood_in(self, index: int) -> "Conduct":
        """After an action of a house bot that stands in for a player."""
        return replace(self, stand_ins=(*self.stand_ins, index))

    def interjected(self) -> "Conduct":
        """After an action of a player's own that no account pays for."""
        return self if self.is_played else replace(self, is_played=True)

    def answered(
        self, policy: ClockPolicy, position: Position, index: int, spent: Spent
    ) -> "Conduct":
        """After an answer in time.

        Args:
            policy: of the table.
            position: who answered.
            index: which of the deal's actions it is.
            spent: what it took.
        """
        before = self.accounts[position]
        account = before.answered(policy, spent)
        if account is before and self.is_played:
            return self  # as after most answers
        after = self.interjected()
        if account is before:
            return after
        if spent.grace_ms:
            after = replace(after, graces=(*self.graces, (index, spent.grace_ms)))
        return after.with_account(position, account)

    def defaulted(
        self,
        policy: ClockPolicy,
        position: Position,
        fault: Fault,
        spent: Spent,
        *,
        secret: bool,
    ) -> "Conduct":
        """After a safe answer; one to a secret question costs nothing."""
        graces = (*self.graces, (fault.index, spent.grace_ms)) if spent.grace_ms else self.graces
        after = replace(self, graces=graces, faults=(*self.faults, fault))
        if secret:
            return after
        account = self.accounts[position].defaulted(policy, spent)
        if fault.cause in RAN_OUT:
            account = replace(account, bank_ms=0)
        return after.with_account(position, account)

    def kept(self, policy: ClockPolicy) -> Timekeeping:
        """What the deal's record says of it."""
        return Timekeeping(policy, self.graces, self.faults, self.stand_ins)

    def with_account(self, position: Position, account: Account) -> "Conduct":
        """With another account of one position."""
        first, second, third = self.accounts
        match position:
            case 0:
                accounts = (account, second, third)
            case 1:
                accounts = (first, account, third)
            case _:
                accounts = (first, second, account)
        return replace(self, accounts=accounts)
