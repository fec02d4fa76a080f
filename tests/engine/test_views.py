"""What a viewer may know: section 24, R-TAB-5, R-SKAT-3; attacked with permuted cards."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from itertools import islice
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
    Occasion,
    PickUp,
    PutDown,
    Rearrange,
    TakeSkat,
    Viewer,
    card_set,
    cards_in,
    deal_from_seed,
    preset,
    project,
)
from skat_engine import events as event_types
from skat_engine.cards import EMPTY
from skat_engine.contracts import spitze_card
from skat_engine.options import Kontra
from tests.builders import announced, auction, dealt, isko, play
from tests.strategies import Playthrough, all_games, play_randomly

VIEWERS: tuple[Viewer, ...] = (*POSITIONS, None)

# What each event shows to everybody but those it is about, by name. A new field is added here when
# somebody has decided who may see it.
SHOWN = {
    "CardsDealt": {"occasion"},
    "HandDealt": {"hand", "occasion"},
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
    "ConcessionOffered": set(),
    "ConcessionRefused": set(),
    "GrandHandDeclined": {"position"},
    "GrandHandAccepted": {"declarer"},
    "RamschStarted": set(),
    "SkatPickedUp": {"position"},
    "SkatPassedOn": {"position"},
    "CardsPutDown": {"position"},
    "Knocked": {"position", "knock"},
    "KontraAnswered": {"position", "kontra"},
    "ReAnswered": {"declarer", "re"},
    "SpitzeRevealed": {"declarer", "card"},
    "DefendersCompared": {"position", "partner"},
    "HandsRearranged": {"position", "partner"},
    "Unseen": set(),
    "DealEnded": {"result"},
}
HIDDEN = {
    "CardsDealt": {"dealt"},
    "SkatTaken": {"skat"},
    "ContractAnnounced": {"discards"},
    "ConcessionOffered": {"position", "partner"},
    "ConcessionRefused": {"position", "partner"},
    "SkatPickedUp": {"skat"},
    "CardsPutDown": {"cards"},
    "DefendersCompared": {"cards", "partner_cards"},
    "HandsRearranged": {"cards", "partner_cards"},
}

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


def known_cards(game: Playthrough, moves: list[tuple[int, Action]], viewer: Viewer) -> CardSet:
    """Every card whose place the viewer has known at some time, by the rules."""
    deal = game.start()
    known = EMPTY if viewer is None else deal.dealt.hands[viewer]
    for position, action in moves:
        if position == viewer and isinstance(action, TakeSkat | PickUp):
            known = CardSet(known | deal.skat)
        deal.apply(position, action)
    known = CardSet(known | card_set(card for trick in deal.tricks for card in trick.cards))
    return CardSet(known | card_set(deal.table) | shown_by_contract(deal, viewer))


def shown_by_contract(deal: Deal, viewer: Viewer) -> CardSet:
    """Open cards, the card of Spitze, and in a Revolution the defenders' to each other."""
    shown = EMPTY
    if deal.declarer is None or deal.contract is None:
        return shown
    if deal.exposed:
        shown = CardSet(shown | deal.hands[deal.declarer])
    if deal.contract.spitze and deal.rules.spitze_card_revealed:
        shown = CardSet(shown | 1 << spitze_card(deal.contract.kind))
    if deal.exposed and deal.contract.revolution and viewer not in (None, deal.declarer):
        for position in POSITIONS:
            if position != deal.declarer:
                shown = CardSet(shown | deal.dealt.hands[position])
    return shown


def swapped(
    dealt: Dealt, moves: list[tuple[int, Action]], one: Card, two: Card
) -> tuple[Dealt, list[tuple[int, Action]]]:
    """The same deal with two cards in one another's place, discards included."""
    other = {one: two, two: one}

    def moved(cards: CardSet) -> CardSet:
        return card_set(other.get(card, card) for card in cards_in(cards))

    first, second, third = dealt.hands
    cards = Dealt((moved(first), moved(second), moved(third)), moved(dealt.skat))

    def told(action: Action) -> Action:
        match action:
            case Announce(contract, discards):
                return Announce(contract, tuple(other.get(card, card) for card in discards))
            case PutDown(down):
                return PutDown(tuple(other.get(card, card) for card in down))
            case Rearrange(kept):
                return Rearrange(moved(kept))
            case _:
                return action

    return cards, [(who, told(action)) for who, action in moves]


def plausible_twins(
    game: Playthrough, viewer: Viewer, chance: random.Random
) -> Iterator[tuple[Deal, Deal, list[Event], list[Event]]]:
    """Pairs of deals in mid-play that agree on what the viewer knows, with what he saw."""
    moves = list(game.moves[: chance.randrange(len(game.moves))])
    deal = game.start()
    seen = stream(deal, moves, viewer)
    known = known_cards(game, moves, viewer)
    hidden = [card for card in DECK if not known >> card & 1]
    for _ in range(8 if len(hidden) > 1 else 0):
        cards, told = swapped(game.dealt, moves, *chance.sample(hidden, 2))
        twin = Deal(game.rules, cards, game.occasion)
        with suppress(IllegalActionError):  # with these cards nobody would have played like that
            yield deal, twin, seen, stream(twin, told, viewer)


@settings(max_examples=100)
@given(all_games(), st.sampled_from(VIEWERS), st.integers(0, 2**32))
def test_hidden_cards_do_not_show(game: Playthrough, viewer: Viewer, seed: int) -> None:
    """Two deals that agree on what a viewer knows look the same to that viewer."""
    for _, _, seen, other in plausible_twins(game, viewer, random.Random(seed)):
        assert seen == other


@settings(max_examples=100)
@given(all_games(), st.sampled_from(POSITIONS), st.integers(0, 2**32))
def test_hidden_cards_do_not_show_in_the_options(game: Playthrough, viewer: int, seed: int) -> None:
    for deal, twin, _, _ in plausible_twins(game, viewer, random.Random(seed)):
        options, others = deal.legal(viewer), twin.legal(viewer)
        assert len(options) == len(others)
        assert list(islice(options, 500)) == list(islice(others, 500))


@pytest.mark.parametrize("name", ["isko", "bga_skat", "xskat_extras"])
def test_there_are_plausible_twins(name: str) -> None:
    """The two tests above compare something, in a Ramsch as well."""
    chance = random.Random(1)
    found = 0
    for number in range(20):
        cards = deal_from_seed(number.to_bytes(32, "big"))
        occasion = Occasion(ramsch_round=name != "isko")
        game = play_randomly(preset(name), cards, chance, interventions=False, occasion=occasion)
        found += sum(
            deal.dealt != twin.dealt for deal, twin, _, _ in plausible_twins(game, 1, chance)
        )
    assert found > 40


@given(all_games())
def test_others_never_see_skat_or_discards(game: Playthrough) -> None:
    """R-SKAT-3: until the deal is over."""
    for viewer in VIEWERS:
        for event in stream(game.start(), list(game.moves), viewer):
            if isinstance(event, event_types.SkatTaken):
                assert (event.skat is None) is (viewer != event.declarer)
            if isinstance(event, event_types.SkatPickedUp):
                assert (event.skat is None) is (viewer != event.position)
            if isinstance(event, event_types.CardsPutDown):
                assert (event.cards is None) is (viewer != event.position)
            if isinstance(event, event_types.ContractAnnounced) and viewer != event.declarer:
                assert not event.discards


@given(all_games())
def test_a_view_starts_with_the_own_hand(game: Playthrough) -> None:
    opening = game.start().opening()
    for position in POSITIONS:
        hand = game.dealt.hands[position]
        assert project(opening, position) == event_types.HandDealt(hand, game.occasion)
    assert project(opening, None) == event_types.HandDealt(None, game.occasion)


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


def test_a_refused_concession_is_between_the_defenders() -> None:
    """R-END-5; END16: nothing is shown to the soloist."""
    rules = preset("proskat_pub")
    events = play(announced("GH", CARDS, rules=rules), "1:give-up 2:reject")
    assert [type(event).__name__ for event in events] == ["ConcessionOffered", "ConcessionRefused"]
    for viewer in (0, None):
        assert {project(event, viewer) for event in events} == {event_types.Unseen()}
    for viewer in (1, 2):
        assert [project(event, viewer) for event in events] == events


def test_a_concession_of_both_reaches_the_declarer() -> None:
    """R-END-5."""
    deal = announced("GH", CARDS, rules=preset("proskat_pub"))
    (proposed,) = play(deal, "1:give-up 2:accept")[1:]
    assert project(proposed, 0) == proposed
    assert deal.to_act == 0


def test_cards_put_down_are_seen_by_who_picks_them_up() -> None:
    """R-RAM-5."""
    deal = Deal(preset("bga_skat"), CARDS, Occasion(ramsch_round=True, grand_hand_offered=False))
    _, down, up = play(deal, "pick-up down:D7.D8 pick-up")
    assert [project(down, viewer) == down for viewer in VIEWERS] == [True, False, False, False]
    assert [project(up, viewer) == up for viewer in VIEWERS] == [False, True, False, False]


@pytest.mark.parametrize("step", ["decline", "keep:S7.S8.S9.SQ.SK.H7.H8.H9.HQ.HK"])
def test_only_the_defenders_of_a_revolution_see_their_cards(step: str) -> None:
    """Section 21, ``revolution``; the declarer and the others know that it happened."""
    deal = Deal(preset("xskat_extras", {"kontra": Kontra.OFF}), CARDS)
    compared = play(deal, auction(0, 18) + " hand NHOR")[-1]
    (rearranged,) = play(deal, step)
    for event in (compared, rearranged):
        shown = [project(event, viewer) for viewer in VIEWERS]
        assert [view == event for view in shown] == [False, True, True, False]
        assert [type(view) for view in shown] == [type(event)] * 4


def test_a_view_is_not_projected_again() -> None:
    with pytest.raises(AssertionError):
        project(event_types.HandDealt(None), None)
