"""The bot that knows rules of thumb: bidding, the skat, discards and the announcement."""

from random import Random

import pytest

from skat_client import (
    AnnounceOptions,
    Bid,
    BiddingOptions,
    Card,
    Contract,
    ContractKind,
    ForehandOptions,
    Hold,
    Level,
    Pass,
    PlayHand,
    Rank,
    TakeSkat,
    parse_cards,
)
from skat_client.bots.rules.announcing import announcement
from skat_client.bots.rules.bidding import bid_or_pass, highest_bid, last_option, take_or_leave
from skat_client.bots.rules.discards import best_discards
from skat_client.bots.rules.null_strength import dangers
from skat_client.bots.rules.shape import Shape, ranks_in
from skat_client.bots.rules.strength import chance_before_skat
from skat_client.bots.rules.values import game_value, lost_value, matadors

NULL_VALUES = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
SUITS_AND_GRAND = [kind for kind in ContractKind if kind is not ContractKind.NULL]

FOUR_JACKS = parse_cards("DJ HJ SJ CJ CA CT SA ST HA D7")
LOW_CARDS = parse_cards("D7 H7 S7 C7 D8 H8 S8 C8 D9 H9")
WEAK = parse_cards("D7 H8 S9 DQ HQ SK DT HT C9 S8")
TWELVE = parse_cards("C7 C8 C9 CQ CK CT CA DJ HJ SJ CJ SA")
GOOD_CLUBS = parse_cards("SJ CJ CA CK C9 C7 SA H8 HK DQ")


def contracts_for(bid: int) -> tuple[Contract, ...]:
    """What a server offers after the skat was taken: any game but a Null below the bid."""
    nulls = (Contract(ContractKind.NULL, ouvert=ouvert) for ouvert in (False, True))
    reaching = tuple(null for null in nulls if NULL_VALUES[False, null.ouvert] >= bid)
    return tuple(Contract(kind) for kind in SUITS_AND_GRAND) + reaching


def announced(cards: tuple[Card, ...], bid: int) -> tuple[Contract, tuple[Card, ...]]:
    options = AnnounceOptions(contracts_for(bid), 2, cards)
    answer = announcement(options, cards, bid=bid, leads=False)
    return answer.contract, answer.discards


# Values


@pytest.mark.parametrize(
    ("kind", "cards", "expected"),
    [
        (ContractKind.CLUBS, "CJ SJ HA", 2),
        (ContractKind.CLUBS, "CJ HJ CA", 1),
        (ContractKind.HEARTS, "DJ CA", 3),
        (ContractKind.HEARTS, "CJ SJ HJ DJ HA HT S7", 6),
        (ContractKind.GRAND, "CJ SJ HJ DJ HA HT", 4),
        (ContractKind.DIAMONDS, "CA CT", 11),
    ],
)
def test_matadors_are_the_unbroken_row(kind: ContractKind, cards: str, expected: int) -> None:
    assert matadors(kind, parse_cards(cards)) == expected


@pytest.mark.parametrize(
    ("contract", "value"),
    [
        (Contract(ContractKind.CLUBS), 36),
        (Contract(ContractKind.CLUBS, hand=True), 48),
        (Contract(ContractKind.GRAND, hand=True, announced=Level.SCHNEIDER), 144),
        (Contract(ContractKind.GRAND, True, Level.SCHWARZ, ouvert=True), 216),
        (Contract(ContractKind.NULL), 23),
        (Contract(ContractKind.NULL, hand=True, ouvert=True), 59),
    ],
)
def test_the_value_counts_matadors_and_levels(contract: Contract, value: int) -> None:
    assert game_value(contract, parse_cards("CJ SJ CA")) == value


def test_an_overbid_game_is_lost_at_the_next_multiple() -> None:
    assert lost_value(Contract(ContractKind.DIAMONDS), 18, 22) == 27


def test_a_game_that_reaches_the_bid_is_lost_at_its_value() -> None:
    assert lost_value(Contract(ContractKind.CLUBS), 36, 20) == 36


# Strength


def test_a_shape_keeps_jacks_apart() -> None:
    shape = Shape(parse_cards("D7 DA CJ"))
    assert (shape.suits, shape.jacks) == ([0b1000001, 0, 0, 0], 0b1000)


def test_a_shape_loses_what_is_put_down() -> None:
    rest = Shape(parse_cards("D7 DA CJ")).without(parse_cards("D7 CJ"))
    assert (rest.suits, rest.jacks) == ([0b1000000, 0, 0, 0], 0)


def test_a_mask_names_its_ranks() -> None:
    assert [str(rank) for rank in ranks_in(0b1000001)] == ["seven", "ace"]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("H7 H9 HJ", [0, 0, 0]), ("H8 HA", [1, 5]), ("HA", [7]), ("H7 H8 HT", [0, 0, 0])],
)
def test_a_null_card_is_safe_with_enough_low_ones(cards: str, expected: list[int]) -> None:
    assert dangers([card.rank for card in parse_cards(cards)]) == expected


@pytest.mark.parametrize("better", ["CJ", "CA", "SA", "CT"])
def test_a_better_card_makes_a_better_hand(better: str) -> None:
    hand = parse_cards("SJ HJ CK CQ C9 SK S9 H8 D7 H7")
    improved = (*hand[:-1], Card[better])
    chances = [
        chance_before_skat(ContractKind.CLUBS, Shape(cards), leads=False)
        for cards in (hand, improved)
    ]
    assert chances[0] < chances[1]


# Bidding


def test_four_jacks_and_aces_are_worth_a_grand() -> None:
    assert highest_bid(FOUR_JACKS, leads=False) >= 120


def test_sevens_eights_and_nines_are_worth_a_null() -> None:
    assert highest_bid(LOW_CARDS, leads=False) >= NULL_VALUES[False, True]


def test_a_good_suit_is_bid_up_to_its_value() -> None:
    assert highest_bid(GOOD_CLUBS, leads=False) in (36, 48)


@pytest.mark.parametrize("leads", [True, False])
def test_a_weak_hand_passes(leads: bool) -> None:
    assert highest_bid(WEAK, leads=leads) == 0


@pytest.mark.parametrize(
    ("limit", "answer"), [(0, Pass()), (18, Pass()), (20, Bid(20)), (48, Bid(20))]
)
def test_the_next_number_is_named_up_to_the_limit(limit: int, answer: Bid | Pass) -> None:
    assert bid_or_pass(BiddingOptions(False, 18, (20, 22, 23)), limit) == answer


@pytest.mark.parametrize(("limit", "answer"), [(23, Pass()), (24, Hold()), (27, Hold())])
def test_a_number_is_held_up_to_the_limit(limit: int, answer: Hold | Pass) -> None:
    assert bid_or_pass(BiddingOptions(True, 24, ()), limit) == answer


def test_nothing_is_named_when_no_number_is_left() -> None:
    assert bid_or_pass(BiddingOptions(False, 264, ()), 264) == Pass()


@pytest.mark.parametrize(("limit", "answer"), [(0, Pass()), (18, Bid(18)), (40, Bid(18))])
def test_forehand_takes_what_is_worth_it(limit: int, answer: Bid | Pass) -> None:
    assert last_option(ForehandOptions((18,)), limit) == answer


# The skat


def test_the_skat_is_taken() -> None:
    assert take_or_leave(GOOD_CLUBS, bid=18, leads=False) == TakeSkat()


def test_an_unbeatable_hand_leaves_the_skat() -> None:
    assert take_or_leave(FOUR_JACKS, bid=18, leads=True) == PlayHand()


def test_the_skat_is_taken_when_only_that_may_reach_the_bid() -> None:
    assert take_or_leave(WEAK, bid=24, leads=False) == TakeSkat()


# Discards and announcement


def put_down(kind: ContractKind, cards: tuple[Card, ...]) -> set[Card]:
    return set(best_discards(Contract(kind), cards, bid=18, leads=False).discards)


def test_a_blank_ten_is_put_down() -> None:
    cards = parse_cards("DJ HJ SJ CJ CA CK C9 SA S7 HT DT D9")
    assert Card.HT in put_down(ContractKind.CLUBS, cards)


def test_null_puts_the_dangerous_cards_down() -> None:
    cards = (*LOW_CARDS, Card.CA, Card.SK)
    assert put_down(ContractKind.NULL, cards) == {Card.CA, Card.SK}


def test_trumps_are_put_down_when_there_is_nothing_else() -> None:
    assert Card.CJ not in put_down(ContractKind.CLUBS, TWELVE)


def test_aces_are_kept() -> None:
    cards = parse_cards("DJ HJ SJ CJ CA CT SA ST HA D7 D8 H7")
    assert all(card.rank is not Rank.ACE for card in put_down(ContractKind.GRAND, cards))


def test_the_strongest_game_is_announced() -> None:
    contract, _ = announced((*FOUR_JACKS, Card.D8, Card.H7), 18)
    assert contract == Contract(ContractKind.GRAND)


def test_low_cards_are_announced_as_null_ouvert() -> None:
    contract, _ = announced((*LOW_CARDS, Card.CA, Card.SK), 18)
    assert contract == Contract(ContractKind.NULL, ouvert=True)


def test_an_overbid_is_avoided() -> None:
    # Hearts is longer, but without one it is worth 20; clubs reaches the bid of 24.
    cards = parse_cards("SJ DJ HA HT HK H9 H8 CA CQ C9 D7 S8")
    assert game_value(Contract(ContractKind.HEARTS), cards) == 20
    assert announced(cards, 20)[0] == Contract(ContractKind.HEARTS)
    assert announced(cards, 24)[0] == Contract(ContractKind.CLUBS)


def test_a_bid_out_of_reach_still_gets_an_announcement() -> None:
    contract, discards = announced((*WEAK, Card.H7, Card.C7), 264)
    assert contract in contracts_for(264)
    assert len(set(discards)) == 2


def test_a_hand_game_is_announced_without_discards() -> None:
    offered = tuple(Contract(kind, hand=True) for kind in ContractKind)
    answer = announcement(AnnounceOptions(offered, 0, ()), FOUR_JACKS, bid=18, leads=True)
    assert (answer.contract, answer.discards) == (Contract(ContractKind.GRAND, hand=True), ())


def test_what_is_offered_alone_is_announced() -> None:
    short = Contract(ContractKind.DIAMONDS)
    answer = announcement(AnnounceOptions((short,), 2, TWELVE), TWELVE, bid=18, leads=False)
    assert answer.contract == short


def test_an_announced_level_is_taken_when_nothing_else_is_offered() -> None:
    only = Contract(ContractKind.CLUBS, hand=True, announced=Level.SCHNEIDER)
    answer = announcement(AnnounceOptions((only,), 0, ()), WEAK, bid=60, leads=False)
    assert (answer.contract, answer.discards) == (only, ())


@pytest.mark.parametrize("seed", range(40))
def test_announcements_are_always_among_the_options(seed: int) -> None:
    chance = Random(seed)
    cards = tuple(sorted(chance.sample(list(Card), 12)))
    bid = chance.choice((18, 20, 23, 24, 33, 36, 48, 60, 96))
    contract, discards = announced(cards, bid)
    assert contract in contracts_for(bid)
    assert len(discards) == len(set(discards)) == 2
    assert set(discards) <= set(cards)
