"""Events as lines for people."""

import pytest

from skat_client import (
    Action,
    Announce,
    AuctionWon,
    Bid,
    BidHeld,
    BidMade,
    BidPassed,
    CardPlayed,
    Contract,
    ContractAnnounced,
    ContractKind,
    DealEnded,
    DealResult,
    DealStarted,
    DealtCards,
    DeclarerGame,
    Ending,
    Event,
    GameValue,
    GiveUp,
    HandChosen,
    HandExposed,
    Hold,
    LayOpen,
    Level,
    Pass,
    PlayCard,
    PlayHand,
    ProposalDeclined,
    ProposalKind,
    SeatLeft,
    SeatTaken,
    SeriesEnded,
    ShorteningProposed,
    SkatTaken,
    TableClosed,
    TakeSkat,
    TrickTaken,
    UnknownEvent,
    Vote,
    VoteCast,
    parse_cards,
)
from skat_client._text import deal_text, event_text, result_text

GRAND = Contract(ContractKind.GRAND, hand=True)
NOTHING = DealtCards((), (), (), ())


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Bid(18), "bid 18"),
        (Hold(), "hold"),
        (Pass(), "pass"),
        (TakeSkat(), "take skat"),
        (PlayHand(), "play hand"),
        (Announce(GRAND), "announce grand hand"),
        (
            Announce(Contract(ContractKind.CLUBS), parse_cards("D7 H7")),
            "announce clubs, put down D7 H7",
        ),
        (PlayCard(parse_cards("CJ")[0]), "play CJ"),
        (GiveUp(), "give up"),
        (LayOpen(Level.SCHNEIDER), "lay open, claim schneider"),
        (Vote(True), "accept"),
        (Vote(False), "reject"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_action_prints(action: Action, text: str) -> None:
    assert str(action) == text


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (SeatTaken(1, "somebody"), "seat 1 is taken by somebody"),
        (SeatLeft(1), "seat 1 is left"),
        (
            DealStarted(3, 2, (0, 1, 2), (), parse_cards("D7 CJ")),
            "deal 3: seat 2 deals, seat 0 is forehand, hand D7 CJ",
        ),
        (BidMade(1, 18), "seat 1 bids 18"),
        (BidHeld(0, 18), "seat 0 holds 18"),
        (BidPassed(0), "seat 0 passes"),
        (AuctionWon(1, 18), "seat 1 is the declarer at 18"),
        (HandChosen(1), "seat 1 plays hand"),
        (HandExposed(1, parse_cards("D7")), "seat 1 shows D7"),
        (TrickTaken(2, (), 11), "seat 2 takes the trick, 11 card points"),
        (ProposalDeclined(ProposalKind.CLAIM), "the proposal failed: claim"),
        (TableClosed("enough"), "table closed: enough"),
        (CardPlayed(1, parse_cards("CJ")[0]), "seat 1 plays CJ"),
        (ContractAnnounced(0, GRAND, ()), "seat 0 announces grand hand"),
        (SkatTaken(2, ()), "seat 2 takes the skat"),
        (SkatTaken(2, parse_cards("D7 CJ")), "seat 2 takes the skat D7 CJ"),
        (
            ShorteningProposed(0, ProposalKind.CLAIM, Level.SCHWARZ),
            "seat 0 proposes to end the deal: claim, schwarz",
        ),
        (VoteCast(1, False), "seat 1 declines"),
        (SeriesEnded((1, 0, -1), (1, 2, 3)), "series over: totals +1 0 -1, places 1 2 3"),
        (UnknownEvent(), "something that this client cannot read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_event_is_a_line(event: Event, text: str) -> None:
    assert event_text(event) == text


def test_a_result_names_declarer_game_and_score() -> None:
    value = GameValue(24, 1, Level.SIMPLE, 3, 72, False, True, 72, 72)
    game = DeclarerGame(0, 18, GRAND, (), 70, 50, value)
    result = DealResult(Ending.PLAYED_OUT, game, (72, 0, 0), (6, 2, 2), NOTHING)
    assert result_text(result) == "seat 0 won grand hand at 18 with 70 card points: +72"


def test_a_deal_shows_what_it_adds_by_name() -> None:
    value = GameValue(9, 1, Level.SIMPLE, 2, 18, False, True, 18, 18)
    game = DeclarerGame(1, 18, Contract(ContractKind.DIAMONDS), (), 70, 50, value)
    result = DealResult(Ending.PLAYED_OUT, game, (0, 18, 0), (6, 2, 2), NOTHING)
    ended = DealEnded(result, (0, 68, 0), (-40, 68, 0))
    assert deal_text(ended, ["ann", "ben", "cem"]) == (
        "ben (seat 1) won diamonds at 18 with 70 card points: +18; "
        "changes 0 +68 0; totals -40 +68 0"
    )
    assert event_text(ended).startswith("deal over: seat 1 won diamonds")


def test_a_deal_without_bids_is_passed_in() -> None:
    result = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), NOTHING)
    assert result_text(result) == "passed in"
