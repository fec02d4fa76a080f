"""The ladder and the auction: R-BID-1 to R-BID-6."""

import pytest

from skat_engine import BID_VALUES, Deal, IllegalActionError, Phase, Refusal, parse_action
from skat_engine.bidding import Auction, bids_above
from skat_engine.events import AuctionWon, BidMade, Passed
from skat_engine.options import ForehandLastOption
from skat_engine.ruleset_text import parse_option
from tests.builders import dealt, isko, play, table

AUCTIONS = table("auctions")
LADDER = """
    18 20 22 23 24 27 30 33 35 36 40 44 45 46 48 50 54 55 59 60 63 66 70 72 77 80 81 84 88 90 96 99
    100 108 110 117 120 121 126 130 132 135 140 143 144 150 153 154 156 160 162 165 168 170 176 180
    187 192 198 204 216 240 264"""


def deal_of(row: dict[str, str]) -> Deal:
    name, _, value = row["options"].partition("=")
    return Deal(isko(**({name: parse_option(name, value)} if name else {})), dealt())


def rows(*, failing: bool) -> list[dict[str, str]]:
    return [row for row in AUCTIONS if (row["declarer"] == "error") is failing]


def test_the_ladder() -> None:
    """R-BID-1."""
    assert tuple(map(int, LADDER.split())) == BID_VALUES


@pytest.mark.parametrize("row", rows(failing=False), ids=lambda row: row["id"])
def test_outcome_of_an_auction(row: dict[str, str]) -> None:
    """R-BID-3, R-BID-4, R-BID-5."""
    deal = deal_of(row)
    play(deal, row["sequence"])
    named = "".join(
        str(who) for who in range(3) if deal.auction.named >> who & 1 and who != deal.declarer
    )
    outcome = (str(deal.declarer), str(deal.bid)) if deal.bid else ("all passed", "")
    assert (*outcome, named) == (row["declarer"], row["bid"], row["defenders_who_named"])


@pytest.mark.parametrize("row", rows(failing=True), ids=lambda row: row["id"])
def test_an_illegal_bid_is_refused(row: dict[str, str]) -> None:
    """R-BID-1, R-BID-3, R-BID-4, R-BID-6."""
    *before, last = row["sequence"].split()
    deal = deal_of(row)
    play(deal, " ".join(before))
    with pytest.raises(IllegalActionError) as refused:
        play(deal, last)
    assert refused.value.reason is Refusal.ILLEGAL_BID


def test_bids_above_the_highest_do_not_exist() -> None:
    assert bids_above(264) == ()


def test_jumps_are_allowed() -> None:
    """R-BID-2."""
    deal = Deal(isko(), dealt())
    play(deal, "1:240")
    assert deal.auction.offer == 240


def test_without_jumps_only_the_next_number_is_open() -> None:
    """R-BID-2."""
    deal = Deal(isko(jump_bids=False), dealt())
    play(deal, "1:18 0:hold")
    assert [str(action) for action in deal.legal(1)] == ["pass", "20"]


def test_rearhand_must_exceed_the_number_held() -> None:
    """R-BID-3."""
    deal = Deal(isko(), dealt())
    play(deal, "1:18 0:hold 1:pass")
    assert str(deal.legal(2)[1]) == "20"


def test_who_passed_takes_no_further_part() -> None:
    """R-BID-3."""
    deal = Deal(isko(), dealt())
    play(deal, "1:pass")
    with pytest.raises(IllegalActionError) as refused:
        deal.apply(1, parse_action("18"))
    assert refused.value.reason is Refusal.NOT_YOUR_TURN


def test_the_listener_cannot_bid() -> None:
    """R-BID-3."""
    deal = Deal(isko(), dealt())
    play(deal, "1:18")
    with pytest.raises(IllegalActionError, match="hold or pass") as refused:
        play(deal, "0:20")
    assert refused.value.reason is Refusal.ILLEGAL_BID


def test_there_is_nothing_to_hold_before_a_bid() -> None:
    with pytest.raises(IllegalActionError) as refused:
        play(Deal(isko(), dealt()), "1:hold")
    assert refused.value.reason is Refusal.ILLEGAL_BID


def test_forehand_is_offered_18_after_two_passes() -> None:
    """R-BID-4; fault 24: some programs offer 20."""
    deal = Deal(isko(), dealt())
    play(deal, "1:pass 2:pass")
    assert deal.phase is Phase.FOREHAND_OPTION
    assert [str(action) for action in deal.legal(0)] == ["pass", "18"]


def test_forehands_18_is_an_event() -> None:
    """R-BID-4; fault 16: some programs do not show it."""
    deal = Deal(isko(), dealt())
    assert play(deal, "1:pass 2:pass 0:18") == [
        Passed(1),
        Passed(2),
        BidMade(0, 18),
        AuctionWon(0, 18),
    ]


def test_forehand_may_name_any_number_where_that_is_an_option() -> None:
    """R-BID-4."""
    deal = Deal(isko(forehand_last_option=ForehandLastOption.EIGHTEEN_OR_MORE), dealt())
    play(deal, "1:pass 2:pass")
    assert len(deal.legal(0)) == 1 + len(BID_VALUES)


def test_the_last_number_of_forehand_counts_as_named() -> None:
    """R-BID-5."""
    deal = Deal(isko(), dealt())
    play(deal, "1:pass 2:pass 0:18")
    assert deal.auction.named == 0b001


@pytest.mark.parametrize("number", [19, 21, 171, 189, 190, 499])
def test_what_is_no_game_value_is_no_bid(number: int) -> None:
    """R-BID-1; fault 35: lists of other programs hold these."""
    with pytest.raises(IllegalActionError) as refused:
        play(Deal(isko(), dealt()), f"1:{number}")
    assert refused.value.reason is Refusal.ILLEGAL_BID


def test_a_copy_of_an_auction_goes_its_own_way() -> None:
    auction = Auction()
    auction.bid(18)
    twin = auction.copy()
    twin.hold()
    assert (auction.offer, twin.offer, twin.high) == (18, 0, 18)
