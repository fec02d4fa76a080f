"""The auction of a deal, up to a declarer or to what follows when everybody passed.

Sections 4 and 5.
"""

from typing import Final

from skat_engine.actions import Bid, Hold, Pass
from skat_engine.bidding import LOWEST_BID
from skat_engine.ending import close
from skat_engine.events import AuctionWon, BidHeld, BidMade, Event, Passed
from skat_engine.options import AllPass
from skat_engine.phases import Phase
from skat_engine.ramsch_opening import open_ramsch
from skat_engine.results import Ending
from skat_engine.seats import Position
from skat_engine.state import DealState

_FOREHAND_OPTION: Final = Phase.FOREHAND_OPTION


def bid(deal: DealState, position: Position, action: Bid) -> list[Event]:
    """Name a number, or take the game as forehand (R-BID-3, R-BID-4)."""
    made = BidMade(position, action.value)
    if deal.phase is _FOREHAND_OPTION:
        deal.auction.take(action.value)
        return [made, _win(deal, position)]
    deal.auction.bid(action.value)
    deal.to_act = deal.auction.to_act
    return [made]


def hold(deal: DealState, position: Position, _action: Hold) -> list[Event]:
    """Accept the number named (R-BID-3)."""
    deal.auction.hold()
    deal.to_act = deal.auction.to_act
    return [BidHeld(position, deal.auction.high)]


def pass_(deal: DealState, position: Position, _action: Pass) -> list[Event]:
    """Leave the auction (R-BID-3)."""
    passed = Passed(position)
    if deal.phase is _FOREHAND_OPTION:
        return [passed, *_all_passed(deal)]
    deal.auction.drop()
    survivor = deal.auction.survivor
    if survivor is None:
        deal.to_act = deal.auction.to_act
        return [passed]
    if deal.auction.high:
        return [passed, _win(deal, survivor)]
    if deal.rules.all_pass is AllPass.FOREHAND_MUST_PLAY:
        deal.auction.take(LOWEST_BID)
        return [passed, _win(deal, survivor)]
    deal.phase, deal.to_act = _FOREHAND_OPTION, survivor
    return [passed]


def _win(deal: DealState, declarer: Position) -> AuctionWon:
    deal.declarer, deal.bid = declarer, deal.auction.high
    deal.phase, deal.to_act = Phase.SKAT_DECISION, declarer
    return AuctionWon(declarer, deal.bid)


def _all_passed(deal: DealState) -> list[Event]:
    """Forehand did not want the game either (section 5)."""
    if deal.rules.all_pass is AllPass.RAMSCH:
        return open_ramsch(deal)
    redeal = deal.rules.all_pass is AllPass.REDEAL_SAME_DEALER
    return [close(deal, Ending.REDEALT if redeal else Ending.PASSED_IN)]
