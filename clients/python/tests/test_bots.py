"""The bundled bots: their names, their seeds, and the two that do not think."""

from collections import Counter
from datetime import UTC, datetime

import pytest

from skat_client import (
    AcceptGrandHand,
    Action,
    Announce,
    AnnounceOptions,
    Bid,
    BiddingOptions,
    Card,
    CardOptions,
    Contract,
    ContractKind,
    Decision,
    Decline,
    ExchangeOptions,
    ForehandOptions,
    GiveUp,
    Hold,
    Knock,
    Level,
    OfferOptions,
    Options,
    Pass,
    PassOn,
    Phase,
    PickUp,
    PlayCard,
    PlayHand,
    ProposalKind,
    PutDown,
    Rearrange,
    RearrangeOptions,
    RuleSet,
    SayKontra,
    SayRe,
    SeatInfo,
    SkatOptions,
    Table,
    TableSight,
    TableState,
    TableView,
    TakeSkat,
    Visibility,
    Vote,
    VoteOptions,
    parse_cards,
)
from skat_client.bots import BOTS, ChaosBot, FirstOptionBot, RandomBot, RulesBot

TWELVE = parse_cards("D7 H7 S7 D8 H8 CK DT HT CA HJ SJ CJ")
CONTRACTS = (Contract(ContractKind.CLUBS), Contract(ContractKind.GRAND))
TABLE = Table(
    table_id="t",
    display_name="",
    state=TableState.PLAYING,
    rule_set=RuleSet("isko"),
    visibility=Visibility.PUBLIC,
    seats=tuple(SeatInfo(seat, True, "", True) for seat in range(3)),
    deals_done=0,
    deals=1,
    totals=(0, 0, 0),
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
)
QUESTIONS: dict[str, Options] = {
    "bid": BiddingOptions(may_hold=False, last_bid=18, bids=(20, 22)),
    "hold": BiddingOptions(may_hold=True, last_bid=18, bids=()),
    "no bid left": BiddingOptions(may_hold=False, last_bid=264, bids=()),
    "forehand": ForehandOptions(bids=(18,)),
    "skat": SkatOptions(bid=18),
    "announce": AnnounceOptions(CONTRACTS, 2, TWELVE),
    "announce hand": AnnounceOptions((Contract(ContractKind.NULL, hand=True),), 0, ()),
    "cards": CardOptions(parse_cards("D7 CJ")),
    "vote": VoteOptions(ProposalKind.CLAIM, 1, Level.SIMPLE),
    "spitze": AnnounceOptions((Contract(ContractKind.HEARTS, spitze=True),), 2, TWELVE),
    "grand spitze": AnnounceOptions((Contract(ContractKind.GRAND, spitze=True),), 2, TWELVE),
    "grand hand": OfferOptions((AcceptGrandHand(),)),
    "knock": OfferOptions((Knock(),)),
    "kontra": OfferOptions((SayKontra(),)),
    "re": OfferOptions((SayRe(),)),
    "pick up": ExchangeOptions(True, 0, ()),
    "put down": ExchangeOptions(False, 2, TWELVE[:9]),
    "rearrange": RearrangeOptions(tuple(Card)[:20]),
}


def asked(options: Options, first: Action | None = None) -> Decision:
    return Decision("t", "turn", 0, Phase.PLAY, first or Pass(), options, (GiveUp(),))


def sight() -> TableSight:
    return TableSight.from_view(TableView(TABLE, 0, 0))


def answers(bot: RandomBot | ChaosBot, options: Options, times: int = 300) -> list[Action]:
    return [bot.decide(asked(options), sight()) for _ in range(times)]


def is_offered(action: Action, options: Options) -> bool:
    """Whether an answer is one of the options, spelled out once more."""
    match action, options:
        case Pass(), BiddingOptions() | ForehandOptions():
            return True
        case Hold(), BiddingOptions(may_hold):
            return may_hold
        case Bid(value), BiddingOptions(bids=bids) | ForehandOptions(bids):
            return value in bids
        case TakeSkat() | PlayHand(), SkatOptions():
            return True
        case Announce(contract, discards), AnnounceOptions(contracts, count, discardable):
            two = len(discards) == len(set(discards)) == count
            spitze_is_kept = not contract.spitze or contract.spitze_card not in discards
            offered = contract in contracts and set(discards) <= set(discardable)
            return two and offered and spitze_is_kept
        case PlayCard(card), CardOptions(cards):
            return card in cards
        case Vote(), VoteOptions():
            return True
        case _:
            return is_special_offered(action, options)


def is_special_offered(action: Action, options: Options) -> bool:
    match action, options:
        case Decline(), OfferOptions() | RearrangeOptions():
            return True
        case _, OfferOptions(accepting):
            return action in accepting
        case PickUp() | PassOn(), ExchangeOptions(may_pick_up):
            return may_pick_up
        case PutDown(cards), ExchangeOptions(False, count, offered):
            return len(cards) == len(set(cards)) == count and set(cards) <= set(offered)
        case Rearrange(cards), RearrangeOptions(offered):
            return len(set(cards)) == 10 and set(cards) <= set(offered)
        case _:
            return False


def test_the_bots_have_these_names() -> None:
    assert {name: type(make(1)) for name, make in BOTS.items()} == {
        "random": RandomBot,
        "first-option": FirstOptionBot,
        "chaos": ChaosBot,
        "rules": RulesBot,
    }


def test_first_option_answers_the_first_option() -> None:
    decision = asked(QUESTIONS["cards"], PlayCard(Card.D7))
    assert FirstOptionBot().decide(decision, sight()) == PlayCard(Card.D7)


@pytest.mark.parametrize("question", QUESTIONS)
def test_random_answers_with_an_option(question: str) -> None:
    options = QUESTIONS[question]
    assert all(is_offered(answer, options) for answer in answers(RandomBot(1), options))


@pytest.mark.parametrize("question", QUESTIONS)
def test_chaos_answers_with_an_option(question: str) -> None:
    options = QUESTIONS[question]
    given = answers(ChaosBot(1), options)
    assert all(answer == GiveUp() or is_offered(answer, options) for answer in given)


@pytest.mark.parametrize("question", ["grand hand", "knock", "kontra", "re", "pick up", "vote"])
@pytest.mark.parametrize("bot", [RandomBot(1), ChaosBot(1)], ids=["random", "chaos"])
def test_both_answers_are_given(bot: RandomBot | ChaosBot, question: str) -> None:
    assert len(set(answers(bot, QUESTIONS[question]))) == 2


def test_chaos_prefers_what_is_rare() -> None:
    plain = Contract(ContractKind.CLUBS)
    rare = Contract(ContractKind.CLUBS, spitze=True)
    given = answers(ChaosBot(1), AnnounceOptions((plain, rare), 2, TWELVE))
    counts = Counter(answer.contract for answer in given if isinstance(answer, Announce))
    assert counts[rare] > 2 * counts[plain] > 0


def test_chaos_proposes_once_a_deal_at_most() -> None:
    given = answers(ChaosBot(1), QUESTIONS["cards"])
    assert given.count(GiveUp()) == 1


def test_chaos_says_kontra_instead_of_a_card() -> None:
    decision = Decision("t", "turn", 0, Phase.PLAY, Pass(), QUESTIONS["cards"], (SayKontra(),))
    bot = ChaosBot(1)
    given = [bot.decide(decision, sight()) for _ in range(100)]
    assert given.count(SayKontra()) > 50


@pytest.mark.parametrize("question", QUESTIONS)
def test_chaos_follows_from_the_seed(question: str) -> None:
    options = QUESTIONS[question]
    assert answers(ChaosBot(7), options, 30) == answers(ChaosBot(7), options, 30)


@pytest.mark.parametrize("question", QUESTIONS)
def test_random_play_follows_from_the_seed(question: str) -> None:
    options = QUESTIONS[question]
    assert answers(RandomBot(7), options, 30) == answers(RandomBot(7), options, 30)


def test_random_bots_of_different_seeds_differ() -> None:
    options = QUESTIONS["announce"]
    assert answers(RandomBot(1), options, 30) != answers(RandomBot(2), options, 30)


@pytest.mark.parametrize("question", ["bid", "hold", "forehand"])
def test_random_speaks_one_time_in_five(question: str) -> None:
    spoken = [answer != Pass() for answer in answers(RandomBot(1), QUESTIONS[question], 2000)]
    assert sum(spoken) / len(spoken) == pytest.approx(0.2, abs=0.03)


def test_random_plays_every_card_as_often() -> None:
    counts = Counter(answers(RandomBot(1), CardOptions(TWELVE[:4]), 2000))
    assert len(counts) == 4
    assert min(counts.values()) > 400


def test_random_discards_every_card() -> None:
    put_down: set[Card] = set()
    for answer in answers(RandomBot(1), QUESTIONS["announce"]):
        assert isinstance(answer, Announce)
        put_down.update(answer.discards)
    assert put_down == set(TWELVE)
