"""What a viewer may know: section 24, R-TAB-5, R-SKAT-3; attacked with permuted cards."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import (
    DECK,
    POSITIONS,
    Action,
    Announce,
    Card,
    CardSet,
    Deal,
    Dealt,
    Event,
    IllegalActionError,
    Viewer,
    card_set,
    cards_in,
    deal_from_seed,
    project,
)
from skat_engine import events as event_types
from tests.builders import announced, auction, dealt, isko, play
from tests.strategies import Playthrough, play_randomly, playthroughs

VIEWERS: tuple[Viewer, ...] = (*POSITIONS, None)

# What each event shows to everybody but the declarer, by name. A new field is added here when
# somebody has decided who may see it.
SHOWN = {
    "CardsDealt": set(),
    "HandDealt": {"hand"},
    "BidMade": {"position", "value"},
    "BidHeld": {"position", "value"},
    "Passed": {"position"},
    "AuctionWon": {"declarer", "bid"},
    "SkatTaken": {"declarer"},
    "HandChosen": {"declarer"},
    "ContractAnnounced": {"declarer", "contract"},
    "HandExposed": {"declarer", "cards"},
    "CardPlayed": {"position", "card"},
    "TrickTaken": {"trick"},
    "ShorteningProposed": {"position", "kind", "level"},
    "VoteCast": {"position", "accept"},
    "ProposalDeclined": {"kind"},
    "DealEnded": {"result"},
}
HIDDEN = {"CardsDealt": {"dealt"}, "SkatTaken": {"skat"}, "ContractAnnounced": {"discards"}}

CARDS = dealt("CJ SJ CA CT SA ST HA HT DA D7", "H7 H8 S7 S8", skat="D8 D9")


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_every_field_of_an_event_is_shown_or_hidden(kind: type[Event]) -> None:
    shown, hidden = SHOWN[kind.__name__], HIDDEN.get(kind.__name__, set())
    assert {field.name for field in fields(kind)} == shown | hidden


def stream(deal: Deal, moves: list[tuple[int, Action]], viewer: Viewer) -> list[Event]:
    """The opening and all events of these moves, as the viewer sees them."""
    seen = [project(deal.opening(), viewer)]
    for position, action in moves:
        seen += [project(event, viewer) for event in deal.apply(position, action)]
    return seen


def known_cards(deal: Deal, viewer: Viewer) -> CardSet:
    """Every card whose place the viewer knows."""
    known = card_set(card for trick in deal.tricks for card in trick.cards)
    known = CardSet(known | card_set(deal.table))
    if viewer is not None:
        known = CardSet(known | deal.dealt.hands[viewer])
    took_skat = (deal.contract is not None and not deal.contract.hand) or not deal.skat
    if viewer is not None and viewer == deal.declarer and took_skat:
        known = CardSet(known | deal.dealt.skat)
    if deal.exposed and deal.declarer is not None:
        known = CardSet(known | deal.hands[deal.declarer])
    return known


def swapped(
    dealt: Dealt, moves: list[tuple[int, Action]], one: Card, two: Card
) -> tuple[Dealt, list[tuple[int, Action]]]:
    """The same deal with two cards in one another's place, discards included."""
    other = {one: two, two: one}

    def moved(cards: CardSet) -> CardSet:
        return card_set(other.get(card, card) for card in cards_in(cards))

    first, second, third = dealt.hands
    cards = Dealt((moved(first), moved(second), moved(third)), moved(dealt.skat))
    told: list[tuple[int, Action]] = [
        (who, Announce(action.contract, tuple(other.get(c, c) for c in action.discards)))
        if isinstance(action, Announce)
        else (who, action)
        for who, action in moves
    ]
    return cards, told


def plausible_twins(
    game: Playthrough, viewer: Viewer, chance: random.Random
) -> Iterator[tuple[Deal, Deal, list[Event], list[Event]]]:
    """Pairs of deals in mid-play that agree on what the viewer knows, with what he saw."""
    moves = list(game.moves[: chance.randrange(len(game.moves))])
    deal = Deal(game.rules, game.dealt)
    seen = stream(deal, moves, viewer)
    hidden = [card for card in DECK if not known_cards(deal, viewer) >> card & 1]
    for _ in range(8 if len(hidden) > 1 else 0):
        cards, told = swapped(game.dealt, moves, *chance.sample(hidden, 2))
        twin = Deal(game.rules, cards)
        with suppress(IllegalActionError):  # with these cards nobody would have played like that
            yield deal, twin, seen, stream(twin, told, viewer)


@settings(max_examples=100)
@given(playthroughs(interventions=True), st.sampled_from(VIEWERS), st.integers(0, 2**32))
def test_hidden_cards_do_not_show(game: Playthrough, viewer: Viewer, seed: int) -> None:
    """Two deals that agree on what a viewer knows look the same to that viewer."""
    for _, _, seen, other in plausible_twins(game, viewer, random.Random(seed)):
        assert seen == other


@settings(max_examples=100)
@given(playthroughs(interventions=True), st.sampled_from(POSITIONS), st.integers(0, 2**32))
def test_hidden_cards_do_not_show_in_the_options(game: Playthrough, viewer: int, seed: int) -> None:
    for deal, twin, _, _ in plausible_twins(game, viewer, random.Random(seed)):
        assert list(deal.legal(viewer)) == list(twin.legal(viewer))


def test_there_are_plausible_twins() -> None:
    """The two tests above compare something."""
    chance = random.Random(1)
    found = 0
    for number in range(20):
        cards = deal_from_seed(number.to_bytes(32, "big"))
        game = play_randomly(isko(), cards, chance, interventions=False)
        found += sum(
            deal.dealt != twin.dealt for deal, twin, _, _ in plausible_twins(game, 1, chance)
        )
    assert found > 40


@given(playthroughs(interventions=True))
def test_others_never_see_skat_or_discards(game: Playthrough) -> None:
    """R-SKAT-3: until the deal is over."""
    for viewer in VIEWERS:
        for event in stream(Deal(game.rules, game.dealt), list(game.moves), viewer):
            if isinstance(event, event_types.SkatTaken):
                assert (event.skat is None) is (viewer != event.declarer)
            if isinstance(event, event_types.ContractAnnounced) and viewer != event.declarer:
                assert not event.discards


@given(playthroughs(interventions=True))
def test_a_view_starts_with_the_own_hand(game: Playthrough) -> None:
    opening = Deal(game.rules, game.dealt).opening()
    for position in POSITIONS:
        assert project(opening, position) == event_types.HandDealt(game.dealt.hands[position])
    assert project(opening, None) == event_types.HandDealt(None)


def test_who_sits_out_sees_no_hand() -> None:
    """R-TAB-5."""
    assert project(Deal(isko(), CARDS).opening(), None) == event_types.HandDealt(None)


def test_the_declarer_sees_the_skat_he_takes() -> None:
    """R-SKAT-2."""
    deal = Deal(isko(), CARDS)
    play(deal, auction(0, 18))
    (taken,) = play(deal, "take")
    assert project(taken, 0) == taken


def test_the_end_shows_everything() -> None:
    """R-SKAT-3."""
    (ended,) = play(announced("G", CARDS), "0:give-up")
    assert all(project(ended, viewer) == ended for viewer in VIEWERS)


def test_ouvert_cards_are_shown_to_everybody() -> None:
    """R-ANN-8; fault 12."""
    deal = Deal(isko(), CARDS)
    play(deal, auction(0, 18) + " hand")
    exposed = play(deal, "NHO")[-1]
    assert [project(exposed, viewer) for viewer in VIEWERS] == [exposed] * 4


def test_a_view_is_not_projected_again() -> None:
    with pytest.raises(AssertionError):
        project(event_types.HandDealt(None), None)
