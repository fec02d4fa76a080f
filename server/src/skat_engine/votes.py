"""Deals that somebody wants to end early: proposals and the answers to them (section 15)."""

from dataclasses import replace
from typing import Final, assert_never

from skat_engine import shortening, valuation
from skat_engine.actions import GiveUp, LayOpen, Vote
from skat_engine.claims import can_take_all
from skat_engine.contracts import Level
from skat_engine.ending import end_game
from skat_engine.events import (
    ConcessionOffered,
    ConcessionRefused,
    DealEnded,
    Event,
    HandExposed,
    ProposalDeclined,
    ProposalKind,
    ShorteningProposed,
    VoteCast,
)
from skat_engine.options import DefenderGiveUp, LayOpenRule
from skat_engine.phases import Phase
from skat_engine.results import Ending
from skat_engine.seats import Position, with_at
from skat_engine.state import CONCESSIONS, DealState, Proposal

FREE_GIVE_UP_CARDS: Final = 9
"""With this many cards in hand the declarer gives up without asking (R-END-1)."""

_UNANIMOUS: Final = frozenset({ProposalKind.CLAIM, ProposalKind.ALL_TRICKS})
"""Proposals that need everybody who is asked; for the others one is enough."""


def give_up(deal: DealState, position: Position, _action: GiveUp) -> list[Event]:
    """Concede the rest, as declarer (R-END-1, R-END-2) or as defender (R-END-4, R-END-5)."""
    declarer, _ = deal.game()
    kind = ProposalKind.DEFENDERS_GIVE_UP
    if deal.is_schenken_open and position != declarer:
        kind = ProposalKind.SCHENKEN
    deal.asked_at = with_at(deal.asked_at, position, len(deal.tricks))
    if position != declarer:
        if deal.rules.defender_give_up is DefenderGiveUp.BOTH_ONCE:
            return _ask_partner(deal, kind, position)
        return _offer_to_declarer(deal, kind, position)
    if deal.hands[declarer].bit_count() >= FREE_GIVE_UP_CARDS:
        return [_shorten(deal, ProposalKind.DECLARER_GIVES_UP, Level.SIMPLE)]
    return _propose(deal, ProposalKind.DECLARER_GIVES_UP, position, _others(position))


def _ask_partner(deal: DealState, kind: ProposalKind, position: Position) -> list[Event]:
    """Ask the other defender first; the declarer learns nothing of it yet (R-END-5)."""
    declarer, _ = deal.game()
    partner = 3 - declarer - position
    deal.proposal = Proposal(kind, position, Level.SIMPLE, (partner, declarer))
    deal.phase, deal.to_act = Phase.SHORTENING_VOTE, partner
    return [ConcessionOffered(position, partner)]


def _offer_to_declarer(deal: DealState, kind: ProposalKind, position: Position) -> list[Event]:
    """The declarer accepts or plays on; whether he may is an option (R-END-4)."""
    declarer, _ = deal.game()
    if kind is ProposalKind.SCHENKEN or deal.rules.give_up_declarer_may_play_on:
        return _propose(deal, kind, position, (declarer,))
    return [_shorten(deal, kind, Level.SIMPLE)]


def lay_open(deal: DealState, position: Position, action: LayOpen) -> list[Event]:
    """Show the hand and claim the game (R-END-7) or every remaining trick (R-END-8, R-END-9)."""
    deal.claimed = deal.exposed = True
    exposed = HandExposed(position, deal.hands[position])
    rule = deal.rules.lay_open
    if rule is LayOpenRule.ISKO_2007:
        return [exposed, _judge(deal)]
    kind = ProposalKind.ALL_TRICKS if rule is LayOpenRule.PROSKAT else ProposalKind.CLAIM
    return [exposed, *_propose(deal, kind, position, _others(position), level=action.level)]


def _judge(deal: DealState) -> DealEnded:
    """Give the remaining tricks to whom they belong, by an exact search (R-END-9)."""
    declarer, _ = deal.game()
    assert deal.order is not None
    right = can_take_all(tuple(deal.hands), declarer, deal.leader, deal.table, deal.order)
    assigned = shortening.rest_to_declarer if right else shortening.rest_to_defenders
    standing = assigned(deal.standing())
    value = valuation.played_out(standing, deal.rules, deal.doubling)
    return end_game(deal, Ending.CLAIM_RIGHT if right else Ending.CLAIM_WRONG, standing, value)


def _propose(
    deal: DealState,
    kind: ProposalKind,
    proposer: Position,
    voters: tuple[Position, ...],
    *,
    level: Level = Level.SIMPLE,
) -> list[Event]:
    deal.proposal = Proposal(kind, proposer, level, voters)
    deal.phase, deal.to_act = Phase.SHORTENING_VOTE, voters[0]
    return [ShorteningProposed(proposer, kind, level)]


def vote(deal: DealState, position: Position, action: Vote) -> list[Event]:
    """Answer the open proposal."""
    proposal = deal.proposal
    assert proposal is not None
    others = proposal.waiting[1:]
    if others and proposal.kind in CONCESSIONS:
        return _answer_partner(deal, proposal, position, action)
    cast = VoteCast(position, action.accept)
    if others and action.accept == (proposal.kind in _UNANIMOUS):
        deal.proposal = replace(proposal, waiting=others)
        deal.to_act = others[0]
        return [cast]
    if action.accept:
        return [cast, _shorten(deal, proposal.kind, proposal.level)]
    _play_on(deal)
    _keep_in_mind(deal, proposal.kind)
    return [cast, ProposalDeclined(proposal.kind)]


def _answer_partner(
    deal: DealState, proposal: Proposal, position: Position, action: Vote
) -> list[Event]:
    """A defender agrees with the other one, or nothing has happened (R-END-5)."""
    if action.accept:
        return _offer_to_declarer(deal, proposal.kind, proposal.proposer)
    _play_on(deal)
    return [ConcessionRefused(position, proposal.proposer)]


def _play_on(deal: DealState) -> None:
    """The decision that was interrupted is open again."""
    deal.proposal = None
    deal.phase, deal.to_act = Phase.PLAY, deal.turn()


def _keep_in_mind(deal: DealState, kind: ProposalKind) -> None:
    """What a proposal that failed leaves behind for the rest of the deal."""
    if kind is ProposalKind.ALL_TRICKS:
        deal.must_win_all = True
    if kind is ProposalKind.SCHENKEN:
        deal.schenken_refused = True


def _shorten(deal: DealState, kind: ProposalKind, level: Level) -> DealEnded:
    deal.proposal = None
    standing, rules, doubling = deal.standing(), deal.rules, deal.doubling
    match kind:
        case ProposalKind.DECLARER_GIVES_UP:
            standing = replace(standing, lay_open_failed=deal.must_win_all)
            value = shortening.declarer_gave_up(standing, rules, doubling)
            return end_game(deal, Ending.DECLARER_GAVE_UP, standing, value)
        case ProposalKind.DEFENDERS_GIVE_UP | ProposalKind.SCHENKEN:
            value = shortening.defenders_gave_up(standing, rules, doubling)
            return end_game(deal, Ending.DEFENDERS_GAVE_UP, standing, value)
        case ProposalKind.CLAIM:
            value = shortening.claim_accepted(standing, level, rules, doubling)
            return end_game(deal, Ending.CLAIM_ACCEPTED, standing, value)
        case ProposalKind.ALL_TRICKS:
            standing = shortening.rest_to_declarer(standing)
            value = valuation.played_out(standing, rules, doubling)
            return end_game(deal, Ending.CLAIM_ACCEPTED, standing, value)
        case _:
            assert_never(kind)


def _others(position: Position) -> tuple[Position, Position]:
    return ((position + 1) % 3, (position + 2) % 3)
