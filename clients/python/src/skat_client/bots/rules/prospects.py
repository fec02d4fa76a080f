"""What a game is expected to bring, in list points against the two others."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from skat_client._models import Card, Contract, ContractKind
from skat_client.bots.rules.null_strength import null_chance_after_skat, null_chance_before_skat
from skat_client.bots.rules.shape import Shape
from skat_client.bots.rules.strength import Chances, chance_before_skat, chances_after_skat
from skat_client.bots.rules.values import game_value, lost_value

_WON_BONUS: Final = 50
_LOST_COST: Final = 50 + 40
"""Seeger-Fabian: 50 from the own column, and 40 to each of the others."""
_SKAT_POINTS: Final = 7
"""Card points in an average skat."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """A game that could be played."""

    contract: Contract
    chances: Chances
    value: int
    """When it is won with no further level."""
    discards: tuple[Card, ...] = ()

    def expected(self, bid: int = 0) -> float:
        """List points against the mean of the others, when this bid has to be reached."""
        base = self.contract.kind.base or 0
        won, schneider = self.chances.won, self.chances.schneider
        if self.value < bid:
            # Only Schneider can lift it to the bid.
            won = schneider if self.value + base >= bid else 0.0
        loss = 2 * lost_value(self.contract, self.value, bid) + _LOST_COST
        return won * (self.value + _WON_BONUS) + schneider * base - (1.0 - won) * loss


def with_skat(hand: Collection[Card], *, leads: bool) -> list[Prospect]:
    """Every game with the skat, before it is seen."""
    shape = Shape(hand)
    found = [
        _prospect(Contract(kind), hand, Chances(chance_before_skat(kind, shape, leads=leads)))
        for kind in ContractKind
        if kind is not ContractKind.NULL
    ]
    for ouvert in (False, True):
        chance = null_chance_before_skat(shape, leads=leads, ouvert=ouvert)
        found.append(_prospect(Contract(ContractKind.NULL, ouvert=ouvert), hand, Chances(chance)))
    return found


def by_hand(hand: Collection[Card], *, leads: bool) -> list[Prospect]:
    """Every Hand game without a level announced."""
    shape = Shape(hand)
    found = []
    for kind in ContractKind:
        for ouvert in (False, True) if kind is ContractKind.NULL else (False,):
            contract = Contract(kind, hand=True, ouvert=ouvert)
            chances = chances_of(contract, shape, leads=leads, points=_SKAT_POINTS)
            found.append(_prospect(contract, hand, chances))
    return found


def chances_of(contract: Contract, shape: Shape, *, leads: bool, points: int) -> Chances:
    """The chances of a game by the ten cards it is played with and the points put down."""
    if contract.kind is ContractKind.NULL:
        return Chances(null_chance_after_skat(shape, leads=leads, ouvert=contract.ouvert))
    return chances_after_skat(contract.kind, shape, leads=leads, points=points)


def _prospect(contract: Contract, hand: Collection[Card], chances: Chances) -> Prospect:
    return Prospect(contract, chances, game_value(contract, hand))
