"""The last moments before the first lead: ouvert cards, and the new hands of a Revolution."""

from skat_engine.actions import Decline, Rearrange
from skat_engine.cards import CardSet
from skat_engine.events import DefendersCompared, Event, HandExposed, HandsRearranged
from skat_engine.phases import Phase
from skat_engine.seats import FOREHAND, POSITIONS, Position
from skat_engine.state import DealState


def open_play(deal: DealState) -> list[Event]:
    """Show the cards of an ouvert game (R-ANN-8), then let forehand lead (R-PLAY-1)."""
    declarer, contract = deal.game()
    deal.phase, deal.to_act = Phase.PLAY, FOREHAND  # whoever is declarer (R-PLAY-1)
    if not contract.ouvert:
        return []
    deal.exposed = True
    exposed = HandExposed(declarer, deal.hands[declarer])
    return [exposed, _compare(deal)] if contract.revolution else [exposed]


def _compare(deal: DealState) -> DefendersCompared:
    """Let the defenders see each other's cards; the first of them in order of play decides."""
    decider, partner = (position for position in POSITIONS if position != deal.declarer)
    deal.phase, deal.to_act, deal.waiting = Phase.REARRANGEMENT, decider, (decider, partner)
    return DefendersCompared(decider, partner, deal.hands[decider], deal.hands[partner])


def rearrange(deal: DealState, position: Position, action: Rearrange) -> list[Event]:
    """Give the defenders their new hands of ten (section 21)."""
    partner = deal.waiting[1]
    both = deal.hands[position] | deal.hands[partner]
    deal.hands[position] = action.cards
    deal.hands[partner] = CardSet(both & ~action.cards)
    return _begin(deal)


def keep_hands(deal: DealState, _position: Position, _action: Decline) -> list[Event]:
    """Leave the cards of a Revolution as they were dealt."""
    return _begin(deal)


def _begin(deal: DealState) -> list[Event]:
    decider, partner = deal.waiting
    deal.waiting = ()
    deal.phase, deal.to_act = Phase.PLAY, FOREHAND
    return [HandsRearranged(decider, partner, deal.hands[decider], deal.hands[partner])]
