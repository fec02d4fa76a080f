"""Bock and Ramsch rounds: R-BOCK; section 22.6."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine import DealResult, Ending, RuleSet, parse_contract, played_out, preset
from skat_engine.bock import BockQueue, Mode, blocks, triggers
from skat_engine.options import (
    BockLength,
    BockStacking,
    BockTrigger,
    RamschRoundGrandHand,
)
from skat_engine.results import DeclarerGame, RamschGame
from skat_engine.valuation import Doubling
from tests.builders import dealt, standing

PUB = preset("proskat_pub")
EVERY_EVENT = replace(PUB, bock_triggers=frozenset(BockTrigger))
FOUR_SEATS = preset("proskat_pub", {"seats": 4, "bock_length": BockLength.ONE_PER_SEAT})


def modes(deals: str, rules: RuleSet) -> str:
    """The mode of each deal of a row of section 22.6, and of the one after them."""
    queue, seen = BockQueue(), []
    for deal in deals.split():
        seen.append(letter(queue, rules))
        queue = queue.after(
            grand_hand=deal.startswith("GH"), new_blocks=deal.count("*"), rules=rules
        )
    return " ".join([*seen, letter(queue, rules)])


def letter(queue: BockQueue, rules: RuleSet) -> str:
    occasion = queue.occasion(rules)
    if occasion.ramsch_round:
        return "R" if occasion.grand_hand_offered else "R!"
    return "B" if occasion.bock else "N"


ROWS = [
    ("BOCK1", PUB, "g* g g g r r r g", "N B B B R R R N N"),
    ("BOCK2", PUB, "g* g g* g r r r g g g r r r g", "N B B B R R R B B B R R R N N"),
    ("BOCK3", PUB, "g* g g g r GH r r g", "N B B B R R R R N N"),
    ("BOCK4", PUB, "g* g g g GH GH GH r r r g", "N B B B R R R R! R R N N"),
    ("BOCK7", FOUR_SEATS, "g* g g g g r r r r g", "N B B B B R R R R N N"),
    (
        "no-Ramsch",
        replace(PUB, bock_then_ramsch=False),
        "g* g* g g g g g",
        "N B B B B B B N",
    ),
    (
        "a-Grand-Hand-counts",
        replace(PUB, grand_hand_extends_ramsch_round=False),
        "g* g g g GH GH GH g",
        "N B B B R R R N N",
    ),
    (
        "never-forced",
        replace(PUB, forced_ramsch_after_grand_hands=0),
        "g* g g g GH GH GH GH r",
        "N B B B R R R R R R",
    ),
    (
        "no-Grand-Hand",
        replace(PUB, ramsch_round_grand_hand=RamschRoundGrandHand.OFF),
        "g* g g g r r r",
        "N B B B R! R! R! N",
    ),
    ("trigger-in-a-Grand-Hand", PUB, "g* g g g GH* r r r", "N B B B R R R R B"),
    ("two-blocks-at-once", PUB, "g** g g g r r r g g g", "N B B B R R R B B B R"),
]


@pytest.mark.parametrize(
    ("rules", "deals", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_modes(rules: RuleSet, deals: str, expected: str) -> None:
    """R-BOCK-1, R-BOCK-3 to R-BOCK-9."""
    assert modes(deals, rules) == expected


def model(
    deals: list[tuple[bool, int]], rules: RuleSet, length: int
) -> Iterator[tuple[str, int, bool]]:
    """R-BOCK-9 line by line: mode, pending blocks and whether Grand Hand is offered."""
    bock_left = ramsch_left = pending = streak = 0
    mode = "normal"
    for grand_hand, new_blocks in deals:
        pending += new_blocks
        if mode == "bock":
            bock_left -= 1
            if bock_left == 0 and rules.bock_then_ramsch:
                ramsch_left = length
        elif mode == "ramsch":
            if grand_hand:
                streak += 1
            else:
                ramsch_left -= 1
                streak = 0
        if bock_left == 0 and ramsch_left == 0 and pending > 0:
            pending -= 1
            bock_left = length
            streak = 0
        mode = "bock" if bock_left else "ramsch" if ramsch_left else "normal"
        yield mode, pending, mode == "ramsch" and streak < 3


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=60),
    st.booleans(),
    st.sampled_from([(PUB, 3), (FOUR_SEATS, 4)]),
)
def test_the_queue_is_the_state_machine_of_the_rules(
    deals: list[tuple[bool, int]], then_ramsch: bool, table: tuple[RuleSet, int]
) -> None:
    """R-BOCK-9."""
    rules, length = replace(table[0], bock_then_ramsch=then_ramsch), table[1]
    queue = BockQueue()
    for (grand_hand, new_blocks), expected in zip(deals, model(deals, rules, length), strict=True):
        queue = queue.after(grand_hand=grand_hand, new_blocks=new_blocks, rules=rules)
        occasion = queue.occasion(rules)
        offered = occasion.ramsch_round and occasion.grand_hand_offered
        assert (queue.mode.value, queue.pending, offered) == expected


def test_ramsch_deals_of_a_round_are_no_bock_deals() -> None:
    """R-BOCK-8."""
    occasion = BockQueue(ramsch_left=2, pending=1).occasion(PUB)
    assert (occasion.ramsch_round, occasion.bock) == (True, False)


def result(
    contract: str = "C",
    points: tuple[int, int] = (70, 50),
    *,
    matadors: int = 1,
    doubling: Doubling | None = None,
) -> DealResult:
    """A declarer game of forehand."""
    said = doubling or Doubling()
    game = standing(contract, matadors, points=points)
    value = played_out(game, PUB, said)
    declarer = DeclarerGame(0, 18, parse_contract(contract), (), *points, value, said)
    return DealResult(Ending.PLAYED_OUT, declarer, (value.score, 0, 0), (0, 0, 0), dealt())


KONTRA, RE = Doubling(kontra=True), Doubling(kontra=True, re=True)

EVENTS = [
    ("G1-won-with-Kontra", result("C", doubling=KONTRA), ""),
    ("G2-lost-with-Kontra", result("C", (58, 62), doubling=KONTRA), "kontra_lost"),
    ("G3-Re", result("C", doubling=RE), "re_announced"),
    ("lost-with-Re", result("C", (58, 62), doubling=RE), "kontra_lost re_announced"),
    ("lost-with-60", result("C", (60, 60)), "lost_with_60"),
    ("lost-with-59", result("C", (59, 61)), ""),
    ("stopped-with-60", result("C", (60, 20)), ""),
    ("won-with-120-and-a-pointless-trick-lost", result("C", (120, 0)), "won_with_120"),
    ("stopped-with-all-but-one", result("C", (119, 0)), ""),
    ("null-lost-with-120", result("N", (120, 0)), ""),
    ("null-lost-with-60", result("N", (60, 60)), ""),
    ("null-lost-with-Kontra", result("N", (60, 60), doubling=KONTRA), "kontra_lost"),
    ("grand-hand-won", result("GH", matadors=-1), "grand_hand_won value_72"),
    ("grand-won", result("G"), ""),
    ("grand-hand-lost", result("GH", (50, 70)), ""),
    ("suit-hand-won", result("CH"), ""),
    ("value-72", result("C", matadors=5), "value_72"),
    ("value-96", result("C", matadors=7), "value_72 value_96"),
    ("lost-with-96", result("C", (50, 70), matadors=7), ""),
    ("48-in-a-Kontra-game-is-not-96", result("C", matadors=3, doubling=KONTRA), ""),
]


@pytest.mark.parametrize(
    ("deal", "events"), [row[1:] for row in EVENTS], ids=[row[0] for row in EVENTS]
)
def test_events_of_a_game(deal: DealResult, events: str) -> None:
    """R-BOCK-2: triggers, XSkat's included; Q10, Q11."""
    assert triggers(deal, EVERY_EVENT) == {BockTrigger(event) for event in events.split()}


@pytest.mark.parametrize(
    ("total", "events"),
    [
        (300, {BockTrigger.SCORE_MULTIPLE_OF_100}),
        (-100, {BockTrigger.SCORE_MULTIPLE_OF_100}),
        (222, {BockTrigger.SCORE_THREE_EQUAL_DIGITS}),
        (-1333, {BockTrigger.SCORE_THREE_EQUAL_DIGITS}),
        (2000, {BockTrigger.SCORE_MULTIPLE_OF_100}),
        (0, set()),
        (11, set()),
        (110, set()),
    ],
)
def test_events_of_the_score_sheet(total: int, events: set[BockTrigger]) -> None:
    """R-BOCK-2: the triggers of XSkat about totals."""
    assert triggers(result(), EVERY_EVENT, (17, total)) == events


def test_a_round_thousand_has_three_equal_digits_where_only_those_count() -> None:
    """R-BOCK-2."""
    only = replace(PUB, bock_triggers=frozenset({BockTrigger.SCORE_THREE_EQUAL_DIGITS}))
    assert triggers(result(), only, (1000,)) == only.bock_triggers


def test_only_the_events_of_the_table_count() -> None:
    """R-BOCK-2."""
    rules = replace(PUB, bock_triggers=frozenset({BockTrigger.LOST_WITH_60}))
    assert not triggers(result("C", (50, 70), doubling=KONTRA), rules)


def test_without_bock_nothing_starts_a_block() -> None:
    """R-BOCK-1."""
    assert not triggers(result("C", (60, 60)), RuleSet())


def test_a_ramsch_starts_no_block() -> None:
    """R-BOCK-2."""
    ramsch = RamschGame((60, 60, 0), (False, False, False), 0, False, None, ())
    lost = DealResult(Ending.RAMSCH_PLAYED, None, (-60, -60, 0), (5, 5, 0), dealt(), ramsch)
    assert not triggers(lost, EVERY_EVENT, (100,))


PER_EVENT = replace(EVERY_EVENT, bock_stacking=BockStacking.ONE_BLOCK_PER_EVENT)


@pytest.mark.parametrize(
    ("rules", "events", "count"),
    [
        (PUB, "", 0),
        (PUB, "kontra_lost lost_with_60", 1),
        (PER_EVENT, "", 0),
        (PER_EVENT, "kontra_lost lost_with_60", 2),
        (PER_EVENT, "kontra_lost re_announced", 1),
        (PER_EVENT, "kontra_lost re_announced lost_with_60", 2),
        (PER_EVENT, "re_announced won_with_120", 2),
    ],
)
def test_blocks_of_one_deal(rules: RuleSet, events: str, count: int) -> None:
    """R-BOCK-4: a lost Kontra with Re is one event."""
    assert blocks({BockTrigger(event) for event in events.split()}, rules) == count


def test_an_empty_queue_is_normal() -> None:
    assert BockQueue().mode is Mode.NORMAL
