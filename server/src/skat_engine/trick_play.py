"""Cards, tricks, and the ways in which play itself ends a deal (sections 9, 10, 16)."""

from dataclasses import replace
from typing import Final

from skat_engine import ramsch_ending, valuation
from skat_engine.actions import PlayCard
from skat_engine.cards import Card, CardSet
from skat_engine.ending import end_game
from skat_engine.events import CARDS_PLAYED, CardPlayed, DealEnded, Event, TrickTaken
from skat_engine.results import Ending
from skat_engine.seats import Position, with_at
from skat_engine.state import TRICKS, DealState
from skat_engine.tricks import complete_trick

TRICK_CARDS: Final = 3


def play_card(deal: DealState, position: Position, action: PlayCard) -> list[Event]:
    """Put a card on the table; the third one makes a trick (R-PLAY-1 to R-PLAY-3)."""
    card = action.card
    deal.hands[position] = CardSet(deal.hands[position] & ~(1 << card))
    table = deal.table = (*deal.table, card)
    played = CARDS_PLAYED[position][card]
    if len(table) < TRICK_CARDS:
        deal.to_act = (position + 1) % 3
        return [played]
    return _take_trick(deal, played, table)


def _take_trick(deal: DealState, played: CardPlayed, cards: tuple[Card, ...]) -> list[Event]:
    assert deal.order is not None
    first, second, third = cards
    trick = complete_trick(deal.leader, (first, second, third), deal.order)
    winner = trick.winner
    deal.table = ()
    deal.tricks += (trick,)
    deal.leader = deal.to_act = winner
    deal.points = with_at(deal.points, winner, deal.points[winner] + trick.points)
    deal.tricks_won = with_at(deal.tricks_won, winner, deal.tricks_won[winner] + 1)
    ended = _end_by_play(deal, winner)
    return [played, TrickTaken(trick)] if ended is None else [played, TrickTaken(trick), ended]


def _end_by_play(deal: DealState, winner: Position) -> DealEnded | None:
    """The end, if the trick just completed was the last or decides the game."""
    is_last = len(deal.tricks) == TRICKS
    declarer, contract = deal.declarer, deal.contract
    if declarer is None or contract is None:
        return ramsch_ending.end_ramsch(deal) if is_last else None
    if winner != declarer:
        if deal.must_win_all:
            return _fail_lay_open(deal)
    elif contract.is_null and deal.rules.null_ends_at_first_trick:
        return _play_out(deal, Ending.NULL_LOST)
    return _play_out(deal, Ending.PLAYED_OUT) if is_last else None


def _play_out(deal: DealState, ending: Ending) -> DealEnded:
    """Book what was played, also of a Null that its first trick has lost (R-NULL-1)."""
    standing = deal.standing()
    value = valuation.played_out(standing, deal.rules, deal.doubling)
    return end_game(deal, ending, standing, value)


def _fail_lay_open(deal: DealState) -> DealEnded:
    """The declarer claimed every trick and has lost one: lost, whatever the points (R-END-8)."""
    standing = replace(deal.standing(), lay_open_failed=True)
    value = valuation.played_out(standing, deal.rules, deal.doubling)
    return end_game(deal, Ending.LAY_OPEN_FAILED, standing, value)
