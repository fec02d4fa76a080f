"""A Ramsch before its first card: offers of Grand Hand, the skat, knocking (section 16).

All offers go to one position after the other; `DealState.waiting` holds who is still to be
asked. Who says nothing at all may be given the first option: he lets every offer go by.
"""

from typing import Final

from skat_engine.actions import AcceptGrandHand, Decline, Knock, PassOn, PickUp, PutDown
from skat_engine.cards import EMPTY, CardSet, card_set, cards_in
from skat_engine.contracts import order_of_ramsch
from skat_engine.events import (
    CardsPutDown,
    Event,
    GrandHandAccepted,
    GrandHandDeclined,
    Knocked,
    RamschStarted,
    SkatPassedOn,
    SkatPickedUp,
)
from skat_engine.options import (
    GrandHandOrder,
    RamschGrandHand,
    RamschRoundGrandHand,
    RamschSkatExchange,
)
from skat_engine.phases import Phase
from skat_engine.seats import FOREHAND, MIDDLEHAND, POSITIONS, REARHAND, Position
from skat_engine.state import DealState

_ORDERS: Final = {
    GrandHandOrder.FOREHAND_FIRST: POSITIONS,
    GrandHandOrder.DEALER_FIRST: (REARHAND, FOREHAND, MIDDLEHAND),
}


def open_ramsch(deal: DealState) -> list[Event]:
    """Offer Grand Hand where the rules say so, else start the Ramsch (R-RAM-3, R-RAM-11)."""
    deal.waiting = _offered_to(deal)
    if not deal.waiting:
        return _start(deal)
    deal.phase, deal.to_act = Phase.GRAND_HAND_OFFER, deal.waiting[0]
    return []


def _offered_to(deal: DealState) -> tuple[Position, ...]:
    """Who may play Grand Hand instead, in the order of asking (R-RAM-11, R-BOCK-6)."""
    rules, order = deal.rules, _ORDERS[deal.rules.ramsch_grand_hand_order]
    if deal.occasion.ramsch_round:
        everybody = rules.ramsch_round_grand_hand is RamschRoundGrandHand.ALL_PLAYERS
        return order if everybody and deal.occasion.grand_hand_offered else ()
    if rules.ramsch_grand_hand is RamschGrandHand.FOREHAND_ONLY:
        return (FOREHAND,)
    return order if rules.ramsch_grand_hand is RamschGrandHand.ALL_PLAYERS else ()


def _ask_next(deal: DealState) -> bool:
    """Give the decision to the next who waits; false when nobody is left."""
    deal.waiting = deal.waiting[1:]
    if deal.waiting:
        deal.to_act = deal.waiting[0]
    return bool(deal.waiting)


def accept_grand_hand(deal: DealState, position: Position, _action: AcceptGrandHand) -> list[Event]:
    """Become declarer of a Grand Hand without a bid; no more offers are made (R-RAM-12)."""
    deal.declarer, deal.replaces_ramsch, deal.waiting = position, True, ()
    deal.phase = Phase.ANNOUNCE
    return [GrandHandAccepted(position)]


def decline_grand_hand(deal: DealState, position: Position, _action: Decline) -> list[Event]:
    """Rather play the Ramsch (R-RAM-11)."""
    declined = GrandHandDeclined(position)
    return [declined] if _ask_next(deal) else [declined, *_start(deal)]


def _start(deal: DealState) -> list[Event]:
    if deal.rules.ramsch_skat_exchange is RamschSkatExchange.PASS_ALONG:
        deal.waiting = POSITIONS
        deal.phase, deal.to_act = Phase.RAMSCH_EXCHANGE, FOREHAND
    else:
        _open_knocking(deal)
    return [RamschStarted()]


def pick_up(deal: DealState, position: Position, _action: PickUp) -> list[Event]:
    """Look at the two cards and take them into the hand (R-RAM-5)."""
    taken = deal.skat
    deal.hands[position] = CardSet(deal.hands[position] | taken)
    deal.skat = EMPTY
    deal.looked = (*deal.looked, position)
    return [SkatPickedUp(position, cards_in(taken))]


def put_down(deal: DealState, position: Position, action: PutDown) -> list[Event]:
    """Put two cards down for the next player; rearhand's become the skat (R-RAM-5)."""
    deal.skat = card_set(action.cards)
    deal.hands[position] = CardSet(deal.hands[position] & ~deal.skat)
    _exchange_next(deal)
    return [CardsPutDown(position, action.cards)]


def pass_on(deal: DealState, position: Position, _action: PassOn) -> list[Event]:
    """Pass the two cards on unseen, a jack among them included (R-RAM-5)."""
    _exchange_next(deal)
    return [SkatPassedOn(position)]


def _exchange_next(deal: DealState) -> None:
    if not _ask_next(deal):
        _open_knocking(deal)


def _open_knocking(deal: DealState) -> None:
    """Ask who wants to double the Ramsch, or go on to the first lead (section 21)."""
    deal.waiting = _may_knock(deal)
    if deal.waiting:
        deal.phase, deal.to_act = Phase.KNOCKING, deal.waiting[0]
    else:
        _open_play(deal)


def _may_knock(deal: DealState) -> tuple[Position, ...]:
    """Everybody in a Ramsch round, but nobody who passed the skat on unseen.

    The exception is XSkat's, from which the option is taken.
    """
    if not deal.rules.klopfen or not deal.occasion.ramsch_round:
        return ()
    if deal.rules.ramsch_skat_exchange is RamschSkatExchange.NONE:
        return POSITIONS
    return deal.looked


def knock(deal: DealState, position: Position, _action: Knock) -> list[Event]:
    """Double the Ramsch; one knock is enough and ends the asking (section 21)."""
    deal.knocked, deal.waiting = True, ()
    _open_play(deal)
    return [Knocked(position, knock=True)]


def decline_knock(deal: DealState, position: Position, _action: Decline) -> list[Event]:
    """Leave the Ramsch as it is."""
    if not _ask_next(deal):
        _open_play(deal)
    return [Knocked(position, knock=False)]


def _open_play(deal: DealState) -> None:
    """Forehand leads, also to a Ramsch (R-PLAY-1)."""
    deal.order = order_of_ramsch()
    deal.phase, deal.to_act = Phase.PLAY, FOREHAND
