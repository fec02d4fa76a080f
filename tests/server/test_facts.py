"""T4, R42: what a viewer may know of a fact, for every kind of fact and every viewer."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import get_args

import pytest

from skat_engine import (
    DECK,
    AuctionWon,
    BidHeld,
    BidMade,
    CardPlayed,
    CardsDealt,
    ContractAnnounced,
    DealEnded,
    Event,
    HandChosen,
    HandDealt,
    HandExposed,
    Level,
    Passed,
    ProposalDeclined,
    ProposalKind,
    ShorteningProposed,
    SkatTaken,
    Trick,
    TrickTaken,
    VoteCast,
    card_set,
    parse_cards,
    parse_contract,
    seating,
)
from skat_server.tables import facts
from skat_server.tables.facts import Fact, LoggedFact, fact_of, project
from tests.builders import hand
from tests.server.playing import MIXED, full_table, play_on
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

TRICK = Trick(0, (DECK[0], DECK[4], DECK[8]), 0, 0)
SKAT = parse_cards("H8 D7")

OPEN: list[Fact] = [
    facts.SeatTaken(1, "ben"),
    facts.SeatLeft(2),
    facts.SeriesEnded((1, 2, 3), (3, 2, 1)),
    facts.TableClosed("late"),
    BidMade(1, 18),
    BidHeld(0, 18),
    Passed(1),
    AuctionWon(0, 18),
    HandChosen(0),
    HandExposed(0, hand("CJ")),
    CardPlayed(0, DECK[0]),
    TrickTaken(TRICK),
    ShorteningProposed(0, ProposalKind.CLAIM, Level.SIMPLE),
    VoteCast(1, accept=True),
    ProposalDeclined(ProposalKind.CLAIM),
]
"""Facts that lie open for everybody."""

CLOSED: list[Fact] = [
    facts.DealStarted(1, MIXED),
    SkatTaken(0, SKAT),
    ContractAnnounced(0, parse_contract("C"), SKAT),
]
"""Facts with something in them for one seat only."""


def shown(fact: Fact, seats: int, viewer: int | None) -> Fact:
    """What a viewer is shown of a fact in the first deal."""
    return project(LoggedFact(1, 0.0, fact, seating(0, seats)), viewer).fact


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
    assert shown(facts.DealStarted(7, MIXED), seats, viewer) == facts.HandReceived(7, own)


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
def test_a_result_is_shown_whole(seats: int, viewer: int | None) -> None:
    table = full_table(seats=seats)
    play_on(table)
    booked = next(f.fact for f in log_of(table) if isinstance(f.fact, facts.DealBooked))
    assert shown(booked, seats, viewer) is booked


def test_number_time_and_seating_are_kept() -> None:
    logged = LoggedFact(9, 1.5, SkatTaken(0, SKAT), seating(0, 3))
    seen = project(logged, None)
    assert (seen.sequence, seen.at, seen.seating) == (9, 1.5, logged.seating)


def test_a_view_is_not_projected_again() -> None:
    with pytest.raises(AssertionError, match="not projected again"):
        shown(facts.HandReceived(1, None), 3, None)


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
    replaced = {CardsDealt, HandDealt, DealEnded}
    assert set(get_args(Event)) - replaced <= set(get_args(Fact))


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
    *("declarer", "bid", "contract", "kind", "level", "accept"),
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
            assert cards_of(project(logged, viewer).fact) <= known, logged


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
