"""Decisions as `skat_client` knows them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import skat_client as client
import skat_engine as engine
from skat_arena.answers import action_to_client
from skat_arena.table import ArenaTable
from skat_arena.values import LEVELS, PHASES, PROPOSALS, cards_of, contract_of, held
from skat_engine.announcements import DISCARDS

Legal = Sequence[engine.Action]


def decision_of(table: ArenaTable) -> client.Decision:
    """The open decision of a table."""
    deal, turn_id = table.deal, f"{table.dealings}.{len(table.actions)}"
    assert deal is not None
    return decision_in(deal, table.legal, table.seating, table.table_id, turn_id)


def decision_in(
    deal: engine.Deal, legal: Legal, seating: engine.Seating, table_id: str, turn_id: str
) -> client.Decision:
    """The open decision of a deal, wherever it is played.

    Args:
        deal: somebody is to act in it.
        legal: what he may do.
        seating: who plays it.
        table_id: names the table.
        turn_id: names the decision.
    """
    assert deal.to_act is not None
    return client.Decision(
        table_id,
        turn_id,
        seating.active[deal.to_act],
        PHASES[deal.phase],
        action_to_client(legal[0]),
        _OPTIONS[deal.phase](seating, deal, legal),
        _interventions(legal) if deal.phase is engine.Phase.PLAY else (),
    )


def _bidding(_: engine.Seating, deal: engine.Deal, legal: Legal) -> client.Options:
    auction = deal.auction
    return client.BiddingOptions(auction.offer > 0, auction.offer or auction.high, _bids(legal))


def _announcing(_seating: engine.Seating, _: engine.Deal, legal: Legal) -> client.Options:
    assert isinstance(legal, engine.Announcements)
    contracts = tuple(map(contract_of, legal.contracts))
    return client.AnnounceOptions(contracts, DISCARDS if legal.hand else 0, held(legal.hand))


def _cards(_seating: engine.Seating, _: engine.Deal, legal: Legal) -> client.Options:
    plays = (action.card for action in legal if isinstance(action, engine.PlayCard))
    return client.CardOptions(cards_of(plays))


def _vote(seating: engine.Seating, deal: engine.Deal, _: Legal) -> client.Options:
    proposal = deal.proposal
    assert proposal is not None
    seat = seating.active[proposal.proposer]
    return client.VoteOptions(PROPOSALS[proposal.kind], seat, LEVELS[proposal.level])


def _offer(_seating: engine.Seating, _: engine.Deal, legal: Legal) -> client.Options:
    accepting = (action for action in legal if not isinstance(action, engine.Decline))
    return client.OfferOptions(tuple(map(action_to_client, accepting)))


def _exchange(_seating: engine.Seating, _: engine.Deal, legal: Legal) -> client.Options:
    named = {card for one in legal if isinstance(one, engine.PutDown) for card in one.cards}
    if not named:
        return client.ExchangeOptions(may_pick_up=True, put_down_count=0, cards=())
    return client.ExchangeOptions(False, DISCARDS, cards_of(sorted(named)))


def _rearrange(_seating: engine.Seating, _: engine.Deal, legal: Legal) -> client.Options:
    assert isinstance(legal, engine.Arrangements)
    return client.RearrangeOptions(held(legal.cards))


_OPTIONS: Final[
    Mapping[engine.Phase, Callable[[engine.Seating, engine.Deal, Legal], client.Options]]
] = {
    engine.Phase.BIDDING: _bidding,
    engine.Phase.FOREHAND_OPTION: lambda _s, _d, legal: client.ForehandOptions(_bids(legal)),
    engine.Phase.SKAT_DECISION: lambda _s, deal, _: client.SkatOptions(deal.bid),
    engine.Phase.ANNOUNCE: _announcing,
    engine.Phase.PLAY: _cards,
    engine.Phase.SHORTENING_VOTE: _vote,
    engine.Phase.GRAND_HAND_OFFER: _offer,
    engine.Phase.KNOCKING: _offer,
    engine.Phase.KONTRA: _offer,
    engine.Phase.RAMSCH_EXCHANGE: _exchange,
    engine.Phase.REARRANGEMENT: _rearrange,
}


def _bids(legal: Legal) -> tuple[int, ...]:
    return tuple([action.value for action in legal if isinstance(action, engine.Bid)])


def _interventions(legal: Legal) -> tuple[client.Action, ...]:
    others = (action for action in legal if not isinstance(action, engine.PlayCard))
    return tuple(map(action_to_client, others))
