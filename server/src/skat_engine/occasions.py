"""What a deal owes to its place in a series: Bock, Ramsch rounds (section 17)."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Occasion:
    """The circumstances of one deal; the series makes it, the deal only reads it."""

    bock: bool = False
    """Every score of the deal counts twice (R-BOCK-1)."""
    ramsch_round: bool = False
    """There is no bidding: a Ramsch is played, or a Grand Hand instead (R-BOCK-6)."""
    grand_hand_offered: bool = True
    """In a Ramsch round: Grand Hand is offered; not in a forced Ramsch (R-BOCK-7)."""


ORDINARY: Final = Occasion()
"""A deal that nothing before it has changed."""
