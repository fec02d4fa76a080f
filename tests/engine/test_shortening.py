"""Deals that end before the last card: R-END-1 to R-END-9; section 22.5."""

from dataclasses import replace

import pytest

from skat_engine import (
    ConcessionOffered,
    ConcessionRefused,
    Deal,
    Ending,
    GameValue,
    IllegalActionError,
    Level,
    Occasion,
    OptionValue,
    Phase,
    Refusal,
    RuleSet,
    Standing,
    parse_action,
    played_out,
    preset,
)
from skat_engine.events import (
    DealEnded,
    HandExposed,
    ProposalDeclined,
    ProposalKind,
    ShorteningProposed,
    VoteCast,
)
from skat_engine.options import (
    DeclarerGiveUp,
    DefenderGiveUp,
    Kontra,
    LayOpenRule,
    SchwarzDefinition,
)
from skat_engine.shortening import (
    claim_accepted,
    declarer_gave_up,
    defenders_gave_up,
    rest_to_declarer,
)
from skat_engine.valuation import Doubling
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

# The same where a level is not what it is in isko: Spitze, a game given away, Schwarz by points.
BY_POINTS = isko(schwarz_definition=SchwarzDefinition.NO_POINTS)
OPEN_TO_THE_END = [
    ("spitze-counts-as-made", isko(), standing("CP", points=(40, 20)), 48),
    (
        "spitze-out-of-reach",
        isko(),
        replace(standing("CP", points=(70, 20)), spitze_made=False),
        -96,
    ),
    (
        "given-away-and-schneider-in-reach",
        isko(),
        replace(standing("C", points=(60, 20)), schenken_refused=True),
        48,
    ),
    (
        "given-away-and-schneider-missed",
        isko(),
        replace(standing("C", points=(70, 31)), schenken_refused=True),
        -96,
    ),
    ("schwarz-by-points", BY_POINTS, standing("H", 2, 50, (40, 0), (4, 1)), 50),
    ("announced-schwarz-needs-tricks", BY_POINTS, standing("CHSZ", points=(50, 0)), -168),
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
    ("rules", "game", "score"),
    [row[1:] for row in OPEN_TO_THE_END],
    ids=[row[0] for row in OPEN_TO_THE_END],
)
def test_the_defenders_gave_up_what_was_still_open(
    rules: RuleSet, game: Standing, score: int
) -> None:
    """R-END-6, R-SPI-1, R-VAL-3."""
    assert defenders_gave_up(game, rules).score == score


def test_spitze_is_not_won_before_the_end() -> None:
    """R-SPI-1: a declarer with 70 points who gives up has not won."""
    assert declarer_gave_up(standing("CP", points=(70, 20)), isko()).score == -96


def test_kontra_and_bock_count_in_a_shortened_deal() -> None:
    """R-KON-4, R-BOCK-1; section 15."""
    doubling = Doubling(kontra=True, re=True, bock=True)
    game = standing("C", points=(64, 20))
    assert declarer_gave_up(game, isko(), doubling).score == 8 * 24
    assert defenders_gave_up(game, isko(), doubling).score == 8 * 24


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


PROSKAT = preset("proskat_pub", {"kontra": Kontra.OFF})
# Clubs with 3 at 40; the diamond is the only loser.
PUB_CARDS = dealt(
    "CJ SJ HJ CA CT CK C9 SA HA D7",
    "C7 C8 D8 D9 ST S8 S9 HT H8 H9",
    "CQ DJ DA DT DK DQ SK SQ HK HQ",
    skat="H7 S7",
)


def pub(**options: OptionValue) -> Deal:
    return announced("C", PUB_CARDS, bid=40, rules=replace(PROSKAT, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(("defender", "partner"), [(1, 2), (2, 1)])
def test_both_defenders_must_agree(defender: int, partner: int) -> None:
    """R-END-5: the other defender first, then the declarer."""
    deal = pub()
    events = play(deal, f"{defender}:give-up {partner}:accept")
    assert events == [
        ConcessionOffered(defender, partner),
        ShorteningProposed(defender, ProposalKind.DEFENDERS_GIVE_UP, Level.SIMPLE),
    ]
    play(deal, "0:accept")
    assert ended(deal) == (Ending.DEFENDERS_GAVE_UP, 48)


def test_the_other_defender_refuses() -> None:
    """R-END-5; END16: the first has used his offer, the second has not."""
    deal = pub()
    assert play(deal, "1:give-up 2:reject")[-1] == ConcessionRefused(2, 1)
    assert (deal.phase, deal.to_act) == (Phase.PLAY, 0)
    assert reason(deal, "1:give-up") is Refusal.NOT_OFFERED
    assert parse_action("give-up") in deal.legal(2)


def test_an_offer_is_made_once_a_deal() -> None:
    """R-END-5; X15, in which isko allows one every trick."""
    deal, other = pub(), clubs()
    for one, script in ((deal, "1:give-up 2:accept 0:reject"), (other, "1:give-up 0:reject")):
        play(one, script)
        while len(one.tricks) < 1:
            play(one, str(one.legal(one.to_act or 0)[0]))
    assert parse_action("give-up") not in deal.legal(1)
    assert parse_action("give-up") in other.legal(1)


def test_both_defenders_are_enough_where_the_declarer_may_not_play_on() -> None:
    """R-END-4, R-END-5."""
    deal = pub(give_up_declarer_may_play_on=False)
    play(deal, "1:give-up 2:accept")
    assert ended(deal)[0] is Ending.DEFENDERS_GAVE_UP


def test_all_remaining_tricks_are_credited() -> None:
    """R-END-8; END20: with 12 points in two tricks of the defenders it is Schneider."""
    game = rest_to_declarer(standing("C", 3, 40, (60, 12), (4, 2)))
    assert (game.declarer_points, game.declarer_tricks) == (108, 8)
    assert played_out(game, PROSKAT).score == 60


def test_a_claim_that_is_believed_ends_the_deal() -> None:
    """R-END-8: Schwarz, because all ten tricks are credited; all card points are assigned."""
    deal = pub()
    events = play(deal, "0:open:simple 1:accept 2:accept")
    assert events[1] == ShorteningProposed(0, ProposalKind.ALL_TRICKS, Level.SIMPLE)
    assert ended(deal) == (Ending.CLAIM_ACCEPTED, 72)
    assert deal.result is not None
    assert deal.result.game is not None
    assert deal.result.game.declarer_points == 120


def test_a_claim_that_is_not_believed_loses_with_the_next_trick() -> None:
    """R-END-8; END22, X16: 66 points do not help, and no level counts."""
    deal = pub()
    play(deal, "0:open:simple 1:accept 2:reject")
    assert (deal.phase, deal.exposed, deal.must_win_all) == (Phase.PLAY, True, True)
    play(deal, "CJ C7 CQ SJ C8 DJ")
    assert not deal.is_over
    play(deal, "D7 D8 DA")
    assert ended(deal) == (Ending.LAY_OPEN_FAILED, -96)


def test_a_claim_that_is_made_good_is_won() -> None:
    """R-END-8."""
    cards = dealt("CJ SJ HJ DJ CA CT CK SA HA DA", "C7 C8", "CQ", skat="H7 S7")
    deal = announced("C", cards, bid=40, rules=PROSKAT)
    play(deal, "0:open:simple 1:reject")
    while deal.to_act is not None:
        play(
            deal,
            str(next(card for card in reversed(deal.legal(deal.to_act)) if len(str(card)) == 2)),
        )
    assert ended(deal) == (Ending.PLAYED_OUT, 12 * (7 + 1 + 2))


EIGHTY_SIX = "CJ C7 CQ SJ C8 DJ SA ST SK HA HT HK CA S8 SQ CT S9 HQ"


@pytest.mark.parametrize(
    ("rules", "ending"), [(PROSKAT, Ending.LAY_OPEN_FAILED), (isko(), Ending.PLAYED_OUT)]
)
def test_a_won_game_can_be_lost_by_laying_open(rules: RuleSet, ending: Ending) -> None:
    """X17: in proskat; elsewhere a failed claim has no effect (R-END-7)."""
    deal = announced("C", PUB_CARDS, bid=40, rules=rules)
    play(deal, f"{EIGHTY_SIX} 0:open:simple 1:reject D7 D8 DA")
    while deal.to_act is not None:
        play(deal, str(deal.legal(deal.to_act)[0]))
    assert ended(deal) == (ending, -96 if ending is Ending.LAY_OPEN_FAILED else 60)


def test_a_declarer_who_is_not_believed_and_gives_up_has_lost() -> None:
    """R-END-3, R-END-8: his 86 points do not help."""
    deal = announced("C", PUB_CARDS, bid=40, rules=PROSKAT)
    play(deal, f"{EIGHTY_SIX} 0:open:simple 1:reject 0:give-up 1:accept")
    assert ended(deal) == (Ending.DECLARER_GAVE_UP, -96)


@pytest.mark.parametrize("rule", [LayOpenRule.PROSKAT, LayOpenRule.ISKO_2007])
def test_who_claims_all_tricks_names_no_level_and_plays_no_null(rule: LayOpenRule) -> None:
    """R-END-8, R-END-9."""
    rules = isko(lay_open=rule)
    assert reason(announced("C", CLUBS, rules=rules), "0:open:schneider") is Refusal.NOT_OFFERED
    assert reason(announced("N", CLUBS, rules=rules), "0:open:simple") is Refusal.NOT_OFFERED


def test_a_right_claim_takes_the_rest() -> None:
    """R-END-9."""
    cards = dealt("CJ SJ HJ DJ CA CT CK SA HA DA", "C7", skat="D7 D8")
    deal = announced("C", cards, rules=isko(lay_open=LayOpenRule.ISKO_2007))
    assert [type(event) for event in play(deal, "0:open:simple")] == [HandExposed, DealEnded]
    assert ended(deal) == (Ending.CLAIM_RIGHT, 12 * (7 + 1 + 2))


def test_a_wrong_claim_leaves_the_rest_to_the_defenders() -> None:
    """R-END-9; X16: the points decide."""
    deal = announced("C", PUB_CARDS, bid=40, rules=isko(lay_open=LayOpenRule.ISKO_2007))
    play(deal, "CJ C7 CQ 0:open:simple")
    assert ended(deal) == (Ending.CLAIM_WRONG, -120)
    assert deal.result is not None
    assert deal.result.game is not None
    assert deal.result.game.defender_points == 115


XSKAT = preset("xskat_extras", {"kontra": Kontra.OFF})


def test_the_game_is_given_away_in_the_first_trick() -> None:
    """Section 21, ``schenken_first_trick``: it is won as it stands."""
    deal = announced("C", CLUBS, rules=XSKAT)
    events = play(deal, "1:give-up 0:accept")
    assert events[0] == ShorteningProposed(1, ProposalKind.SCHENKEN, Level.SIMPLE)
    assert ended(deal) == (Ending.DEFENDERS_GAVE_UP, 24)


def test_who_plays_on_must_make_schneider() -> None:
    """Section 21, ``schenken_first_trick``: two levels more, also when lost."""
    deal = announced("C", CLUBS, rules=XSKAT)
    play(deal, "1:give-up 0:reject 0:give-up")
    assert ended(deal) == (Ending.DECLARER_GAVE_UP, -96)


def test_the_game_is_given_away_once() -> None:
    deal = announced("C", CLUBS, rules=XSKAT)
    play(deal, "1:give-up 0:reject")
    (proposed,) = play(deal, "2:give-up")
    assert proposed == ShorteningProposed(2, ProposalKind.DEFENDERS_GIVE_UP, Level.SIMPLE)


def test_after_the_first_trick_nothing_is_given_away() -> None:
    """Section 21, ``schenken_first_trick``; here without ordinary concessions."""
    rules = replace(XSKAT, defender_give_up=DefenderGiveUp.OFF)
    deal = announced("C", CLUBS, rules=rules)
    assert parse_action("give-up") in deal.legal(1)
    play(deal, "1:give-up 0:reject")
    assert parse_action("give-up") not in deal.legal(2)


def test_a_null_is_not_given_away() -> None:
    rules = replace(XSKAT, defender_give_up=DefenderGiveUp.OFF)
    assert not announced("N", CLUBS, rules=rules).legal(1)


def test_where_both_must_agree_both_give_the_game_away() -> None:
    """Section 21, R-END-5."""
    rules = replace(PROSKAT, schenken_first_trick=True, give_up_declarer_may_play_on=False)
    deal = announced("C", CLUBS, rules=rules)
    play(deal, "1:give-up 2:accept")
    assert (deal.phase, deal.to_act) == (Phase.SHORTENING_VOTE, 0)


def test_nothing_of_this_exists_in_a_ramsch() -> None:
    """R-RAM-1, section 15."""
    occasion = Occasion(ramsch_round=True, grand_hand_offered=False)
    deal = Deal(PROSKAT, CLUBS, occasion)
    assert [len(deal.legal(position)) for position in (0, 1, 2)] == [10, 0, 0]


def test_a_decided_game_keeps_its_winner() -> None:
    """R-END-3: forehand has taken enough when he gives up."""
    cards = dealt("CJ CA CT CK C9 C8 C7 SA HA DA", "ST HT DT", "SK HK DK", "D7 D8")
    deal = announced("C", cards)
    play(deal, "SA ST SK HA HT HK DA DT DK 0:give-up 1:accept")
    assert ended(deal) == (Ending.DECLARER_GAVE_UP, 24)
