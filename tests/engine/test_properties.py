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
    GiveUp,
    Hold,
    IllegalActionError,
    LayOpen,
    Level,
    Pass,
    PlayCard,
    PlayHand,
    TakeSkat,
    Vote,
    cards_in,
)
from skat_engine.bidding import Auction
from skat_engine.cards import FULL_DECK
from tests.strategies import Playthrough, playable_rules, playthroughs

PLAIN: list[Action] = [Hold(), Pass(), TakeSkat(), PlayHand(), GiveUp(), Vote(True), Vote(False)]
LONGEST_DEAL = 12 + 30 + 3 * 10 * 3
"""A bound on the actions of a deal without jump bids: bids aside, cards and proposals."""


def universe(chance: random.Random) -> list[Action]:
    """Every action there is, of the announcements with discards a sample."""
    bids = [Bid(value) for value in (0, 17, 19, *BID_VALUES, 265)]
    plays = [PlayCard(card) for card in DECK]
    pairs = [tuple(chance.choices(DECK, k=2)) for _ in range(8)]
    announcements = [
        *(Announce(contract) for contract in SKAT_CONTRACTS + HAND_CONTRACTS),
        *(Announce(contract, pair) for contract in SKAT_CONTRACTS for pair in pairs),
    ]
    return [*PLAIN, *map(LayOpen, Level), *bids, *plays, *announcements]


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


@given(playthroughs())
def test_a_deal_played_out_is_complete(game: Playthrough) -> None:
    """Fault 17: all 32 cards are always somewhere."""
    for deal in game.states():
        played = [card for trick in deal.tricks for card in trick.cards]
        somewhere = [card for cards in (*deal.hands, deal.skat) for card in cards_in(cards)]
        assert sorted([*played, *deal.table, *somewhere]) == list(DECK)


@given(playthroughs())
def test_points_and_tricks_of_a_deal_add_up(game: Playthrough) -> None:
    deal = game.final()
    result = deal.result
    assert result is not None
    if result.ending is Ending.PLAYED_OUT:
        assert result.game is not None
        assert result.game.declarer_points + result.game.defender_points == 120
        assert sum(result.tricks) == len(deal.tricks) == 10
    assert sum(deal.points) == sum(trick.points for trick in deal.tricks)


@given(playthroughs(interventions=True, rules=playable_rules))
def test_the_score_follows_from_the_value(game: Playthrough) -> None:
    """R-VAL-8, R-LOSS-1, R-LOSS-2, R-OVER-1, R-OVER-2."""
    result = game.final().result
    assert result is not None
    if result.game is None:
        assert result.scores == (0, 0, 0)
        return
    value = result.game.value
    assert value.value >= result.game.bid
    assert value.score in (value.value, -value.value, -2 * value.value)
    assert (value.score > 0) is value.won
    assert value.overbid is (value.raw < result.game.bid)
    assert not (value.won and value.overbid)


@settings(max_examples=40)
@given(playthroughs(interventions=True, rules=playable_rules), st.integers(0, 2**32))
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
            for action in chance.sample(list(offered), min(40, len(offered))):
                assert is_accepted(deal, position, action)
        assert snapshot(deal) == before


@settings(max_examples=40)
@given(playthroughs(interventions=True), st.integers(0, 2**32))
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


@given(playthroughs(interventions=True, rules=playable_rules))
def test_a_copy_goes_its_own_way(game: Playthrough) -> None:
    states = list(game.states())
    for deal, (position, action) in zip(states, game.moves, strict=False):
        twin, before = deal.copy(), snapshot(deal)
        assert snapshot(twin) == before
        twin.apply(position, action)
        assert snapshot(deal) == before


@given(playthroughs(interventions=True, rules=playable_rules))
def test_every_deal_ends(game: Playthrough) -> None:
    """A proposal may be made once a trick, so not even proposals go on for ever."""
    auction = sum(isinstance(action, Bid | Hold) for _, action in game.moves)
    assert game.final().is_over
    assert len(game.moves) - auction <= LONGEST_DEAL


@given(playthroughs(interventions=True, rules=playable_rules))
def test_who_is_to_act_has_something_to_say(game: Playthrough) -> None:
    for deal in game.states():
        assert (deal.to_act is None) is deal.is_over
        if deal.to_act is not None:
            assert len(deal.legal(deal.to_act)) > 0


@given(playthroughs(interventions=True))
def test_a_finished_deal_offers_nothing(game: Playthrough) -> None:
    assert [len(game.final().legal(position)) for position in POSITIONS] == [0, 0, 0]


@given(playthroughs(interventions=True, rules=playable_rules))
def test_replay_is_a_fold(game: Playthrough) -> None:
    assert snapshot(game.final()) == snapshot(list(game.states())[-1])


@given(playthroughs())
def test_the_skat_stays_where_it_is_in_play(game: Playthrough) -> None:
    """R-SKAT-3."""
    seen = {deal.skat for deal in game.states() if deal.tricks}
    assert len(seen) <= 1
    for deal in game.states():
        assert deal.hands[0] | deal.hands[1] | deal.hands[2] | deal.skat <= FULL_DECK
