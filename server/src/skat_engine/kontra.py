"""Kontra and Re: who may say them and when (section 8).

Before the first lead the defenders are asked one after the other. Where Kontra may be said
until a defender's own first card, it is an intervention, which suspends play until the
declarer has answered; ouvert games are asked beforehand all the same, because nobody may say
Kontra once the cards are shown (R-KON-3).
"""

from dataclasses import replace

from skat_engine.actions import Decline, SayKontra, SayRe
from skat_engine.bidding import LOWEST_BID
from skat_engine.events import Event, KontraAnswered, ReAnswered
from skat_engine.lead_in import open_play
from skat_engine.options import Kontra, KontraInRamschGrandHand, KontraTiming
from skat_engine.phases import Phase
from skat_engine.seats import MIDDLEHAND, POSITIONS, REARHAND, Position
from skat_engine.state import DealState


def open_kontra(deal: DealState) -> list[Event]:
    """Ask for Kontra where the rules say so, and go on to the first lead otherwise."""
    _, contract = deal.game()
    eligible = eligible_defenders(deal)
    if not eligible:
        return open_play(deal)
    before_lead = deal.rules.kontra_timing is KontraTiming.BEFORE_FIRST_LEAD
    if not before_lead and not contract.ouvert:
        deal.may_say_kontra = sum(1 << position for position in eligible)
        return open_play(deal)
    deal.waiting = eligible
    deal.phase, deal.to_act = Phase.KONTRA, eligible[0]
    return []


def eligible_defenders(deal: DealState) -> tuple[Position, ...]:
    """Who may say Kontra, in the order of asking (R-KON-2, R-KON-5)."""
    rule = deal.rules.kontra
    if rule is Kontra.OFF:
        return ()
    defenders = tuple(position for position in POSITIONS if position != deal.declarer)
    if deal.replaces_ramsch:
        waived = KontraInRamschGrandHand.ELIGIBILITY_WAIVED
        return defenders if deal.rules.kontra_in_ramsch_grand_hand is waived else ()
    if rule is Kontra.ANY_DEFENDER:
        return defenders
    said_18 = deal.auction.named
    if rule is Kontra.SAID_18_OR_PRICED_OUT and _is_priced_out(deal):
        said_18 |= 1 << REARHAND
    return tuple(position for position in defenders if said_18 >> position & 1)


def _is_priced_out(deal: DealState) -> bool:
    """Whether rearhand passed without a number when the price was above 18 (R-KON-2).

    Only middlehand opens the price for rearhand: forehand's last option comes after him.
    """
    return deal.auction.named >> MIDDLEHAND & 1 == 1 and deal.bid > LOWEST_BID


def say_kontra(deal: DealState, position: Position, _action: SayKontra) -> list[Event]:
    """Double the game; the first Kontra ends the asking (R-KON-1, R-KON-3)."""
    deal.doubling = replace(deal.doubling, kontra=True)
    deal.waiting = ()
    said = KontraAnswered(position, kontra=True)
    if deal.rules.re:
        deal.phase, deal.to_act = Phase.KONTRA, deal.declarer
        return [said]
    return [said, *_go_on(deal)]


def say_re(deal: DealState, position: Position, _action: SayRe) -> list[Event]:
    """Answer a Kontra by doubling again (R-KON-1)."""
    deal.doubling = replace(deal.doubling, re=True)
    return [ReAnswered(position, re=True), *_go_on(deal)]


def decline_doubling(deal: DealState, position: Position, _action: Decline) -> list[Event]:
    """Say neither Kontra nor Re."""
    if deal.doubling.kontra:
        return [ReAnswered(position, re=False), *_go_on(deal)]
    declined = KontraAnswered(position, kontra=False)
    deal.waiting = deal.waiting[1:]
    if not deal.waiting:
        return [declined, *_go_on(deal)]
    deal.to_act = deal.waiting[0]
    return [declined]


def _go_on(deal: DealState) -> list[Event]:
    """Back to the trick that was interrupted, or to the first lead."""
    if not deal.may_say_kontra:
        return open_play(deal)
    deal.may_say_kontra = 0
    deal.phase, deal.to_act = Phase.PLAY, deal.turn()
    return []
