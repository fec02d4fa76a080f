"""Deals that end before the last card: R-END-1 to R-END-7; section 22.5."""

import pytest

from skat_engine import (
    Deal,
    Ending,
    GameValue,
    IllegalActionError,
    Level,
    Phase,
    Refusal,
    RuleSet,
    Standing,
    parse_action,
    preset,
)
from skat_engine.events import (
    DealEnded,
    HandExposed,
    ProposalDeclined,
    ShorteningProposed,
    VoteCast,
)
from skat_engine.options import DeclarerGiveUp, DefenderGiveUp, LayOpenRule
from skat_engine.shortening import claim_accepted, declarer_gave_up, defenders_gave_up
from tests.builders import announced, dealt, isko, play, standing

TERSE = preset("terse_english", {"declarer_give_up": DeclarerGiveUp.ISKO})

# The rows of section 22.5 in which the declarer gives up, and cases beside them.
DECLARER_GIVES_UP = [
    ("END1", isko(), standing("C"), -48),
    ("END4", isko(), standing("D", bid=22), -54),
    ("END6", isko(), standing("NO"), -92),
    ("END7", isko(), standing("C", points=(64, 20)), 24),
    ("END8", TERSE, standing("HH", matadors=2, bid=40), -40),
    ("fault-31-null", isko(), standing("N", tricks=(0, 3)), -46),
    ("announced-levels-stay", isko(), standing("CHS"), -120),
    (
        "schwarz-is-won-at-the-end-only",
        isko(),
        standing("CHSZ", points=(80, 0)),
        -168,
    ),
    ("won-but-overbid", isko(), standing("D", bid=22, points=(70, 20)), -54),
    ("schneider-secured-and-needed", isko(), standing("D", bid=22, points=(90, 20)), 27),
    ("defenders-at-60", isko(), standing("C", points=(20, 60)), -48),
    ("own-schneider-secured", isko(), standing("C", points=(20, 90)), -72),
    ("own-schneider-does-not-count", TERSE, standing("C", points=(20, 90)), -48),
]

# The same for a defender's concession.
DEFENDERS_GIVE_UP = [
    ("END9", standing("C", matadors=3, bid=40, points=(45, 10)), 48),
    ("END11", standing("H", matadors=2, bid=40, points=(50, 20)), 40),
    ("END13", standing("C", matadors=3, bid=40, points=(30, 60)), -96),
    ("END15", standing("N", tricks=(0, 4)), 23),
    ("null-with-a-trick-of-the-declarer", standing("N", tricks=(1, 4)), -46),
    ("schneider-out-of-reach", standing("H", matadors=2, bid=40, points=(50, 31)), -80),
    (
        "schwarz-still-possible",
        standing("H", matadors=2, bid=50, points=(40, 0), tricks=(4, 0)),
        50,
    ),
    (
        "schwarz-out-of-reach",
        standing("H", matadors=2, bid=50, points=(40, 0), tricks=(4, 1)),
        -100,
    ),
    ("schneider-secured", standing("C", points=(90, 10)), 36),
    ("announced-schneider-granted", standing("CHS", points=(50, 30)), 60),
    ("announced-schneider-missed", standing("CHS", points=(50, 31)), -120),
    ("announced-schwarz-granted", standing("CHSZ", points=(50, 0), tricks=(4, 0)), 84),
    ("announced-schwarz-missed", standing("CHSZ", points=(50, 0), tricks=(4, 1)), -168),
]

# The same for a claim that both defenders accept, with the level that is claimed.
CLAIMS = [
    ("END18", standing("C", matadors=3, bid=40, points=(60, 12)), Level.SIMPLE, 48),
    ("END19", standing("C", matadors=3, bid=40, points=(60, 12)), Level.SCHNEIDER, 60),
    ("schwarz", standing("C", points=(40, 0), tricks=(4, 0)), Level.SCHWARZ, 48),
    ("null", standing("NO", tricks=(0, 4)), Level.SIMPLE, 46),
    ("schneider-needed-for-the-bid", standing("H", 2, 40, (50, 20)), Level.SIMPLE, 40),
    ("schneider-secured", standing("C", points=(95, 12)), Level.SIMPLE, 36),
    ("lost-already", standing("C", points=(30, 60)), Level.SIMPLE, -48),
    ("announced-and-named", standing("CHS", points=(60, 0), tricks=(5, 0)), Level.SCHWARZ, 72),
]


@pytest.mark.parametrize(
    ("rules", "game", "score"),
    [row[1:] for row in DECLARER_GIVES_UP],
    ids=[row[0] for row in DECLARER_GIVES_UP],
)
def test_the_declarer_gave_up(rules: RuleSet, game: Standing, score: int) -> None:
    """R-END-3."""
    assert declarer_gave_up(game, rules).score == score


@pytest.mark.parametrize(
    ("game", "score"),
    [row[1:] for row in DEFENDERS_GIVE_UP],
    ids=[row[0] for row in DEFENDERS_GIVE_UP],
)
def test_the_defenders_gave_up(game: Standing, score: int) -> None:
    """R-END-6."""
    assert defenders_gave_up(game, isko()).score == score


@pytest.mark.parametrize(
    ("game", "level", "score"), [row[1:] for row in CLAIMS], ids=[row[0] for row in CLAIMS]
)
def test_a_claim_was_accepted(game: Standing, level: Level, score: int) -> None:
    """R-END-7."""
    assert claim_accepted(game, level, isko()).score == score


# Forehand plays Clubs with 1 and leads; the skat is worth nothing.
CLUBS = dealt("CJ CA CT CK C9 C8 SA HA DA D9", "C7", skat="D7 D8")


def clubs(**options: object) -> Deal:
    return announced("C", CLUBS, rules=preset("isko", options))  # type: ignore[arg-type]


def ended(deal: Deal) -> tuple[Ending, int]:
    assert deal.result is not None
    return deal.result.ending, deal.result.scores[0]


def value_of(deal: Deal) -> GameValue:
    assert deal.result is not None
    assert deal.result.game is not None
    return deal.result.game.value


def reason(deal: Deal, step: str) -> Refusal:
    with pytest.raises(IllegalActionError) as refused:
        play(deal, step)
    return refused.value.reason


def in_second_trick(deal: Deal) -> Deal:
    """Forehand, the declarer, has played to the second trick and holds eight cards."""
    play(deal, "CJ C7")
    play(deal, str(deal.legal(2)[0]))
    play(deal, "CA")
    return deal


def test_with_ten_cards_the_declarer_gives_up_alone() -> None:
    """R-END-1; END1."""
    deal = clubs()
    play(deal, "0:give-up")
    assert ended(deal) == (Ending.DECLARER_GAVE_UP, -48)


def test_with_nine_cards_the_declarer_gives_up_alone() -> None:
    """R-END-1; END1."""
    deal = clubs()
    play(deal, "CJ 0:give-up")
    assert deal.is_over


def test_with_eight_cards_the_declarer_asks() -> None:
    """R-END-2."""
    deal = in_second_trick(clubs())
    play(deal, "0:give-up")
    assert (deal.phase, deal.to_act) == (Phase.SHORTENING_VOTE, 1)


@pytest.mark.parametrize("votes", ["accept", "reject accept"])
def test_one_defender_consents(votes: str) -> None:
    """R-END-2; END2."""
    deal = in_second_trick(clubs())
    play(deal, "0:give-up " + votes)
    assert ended(deal)[0] is Ending.DECLARER_GAVE_UP


def test_play_goes_on_when_both_defenders_refuse() -> None:
    """R-END-2."""
    deal = in_second_trick(clubs())
    to_act = deal.to_act
    events = play(deal, "0:give-up reject reject")
    assert isinstance(events[-1], ProposalDeclined)
    assert (deal.phase, deal.to_act) == (Phase.PLAY, to_act)


def test_the_declarer_asks_once_a_trick() -> None:
    """R-END-2: so that every deal ends."""
    deal = in_second_trick(clubs())
    play(deal, "0:give-up reject reject")
    assert reason(deal, "0:give-up") is Refusal.NOT_OFFERED


def test_the_declarer_may_ask_again_in_the_next_trick() -> None:
    deal = in_second_trick(clubs())
    play(deal, "0:give-up reject reject")
    while len(deal.tricks) < 2:
        play(deal, str(deal.legal(deal.to_act or 0)[0]))
    assert parse_action("give-up") in deal.legal(0)


@pytest.mark.parametrize("defender", [1, 2])
def test_one_defender_binds_both(defender: int) -> None:
    """R-END-4; fault 37."""
    deal = clubs()
    play(deal, f"{defender}:give-up accept")
    assert ended(deal) == (Ending.DEFENDERS_GAVE_UP, 24)


def test_the_declarer_may_play_on() -> None:
    """R-END-4."""
    deal = clubs()
    events = play(deal, "1:give-up reject")
    assert [type(event) for event in events] == [ShorteningProposed, VoteCast, ProposalDeclined]
    assert deal.to_act == 0


def test_without_that_option_a_concession_ends_the_deal() -> None:
    """R-END-4."""
    deal = clubs(give_up_declarer_may_play_on=False)
    assert isinstance(play(deal, "1:give-up")[-1], DealEnded)


def test_a_claim_needs_both_defenders() -> None:
    """R-END-7."""
    deal = clubs()
    play(deal, "0:open:schneider 1:accept")
    assert not deal.is_over
    play(deal, "2:accept")
    assert value_of(deal).level is Level.SCHNEIDER


def test_one_objection_and_play_goes_on_with_open_cards() -> None:
    """R-END-7; I2."""
    deal = clubs()
    events = play(deal, "0:open:simple 1:reject")
    assert events[0] == HandExposed(0, deal.hands[0])
    assert (deal.phase, deal.exposed) == (Phase.PLAY, True)


def test_the_declarer_lays_open_once() -> None:
    """R-END-7."""
    deal = clubs()
    play(deal, "0:open:simple 1:reject")
    assert reason(deal, "0:open:simple") is Refusal.NOT_OFFERED


def test_a_failed_claim_has_no_further_effect() -> None:
    """R-END-7: the result is whatever play brings."""
    deal, twin = clubs(), clubs()
    play(deal, "0:open:schwarz reject")
    for one in (deal, twin):
        while one.to_act is not None:
            play(one, str(one.legal(one.to_act)[0]))
    assert deal.result == twin.result


def test_schwarz_cannot_be_claimed_after_a_trick_of_the_defenders() -> None:
    """R-END-7."""
    deal = announced("C", dealt("CJ D7", "D8", "DA", skat="S7 S8"))
    play(deal, "D7 D8 DA")
    assert reason(deal, "0:open:schwarz") is Refusal.NOT_OFFERED


def test_only_the_simple_level_is_claimed_in_null() -> None:
    """R-END-7."""
    deal = announced("N", CLUBS)
    claims = [str(action) for action in deal.legal(0) if str(action).startswith("open")]
    assert claims == ["open:simple"]


@pytest.mark.parametrize(
    ("options", "speaker", "word"),
    [
        ({"declarer_give_up": DeclarerGiveUp.OFF}, 0, "give-up"),
        ({"defender_give_up": DefenderGiveUp.OFF}, 1, "give-up"),
        ({"lay_open": LayOpenRule.OFF}, 0, "open:simple"),
        ({}, 1, "open:simple"),
    ],
    ids=["declarer-off", "defenders-off", "lay-open-off", "defender-cannot-claim"],
)
def test_what_the_rules_do_not_offer(options: dict[str, object], speaker: int, word: str) -> None:
    """R-END-1, R-END-4, R-END-7."""
    assert reason(clubs(**options), f"{speaker}:{word}") is Refusal.NOT_OFFERED


def test_only_who_is_asked_votes() -> None:
    deal = clubs()
    play(deal, "1:give-up")
    assert reason(deal, "2:accept") is Refusal.NOT_YOUR_TURN


def test_a_decided_game_keeps_its_winner() -> None:
    """R-END-3: forehand has taken enough when he gives up."""
    cards = dealt("CJ CA CT CK C9 C8 C7 SA HA DA", "ST HT DT", "SK HK DK", "D7 D8")
    deal = announced("C", cards)
    play(deal, "SA ST SK HA HT HK DA DT DK 0:give-up 1:accept")
    assert ended(deal) == (Ending.DECLARER_GAVE_UP, 24)
