"""What holds in every deal, whatever is played."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import (
    BID_VALUES,
    DECK,
    HAND_CONTRACTS,
    POSITIONS,
    SKAT_CONTRACTS,
    Action,
    Announce,
    Bid,
    Deal,
    Ending,
    Hold,
    IllegalActionError,
    Pass,
    PlayCard,
    PutDown,
    Rearrange,
    card_set,
    cards_in,
    points_in,
)
from skat_engine.bidding import Auction
from skat_engine.cards import FULL_DECK
from tests.strategies import EXTRA_CONTRACTS, WORDS, Playthrough, all_games

LONGEST_DEAL = 3 + 13 + 30 + 3 * 10 * 3 + 3
"""A bound on the actions of a deal but for bids and holds: passes, offers and exchanges, cards,
one proposal with two answers a trick and player, one claim with two answers."""


def universe(chance: random.Random) -> list[Action]:
    """Every action there is, of the announcements with discards a sample."""
    bids = [Bid(value) for value in (0, 17, 19, *BID_VALUES, 265)]
    plays = [PlayCard(card) for card in DECK]
    pairs = [tuple(chance.choices(DECK, k=2)) for _ in range(8)]
    contracts = SKAT_CONTRACTS + HAND_CONTRACTS + EXTRA_CONTRACTS
    announcements = [
        *(Announce(contract) for contract in contracts),
        *(Announce(contract, pair) for contract in contracts for pair in pairs),
    ]
    puts = [PutDown(tuple(chance.choices(DECK, k=size))) for size in (1, 2, 2, 2, 2, 3)]
    keeps = [Rearrange(card_set(chance.choices(DECK, k=12))) for _ in range(4)]
    return [*WORDS, *bids, *plays, *announcements, *puts, *keeps]


def snapshot(value: Any) -> Any:
    """Everything in the slots of a deal, as values that do not change with it."""
    if isinstance(value, Deal | Auction):
        return {
            name: snapshot(getattr(value, name))
            for kind in type(value).__mro__
            for name in getattr(kind, "__slots__", ())
        }
    return tuple(value) if isinstance(value, list) else value


def is_accepted(deal: Deal, position: int, action: Action) -> bool:
    try:
        deal.copy().apply(position, action)
    except IllegalActionError:
        return False
    return True


@given(all_games())
def test_a_deal_played_out_is_complete(game: Playthrough) -> None:
    """Fault 17: all 32 cards are always somewhere."""
    for deal in game.states():
        played = [card for trick in deal.tricks for card in trick.cards]
        somewhere = [card for cards in (*deal.hands, deal.skat) for card in cards_in(cards)]
        assert sorted([*played, *deal.table, *somewhere]) == list(DECK)


@given(all_games())
def test_points_and_tricks_of_a_deal_add_up(game: Playthrough) -> None:
    deal = game.final()
    result = deal.result
    assert result is not None
    if result.ending is Ending.PLAYED_OUT:
        assert result.game is not None
        assert result.game.declarer_points + result.game.defender_points == 120
        assert sum(result.tricks) == len(deal.tricks) == 10
    assert sum(result.tricks) == len(deal.tricks)
    assert sum(deal.points) == sum(trick.points for trick in deal.tricks)


@given(all_games())
def test_the_score_follows_from_the_value(game: Playthrough) -> None:
    """R-VAL-8, R-LOSS-1, R-LOSS-2, R-OVER-1, R-OVER-2."""
    result = game.final().result
    assert result is not None
    if result.game is None:
        return
    value, factor = result.game.value, result.game.doubling.factor
    assert value.value >= result.game.bid
    assert value.score in {factor * times * value.value for times in (1, -1, -2)}
    assert (value.score > 0) is value.won
    assert value.overbid is (value.raw < result.game.bid)
    assert not (value.won and value.overbid)
    assert [score for score in result.scores if score] == [value.score]


@given(all_games())
def test_without_a_declarer_only_a_ramsch_scores(game: Playthrough) -> None:
    """R-RAM-2, R-TAB-2, section 5."""
    result = game.final().result
    assert result is not None
    if result.game is None and result.ramsch is None:
        assert result.scores == (0, 0, 0)
        assert result.ending in (Ending.PASSED_IN, Ending.REDEALT)
    if result.ramsch is not None:
        skat = points_in(card_set(result.ramsch.skat))
        assert (result.ending, sum(result.tricks)) == (Ending.RAMSCH_PLAYED, 10)
        assert sum(result.ramsch.points) in (120 - skat, 120, 120 + skat, 120 + 2 * skat)


@given(all_games())
def test_no_bid_means_no_ordinary_game(game: Playthrough) -> None:
    """R-RAM-12, R-OVER-6, R-BOCK-6: without a bid there is Grand Hand at most."""
    deal = game.final()
    if deal.declarer is not None and deal.contract is not None:
        assert (deal.bid == 0) is deal.replaces_ramsch
        if deal.replaces_ramsch:
            assert str(deal.contract).startswith("GH")
    if game.occasion.ramsch_round:
        assert not any(isinstance(action, Bid | Pass) for _, action in game.moves)


@settings(max_examples=40)
@given(all_games(), st.integers(0, 2**32))
def test_what_is_offered_is_accepted_and_nothing_else(game: Playthrough, seed: int) -> None:
    """Habit of one source of legality: the options, the check and the refusals agree."""
    chance = random.Random(seed)
    states = list(game.states())
    for deal in chance.sample(states, min(6, len(states))):
        before = snapshot(deal)
        for position in POSITIONS:
            offered = deal.legal(position)
            for action in universe(chance):
                assert is_accepted(deal, position, action) is (action in offered)
            for place in chance.sample(range(len(offered)), min(40, len(offered))):
                assert is_accepted(deal, position, offered[place])
        assert snapshot(deal) == before


@settings(max_examples=40)
@given(all_games(), st.integers(0, 2**32))
def test_a_refused_action_changes_nothing(game: Playthrough, seed: int) -> None:
    chance = random.Random(seed)
    states = list(game.states())
    for deal in chance.sample(states, min(6, len(states))):
        before = snapshot(deal)
        for position in POSITIONS:
            offered = deal.legal(position)
            for action in universe(chance):
                if action not in offered:
                    with pytest.raises(IllegalActionError):
                        deal.apply(position, action)
        assert snapshot(deal) == before


@given(all_games())
def test_a_copy_goes_its_own_way(game: Playthrough) -> None:
    states = list(game.states())
    for deal, (position, action) in zip(states, game.moves, strict=False):
        twin, before = deal.copy(), snapshot(deal)
        assert snapshot(twin) == before
        twin.apply(position, action)
        assert snapshot(deal) == before


@given(all_games())
def test_every_deal_ends(game: Playthrough) -> None:
    """A proposal may be made once a trick, so not even proposals go on for ever."""
    auction = sum(isinstance(action, Bid | Hold) for _, action in game.moves)
    assert game.final().is_over
    assert len(game.moves) - auction <= LONGEST_DEAL


@given(all_games())
def test_who_is_to_act_has_something_to_say(game: Playthrough) -> None:
    for deal in game.states():
        assert (deal.to_act is None) is deal.is_over
        if deal.to_act is not None:
            assert len(deal.legal(deal.to_act)) > 0


@given(all_games())
def test_a_finished_deal_offers_nothing(game: Playthrough) -> None:
    assert [len(game.final().legal(position)) for position in POSITIONS] == [0, 0, 0]


@given(all_games())
def test_replay_is_a_fold(game: Playthrough) -> None:
    assert snapshot(game.final()) == snapshot(list(game.states())[-1])


@given(all_games())
def test_the_skat_stays_where_it_is_in_play(game: Playthrough) -> None:
    """R-SKAT-3."""
    seen = {deal.skat for deal in game.states() if deal.tricks}
    assert len(seen) <= 1
    for deal in game.states():
        assert deal.hands[0] | deal.hands[1] | deal.hands[2] | deal.skat <= FULL_DECK
