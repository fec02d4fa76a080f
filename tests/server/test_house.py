"""House bots take what may be taken, the plain one always the first of it."""

from __future__ import annotations

import inspect
import operator
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

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
    Scoring,
)
from skat_engine.options import AllPass, SessionEnd
from skat_engine.records import FaultCause
from skat_server.errors import Reason
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Batch, Done, EntryKind, StoreError
from skat_server.tables.chores import RETRY_AFTER
from skat_server.tables.facts import SeriesEnded, TableClosed
from skat_server.tables.faults import FaultPolicy
from skat_server.tables.house import HouseBot, house_answer
from skat_server.tables.state import Stage, house_occupant
from skat_server.tables.table import Table
from skat_server.tables.writer import MOST_AT_ONCE
from tests.server.playing import Outcomes, answer, occupant, open_question
from tests.server.stores import HeldStore, OutageStore
from tests.server.timekeeping import ALL_OF_IT, PATIENT, STRICT, Room


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


# ------------------------------------------------------------------------------- at a table


BOTS = [HouseBot.FIRST_OPTION, HouseBot.RANDOM]


def play_out(
    room: Room, answers: Callable[[Sequence[Action]], Action] = operator.itemgetter(0)
) -> None:
    """Let the players answer everything until the table is over."""
    while not room.table.is_over:
        decision = room.table.decision
        if decision is None or room.table.decision_for(decision.seat) is None:
            room.wait(0.0)  # the house lets others have their turn
        else:
            answer(room.table, answers(decision.options))


def test_house_bots_sit_on_the_highest_seats() -> None:
    room = Room(house=BOTS)
    assert [who and who.house for who in room.table.state.occupants] == [None, *BOTS]
    assert room.kinds[:3] == [
        EntryKind.TABLE_OPENED,
        EntryKind.SEAT_TAKEN,
        EntryKind.DEAL_STARTED,
    ]


def test_nobody_can_sit_on_the_seat_of_a_house_bot() -> None:
    room, outcomes = Room(house=BOTS, is_full=False), Outcomes()
    room.table.sit(occupant("ann"), 2, outcomes)
    assert outcomes.reasons == [Reason.SEAT_TAKEN]


@pytest.mark.parametrize("house", [[bot] * 2 for bot in BOTS], ids=["plain", "by chance"])
@pytest.mark.parametrize("name", ["isko", "proskat_pub", "swedish_standard", "bga_skat"])
def test_a_player_alone_plays_a_series_with_house_bots(name: str, house: list[HouseBot]) -> None:
    room = Room(None, preset=name, house=house, session_end=SessionEnd.FIXED_DEALS, session_deals=6)
    play_out(room, lambda options: options[min(len(options), 3) - 1])
    assert room.table.state.series.deals_done == 6
    assert EntryKind.DECISION_DEFAULTED not in room.kinds


def test_house_bots_answer_before_anything_else_can_happen() -> None:
    room = Room(house=BOTS)
    decision = open_question(room.table)
    assert decision.seat == 0
    assert room.table.time_left(0).own_ms == 1_000


def test_a_series_of_house_moves_does_not_grow_the_stack() -> None:
    """All players have been taken over: hundreds of moves in a row, and others get their turn."""
    room = Room(None, faults=STRICT, session_deals=144)
    meter = _StackMeter(room.table)
    while not room.table.is_over:
        room.wait(ALL_OF_IT)
    assert room.table.state.series.deals_done == 144
    assert meter.most - meter.least < 10
    assert meter.in_a_row == MOST_AT_ONCE


class _StackMeter:
    """A viewer that looks how deep the stack is, and how many steps come without a pause."""

    def __init__(self, table: Table) -> None:
        self.least, self.most, self.in_a_row = 1_000, 0, 0
        self._run: object = None
        self._count = 0
        table.viewers[self] = None

    def table_changed(self, table: Table) -> None:
        del table
        frames = inspect.stack(0)
        self.least, self.most = min(self.least, len(frames)), max(self.most, len(frames))
        run = next(f.frame for f in reversed(frames) if f.function == "go_on")
        self._count = self._count + 1 if run is self._run else 1
        self._run, self.in_a_row = run, max(self.in_a_row, self._count)


def test_house_bots_wait_for_the_store() -> None:
    store = HeldStore()
    room = Room(store=store, house=BOTS)
    store.is_held = True
    room.play("18")
    held = 0
    while store.held:
        store.complete()
        held += 1
    assert held >= 2


def test_house_bots_go_on_when_the_store_is_back() -> None:
    """F4: without a loop that eats the server."""
    store = OutageStore()
    room = Room(store=store, house=BOTS)
    store.is_failing = True
    outcomes = Outcomes()
    asked = open_question(room.table)
    room.table.answer(asked.seat, asked.turn_id, asked.options[0], outcomes)
    store.is_failing = False
    answer(room.table, asked.options[0])
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    play_out(room)


def test_an_answer_of_the_house_that_cannot_be_kept_is_tried_again() -> None:
    class FailsTheSecond(MemoryStore):
        left = -1

        def append(self, batch: Batch, done: Done) -> None:
            self.left -= 1
            if self.left == 0:
                done(StoreError("the disk is full"))
            else:
                super().append(batch, done)

    store = FailsTheSecond()
    room = Room(house=[HouseBot.FIRST_OPTION] * 2, store=store)
    store.left = 2
    room.play("18")
    before = len(room.kinds)
    room.wait(RETRY_AFTER - 0.01)
    assert len(room.kinds) == before
    room.wait(0.01)
    assert len(room.kinds) > before


# ------------------------------------------------------------------------------- R10: the end


def silent(room: Room, seconds: float = 1_000_000.0) -> None:
    """Let nobody do anything until the table is over."""
    end = room.clock.monotonic() + seconds
    while not room.table.is_over and room.clock.monotonic() < end:
        room.wait(5.0)


@pytest.mark.parametrize("faults", [STRICT, PATIENT], ids=["house plays", "no consequence"])
@pytest.mark.parametrize(
    "options",
    [
        {"session_end": SessionEnd.OPEN},
        {"session_end": SessionEnd.FULL_CIRCUITS, "seats": 4},
        {"session_end": SessionEnd.BIERLACHS, "scoring": Scoring.BIERLACHS},
        {
            "preset": "swedish_standard",
            "all_pass": AllPass.REDEAL_SAME_DEALER,
            "session_deals": 3,
        },
    ],
    ids=["open", "circuits", "bierlachs", "dealt again for ever"],
)
def test_a_series_without_an_end_that_nobody_plays_is_closed(
    options: dict[str, Any], faults: FaultPolicy
) -> None:
    """R10: all pass, nobody asks for the end, and nothing would ever end it."""
    room = Room(None, faults=faults, **options)
    silent(room)
    closing = room.told[-1]
    assert isinstance(closing, TableClosed)
    assert closing.cause is FaultCause.STALLED
    assert room.table.state.idle == room.table.config.rules.seats


def test_a_series_of_so_many_deals_is_played_to_its_end_by_the_house() -> None:
    """F9: seats are defaulted, tables go on."""
    room = Room(None, faults=STRICT, session_deals=12)
    silent(room)
    assert room.table.state.stage is Stage.FINISHED
    assert isinstance(room.told[-1], SeriesEnded)


def test_who_sits_out_while_house_bots_play_is_not_overlooked() -> None:
    """The only player deals every fourth deal; the table is not abandoned meanwhile."""
    room = Room(
        None,
        house=[HouseBot.FIRST_OPTION] * 3,
        seats=4,
        session_end=SessionEnd.FULL_CIRCUITS,
    )
    for _ in range(8):
        deal = room.table.state.dealt
        while room.table.state.dealt == deal:
            answer(room.table, open_question(room.table).options[0])
    assert not room.table.is_over
    assert room.table.state.idle <= 1


def test_the_record_says_what_the_house_played_for_a_player() -> None:
    """R29: flagged, and never deleted."""
    room = Room(None, faults=STRICT, session_deals=2)
    room.wait(ALL_OF_IT)
    play_out(room)
    kept = room.origin(2).timekeeping
    assert kept is not None
    assert len(kept.stand_ins) >= 1
    assert kept.faults == ()
