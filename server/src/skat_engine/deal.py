"""One deal, from the cards to the result.

`Deal` is small, slotted and mutable. `apply` validates first and changes afterwards, so a
refused action changes nothing; `copy` is cheap, so that bots and solvers can search. What an
action changes is written in a room of its own for each part of a deal: `auctioning`,
`ramsch_opening`, `announcing`, `kontra`, `lead_in`, `trick_play`, `votes`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from skat_engine import (
    announcing,
    auctioning,
    kontra,
    lead_in,
    legality,
    ramsch_opening,
    refusals,
    trick_play,
    votes,
)
from skat_engine.actions import (
    AcceptGrandHand,
    Action,
    Announce,
    Bid,
    Decline,
    GiveUp,
    Hold,
    Knock,
    LayOpen,
    Pass,
    PassOn,
    PickUp,
    PlayCard,
    PlayHand,
    PutDown,
    Rearrange,
    SayKontra,
    SayRe,
    TakeSkat,
    Vote,
)
from skat_engine.events import CardsDealt, Event
from skat_engine.occasions import ORDINARY, Occasion
from skat_engine.phases import Phase
from skat_engine.results import Dealt
from skat_engine.ruleset import RuleSet
from skat_engine.seats import Position
from skat_engine.state import DealState


class Deal(DealState):
    """The state of one deal and its only way forward, `apply`."""

    __slots__ = ()

    def __init__(self, rules: RuleSet, dealt: Dealt, occasion: Occasion = ORDINARY) -> None:
        """Lay the cards out; without bidding in a Ramsch round (R-BOCK-6).

        Args:
            rules: any valid rule set.
            dealt: the cards.
            occasion: what the deal owes to its place in a series.
        """
        super().__init__(rules, dealt, occasion)
        if occasion.ramsch_round:
            ramsch_opening.open_ramsch(self)

    def opening(self) -> CardsDealt:
        """The event that precedes every action."""
        return CardsDealt(self.dealt, self.occasion)

    def legal(self, position: Position) -> Sequence[Action]:
        """What a position may do now: its decision's options, or its interventions.

        Cards come before interventions. Empty when the position has nothing to say.
        """
        return legality.legal_actions(self, position)

    def apply(self, position: Position, action: Action) -> list[Event]:
        """Take one action and return what follows from it.

        Raises:
            IllegalActionError: the action may not be taken now; nothing has changed.
        """
        if not legality.is_legal(self, position, action):
            raise refusals.explain(self, position, action)
        return _TRANSITIONS[type(action)](self, position, action)


def _decline(deal: DealState, position: Position, action: Decline) -> list[Event]:
    return _DECLINED[deal.phase](deal, position, action)


_DECLINED: Final[dict[Phase, Callable[[DealState, Position, Decline], list[Event]]]] = {
    Phase.GRAND_HAND_OFFER: ramsch_opening.decline_grand_hand,
    Phase.KNOCKING: ramsch_opening.decline_knock,
    Phase.KONTRA: kontra.decline_doubling,
    Phase.REARRANGEMENT: lead_in.keep_hands,
}

# A transition takes its own type of action; the table is what guarantees that it gets it.
_TRANSITIONS: Final[dict[type[Action], Callable[[DealState, Position, Any], list[Event]]]] = {
    Bid: auctioning.bid,
    Hold: auctioning.hold,
    Pass: auctioning.pass_,
    TakeSkat: announcing.take_skat,
    PlayHand: announcing.play_hand,
    Announce: announcing.announce,
    PlayCard: trick_play.play_card,
    GiveUp: votes.give_up,
    LayOpen: votes.lay_open,
    Vote: votes.vote,
    Decline: _decline,
    AcceptGrandHand: ramsch_opening.accept_grand_hand,
    PickUp: ramsch_opening.pick_up,
    PassOn: ramsch_opening.pass_on,
    PutDown: ramsch_opening.put_down,
    Knock: ramsch_opening.knock,
    SayKontra: kontra.say_kontra,
    SayRe: kontra.say_re,
    Rearrange: lead_in.rearrange,
}
