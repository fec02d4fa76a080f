"""A Ramsch from its first card to its result: R-RAM-1, R-RAM-2, R-RAM-6 to R-RAM-9; 22.2."""

import pytest

from skat_engine import (
    POSITIONS,
    Deal,
    DealResult,
    Ending,
    IllegalActionError,
    Occasion,
    OptionValue,
    RamschGame,
    Refusal,
    cards_in,
    cards_text,
    legal_cards,
    parse_action,
    parse_card,
    points_in,
    preset,
)
from skat_engine.contracts import order_of_ramsch
from skat_engine.options import RamschSkatTo
from tests.builders import dealt, hand, play

FORCED = Occasion(ramsch_round=True, grand_hand_offered=False)
# Forehand takes every trick of a Ramsch in which the others play their lowest.
MARCH = dealt("CJ SJ HJ DJ CA SA HA DA CT ST", skat="HT DT")


def finish(deal: Deal) -> DealResult:
    """Forehand plays high, the others low."""
    while deal.to_act is not None:
        cards = deal.legal(deal.to_act)
        play(deal, str(cards[-1] if deal.to_act == 0 else cards[0]))
    assert deal.result is not None
    return deal.result


def ramsch(name: str, occasion: Occasion = FORCED, **options: OptionValue) -> Deal:
    return Deal(preset(name, options), MARCH, occasion)


def game_of(result: DealResult) -> RamschGame:
    assert result.ramsch is not None
    return result.ramsch


def test_a_jack_asks_for_jacks() -> None:
    """R-RAM-1, R-CARD-4; LEG11."""
    held = hand("HJ HA D7")
    assert legal_cards(held, parse_card("DJ"), order_of_ramsch()) == hand("HJ")


def test_a_jack_lead_must_be_followed() -> None:
    """R-RAM-1; LEG11."""
    deal = Deal(preset("proskat_pub"), dealt("DJ", "HJ HA D7", "CJ"), FORCED)
    play(deal, "DJ")
    assert list(deal.legal(1)) == [parse_action("HJ")]
    with pytest.raises(IllegalActionError) as refused:
        play(deal, "HA")
    assert refused.value.reason is Refusal.MUST_FOLLOW


def test_forehand_leads_and_nobody_is_declarer() -> None:
    """R-RAM-1, R-PLAY-1; RAM8 needs tricks: fault 8, the points go to who took them."""
    deal = ramsch("proskat_pub")
    assert (deal.to_act, deal.declarer, deal.contract) == (0, None, None)
    result = finish(deal)
    assert (result.ending, result.game) == (Ending.RAMSCH_PLAYED, None)


def test_all_ten_tricks() -> None:
    """R-RAM-7; RAM7."""
    result = finish(ramsch("proskat_pub"))
    assert (result.tricks, result.scores) == ((10, 0, 0), (120, 0, 0))
    assert game_of(result).durchmarsch == 0
    assert game_of(result).points == (120, 0, 0)


def test_where_that_is_no_win() -> None:
    """R-RAM-7; X8: source 001."""
    deal = ramsch("terse_english_ramsch")
    play(deal, "pass-on pass-on pass-on")
    result = finish(deal)
    assert (game_of(result).durchmarsch, result.scores) == (None, (-120, 0, 0))


@pytest.mark.parametrize(("passed", "score"), [(1, 240), (2, 480), (3, 960)])
def test_untouched_skats_multiply(passed: int, score: int) -> None:
    """R-RAM-6; RAM22, X9: one, two, three players who did not look."""
    deal = ramsch("bga_skat")
    for position in POSITIONS:
        if position < passed:
            play(deal, "pass-on")
        else:
            play(deal, "pick-up down:HT.DT")
    result = finish(deal)
    assert game_of(result).untouched == passed
    assert result.scores == (score, 0, 0)


def test_who_looked_pays_double() -> None:
    """R-RAM-6; RAM12, RAM13, X6: only the loser himself."""
    lost = []
    for script in ("pick-up down:HT.DT pass-on pass-on", "pass-on pick-up down:HT.DT pass-on"):
        deal = ramsch("terse_english_ramsch")
        play(deal, script)
        lost.append(finish(deal).scores)
    assert lost == [(-240, 0, 0), (-120, 0, 0)]


@pytest.mark.parametrize(
    ("where", "points", "skat"),
    [
        (RamschSkatTo.LAST_TRICK, 120, 20),
        (RamschSkatTo.LOSER, 120, 20),
        (RamschSkatTo.NOBODY, 100, 20),
    ],
)
def test_where_the_skat_goes(where: RamschSkatTo, points: int, skat: int) -> None:
    """R-RAM-2."""
    deal = ramsch("terse_english_ramsch", ramsch_skat_to=where)
    play(deal, "pass-on pass-on pass-on")
    result = finish(deal)
    assert game_of(result).points == (points, 0, 0)
    assert points_in(hand("HT DT")) == skat
    assert result.scores == (-points, 0, 0)


def test_the_skat_goes_to_who_takes_the_last_trick() -> None:
    """R-RAM-2: and not to who has the most points."""
    deal = Deal(preset("proskat_pub"), dealt(skat="HT DT"), FORCED)
    result = finish(deal)
    last = deal.tricks[-1].winner
    counted = game_of(result).points
    assert [counted[who] - deal.points[who] for who in POSITIONS] == [
        20 if who == last else 0 for who in POSITIONS
    ]


def test_a_bock_deal_doubles_a_ramsch() -> None:
    """R-RAM-2, R-BOCK-1; RAM9: everybody passed in a Bock deal."""
    deal = Deal(preset("swedish_ramsch"), MARCH, Occasion(bock=True))
    play(deal, "1:pass 2:pass 0:pass")
    assert finish(deal).scores == (240, 0, 0)


def test_a_knock_doubles_a_ramsch() -> None:
    """Section 21, ``klopfen``."""
    deal = ramsch("xskat_extras")
    play(deal, "pick-up down:HT.DT pass-on pass-on knock")
    result = finish(deal)
    assert game_of(result).knocked
    assert result.scores == (120 * 4 * 2, 0, 0)


def test_the_result_names_the_cards_left_over() -> None:
    """R-SKAT-3."""
    deal = ramsch("bga_skat")
    play(deal, "pass-on pass-on pick-up")
    down = cards_in(deal.hands[2])[:2]
    play(deal, f"down:{cards_text(down)}")
    result = finish(deal)
    assert game_of(result).skat == down
    assert game_of(result).looked == (2,)


def test_nothing_can_be_given_up() -> None:
    """R-RAM-1; section 15."""
    for step in ("0:give-up", "1:give-up", "0:open:simple"):
        with pytest.raises(IllegalActionError) as refused:
            play(ramsch("proskat_pub"), step)
        assert refused.value.reason is Refusal.NOT_OFFERED
