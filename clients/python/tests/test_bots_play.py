"""The bot that knows rules of thumb: its cards and its votes, one scene a test."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from skat_client import (
    Announce,
    AnnounceOptions,
    Bid,
    BiddingOptions,
    Card,
    CardOptions,
    Contract,
    ContractKind,
    DealSight,
    Decision,
    ForehandOptions,
    Level,
    Options,
    Pass,
    Phase,
    PlayCard,
    PlayHand,
    ProposalKind,
    RuleSet,
    SeatCard,
    SeatInfo,
    SkatOptions,
    Table,
    TableSight,
    TableState,
    TableView,
    TakeSkat,
    Trick,
    Visibility,
    Vote,
    VoteOptions,
    parse_cards,
)
from skat_client.bots import RulesBot
from skat_client.bots.rules.knowledge import knowledge_of
from skat_client.bots.rules.odds import Odds
from skat_client.bots.rules.ranking import ranking_of

CLUBS, GRAND, NULL = ContractKind.CLUBS, ContractKind.GRAND, ContractKind.NULL
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


@dataclass(frozen=True)
class Scene:
    """What seat 2 sees: the tricks and the cards on the table are written as played.

    A trick is `leader: card card card`; every seat follows the one before it.
    """

    kind: ContractKind
    hand: str
    declarer: int = 0
    table: str = ""
    tricks: tuple[str, ...] = ()
    exposed: str = ""
    discards: str = ""

    def sight(self) -> TableSight:
        tricks = [self._trick(text) for text in self.tricks]
        hand = tuple(sorted(parse_cards(self.hand)))
        contract = Contract(self.kind, ouvert=bool(self.exposed) and self.kind is NULL)
        deal = DealSight(1, 2, (0, 1, 2), (), hand, hand, declarer=self.declarer, bid=18)
        deal.contract, deal.tricks = contract, tricks
        deal.discards, deal.exposed = parse_cards(self.discards), parse_cards(self.exposed)
        deal.current_trick = _cards_of(self.table) if self.table else []
        for trick in tricks:
            if trick.winner == self.declarer:
                deal.declarer_points += trick.points
            else:
                deal.defender_points += trick.points
        sight = TableSight.from_view(TableView(TABLE, 2, 0))
        sight.deal = deal
        return sight

    def _trick(self, text: str) -> Trick:
        cards = _cards_of(text)
        best = ranking_of(self.kind).best(played.card for played in cards)
        winner = next(played.seat for played in cards if played.card is best)
        return Trick(cards[0].seat, tuple(cards), winner, sum(p.card.points for p in cards))

    def card(self, options: str = "") -> Card:
        """What seat 2 plays; any card of the hand is an option unless some are named."""
        cards = tuple(sorted(parse_cards(options or self.hand)))
        answer = decide(CardOptions(cards), self.sight())
        assert isinstance(answer, PlayCard)
        assert answer.card in cards
        return answer.card


def _cards_of(text: str) -> list[SeatCard]:
    leader, _, cards = text.partition(":")
    return [SeatCard((int(leader) + i) % 3, card) for i, card in enumerate(parse_cards(cards))]


def decide(options: Options, sight: TableSight) -> object:
    decision = Decision("t", "turn", 2, Phase.PLAY, Pass(), options)
    return RulesBot().decide(decision, sight)


# Memory


def test_what_was_not_followed_is_remembered() -> None:
    scene = Scene(CLUBS, "D8 H8", tricks=("0: DA SK D7", "0: CJ H7 C7"))
    voids = knowledge_of(scene.sight()).voids
    assert [sorted(str(group) for group in voids[seat]) for seat in range(3)] == [
        [],
        ["None", "diamonds"],
        [],
    ]


def test_played_and_own_cards_are_no_longer_out() -> None:
    scene = Scene(CLUBS, "CA", tricks=("0: CJ C7 C8",), table="0: SJ")
    out = knowledge_of(scene.sight()).out(None)
    assert [str(card) for card in out] == ["C9", "CQ", "CK", "CT", "DJ", "HJ"]


def test_a_card_that_only_one_can_hold_is_certain() -> None:
    scene = Scene(CLUBS, "D8 H8", 2, tricks=("0: DA SK D7",), discards="S7 S8")
    odds = Odds(knowledge_of(scene.sight()))
    assert (odds.holds(0, Card.DK), odds.holds(1, Card.DK)) == (1.0, 0.0)


def test_open_cards_are_certain() -> None:
    odds = Odds(knowledge_of(Scene(NULL, "D8 H8", exposed="D7 S9").sight()))
    assert (odds.holds(0, Card.S9), odds.holds(1, Card.S9)) == (1.0, 0.0)


def test_what_does_not_lie_open_may_be_in_the_skat() -> None:
    odds = Odds(knowledge_of(Scene(NULL, "D8 H8", exposed="D7 S9").sight()))
    assert odds.holds(0, Card.SA) == 0.0
    assert 0.5 < odds.holds(1, Card.SA) < 1.0


# Defenders


def test_points_go_to_the_partners_trick() -> None:
    assert Scene(CLUBS, "D8 DT HA", table="0: D7 DA").card("D8 DT") is Card.DT


def test_the_partner_keeps_his_trick_from_a_trump() -> None:
    scene = Scene(CLUBS, "CJ C7 HT H7", table="0: DK DA")
    assert scene.card() is Card.HT


def test_the_partners_trick_is_not_overtaken_needlessly() -> None:
    assert Scene(GRAND, "CJ SJ ST S7", table="0: HK HA").card() is Card.ST


def test_the_declarers_sure_trick_gets_the_least() -> None:
    assert Scene(GRAND, "C8 CT SA", table="0: CA C7").card("C8 CT") is Card.C8


def test_points_are_not_thrown_at_the_declarers_trump() -> None:
    assert Scene(CLUBS, "HA HT H7", table="0: CJ C7").card() is Card.H7


def test_the_last_hand_takes_the_declarers_trick() -> None:
    assert Scene(CLUBS, "SA S7 H7", table="0: SK S9").card("SA S7") is Card.SA


def test_the_cheapest_jack_that_takes_is_enough() -> None:
    assert Scene(GRAND, "CJ DJ", table="0: SA ST").card() is Card.DJ


def test_a_defender_does_not_lead_trumps() -> None:
    scene = Scene(CLUBS, "CA CK C7 HA H7", tricks=("2: D7 D8 D9", "2: DA DT DK"))
    assert scene.card().suit is not CLUBS.trump_suit


# The declarer


def test_the_declarer_draws_trumps() -> None:
    scene = Scene(CLUBS, "CJ SJ HJ CA CT C9 SA S7 H8 D7", 2, discards="D8 H7")
    assert ranking_of(CLUBS).group(scene.card()) is None


def test_the_declarer_leaves_a_lone_higher_trump_out() -> None:
    tricks = ("2: SJ C7 C8", "2: HJ C9 CQ", "2: DJ CK S7")
    scene = Scene(CLUBS, "CA CT HA H8", 2, tricks=tricks, discards="D8 H7")
    assert ranking_of(CLUBS).group(scene.card()) is not None


def test_the_declarer_takes_a_rich_trick_with_a_trump() -> None:
    scene = Scene(CLUBS, "CA C7 H8", 2, table="0: DA DT", discards="D8 H7")
    assert ranking_of(CLUBS).group(scene.card()) is None


def test_the_declarer_gives_an_empty_trick_away() -> None:
    scene = Scene(CLUBS, "CJ SJ H8", 2, table="0: D9 D7", discards="D8 H7")
    assert scene.card() is Card.H8


def test_the_declarer_takes_with_the_ten_behind_the_king() -> None:
    scene = Scene(CLUBS, "SA ST S8 CJ", 2, table="0: S7 SK", discards="D8 H7")
    assert scene.card("SA ST S8") is not Card.S8


# Null


def test_null_ducks_with_the_highest_card_that_stays_below() -> None:
    scene = Scene(NULL, "H7 H9 HQ HA", 2, table="0: HK H8", discards="CA SA")
    assert scene.card() is Card.HQ


def test_null_throws_the_dangerous_card_away() -> None:
    scene = Scene(NULL, "H7 H8 SA D7", 2, table="0: CK C8", discards="CA HA")
    assert scene.card() is Card.SA


def test_null_leads_what_is_beaten_for_sure() -> None:
    scene = Scene(NULL, "H7 H8 SK D7", 2, discards="CA HA")
    assert scene.card() is not Card.SK


def test_a_defender_stays_below_the_declarer_in_null() -> None:
    assert Scene(NULL, "H7 H9 HA", table="0: HT H8").card() is Card.H9


def test_a_defender_gets_rid_of_high_cards_behind_the_declarer() -> None:
    assert Scene(NULL, "H9 HA", table="0: H7 HQ").card() is Card.HA


def test_a_defender_stays_low_before_the_declarer() -> None:
    assert Scene(NULL, "H8 HA", declarer=0, table="1: H9").card() is Card.H8


def test_a_defender_leads_to_the_open_hands_weak_suit() -> None:
    scene = Scene(NULL, "H8 S9 D8 C8", exposed="H7 H9 SJ SK D7 C7")
    assert scene.card() is Card.S9


# Votes


def vote(kind: ProposalKind, scene: Scene, level: Level = Level.SIMPLE) -> bool:
    answer = decide(VoteOptions(kind, 0, level), scene.sight())
    assert isinstance(answer, Vote)
    return answer.accept


RICH = ("0: CA CT CK", "0: SA ST SK", "0: DA DT DK")
"""75 card points for whoever sits in seat 0."""


def test_a_declarer_may_always_give_up() -> None:
    assert vote(ProposalKind.DECLARER_GIVES_UP, Scene(CLUBS, "D8 H8"))


def test_defenders_may_give_up() -> None:
    assert vote(ProposalKind.DEFENDERS_GIVE_UP, Scene(CLUBS, "D8 H8", 2, discards="D7 H7"))


def test_defenders_may_not_give_up_close_to_schneider() -> None:
    tricks = tuple(trick.replace("0:", "2:") for trick in RICH)
    scene = Scene(GRAND, "CJ SJ", 2, tricks=tricks, discards="D7 H7")
    assert not vote(ProposalKind.DEFENDERS_GIVE_UP, scene)


def test_a_null_may_always_be_given_up() -> None:
    assert vote(ProposalKind.DEFENDERS_GIVE_UP, Scene(NULL, "D8 H8", 2, discards="D7 H7"))


def test_a_claim_that_is_made_already_is_accepted() -> None:
    scene = Scene(GRAND, "D8 H8", tricks=RICH, exposed="CJ SJ")
    assert vote(ProposalKind.CLAIM, scene)


@pytest.mark.parametrize("level", [Level.SIMPLE, Level.SCHNEIDER, Level.SCHWARZ])
def test_a_claim_of_unbeatable_cards_is_accepted(level: Level) -> None:
    scene = Scene(GRAND, "D8 H8", tricks=RICH[:1], exposed="CJ SJ HJ DJ SA")
    assert vote(ProposalKind.CLAIM, scene, level)


@pytest.mark.parametrize(
    "scene",
    [
        Scene(GRAND, "HA H8", tricks=RICH[:1], exposed="CJ SJ HJ HK"),
        Scene(GRAND, "DJ H8", tricks=RICH[:1], exposed="CJ HA"),
        Scene(GRAND, "D8 H8", tricks=("1: CA CT CK",), exposed="CJ SJ HJ DJ SA"),
    ],
    ids=["a card is beaten", "a trump is out", "somebody else leads"],
)
def test_a_claim_in_doubt_is_rejected(scene: Scene) -> None:
    assert not vote(ProposalKind.CLAIM, scene)


def test_schwarz_is_no_claim_after_a_lost_trick() -> None:
    scene = Scene(GRAND, "D8 H8", tricks=("1: H7 D7 D9", "0: CA CT CK"), exposed="CJ SJ HJ DJ")
    assert not vote(ProposalKind.CLAIM, scene, Level.SCHWARZ)


def test_schneider_is_no_claim_with_too_many_points_lost() -> None:
    scene = Scene(GRAND, "D8 H8", tricks=("1: SA ST SK", "1: CA H7 CK"), exposed="CJ SJ HJ DJ")
    assert not vote(ProposalKind.CLAIM, scene, Level.SCHNEIDER)


@pytest.mark.parametrize(("cards", "accepted"), [("D7 D9", True), ("D9 DA", False)])
def test_a_null_claim_is_accepted_when_it_is_safe(cards: str, *, accepted: bool) -> None:
    scene = Scene(NULL, "D8 H8", tricks=("1: HA HK H7",), exposed=cards)
    assert vote(ProposalKind.CLAIM, scene) is accepted


# The other questions reach the modules that answer them


def test_every_question_is_answered() -> None:
    sight = Scene(CLUBS, "DJ HJ SJ CJ CA CT SA ST HA D7", 2).sight()
    assert decide(BiddingOptions(False, 18, (20,)), sight) == Bid(20)
    assert decide(ForehandOptions((18,)), sight) == Bid(18)
    assert isinstance(decide(SkatOptions(18), sight), TakeSkat | PlayHand)
    announced = decide(AnnounceOptions((Contract(GRAND, hand=True),), 0, ()), sight)
    assert announced == Announce(Contract(GRAND, hand=True))
