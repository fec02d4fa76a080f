"""Events and results of the engine as `skat_client` knows them.

A bot is told in the arena what a server would tell it, word for word; tests/arena holds that.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import skat_client as client
import skat_engine as engine
from skat_arena.table import ArenaTable
from skat_arena.values import CARDS, ENDINGS, LEVELS, PROPOSALS, cards_of, contract_of, held


def deal_started(table: ArenaTable, seat: int) -> client.DealStarted:
    """What a seat is told of the dealing."""
    assert table.deal is not None
    seating, occasion = table.seating, table.deal.occasion
    position = seating.position_of(seat)
    return client.DealStarted(
        table.deal_number,
        seating.dealer,
        seating.active,
        seating.sitting_out,
        () if position is None else held(table.deal.dealt.hands[position]),
        occasion.bock,
        occasion.ramsch_round,
        occasion.ramsch_round and occasion.grand_hand_offered,
        table.deal_id,
        table.commitment,
    )


def deal_ended(booking: engine.Booking, seed: bytes) -> client.DealEnded:
    """What everybody is told of a result."""
    result = result_of(booking.result, booking.seating, len(booking.totals))
    return client.DealEnded(result, booking.changes, booking.totals, seed)


def series_ended(sheet: engine.ScoreSheet) -> client.SeriesEnded:
    """What everybody is told of the end."""
    places: dict[int, int] = {}
    for group in sheet.ranking():
        places.update(dict.fromkeys(group, len(places) + 1))
    return client.SeriesEnded(sheet.totals, tuple(places[seat] for seat in sorted(places)))


def event_of(event: engine.Event, seating: engine.Seating) -> client.Event | None:
    """An event of the deal, projected for a viewer; None for what other events tell better."""
    write = _EVENTS.get(type(event))
    return None if write is None else write(event, seating.active)


Active = tuple[int, int, int]


def _announced(event: engine.ContractAnnounced, at: Active) -> client.Event:
    contract = contract_of(event.contract)
    return client.ContractAnnounced(at[event.declarer], contract, cards_of(event.discards))


def _trick(event: engine.TrickTaken, at: Active) -> client.Event:
    trick = event.trick
    return client.TrickTaken(at[trick.winner], cards_of(trick.cards), trick.points)


def _proposed(event: engine.ShorteningProposed, at: Active) -> client.Event:
    kind, level = PROPOSALS[event.kind], LEVELS[event.level]
    return client.ShorteningProposed(at[event.position], kind, level)


def _compared(event: engine.DefendersCompared, at: Active) -> client.Event:
    hands = held(event.cards), held(event.partner_cards)
    return client.DefendersCompared(at[event.position], at[event.partner], *hands)


def _rearranged(event: engine.HandsRearranged, at: Active) -> client.Event:
    hands = held(event.cards), held(event.partner_cards)
    return client.HandsRearranged(at[event.position], at[event.partner], *hands)


# A writer takes its own type of event; the table is what guarantees that it gets it.
_EVENTS: Final[Mapping[type[engine.Event], Callable[[Any, Active], client.Event]]] = {
    engine.BidMade: lambda e, at: client.BidMade(at[e.position], e.value),
    engine.BidHeld: lambda e, at: client.BidHeld(at[e.position], e.value),
    engine.Passed: lambda e, at: client.BidPassed(at[e.position]),
    engine.AuctionWon: lambda e, at: client.AuctionWon(at[e.declarer], e.bid),
    engine.SkatTaken: lambda e, at: client.SkatTaken(at[e.declarer], cards_of(e.skat)),
    engine.HandChosen: lambda e, at: client.HandChosen(at[e.declarer]),
    engine.ContractAnnounced: _announced,
    engine.HandExposed: lambda e, at: client.HandExposed(at[e.declarer], held(e.cards)),
    engine.CardPlayed: lambda e, at: client.CardPlayed(at[e.position], CARDS[e.card]),
    engine.TrickTaken: _trick,
    engine.ShorteningProposed: _proposed,
    engine.VoteCast: lambda e, at: client.VoteCast(at[e.position], e.accept),
    engine.ProposalDeclined: lambda e, _: client.ProposalDeclined(PROPOSALS[e.kind]),
    engine.ConcessionOffered: lambda e, at: client.ConcessionOffered(at[e.position], at[e.partner]),
    engine.ConcessionRefused: lambda e, at: client.ConcessionRefused(at[e.position], at[e.partner]),
    engine.GrandHandDeclined: lambda e, at: client.GrandHandDeclined(at[e.position]),
    engine.GrandHandAccepted: lambda e, at: client.GrandHandAccepted(at[e.declarer]),
    engine.RamschStarted: lambda _e, _at: client.RamschStarted(),
    engine.SkatPickedUp: lambda e, at: client.SkatPickedUp(at[e.position], cards_of(e.skat)),
    engine.SkatPassedOn: lambda e, at: client.SkatPassedOn(at[e.position]),
    engine.CardsPutDown: lambda e, at: client.CardsPutDown(at[e.position], cards_of(e.cards)),
    engine.Knocked: lambda e, at: client.Knocked(at[e.position], e.knock),
    engine.KontraAnswered: lambda e, at: client.KontraAnswered(at[e.position], e.kontra),
    engine.ReAnswered: lambda e, at: client.ReAnswered(at[e.declarer], e.re),
    engine.SpitzeRevealed: lambda e, at: client.SpitzeRevealed(at[e.declarer], CARDS[e.card]),
    engine.DefendersCompared: _compared,
    engine.HandsRearranged: _rearranged,
}


def result_of(result: engine.DealResult, seating: engine.Seating, seats: int) -> client.DealResult:
    """What a deal came to, by seat."""
    scores = [0] * seats
    for position, score in enumerate(result.scores):
        scores[seating.active[position]] = score
    forehand, middlehand, rearhand = map(held, result.dealt.hands)
    return client.DealResult(
        ENDINGS[result.ending],
        None if result.game is None else _game_of(result.game, seating.active),
        tuple(scores),
        result.tricks,
        client.DealtCards(forehand, middlehand, rearhand, held(result.dealt.skat)),
        None if result.ramsch is None else _ramsch_of(result.ramsch, seating.active),
    )


def _game_of(game: engine.DeclarerGame, at: Active) -> client.DeclarerGame:
    value = game.value
    return client.DeclarerGame(
        seat=at[game.declarer],
        bid=game.bid,
        contract=contract_of(game.contract),
        discards=cards_of(game.discards),
        declarer_points=game.declarer_points,
        defender_points=game.defender_points,
        value=client.GameValue(
            base=value.base,
            matadors=value.matadors,
            level=LEVELS[value.level],
            multiplier=value.multiplier,
            raw=value.raw,
            overbid=value.overbid,
            won=value.won,
            value=value.value,
            score=value.score,
        ),
        kontra=game.doubling.kontra,
        re=game.doubling.re,
        bock=game.doubling.bock,
        replaces_ramsch=game.replaces_ramsch,
    )


def _ramsch_of(ramsch: engine.RamschGame, at: Active) -> client.RamschGame:
    taker = ramsch.durchmarsch
    return client.RamschGame(
        points=ramsch.points,
        looked=tuple(at[position] for position in ramsch.looked),
        untouched=ramsch.untouched,
        knocked=ramsch.knocked,
        durchmarsch=None if taker is None else at[taker],
        skat=cards_of(ramsch.skat),
    )
