"""Events as lines for people."""

import pytest

from skat_client import (
    AcceptGrandHand,
    Action,
    Announce,
    AuctionWon,
    Bid,
    BidHeld,
    BidMade,
    BidPassed,
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
    DeclarerGame,
    Decline,
    DefendersCompared,
    Ending,
    EndRequested,
    Event,
    FaultCause,
    GameValue,
    GiveUp,
    GrandHandAccepted,
    GrandHandDeclined,
    HandChosen,
    HandExposed,
    HandsRearranged,
    Hold,
    Knock,
    Knocked,
    KontraAnswered,
    LayOpen,
    Level,
    Pass,
    PassOn,
    PickUp,
    PlayCard,
    PlayHand,
    ProposalDeclined,
    ProposalKind,
    PutDown,
    RamschGame,
    RamschStarted,
    ReAnswered,
    Rearrange,
    SayKontra,
    SayRe,
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
        (Decline(), "decline"),
        (AcceptGrandHand(), "accept grand hand"),
        (PickUp(), "pick up"),
        (PassOn(), "pass on"),
        (PutDown(parse_cards("D7 H7")), "put down D7 H7"),
        (Knock(), "knock"),
        (SayKontra(), "say kontra"),
        (SayRe(), "say re"),
        (Rearrange(parse_cards("D7 H7")), "keep D7 H7"),
        (
            Announce(Contract(ContractKind.NULL, ouvert=True, revolution=True)),
            "announce null ouvert revolution",
        ),
        (Announce(Contract(ContractKind.CLUBS, spitze=True)), "announce clubs spitze"),
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
        (
            TableClosed("seat 1 forfeits", FaultCause.TIMEOUT, 1),
            "table closed: seat 1 forfeits (seat 1, timeout)",
        ),
        (TableClosed("broken", FaultCause.SERVER), "table closed: broken (server)"),
        (DecisionDefaulted(1, FaultCause.STALLED), "seat 1 gets the safe answer: stalled"),
        (DecisionDefaulted(1, None), "seat 1 gets the safe answer: a fault"),
        (
            SeatTakenOver(2, FaultCause.ILLEGAL_ACTIONS),
            "the house plays for seat 2: illegal actions",
        ),
        (SeatReturned(2), "seat 2 plays again"),
        (DealVoided("by the operator"), "the deal is void and dealt anew: by the operator"),
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
        (
            DealStarted(3, 2, (0, 1, 2), (), (), bock=True),
            "deal 3: seat 2 deals, seat 0 is forehand, bock",
        ),
        (
            DealStarted(3, 2, (0, 1, 2), (), (), ramsch_round=True),
            "deal 3: seat 2 deals, seat 0 is forehand, ramsch round",
        ),
        (ConcessionOffered(1, 2), "seat 1 would give up and asks seat 2"),
        (ConcessionRefused(2, 1), "seat 2 does not give up with seat 1"),
        (GrandHandDeclined(1), "seat 1 does not want grand hand"),
        (GrandHandAccepted(1), "seat 1 plays grand hand instead of the ramsch"),
        (RamschStarted(), "a ramsch is played"),
        (SkatPickedUp(1, ()), "seat 1 picks the skat up"),
        (SkatPickedUp(1, parse_cards("D7 H7")), "seat 1 picks the skat up: D7 H7"),
        (SkatPassedOn(1), "seat 1 passes the skat on"),
        (CardsPutDown(1, ()), "seat 1 puts down two cards"),
        (CardsPutDown(1, parse_cards("D7 H7")), "seat 1 puts down D7 H7"),
        (Knocked(1, True), "seat 1 knocks"),
        (Knocked(1, False), "seat 1 does not knock"),
        (KontraAnswered(1, True), "seat 1 says kontra"),
        (KontraAnswered(1, False), "seat 1 says no kontra"),
        (ReAnswered(0, True), "seat 0 says re"),
        (ReAnswered(0, False), "seat 0 says no re"),
        (SpitzeRevealed(0, parse_cards("C7")[0]), "seat 0 shows C7 for spitze"),
        (DefendersCompared(1, 2, (), ()), "seats 1 and 2 see one another's cards"),
        (
            HandsRearranged(1, 2, parse_cards("D7"), parse_cards("H7")),
            "seats 1 and 2 have their final cards: D7 and H7",
        ),
        (EndRequested(1), "seat 1 asks for the end of the series"),
        (EndRequested(None), "the owner asks for the end of the series"),
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


def test_what_doubled_a_score_is_named() -> None:
    value = GameValue(24, 1, Level.SIMPLE, 3, 72, False, False, 72, -1152)
    game = DeclarerGame(0, 18, GRAND, (), 50, 70, value, kontra=True, re=True, bock=True)
    result = DealResult(Ending.LAY_OPEN_FAILED, game, (-1152, 0, 0), (6, 2, 2), NOTHING)
    assert result_text(result) == (
        "seat 0 lost grand hand at 18 with 50 card points: -1152, kontra, re, bock, "
        "laid open wrongly"
    )


def test_a_grand_hand_instead_of_a_ramsch_has_no_bid() -> None:
    value = GameValue(24, 1, Level.SIMPLE, 3, 72, False, True, 72, 72)
    game = DeclarerGame(0, 0, GRAND, (), 70, 50, value, replaces_ramsch=True)
    result = DealResult(Ending.PLAYED_OUT, game, (72, 0, 0), (6, 2, 2), NOTHING)
    assert result_text(result) == (
        "seat 0 won grand hand instead of a ramsch with 70 card points: +72"
    )


@pytest.mark.parametrize(
    ("ramsch", "scores", "text"),
    [
        (
            RamschGame((20, 30, 70), (), 3, False, None, ()),
            (0, 0, -70),
            "ramsch with card points of forehand 20, middlehand 30, rearhand 70: 0 0 -70",
        ),
        (
            RamschGame((0, 120, 0), (), 0, True, 1, ()),
            (0, 240, 0),
            "ramsch with card points of forehand 0, middlehand 120, rearhand 0: 0 +240 0, "
            "durchmarsch by seat 1, knocked",
        ),
    ],
    ids=["lost", "durchmarsch"],
)
def test_a_ramsch_has_points_for_all(
    ramsch: RamschGame, scores: tuple[int, ...], text: str
) -> None:
    result = DealResult(Ending.RAMSCH_PLAYED, None, scores, (2, 3, 5), NOTHING, ramsch)
    assert result_text(result) == text


def test_a_deal_may_be_dealt_again() -> None:
    result = DealResult(Ending.REDEALT, None, (0, 0, 0), (0, 0, 0), NOTHING)
    assert result_text(result) == "dealt again"
