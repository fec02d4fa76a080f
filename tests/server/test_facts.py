"""T4, R42: what a viewer may know of a fact, for every kind of fact and every viewer."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import get_args

import pytest

from skat_engine import (
    DECK,
    PRESETS,
    CardPlayed,
    CardsDealt,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    Deal,
    DealEnded,
    DefendersCompared,
    Event,
    HandDealt,
    HandExposed,
    HandsRearranged,
    Occasion,
    SkatPickedUp,
    SkatTaken,
    Unseen,
    card_set,
    deal_from_seed,
    parse_cards,
    parse_contract,
    preset,
    seating,
)
from skat_server.tables import facts
from skat_server.tables.facts import (
    Fact,
    LoggedFact,
    ShownFact,
    fact_of,
    facts_of,
    project,
    shown_to,
)
from tests.builders import hand
from tests.server.playing import MIXED, full_table, play_on
from tests.server.samples import BOCK, CLOSED, OPEN, SKAT
from tests.server.watching import log_of

VIEWERS = [
    pytest.param(3, 0, id="dealer of three"),
    pytest.param(3, 1, id="forehand of three"),
    pytest.param(3, 2, id="middlehand of three"),
    pytest.param(4, 0, id="who sits out of four"),
    pytest.param(4, 1, id="forehand of four"),
    pytest.param(4, 2, id="middlehand of four"),
    pytest.param(4, 3, id="rearhand of four"),
    pytest.param(3, None, id="spectator of three"),
    pytest.param(4, None, id="spectator of four"),
]


def shown(fact: Fact, seats: int, viewer: int | None) -> Fact:
    """What a viewer is shown of a fact in the first deal."""
    seen = shown_to(fact, seating(0, seats), viewer)
    assert seen is not None
    return seen


def test_every_kind_of_fact_is_looked_at_here() -> None:
    looked_at = {type(fact) for fact in OPEN + CLOSED}
    assert looked_at == set(get_args(Fact)) - {facts.HandReceived, facts.DealBooked}


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
@pytest.mark.parametrize("fact", OPEN, ids=lambda fact: type(fact).__name__)
def test_an_open_fact_is_shown_whole(fact: Fact, seats: int, viewer: int | None) -> None:
    assert shown(fact, seats, viewer) is fact


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_of_the_dealing_a_viewer_is_shown_the_own_hand(seats: int, viewer: int | None) -> None:
    position = None if viewer is None else seating(0, seats).position_of(viewer)
    own = None if position is None else MIXED.hands[position]
    started = facts.DealStarted(7, MIXED, BOCK, "t/7", bytes(32))
    assert shown(started, seats, viewer) == facts.HandReceived(7, own, BOCK, "t/7", bytes(32))


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_the_skat_is_shown_to_the_declarer_only(seats: int, viewer: int | None) -> None:
    is_declarer = viewer == seating(0, seats).active[0]
    expected = SkatTaken(0, SKAT if is_declarer else None)
    assert shown(SkatTaken(0, SKAT), seats, viewer) == expected


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_the_discards_are_shown_to_the_declarer_only(seats: int, viewer: int | None) -> None:
    is_declarer = viewer == seating(0, seats).active[0]
    announced = ContractAnnounced(0, parse_contract("C"), SKAT)
    expected = ContractAnnounced(0, parse_contract("C"), SKAT if is_declarer else None)
    assert shown(announced, seats, viewer) == expected


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
@pytest.mark.parametrize("kind", [SkatPickedUp, CardsPutDown])
def test_the_skat_of_a_ramsch_is_shown_to_who_has_it(
    seats: int, viewer: int | None, kind: type[SkatPickedUp] | type[CardsPutDown]
) -> None:
    """R-RAM-5: who looks into the skat of a Ramsch tells nobody what lies there."""
    is_own = viewer == seating(0, seats).active[0]
    assert shown(kind(0, SKAT), seats, viewer) == kind(0, SKAT if is_own else None)


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
@pytest.mark.parametrize("kind", [DefendersCompared, HandsRearranged])
def test_the_cards_of_a_revolution_are_shown_to_the_defenders(
    seats: int, viewer: int | None, kind: type[DefendersCompared] | type[HandsRearranged]
) -> None:
    """Section 21: that the defenders compare is public, what they see is not."""
    cards = (hand("CJ"), hand("SJ"))
    is_defender = viewer in seating(0, seats).active[1:]
    assert shown(kind(1, 2, *cards), seats, viewer) == kind(
        1, 2, *(cards if is_defender else (None, None))
    )


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
@pytest.mark.parametrize("fact", [ConcessionOffered(1, 2), ConcessionRefused(2, 1)], ids=str)
def test_what_defenders_ask_each_other_is_no_fact_for_others(
    seats: int, viewer: int | None, fact: Fact
) -> None:
    """R-END-5: declarer, sitters and spectators are told nothing at all."""
    told = shown_to(fact, seating(0, seats), viewer)
    assert told == (fact if viewer in seating(0, seats).active[1:] else None)


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_facts_that_are_hidden_from_somebody_are_known_as_private(
    seats: int, viewer: int | None
) -> None:
    """Whatever is not `PRIVATE` is counted for everybody."""
    for fact in OPEN + CLOSED:
        if type(fact) not in facts.PRIVATE:
            assert shown_to(fact, seating(0, seats), viewer) is not None


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_facts_that_are_shared_are_the_same_for_everybody(seats: int, viewer: int | None) -> None:
    shared = [fact for fact in OPEN + CLOSED if type(fact) in facts.OPEN]
    assert shared
    for fact in shared:
        assert shown_to(fact, seating(0, seats), viewer) is fact


def test_facts_with_cards_that_somebody_must_not_see_are_not_shared() -> None:
    hidden = {
        facts.DealStarted, SkatTaken, ContractAnnounced, SkatPickedUp, CardsPutDown,
        DefendersCompared, HandsRearranged, *facts.PRIVATE,
    }  # fmt: skip
    assert not hidden & facts.OPEN


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_a_result_is_shown_whole(seats: int, viewer: int | None) -> None:
    table = full_table(seats=seats)
    play_on(table)
    booked = next(f.fact for f in log_of(table) if isinstance(f.fact, facts.DealBooked))
    assert shown(booked, seats, viewer) is booked


def test_number_time_and_seating_are_kept() -> None:
    logged = LoggedFact((4, 5, 6, 9), 1.5, SkatTaken(0, SKAT), seating(0, 3))
    seen = project(logged, None)
    assert seen is not None
    assert (seen.sequence, seen.at, seen.seating) == (9, 1.5, logged.seating)


def test_a_view_is_not_projected_again() -> None:
    with pytest.raises(AssertionError, match="not projected again"):
        shown(facts.HandReceived(1, None, Occasion()), 3, None)


@pytest.mark.parametrize("event", [CardsDealt(MIXED), HandDealt(None)])
def test_events_that_a_fact_replaces_are_no_facts(event: Event) -> None:
    with pytest.raises(AssertionError):
        shown(event, 3, None)  # type: ignore[arg-type]  # what the type forbids


def test_the_dealing_and_the_end_are_told_by_facts_of_the_table() -> None:
    table = full_table()
    play_on(table)
    result = table.state.series.sheet.bookings[0].result
    assert fact_of(CardsDealt(MIXED)) is None
    assert fact_of(DealEnded(result)) is None


def test_every_other_event_of_the_engine_is_a_fact() -> None:
    replaced = {CardsDealt, HandDealt, DealEnded, Unseen}
    assert set(get_args(Event)) - replaced <= set(get_args(Fact))


@pytest.mark.parametrize("name", PRESETS)
def test_what_follows_from_an_action_is_told_but_for_the_end(name: str) -> None:
    """In chance play under every preset: nothing else of it is replaced."""
    for seed in range(20):
        chance = random.Random(seed)
        deal = Deal(preset(name), deal_from_seed(bytes([seed]) * 32))
        while (position := deal.to_act) is not None:
            happened = deal.apply(position, chance.choice(deal.legal(position)))
            facts_told = [fact for event in happened if (fact := fact_of(event)) is not None]
            assert list(facts_of(happened)) == facts_told


def cards_of(fact: object) -> set[int]:
    """Every card that a fact names in any field, found without knowing the fact."""
    cards: set[int] = set()
    for field in fields(fact):  # type: ignore[arg-type]  # facts are dataclasses
        value = getattr(fact, field.name)
        if field.name in CARD_FIELDS:
            cards |= CARD_FIELDS[field.name](value) if value is not None else set()
        else:
            assert field.name in PLAIN_FIELDS, f"what is {field.name}?"
    return cards


def members(cards: int) -> set[int]:
    """The cards of a mask."""
    return {card for card in DECK if cards >> card & 1}


CARD_FIELDS: Mapping[str, Callable[..., set[int]]] = {
    "hand": members,
    "cards": members,
    "skat": set,
    "discards": set,
    "card": lambda card: {card},
    "trick": lambda trick: set(trick.cards),
}
PLAIN_FIELDS = {
    *("seat", "player_name", "deal_number", "totals", "places", "reason", "position", "value"),
    *("declarer", "bid", "contract", "kind", "level", "accept", "occasion", "deal_id"),
    "commitment",
}


@pytest.mark.parametrize(("seats", "viewer"), VIEWERS)
def test_a_viewer_is_named_only_cards_it_may_know(seats: int, viewer: int | None) -> None:
    """Canary: in chance play, until the deal ends, nobody is named a card of others."""
    for seed in range(15):
        table = full_table(seats=seats)
        play_on(table, random.Random(seed))
        position = None if viewer is None else table.state.seating.position_of(viewer)
        known = set() if position is None else members(MIXED.hands[position])
        for logged in log_of(table):
            if isinstance(logged.fact, facts.DealBooked):
                break
            known |= lies_open(logged.fact)
            if isinstance(logged.fact, SkatTaken) and position == logged.fact.declarer:
                known |= set(SKAT)
            seen = logged if isinstance(logged, ShownFact) else project(logged, viewer)
            assert seen is None or cards_of(seen.fact) <= known, logged


def lies_open(fact: Fact) -> set[int]:
    """Cards that a fact lays open for everybody."""
    match fact:
        case CardPlayed(card=card):
            return {card}
        case HandExposed(cards=cards):
            return members(cards)
        case _:
            return set()


def test_a_card_set_is_found_in_a_fact() -> None:
    cards = parse_cards("CJ D7")
    assert cards_of(HandExposed(0, card_set(cards))) == set(cards)
