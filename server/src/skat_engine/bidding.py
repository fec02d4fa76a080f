"""The ladder of legal bids and the auction as its own small machine (section 4)."""

from bisect import bisect_right
from typing import Final

from skat_engine.seats import FOREHAND, MIDDLEHAND, REARHAND, Position


def _ladder() -> tuple[int, ...]:
    suits = {base * levels for base in (9, 10, 11, 12) for levels in range(2, 19)}
    grands = {24 * levels for levels in range(2, 12)}
    return tuple(sorted(suits | grands | {23, 35, 46, 59}))


BID_VALUES: Final = _ladder()
"""The 63 possible game values, 18 to 264 (R-BID-1)."""

LOWEST_BID: Final = BID_VALUES[0]


def bids_above(value: int) -> tuple[int, ...]:
    """The legal bids higher than a value, which need not be a bid itself (R-BID-2)."""
    return BID_VALUES[bisect_right(BID_VALUES, value) :]


class Auction:
    """Who bids to whom, up to the survivor (R-BID-3).

    Middlehand bids to forehand, then rearhand to the survivor. The methods trust their
    caller: legality is asked elsewhere, and what is illegal has no penalty (R-BID-6).

    Attributes:
        high: the last number that was held or bid and answered by a pass; 0 when none.
        offer: a number that waits for the listener's answer; 0 when the bidder is to speak.
        bidder: who names numbers in this phase.
        listener: who holds them.
        survivor: who is left when the auction is over, else None.
        named: bit per position that bid or held at least one number (R-BID-5).
    """

    __slots__ = ("bidder", "high", "listener", "named", "offer", "survivor")

    def __init__(self) -> None:
        """Open with middlehand to bid to forehand."""
        self.high = 0
        self.offer = 0
        self.bidder: Position = MIDDLEHAND
        self.listener: Position = FOREHAND
        self.survivor: Position | None = None
        self.named = 0

    @property
    def to_act(self) -> Position:
        """Who speaks next: the listener while a number waits, else the bidder."""
        return self.listener if self.offer else self.bidder

    def bid(self, value: int) -> None:
        """The bidder names a number."""
        self.named |= 1 << self.bidder
        self.offer = value

    def hold(self) -> None:
        """The listener accepts the number named."""
        self.named |= 1 << self.listener
        self.high = self.offer
        self.offer = 0

    def drop(self) -> None:
        """Whoever is to speak passes, and the phase ends."""
        survivor = self.bidder if self.offer else self.listener
        self.high = self.offer or self.high
        self.offer = 0
        if self.bidder == REARHAND:
            self.survivor = survivor
        else:
            self.bidder, self.listener = REARHAND, survivor

    def take(self, value: int) -> None:
        """The survivor names the only number of the auction (R-BID-4)."""
        assert self.survivor is not None
        self.named |= 1 << self.survivor
        self.high = value

    def copy(self) -> "Auction":
        """An independent copy."""
        twin = Auction.__new__(Auction)
        twin.high, twin.offer = self.high, self.offer
        twin.bidder, twin.listener = self.bidder, self.listener
        twin.survivor, twin.named = self.survivor, self.named
        return twin
