"""What a viewer knows of a table, folded from events."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from skat_client import (
    AuctionWon,
    BidHeld,
    BidMade,
    BidPassed,
    Card,
    CardPlayed,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    Contract,
    ContractAnnounced,
    ContractKind,
    DealEnded,
    DealResult,
    DealStarted,
    DealtCards,
    DealVoided,
    DecisionDefaulted,
    DefendersCompared,
    Ending,
    EndRequested,
    Event,
    FaultCause,
    GrandHandAccepted,
    GrandHandDeclined,
    HandChosen,
    HandExposed,
    HandsRearranged,
    HouseBot,
    Knocked,
    KontraAnswered,
    Level,
    ProposalDeclined,
    ProposalKind,
    RamschStarted,
    ReAnswered,
    RuleSet,
    SeatInfo,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    SeatTakenOver,
    SeriesEnded,
    ShorteningProposed,
    SkatPassedOn,
    SkatPickedUp,
    SkatTaken,
    SpitzeRevealed,
    Table,
    TableClosed,
    TableEvent,
    TableSight,
    TableState,
    TableView,
    TrickTaken,
    UnknownEvent,
    Visibility,
    VoteCast,
    parse_cards,
)

HAND = parse_cards("D7 H7 S7 C7 D8 H8 S8 CA SJ CJ")
SKAT = parse_cards("DT HT")
GRAND = Contract(ContractKind.GRAND)
TABLE = Table(
    table_id="t",
    display_name="",
    state=TableState.OPEN,
    rule_set=RuleSet("isko"),
    visibility=Visibility.PUBLIC,
    seats=tuple(SeatInfo(seat, False, "", False) for seat in range(3)),
    deals_done=0,
    deals=2,
    totals=(0, 0, 0),
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
)
START = DealStarted(1, 2, (0, 1, 2), (), HAND)
PASSED_IN = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), DealtCards((), (), (), SKAT))


def seen_by(seat: int | None, *events: Event) -> TableSight:
    sight = TableSight.from_view(TableView(TABLE, seat, 0))
    for sequence, event in enumerate(events, 1):
        sight.apply(TableEvent(sequence, TABLE.created_at, event))
    return sight


def announced(seat: int | None, *events: Event) -> TableSight:
    """Seat 0 has taken the skat, put it down again, and plays a Grand at 18."""
    taken, put_down = (SKAT, SKAT) if seat == 0 else ((), ())
    return seen_by(
        seat,
        replace(START, hand=HAND if seat == 0 else ()),
        AuctionWon(0, 18),
        SkatTaken(0, taken),
        ContractAnnounced(0, GRAND, put_down),
        *events,
    )


def trick(winner: int, cards: str, points: int, leader: int = 0) -> tuple[Event, ...]:
    played = parse_cards(cards)
    seats = [(leader + step) % 3 for step in range(3)]
    return (
        *(CardPlayed(seat, card) for seat, card in zip(seats, played, strict=True)),
        TrickTaken(winner, played, points),
    )


def test_before_the_first_deal_nothing_is_known() -> None:
    sight = seen_by(0)
    assert (sight.deal.number, sight.deal.hand, sight.deal.declarer) == (0, (), None)


def test_a_deal_has_positions_and_the_own_hand() -> None:
    deal = seen_by(0, START).deal
    assert (deal.forehand, deal.middlehand, deal.rearhand, deal.dealer) == (0, 1, 2, 2)
    assert deal.hand == deal.dealt_hand == HAND


def test_the_auction_is_kept_with_its_last_number() -> None:
    calls = (BidMade(1, 18), BidHeld(0, 18), BidMade(1, 20), BidPassed(0), BidPassed(2))
    deal = seen_by(0, START, *calls).deal
    assert tuple(deal.auction) == calls
    assert (deal.bid, deal.declarer) == (20, None)


def test_the_auction_ends_with_the_declarer() -> None:
    sight = seen_by(0, START, AuctionWon(0, 24))
    assert (sight.deal.declarer, sight.deal.bid, sight.is_declarer) == (0, 24, True)
    assert (sight.deal.defenders, sight.partner) == ((1, 2), None)


def test_a_defender_has_a_partner() -> None:
    sight = announced(1)
    assert (sight.partner, sight.is_declarer) == (2, False)


@pytest.mark.parametrize("seat", [0, None])
def test_neither_declarer_nor_spectator_has_one(seat: int | None) -> None:
    assert announced(seat).partner is None


def test_the_skat_taken_makes_twelve_cards() -> None:
    deal = seen_by(0, START, AuctionWon(0, 18), SkatTaken(0, SKAT)).deal
    assert (len(deal.hand), deal.skat, deal.is_hand) == (12, SKAT, False)
    assert list(deal.hand) == sorted(deal.hand)


def test_the_discards_leave_the_hand() -> None:
    deal = announced(0).deal
    assert (deal.hand, deal.discards, deal.contract) == (HAND, SKAT, GRAND)
    assert deal.known_discard_points == 20


def test_others_do_not_know_skat_and_discards() -> None:
    deal = announced(1).deal
    assert (deal.skat, deal.discards, deal.known_discard_points) == ((), (), 0)


def test_a_hand_game_is_known_as_one() -> None:
    assert seen_by(0, START, AuctionWon(0, 18), HandChosen(0)).deal.is_hand


def test_a_card_played_leaves_the_hand_and_lies_on_the_table() -> None:
    deal = announced(0, CardPlayed(0, HAND[0])).deal
    assert HAND[0] not in deal.hand
    assert deal.current_trick == [(0, HAND[0])]


def test_a_trick_knows_leader_cards_and_winner() -> None:
    deal = announced(0, *trick(1, "D7 DA D9", 11)).deal
    (taken,) = deal.tricks
    assert (taken.leader, taken.winner, taken.points) == (0, 1, 11)
    assert [(seat, str(card)) for seat, card in taken.cards] == [(0, "D7"), (1, "DA"), (2, "D9")]
    assert deal.current_trick == []


def test_card_points_are_counted_by_side() -> None:
    tricks = (*trick(1, "D7 DA D9", 11), *trick(0, "H9 HK CA", 15, leader=1))
    deal = announced(0, *tricks).deal
    assert (deal.declarer_points, deal.defender_points) == (15, 11)


def test_every_card_played_is_remembered() -> None:
    deal = announced(1, *trick(1, "D7 DA D9", 11), CardPlayed(1, parse_cards("H9")[0])).deal
    assert " ".join(str(card) for _, card in deal.played) == "D7 DA D9 H9"


def test_open_cards_go_as_they_are_played() -> None:
    sight = announced(1, HandExposed(0, HAND), CardPlayed(0, HAND[0]))
    assert sight.deal.exposed == HAND[1:]


def test_a_proposal_is_open_until_it_is_declined() -> None:
    proposal = ShorteningProposed(0, ProposalKind.CLAIM, Level.SCHNEIDER)
    sight = announced(1, proposal, VoteCast(1, False))
    assert (sight.deal.proposal, sight.deal.votes) == (proposal, [VoteCast(1, False)])
    sight.apply(TableEvent(9, TABLE.created_at, ProposalDeclined(ProposalKind.CLAIM)))
    assert sight.deal.proposal is None


def test_a_concession_is_open_until_it_is_refused() -> None:
    sight = announced(1, ConcessionOffered(1, 2))
    assert sight.deal.concession == ConcessionOffered(1, 2)
    sight.apply(TableEvent(9, TABLE.created_at, ConcessionRefused(2, 1)))
    assert sight.deal.concession is None


def test_a_concession_becomes_a_proposal() -> None:
    proposal = ShorteningProposed(1, ProposalKind.DEFENDERS_GIVE_UP, Level.SIMPLE)
    deal = announced(1, ConcessionOffered(1, 2), proposal).deal
    assert (deal.concession, deal.proposal) == (None, proposal)


def test_doublings_multiply() -> None:
    start = replace(START, bock=True)
    deal = seen_by(0, start, KontraAnswered(1, False), KontraAnswered(2, True)).deal
    assert (deal.kontra, deal.re, deal.factor) == (2, False, 4)
    deal = seen_by(0, start, KontraAnswered(2, True), ReAnswered(0, True)).deal
    assert (deal.kontra, deal.re, deal.factor) == (2, True, 8)


def test_the_card_of_spitze_is_known() -> None:
    assert announced(1, SpitzeRevealed(0, HAND[0])).deal.spitze_card == HAND[0]


def test_a_round_is_known_from_the_start() -> None:
    deal = seen_by(0, replace(START, ramsch_round=True, grand_hand_offered=True)).deal
    assert (deal.is_ramsch_round, deal.is_bock, deal.is_ramsch) == (True, False, False)


def test_a_forced_ramsch_is_one_from_the_start() -> None:
    assert seen_by(0, replace(START, ramsch_round=True)).deal.is_ramsch


def test_grand_hand_instead_of_a_ramsch_has_a_declarer_without_a_bid() -> None:
    deal = seen_by(0, START, GrandHandDeclined(0), GrandHandAccepted(1)).deal
    assert (deal.declarer, deal.bid, deal.is_hand, deal.replaces_ramsch) == (1, 0, True, True)


def test_a_ramsch_has_points_for_every_seat_and_no_sides() -> None:
    deal = seen_by(0, START, RamschStarted(), *trick(1, "D7 DA D9", 11)).deal
    assert (deal.is_ramsch, deal.declarer, deal.points) == (True, None, {0: 0, 1: 11, 2: 0})
    assert (deal.declarer_points, deal.defender_points) == (0, 0)


def test_the_skat_of_a_ramsch_comes_and_goes() -> None:
    sight = seen_by(0, START, RamschStarted(), SkatPickedUp(0, SKAT))
    assert (len(sight.deal.hand), sight.deal.skat, sight.deal.picked_up) == (12, SKAT, SKAT)
    down = HAND[:2]
    sight.apply(TableEvent(9, TABLE.created_at, CardsPutDown(0, down)))
    assert (len(sight.deal.hand), sight.deal.put_down) == (10, down)
    assert not set(down) & set(sight.deal.hand)


def test_who_looked_and_who_did_not_is_known_to_all() -> None:
    exchange = (SkatPickedUp(0, ()), CardsPutDown(0, ()), SkatPassedOn(1), SkatPickedUp(2, SKAT))
    deal = seen_by(2, START, RamschStarted(), *exchange).deal
    assert (deal.looked, deal.passed_on) == ([0, 2], [1])
    # What came round is not what was dealt.
    assert (deal.skat, deal.picked_up) == ((), SKAT)


def test_who_knocked_is_known() -> None:
    deal = seen_by(0, START, RamschStarted(), Knocked(0, False), Knocked(1, True)).deal
    assert deal.knocked == 1


@pytest.mark.parametrize(("seat", "own", "other"), [(1, 0, 1), (2, 1, 0), (0, None, None)])
def test_rearranged_hands_are_known_to_the_defenders(
    seat: int, own: int | None, other: int | None
) -> None:
    hands = (HAND, tuple(card for card in Card if card not in HAND)[:10])
    shown = hands if seat else ((), ())
    deal = announced(seat, HandsRearranged(1, 2, *shown)).deal
    assert deal.hand == (HAND if own is None else hands[own])
    assert deal.partner_hand == (() if other is None else hands[other])


def test_the_cards_of_the_partner_go_as_they_are_played() -> None:
    others = tuple(card for card in Card if card not in HAND)[:10]
    seen = (DefendersCompared(1, 2, HAND, others), CardPlayed(2, others[0]))
    assert announced(1, *seen).deal.partner_hand == others[1:]


def test_a_deal_that_is_dealt_again_does_not_count() -> None:
    again = replace(PASSED_IN, ending=Ending.REDEALT)
    sight = seen_by(1, replace(START, deal_number=2), DealEnded(again, (0, 0, 0), (0, 0, 0)))
    assert sight.table.deals_done == 1


def test_a_request_for_the_end_is_known() -> None:
    assert seen_by(0, START, EndRequested(None)).end_requested


def test_the_end_of_a_deal_shows_the_skat_and_books_it() -> None:
    sight = seen_by(1, START, DealEnded(PASSED_IN, (1, 2, 3), (4, 5, 6)))
    assert (sight.deal.skat, sight.last_result) == (SKAT, PASSED_IN)
    assert (sight.last_changes, sight.totals, sight.table.deals_done) == ((1, 2, 3), (4, 5, 6), 1)


def test_a_new_deal_forgets_the_old_one() -> None:
    sight = announced(0, *trick(1, "D7 DA D9", 11), replace(START, deal_number=2))
    assert (sight.deal.number, sight.deal.tricks, sight.deal.declarer) == (2, [], None)
    assert (sight.deal.hand, sight.table.state) == (HAND, TableState.PLAYING)


def test_who_sits_where_follows_the_events() -> None:
    sight = seen_by(None, SeatTaken(1, "somebody"))
    assert sight.table.seats[1].player_name == "somebody"
    sight.apply(TableEvent(2, TABLE.created_at, SeatLeft(1)))
    assert not sight.table.seats[1].taken


def test_who_plays_for_a_seat_follows_the_events() -> None:
    sight = seen_by(0, SeatTaken(1, "somebody"), SeatTakenOver(1, FaultCause.DISCONNECTED))
    seat = sight.table.seats[1]
    assert (seat.taken, seat.player_name, seat.taken_over) == (True, "somebody", True)
    sight.apply(TableEvent(3, TABLE.created_at, SeatReturned(1)))
    assert not sight.table.seats[1].taken_over


def test_a_house_bot_told_once_more_stays_one() -> None:
    house = SeatInfo(2, True, "random", True, HouseBot.RANDOM)
    seats = (*TABLE.seats[:2], house)
    sight = TableSight.from_view(TableView(replace(TABLE, seats=seats), 0, 0))
    sight.apply(TableEvent(1, TABLE.created_at, SeatTaken(2, "random")))
    assert sight.table.seats[2] == house
    sight.apply(TableEvent(2, TABLE.created_at, SeatTaken(2, "somebody")))
    assert sight.table.seats[2].house_bot is None


def test_safe_answers_of_a_deal_are_known() -> None:
    timeout = DecisionDefaulted(1, FaultCause.TIMEOUT)
    sight = seen_by(0, START, timeout)
    assert sight.deal.defaulted == [timeout]
    sight.apply(TableEvent(3, TABLE.created_at, replace(START, deal_number=2)))
    assert sight.deal.defaulted == []


def test_a_void_deal_counts_for_nobody_and_is_dealt_anew() -> None:
    proposal = ShorteningProposed(0, ProposalKind.CLAIM, Level.SIMPLE)
    sight = announced(1, proposal, DealVoided("by the operator"))
    assert (sight.deal.is_voided, sight.deal.proposal) == (True, None)
    assert (sight.table.deals_done, sight.totals, sight.last_result) == (0, (0, 0, 0), None)
    sight.apply(TableEvent(9, TABLE.created_at, START))
    assert (sight.deal.number, sight.deal.is_voided, sight.deal.declarer) == (1, False, None)


def test_the_series_ends_with_places() -> None:
    sight = seen_by(0, SeriesEnded((3, 2, 1), (1, 2, 3)), TableClosed("over"))
    assert (sight.places, sight.totals, sight.is_over) == ((1, 2, 3), (3, 2, 1), True)
    assert sight.table.state is TableState.FINISHED


def test_a_table_closed_early_is_closed() -> None:
    assert seen_by(0, START, TableClosed("by its owner")).table.state is TableState.CLOSED


def test_what_it_cannot_read_still_counts() -> None:
    sight = seen_by(0, START, UnknownEvent())
    assert (sight.sequence, sight.deal.number) == (2, 1)
