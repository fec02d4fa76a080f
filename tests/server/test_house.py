"""House bots take what may be taken, the plain one always the first of it."""

from __future__ import annotations

import random
from collections import Counter

from skat_engine import (
    DECK,
    Action,
    Bid,
    GiveUp,
    LayOpen,
    Level,
    Pass,
    Phase,
    PlayCard,
)
from skat_server.tables.house import HouseBot, house_answer
from skat_server.tables.state import house_occupant


def chance(seed: int = 0) -> random.Random:
    return random.Random(seed)


def said(phase: Phase, options: list[Action], draws: int = 400) -> Counter[Action]:
    """What the bot of chance answers how often."""
    source = chance().randbytes
    return Counter(house_answer(HouseBot.RANDOM, phase, options, source) for _ in range(draws))


def no_chance(count: int) -> bytes:
    raise AssertionError(f"{count} bytes of chance for a bot that needs none")


def test_the_plain_bot_takes_the_first_option() -> None:
    options: list[Action] = [Pass(), Bid(18)]
    answer = house_answer(HouseBot.FIRST_OPTION, Phase.BIDDING, options, no_chance)
    assert answer == Pass()


def test_the_bot_of_chance_seldom_bids() -> None:
    """So a number is seldom high: each one more is a third as likely."""
    counted = said(Phase.BIDDING, [Pass(), Bid(18), Bid(20), Bid(22)])
    assert set(counted) == {Pass(), Bid(18)}
    assert 200 < counted[Pass()] < 330


def test_the_bot_of_chance_bids_where_it_must() -> None:
    assert set(said(Phase.FOREHAND_OPTION, [Bid(18), Bid(20)])) == {Bid(18)}


def test_the_bot_of_chance_plays_any_card_and_never_gives_up() -> None:
    cards: list[Action] = [PlayCard(card) for card in DECK[:5]]
    counted = said(Phase.PLAY, [*cards, GiveUp(), LayOpen(Level.SIMPLE)])
    assert set(counted) == set(cards)
    assert min(counted.values()) > 40


def test_other_questions_get_any_answer() -> None:
    options: list[Action] = [Pass(), Bid(18), Bid(20)]
    assert set(said(Phase.SHORTENING_VOTE, options)) == set(options)


def test_all_bots_of_a_kind_are_one_player() -> None:
    assert house_occupant(HouseBot.RANDOM).player_id == "house-random"
    assert house_occupant(HouseBot.FIRST_OPTION).name == "house-first-option"
