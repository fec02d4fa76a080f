"""What may be said during play out of turn: giving up, laying open, Kontra.

Nobody has to; who never intervenes plays the deal to its end.
"""

from typing import Final

from skat_engine.actions import GIVE_UP, LAY_OPENS, SAY_KONTRA, Action
from skat_engine.options import DeclarerGiveUp, DefenderGiveUp, LayOpenRule
from skat_engine.seats import Position
from skat_engine.shortening import highest_level
from skat_engine.state import DealState

# An enum member costs more to look up than the comparison it is for.
_NO_GIVE_UP: Final = DeclarerGiveUp.OFF
_ONE_BINDS_BOTH: Final = DefenderGiveUp.ONE_BINDS_BOTH
_BOTH_ONCE: Final = DefenderGiveUp.BOTH_ONCE
_NO_CLAIM: Final = LayOpenRule.OFF
_CLAIM_OF_LEVELS: Final = LayOpenRule.ISKO_2018

_UNPLAYED: Final = 10
"""Cards in a hand before its first one is played."""

_INTERVENTIONS: Final = tuple(
    tuple((GIVE_UP,) * give_up + LAY_OPENS[:claims] for claims in range(len(LAY_OPENS) + 1))
    for give_up in (False, True)
)
"""By whether giving up is open and by the number of levels that may be claimed."""


def interventions_of(deal: DealState, position: Position) -> tuple[Action, ...]:
    """What a position may say at any time during play (section 15); nothing in a Ramsch.

    Who may give up may do so once a trick (R-END-1, R-END-4), or once a deal where both
    defenders must agree (R-END-5).
    """
    declarer = deal.declarer
    if declarer is None:
        return ()
    may_ask = deal.asked_at[position] != len(deal.tricks)
    if position != declarer:
        if deal.rules.defender_give_up is not _ONE_BINDS_BOTH:
            may_ask = _may_concede_once(deal, position)
        concede = _INTERVENTIONS[may_ask][0]
        if deal.may_say_kontra and _may_say_kontra(deal, position):
            return (*concede, SAY_KONTRA)
        return concede
    give_up = may_ask and deal.rules.declarer_give_up is not _NO_GIVE_UP
    return _INTERVENTIONS[give_up][_claims(deal, position)]


def _may_concede_once(deal: DealState, defender: Position) -> bool:
    """Whether a defender has an offer left where he does not bind the other one.

    In the first trick the game may also be given away where concessions do not exist.
    """
    exists = deal.rules.defender_give_up is _BOTH_ONCE or deal.is_schenken_open
    return exists and deal.asked_at[defender] < 0


def _may_say_kontra(deal: DealState, defender: Position) -> bool:
    """Until the own first card, and never once the declarer's cards are shown (R-KON-3)."""
    if not deal.may_say_kontra >> defender & 1 or deal.exposed:
        return False
    return deal.hands[defender].bit_count() == _UNPLAYED


def _claims(deal: DealState, declarer: Position) -> int:
    """The number of levels that the declarer may lay open for (R-END-7 to R-END-9).

    Who claims every remaining trick names no level, and does not do so in a Null.
    """
    rules = deal.rules
    if deal.claimed or rules.lay_open is _NO_CLAIM:
        return 0
    assert deal.contract is not None
    if rules.lay_open is not _CLAIM_OF_LEVELS:
        return 0 if deal.contract.is_null else 1
    points = sum(deal.points) - deal.points[declarer]
    tricks = len(deal.tricks) - deal.tricks_won[declarer]
    return highest_level(deal.contract, points, tricks, rules) + 1
