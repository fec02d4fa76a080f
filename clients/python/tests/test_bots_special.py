"""The bot that knows rules of thumb, in what only some rules have: offers and Ramsch."""

from datetime import UTC, datetime

import pytest

from skat_client import (
    AcceptGrandHand,
    Action,
    Announce,
    AnnounceOptions,
    Card,
    CardOptions,
    Contract,
    ContractKind,
    DealSight,
    Decision,
    Decline,
    ExchangeOptions,
    Knock,
    Level,
    OfferOptions,
    Options,
    Pass,
    PassOn,
    Phase,
    PlayCard,
    ProposalKind,
    PutDown,
    RearrangeOptions,
    RuleSet,
    SayKontra,
    SayRe,
    SeatCard,
    SeatInfo,
    Table,
    TableSight,
    TableState,
    TableView,
    Visibility,
    Vote,
    VoteOptions,
    parse_cards,
)
from skat_client.bots import RulesBot

CLUBS, GRAND, NULL = ContractKind.CLUBS, ContractKind.GRAND, ContractKind.NULL
STRONG = "CJ SJ HJ DJ CA CT CK SA HA DA"
WEAK = "C7 C8 S7 S8 H7 H8 D7 D8 D9 S9"
MIDDLING = "HJ DJ CA CK S8 S9 HT HQ D7 DK"
TABLE = Table(
    table_id="t",
    display_name="",
    state=TableState.PLAYING,
    rule_set=RuleSet("proskat_pub"),
    visibility=Visibility.PUBLIC,
    seats=tuple(SeatInfo(seat, True, "", True) for seat in range(3)),
    deals_done=0,
    deals=1,
    totals=(0, 0, 0),
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
)


def sight(
    hand: str, kind: ContractKind | None = None, declarer: int | None = None, table: str = ""
) -> TableSight:
    """What seat 2 sees, with the cards on the table from seat 0 on."""
    cards = tuple(sorted(parse_cards(hand)))
    deal = DealSight(1, 2, (0, 1, 2), (), cards, cards, declarer=declarer, bid=18)
    deal.contract = Contract(kind) if kind else None
    deal.is_ramsch = declarer is None
    first = 2 - len(parse_cards(table)) if table else 2
    deal.current_trick = [SeatCard(first + i, card) for i, card in enumerate(parse_cards(table))]
    seen = TableSight.from_view(TableView(TABLE, 2, 0))
    seen.deal = deal
    return seen


def decide(options: Options, seen: TableSight) -> Action:
    return RulesBot().decide(Decision("t", "turn", 2, Phase.PLAY, Pass(), options), seen)


def played(hand: str, table: str = "", options: str = "") -> str:
    cards = tuple(sorted(parse_cards(options or hand)))
    answer = decide(CardOptions(cards), sight(hand, table=table))
    assert isinstance(answer, PlayCard)
    return str(answer.card)


# Offers


@pytest.mark.parametrize(
    ("hand", "answer"),
    [(STRONG, AcceptGrandHand()), (MIDDLING, Decline()), (WEAK, Decline())],
    ids=["strong", "middling", "weak"],
)
def test_grand_hand_takes_a_strong_hand(hand: str, answer: Action) -> None:
    assert decide(OfferOptions((AcceptGrandHand(),)), sight(hand)) == answer


@pytest.mark.parametrize(
    ("hand", "kind", "answer"),
    [
        ("CJ SJ HJ CA CT SA ST HA HT D7", CLUBS, SayKontra()),
        (MIDDLING, CLUBS, Decline()),
        (WEAK, GRAND, Decline()),
        ("CJ SJ HJ CA CT SA ST HA HT D7", NULL, Decline()),
    ],
    ids=["strong", "middling", "weak", "null"],
)
def test_kontra_takes_a_strong_defence(hand: str, kind: ContractKind, answer: Action) -> None:
    assert decide(OfferOptions((SayKontra(),)), sight(hand, kind, 0)) == answer


@pytest.mark.parametrize(
    ("hand", "answer"), [(STRONG, SayRe()), (MIDDLING, Decline())], ids=["strong", "middling"]
)
def test_re_takes_a_game_that_cannot_fail(hand: str, answer: Action) -> None:
    assert decide(OfferOptions((SayRe(),)), sight(hand, GRAND, 2)) == answer


def test_it_does_not_knock() -> None:
    assert decide(OfferOptions((Knock(),)), sight(WEAK)) == Decline()


def test_it_keeps_the_hands_of_a_revolution() -> None:
    options = RearrangeOptions(tuple(Card)[:20])
    assert decide(options, sight(WEAK, NULL, 0)) == Decline()


def test_it_announces_nothing_that_stakes_the_game_on_more() -> None:
    contracts = tuple(Contract(GRAND, spitze=spitze) for spitze in (True, False))
    twelve = parse_cards(f"{STRONG} D7 D8")
    answer = decide(AnnounceOptions(contracts, 2, twelve), sight(f"{STRONG} D7 D8", None, 2))
    assert isinstance(answer, Announce)
    assert answer.contract == Contract(GRAND)


# Ramsch


def test_the_skat_is_passed_on() -> None:
    assert decide(ExchangeOptions(True, 0, ()), sight(WEAK)) == PassOn()


def test_what_has_to_be_put_down_is_what_weighs_most() -> None:
    cards = parse_cards("C7 D7 H8 SA HA DK")
    assert decide(ExchangeOptions(False, 2, cards), sight(WEAK)) == PutDown(parse_cards("HA SA"))


def test_a_lead_is_one_that_most_can_beat() -> None:
    assert played("CA CT D7 S9") == "D7"


def test_the_highest_card_that_stays_below_is_played() -> None:
    assert played("C7 C9 CQ CA D7", "CK", "C7 C9 CQ CA") == "CQ"


def test_what_takes_in_any_case_is_high_in_the_last_seat() -> None:
    assert played("C9 CQ CA D7", "C8 C7", "C9 CQ CA") == "CA"


def test_what_may_still_be_beaten_is_low() -> None:
    assert played("C9 CQ CA D7", "C8", "C9 CQ CA") == "C9"


def test_points_are_thrown_away_but_no_jack() -> None:
    assert played("CJ DT D7 S9", "HK H7") == "DT"


# Votes


@pytest.mark.parametrize("kind", [ProposalKind.DEFENDERS_GIVE_UP, ProposalKind.SCHENKEN])
def test_a_defender_does_not_give_up_with_the_other_one(kind: ProposalKind) -> None:
    options = VoteOptions(kind, 1, Level.SIMPLE)
    assert decide(options, sight(MIDDLING, CLUBS, 0)) == Vote(False)


def test_a_declarer_takes_a_gift() -> None:
    options = VoteOptions(ProposalKind.SCHENKEN, 1, Level.SIMPLE)
    assert decide(options, sight(MIDDLING, CLUBS, 2)) == Vote(True)


def test_a_claim_of_all_tricks_is_rejected_in_doubt() -> None:
    options = VoteOptions(ProposalKind.ALL_TRICKS, 0, Level.SIMPLE)
    seen = sight(MIDDLING, CLUBS, 0)
    seen.deal.exposed = parse_cards("CJ SJ CT CQ C9 C8 SA ST HA DA")
    assert decide(options, seen) == Vote(False)


def test_a_claim_of_all_tricks_is_accepted_when_nothing_beats_it() -> None:
    options = VoteOptions(ProposalKind.ALL_TRICKS, 0, Level.SIMPLE)
    seen = sight(WEAK, CLUBS, 0)
    seen.deal.exposed = parse_cards("CJ SJ HJ DJ CA CT CK SA HA DA")
    assert decide(options, seen) == Vote(True)
