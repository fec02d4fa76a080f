"""The exact search behind a claim of every remaining trick: R-END-9, against brute force."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import (
    DECK,
    Card,
    CardSet,
    ContractKind,
    card_set,
    cards_in,
    legal_cards,
    order_of,
    parse_cards,
)
from skat_engine.claims import can_take_all
from skat_engine.contracts import CardOrder
from skat_engine.tricks import complete_trick
from tests.builders import hand

GRAND = order_of(ContractKind.GRAND)


def brute_force(
    hands: tuple[CardSet, ...],
    declarer: int,
    leader: int,
    table: tuple[Card, ...],
    order: CardOrder,
) -> bool:
    """The same question without any short cut."""
    if len(table) == 3:
        first, second, third = table
        winner = complete_trick(leader, (first, second, third), order).winner
        return winner == declarer and brute_force(hands, declarer, winner, (), order)
    position = (leader + len(table)) % 3
    if not hands[position]:
        return True
    outcomes = []
    for card in cards_in(legal_cards(hands[position], table[0] if table else None, order)):
        left = list(hands)
        left[position] = CardSet(left[position] & ~(1 << card))
        outcomes.append(brute_force(tuple(left), declarer, leader, (*table, card), order))
    return any(outcomes) if position == declarer else all(outcomes)


@given(st.sampled_from(list(ContractKind)[:5]), st.integers(0, 2**32), st.integers(0, 2))
def test_the_search_is_exact(kind: ContractKind, seed: int, leader: int) -> None:
    """R-END-9."""
    chance, order = random.Random(seed), order_of(kind)
    size, begun = chance.randrange(1, 5), chance.randrange(3)
    strong = sorted(DECK, key=lambda card: chance.random() + (order.trumps >> card & 1))
    pack = [*strong[-size:], *chance.sample(strong[:-size], 2 * size)]
    hands = [card_set(pack[place * size : (place + 1) * size]) for place in range(3)]
    table: tuple[Card, ...] = ()
    for step in range(begun):
        position = (leader + step) % 3
        legal = cards_in(legal_cards(hands[position], table[0] if table else None, order))
        card = chance.choice(legal)
        hands[position] = CardSet(hands[position] & ~(1 << card))
        table = (*table, card)
    asked = (tuple(hands), 0, leader, table, order)
    assert can_take_all(*asked) is brute_force(*asked)


@pytest.mark.parametrize(
    ("own", "first", "second", "right"),
    [
        ("CJ SJ", "HJ DJ", "H7 H8", True),
        ("CJ HJ", "SJ H9", "H7 H8", True),
        ("CJ HJ", "SJ DJ", "H7 H8", False),
        ("SA SK", "H9 H8", "ST S7", False),
        ("SA SK", "S7 S8", "ST H8", True),
        ("SA SK", "S7 S8", "H7 H8", True),
        ("CJ SA", "S7 S8", "HJ DJ", False),
    ],
)
def test_claims(own: str, first: str, second: str, right: bool) -> None:
    """R-END-9: the declarer leads in Grand."""
    assert can_take_all((hand(own), hand(first), hand(second)), 0, 0, (), GRAND) is right


def test_the_trick_under_way_is_claimed_as_well() -> None:
    """R-END-9."""
    table = parse_cards("SA ST")
    for last, right in (("CJ", True), ("S7", False)):
        assert can_take_all((hand(last), hand(""), hand("")), 0, 1, table, GRAND) is right


def test_a_claim_of_ten_tricks_is_judged_in_no_time() -> None:
    """R-END-9: a hand that can lose a trick in the end only."""
    order = order_of(ContractKind.CLUBS)
    own = hand("CJ SJ HJ CA CT CK CQ SA HA DA")
    first, second = hand("DJ C9 ST SK H7 H8 D7 D8 DT HT"), hand("C8 C7 S7 S8 S9 SQ HK HQ DK DQ")
    assert can_take_all((own, first, second), 0, 0, (), order)
    weaker = CardSet(own & ~hand("DA") | hand("D9"))
    assert not can_take_all((weaker, first, second), 0, 0, (), order)
