"""Decisions as `skat_client` knows them, and its answers as the engine does."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import skat_client as client
import skat_engine as engine
from skat_arena.table import ArenaTable
from skat_arena.told import _LEVELS, _PHASES, _PROPOSALS, cards_of, contract_of, held
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
        _PHASES[deal.phase],
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
    return client.VoteOptions(_PROPOSALS[proposal.kind], seat, _LEVELS[proposal.level])


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


def action_to_client(action: engine.Action) -> client.Action:
    """An action of the engine's as bots know it."""
    write = _TO_CLIENT.get(type(action))
    return _WORDS[type(action)] if write is None else write(action)


def action_of(action: client.Action) -> engine.Action:
    """A bot's answer as the engine knows it.

    Raises:
        IllegalActionError: its flags contradict one another.
        ValueError: it is no action.
    """
    read = _TO_ENGINE.get(type(action))
    if read is not None:
        return read(action)
    word = _WORDS_TO_ENGINE.get(type(action))
    if word is None:
        raise ValueError(f"{action!r} is no action")
    return word


def _contract_to_engine(contract: client.Contract, *, hand: bool) -> engine.Contract:
    kind, announced = engine.ContractKind[contract.kind.name], _TO_LEVELS[contract.announced]
    is_null = kind is engine.ContractKind.NULL
    implied = not is_null and (announced > engine.Level.SIMPLE or contract.ouvert)
    return engine.new_contract(
        kind,
        hand=contract.hand or hand or implied,
        announced=announced,
        ouvert=contract.ouvert,
        spitze=contract.spitze,
        revolution=contract.revolution,
    )


def _cards_to_engine(cards: Sequence[client.Card]) -> tuple[engine.Card, ...]:
    return tuple([engine.Card(card - 1) for card in cards])


_TO_LEVELS: Final = {theirs: ours for ours, theirs in _LEVELS.items()}

_TO_CLIENT: Final[Mapping[type[engine.Action], Callable[[Any], client.Action]]] = {
    engine.PlayCard: lambda a: client.PlayCard(client.Card(a.card + 1)),
    engine.Bid: lambda a: client.Bid(a.value),
    engine.LayOpen: lambda a: client.LayOpen(_LEVELS[a.level]),
    engine.Vote: lambda a: client.Vote(a.accept),
    engine.Announce: lambda a: client.Announce(contract_of(a.contract), cards_of(a.discards)),
    engine.PutDown: lambda a: client.PutDown(cards_of(a.cards)),
    engine.Rearrange: lambda a: client.Rearrange(held(a.cards)),
}
_TO_ENGINE: Final[Mapping[type[client.Action], Callable[[Any], engine.Action]]] = {
    client.PlayCard: lambda a: engine.PlayCard(engine.Card(a.card - 1)),
    client.Bid: lambda a: engine.Bid(a.value),
    client.LayOpen: lambda a: engine.LayOpen(_TO_LEVELS[a.level]),
    client.Vote: lambda a: engine.Vote(a.accept),
    client.Announce: lambda a: engine.Announce(
        _contract_to_engine(a.contract, hand=not a.discards), _cards_to_engine(a.discards)
    ),
    client.PutDown: lambda a: engine.PutDown(_cards_to_engine(a.cards)),
    client.Rearrange: lambda a: engine.Rearrange(engine.card_set(_cards_to_engine(a.cards))),
}
_PAIRS: Final[tuple[tuple[engine.Action, client.Action], ...]] = (
    (engine.Hold(), client.Hold()),
    (engine.Pass(), client.Pass()),
    (engine.TakeSkat(), client.TakeSkat()),
    (engine.PlayHand(), client.PlayHand()),
    (engine.GiveUp(), client.GiveUp()),
    (engine.Decline(), client.Decline()),
    (engine.AcceptGrandHand(), client.AcceptGrandHand()),
    (engine.PickUp(), client.PickUp()),
    (engine.PassOn(), client.PassOn()),
    (engine.Knock(), client.Knock()),
    (engine.SayKontra(), client.SayKontra()),
    (engine.SayRe(), client.SayRe()),
)
_WORDS: Final = {type(ours): theirs for ours, theirs in _PAIRS}
_WORDS_TO_ENGINE: Final = {type(theirs): ours for ours, theirs in _PAIRS}
