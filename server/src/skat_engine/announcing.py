"""The declarer's way from the auction to the first lead: skat, announcement, what follows.

Sections 6 and 7. After the announcement come Kontra, the ouvert cards and, in a Revolution,
the defenders' new hands; `skat_engine.kontra` and `skat_engine.lead_in` have these.
"""

from skat_engine.actions import Announce, PlayHand, TakeSkat
from skat_engine.cards import EMPTY, CardSet, card_set, cards_in
from skat_engine.contracts import order_of, spitze_card
from skat_engine.ending import end_game
from skat_engine.events import ContractAnnounced, Event, HandChosen, SkatTaken, SpitzeRevealed
from skat_engine.kontra import open_kontra
from skat_engine.phases import Phase
from skat_engine.results import Ending
from skat_engine.seats import Position
from skat_engine.state import DealState
from skat_engine.valuation import is_null_below_bid, null_underbid


def take_skat(deal: DealState, position: Position, _action: TakeSkat) -> list[Event]:
    """Pick the two cards up (R-SKAT-2)."""
    taken = deal.skat
    deal.hands[position] = CardSet(deal.hands[position] | taken)
    deal.skat = EMPTY
    deal.phase = Phase.ANNOUNCE
    return [SkatTaken(position, cards_in(taken))]


def play_hand(deal: DealState, position: Position, _action: PlayHand) -> list[Event]:
    """Leave the skat unseen (R-SKAT-2)."""
    deal.phase = Phase.ANNOUNCE
    return [HandChosen(position)]


def announce(deal: DealState, position: Position, action: Announce) -> list[Event]:
    """Put two cards down, if the skat was taken, and name the game (R-SKAT-4)."""
    if action.discards:
        deal.skat = card_set(action.discards)
        deal.hands[position] = CardSet(deal.hands[position] & ~deal.skat)
    contract = deal.contract = action.contract
    deal.order = order_of(contract.kind)
    events: list[Event] = [ContractAnnounced(position, contract, action.discards)]
    if is_null_below_bid(contract, deal.bid):
        return [*events, _lose_at_once(deal)]
    if contract.spitze and deal.rules.spitze_card_revealed:
        events.append(SpitzeRevealed(position, spitze_card(contract.kind)))
    return events + open_kontra(deal)


def _lose_at_once(deal: DealState) -> Event:
    """An impossible Null is lost before play, as the cheapest trump game (R-OVER-5)."""
    _, contract = deal.game()
    value = null_underbid(contract, deal.own_cards(), deal.bid, deal.rules, deal.doubling)
    return end_game(deal, Ending.NULL_UNDERBID, deal.standing(), value)
