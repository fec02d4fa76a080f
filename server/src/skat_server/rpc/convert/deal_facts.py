"""Facts of a deal, as a viewer may know them, as events of the wire."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from skat.v1 import event_pb2
from skat_engine import events
from skat_engine.cards import EMPTY
from skat_engine.seats import Seating
from skat_server.rpc.convert.values import (
    CARDS_TO_PROTO,
    cards_to_proto,
    contract_to_proto,
    level_to_proto,
)
from skat_server.tables.facts import DealFact

PROPOSALS_TO_PROTO: Final = {
    kind: event_pb2.ProposalKind.Value(f"PROPOSAL_KIND_{kind.name}") for kind in events.ProposalKind
}


def deal_fact_to_proto(fact: DealFact, seating: Seating) -> event_pb2.TableEvent:
    """An event of the engine, without number and time."""
    return WRITERS[type(fact)](fact, seating)


def _bid_made(fact: events.BidMade, seating: Seating) -> event_pb2.TableEvent:
    bid = event_pb2.BidMade(seat=seating.active[fact.position], value=fact.value)
    return event_pb2.TableEvent(bid_made=bid)


def _bid_held(fact: events.BidHeld, seating: Seating) -> event_pb2.TableEvent:
    held = event_pb2.BidHeld(seat=seating.active[fact.position], value=fact.value)
    return event_pb2.TableEvent(bid_held=held)


def _passed(fact: events.Passed, seating: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(bid_passed=event_pb2.BidPassed(seat=seating.active[fact.position]))


def _auction_won(fact: events.AuctionWon, seating: Seating) -> event_pb2.TableEvent:
    won = event_pb2.AuctionWon(seat=seating.active[fact.declarer], bid=fact.bid)
    return event_pb2.TableEvent(auction_won=won)


def _skat_taken(fact: events.SkatTaken, seating: Seating) -> event_pb2.TableEvent:
    skat = [CARDS_TO_PROTO[card] for card in fact.skat or ()]
    taken = event_pb2.SkatTaken(seat=seating.active[fact.declarer], skat=skat)
    return event_pb2.TableEvent(skat_taken=taken)


def _hand_chosen(fact: events.HandChosen, seating: Seating) -> event_pb2.TableEvent:
    chosen = event_pb2.HandChosen(seat=seating.active[fact.declarer])
    return event_pb2.TableEvent(hand_chosen=chosen)


def _announced(fact: events.ContractAnnounced, seating: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(
        contract_announced=event_pb2.ContractAnnounced(
            seat=seating.active[fact.declarer],
            contract=contract_to_proto(fact.contract),
            discards=[CARDS_TO_PROTO[card] for card in fact.discards or ()],
        )
    )


def _exposed(fact: events.HandExposed, seating: Seating) -> event_pb2.TableEvent:
    exposed = event_pb2.HandExposed(
        seat=seating.active[fact.declarer], cards=cards_to_proto(fact.cards)
    )
    return event_pb2.TableEvent(hand_exposed=exposed)


def _card_played(fact: events.CardPlayed, seating: Seating) -> event_pb2.TableEvent:
    played = event_pb2.CardPlayed(
        seat=seating.active[fact.position], card=CARDS_TO_PROTO[fact.card]
    )
    return event_pb2.TableEvent(card_played=played)


def _trick_taken(fact: events.TrickTaken, seating: Seating) -> event_pb2.TableEvent:
    trick = fact.trick
    taken = event_pb2.TrickTaken(
        seat=seating.active[trick.winner],
        cards=[CARDS_TO_PROTO[card] for card in trick.cards],
        points=trick.points,
    )
    return event_pb2.TableEvent(trick_taken=taken)


def _proposed(fact: events.ShorteningProposed, seating: Seating) -> event_pb2.TableEvent:
    proposed = event_pb2.ShorteningProposed(
        seat=seating.active[fact.position],
        kind=PROPOSALS_TO_PROTO[fact.kind],
        level=level_to_proto(fact.level),
    )
    return event_pb2.TableEvent(shortening_proposed=proposed)


def _vote_cast(fact: events.VoteCast, seating: Seating) -> event_pb2.TableEvent:
    vote = event_pb2.VoteCast(seat=seating.active[fact.position], accept=fact.accept)
    return event_pb2.TableEvent(vote_cast=vote)


def _declined(fact: events.ProposalDeclined, _: Seating) -> event_pb2.TableEvent:
    declined = event_pb2.ProposalDeclined(kind=PROPOSALS_TO_PROTO[fact.kind])
    return event_pb2.TableEvent(proposal_declined=declined)


def _offered(fact: events.ConcessionOffered, seating: Seating) -> event_pb2.TableEvent:
    offered = event_pb2.ConcessionOffered(
        seat=seating.active[fact.position], partner=seating.active[fact.partner]
    )
    return event_pb2.TableEvent(concession_offered=offered)


def _refused(fact: events.ConcessionRefused, seating: Seating) -> event_pb2.TableEvent:
    refused = event_pb2.ConcessionRefused(
        seat=seating.active[fact.position], partner=seating.active[fact.partner]
    )
    return event_pb2.TableEvent(concession_refused=refused)


def _grand_hand_declined(fact: events.GrandHandDeclined, seating: Seating) -> event_pb2.TableEvent:
    declined = event_pb2.GrandHandDeclined(seat=seating.active[fact.position])
    return event_pb2.TableEvent(grand_hand_declined=declined)


def _grand_hand_accepted(fact: events.GrandHandAccepted, seating: Seating) -> event_pb2.TableEvent:
    accepted = event_pb2.GrandHandAccepted(seat=seating.active[fact.declarer])
    return event_pb2.TableEvent(grand_hand_accepted=accepted)


def _ramsch_started(_fact: events.RamschStarted, _: Seating) -> event_pb2.TableEvent:
    return event_pb2.TableEvent(ramsch_started=event_pb2.RamschStarted())


def _picked_up(fact: events.SkatPickedUp, seating: Seating) -> event_pb2.TableEvent:
    skat = [CARDS_TO_PROTO[card] for card in fact.skat or ()]
    picked_up = event_pb2.SkatPickedUp(seat=seating.active[fact.position], skat=skat)
    return event_pb2.TableEvent(skat_picked_up=picked_up)


def _passed_on(fact: events.SkatPassedOn, seating: Seating) -> event_pb2.TableEvent:
    passed_on = event_pb2.SkatPassedOn(seat=seating.active[fact.position])
    return event_pb2.TableEvent(skat_passed_on=passed_on)


def _put_down(fact: events.CardsPutDown, seating: Seating) -> event_pb2.TableEvent:
    cards = [CARDS_TO_PROTO[card] for card in fact.cards or ()]
    put_down = event_pb2.CardsPutDown(seat=seating.active[fact.position], cards=cards)
    return event_pb2.TableEvent(cards_put_down=put_down)


def _knocked(fact: events.Knocked, seating: Seating) -> event_pb2.TableEvent:
    knocked = event_pb2.Knocked(seat=seating.active[fact.position], knock=fact.knock)
    return event_pb2.TableEvent(knocked=knocked)


def _kontra(fact: events.KontraAnswered, seating: Seating) -> event_pb2.TableEvent:
    answered = event_pb2.KontraAnswered(seat=seating.active[fact.position], kontra=fact.kontra)
    return event_pb2.TableEvent(kontra_answered=answered)


def _re(fact: events.ReAnswered, seating: Seating) -> event_pb2.TableEvent:
    answered = event_pb2.ReAnswered(seat=seating.active[fact.declarer], re=fact.re)
    return event_pb2.TableEvent(re_answered=answered)


def _spitze(fact: events.SpitzeRevealed, seating: Seating) -> event_pb2.TableEvent:
    revealed = event_pb2.SpitzeRevealed(
        seat=seating.active[fact.declarer], card=CARDS_TO_PROTO[fact.card]
    )
    return event_pb2.TableEvent(spitze_revealed=revealed)


def _compared(fact: events.DefendersCompared, seating: Seating) -> event_pb2.TableEvent:
    compared = event_pb2.DefendersCompared(
        seat=seating.active[fact.position],
        partner=seating.active[fact.partner],
        cards=cards_to_proto(fact.cards or EMPTY),
        partner_cards=cards_to_proto(fact.partner_cards or EMPTY),
    )
    return event_pb2.TableEvent(defenders_compared=compared)


def _rearranged(fact: events.HandsRearranged, seating: Seating) -> event_pb2.TableEvent:
    rearranged = event_pb2.HandsRearranged(
        seat=seating.active[fact.position],
        partner=seating.active[fact.partner],
        cards=cards_to_proto(fact.cards or EMPTY),
        partner_cards=cards_to_proto(fact.partner_cards or EMPTY),
    )
    return event_pb2.TableEvent(hands_rearranged=rearranged)


# A writer takes its own type of fact; the table is what guarantees that it gets it, and
# tests/rpc holds that every type has a writer.
WRITERS: Final[Mapping[type[DealFact], Callable[[Any, Seating], event_pb2.TableEvent]]] = {
    events.BidMade: _bid_made,
    events.BidHeld: _bid_held,
    events.Passed: _passed,
    events.AuctionWon: _auction_won,
    events.SkatTaken: _skat_taken,
    events.HandChosen: _hand_chosen,
    events.ContractAnnounced: _announced,
    events.HandExposed: _exposed,
    events.CardPlayed: _card_played,
    events.TrickTaken: _trick_taken,
    events.ShorteningProposed: _proposed,
    events.VoteCast: _vote_cast,
    events.ProposalDeclined: _declined,
    events.ConcessionOffered: _offered,
    events.ConcessionRefused: _refused,
    events.GrandHandDeclined: _grand_hand_declined,
    events.GrandHandAccepted: _grand_hand_accepted,
    events.RamschStarted: _ramsch_started,
    events.SkatPickedUp: _picked_up,
    events.SkatPassedOn: _passed_on,
    events.CardsPutDown: _put_down,
    events.Knocked: _knocked,
    events.KontraAnswered: _kontra,
    events.ReAnswered: _re,
    events.SpitzeRevealed: _spitze,
    events.DefendersCompared: _compared,
    events.HandsRearranged: _rearranged,
}
