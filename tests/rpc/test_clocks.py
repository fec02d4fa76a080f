"""R5, R18, R19, R20, R22: clocks, faults and house bots on the wire, under a manual clock."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from enum import Enum

import grpc
import pytest
import pytest_asyncio
from google.protobuf.descriptor import EnumDescriptor

from skat.v1 import (
    decision_pb2,
    error_pb2,
    event_pb2,
    fault_pb2,
    play_service_pb2,
    record_service_pb2,
    table_pb2,
    table_service_pb2,
)
from skat_engine import parse_action
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.rpc.convert.values import action_to_proto
from skat_server.tables.faults import FaultCause, FaultConsequence
from skat_server.tables.house import HouseBot
from tests.rpc.choices import first_option
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import listed
from tests.rpc.manual import House, house
from tests.rpc.player import LIVE, Player
from tests.server.stores import OutageStore

pytestmark = pytest.mark.asyncio

POLICY = fault_pb2.ClockPolicy(decision_ms=1_000, bank_ms=5_000, grace_ms=2_000)
ALL_OF_IT = 6.0
GRACE = 2.0
CEM, ANN, BEN = 2, 0, 1
"""Seat 2 is asked first."""


@pytest_asyncio.fixture
async def running() -> AsyncIterator[House]:
    """A server whose clock stands still."""
    async with house() as running:
        yield running


async def seated(
    running: House, faults: fault_pb2.FaultPolicy | None = None, deals: int = 2
) -> list[Player]:
    """Three players in session at a full table, the first one its maker."""
    request = listed([MIXED] * deals)
    request.clock.CopyFrom(POLICY)
    if faults is not None:
        request.faults.CopyFrom(faults)
    players = [Player(running.channel, name) for name in ("ann", "ben", "cem")]
    table = await players[0].create_table(request)
    for player in players:
        await player.open(LIVE)
        await player.take_seat(table.table_id)
        player.story(table.table_id)
    for player in players:
        await event(player, "deal_started")
    await players[CEM].decision(table.table_id)
    return players


def policy(
    consequence: fault_pb2.FaultConsequence.ValueType, safe_answers: int = 0
) -> fault_pb2.FaultPolicy:
    return fault_pb2.FaultPolicy(safe_answers=safe_answers, consequence=consequence)


HOUSE_PLAYS = policy(fault_pb2.FAULT_CONSEQUENCE_HOUSE_PLAYS)
FORFEIT = policy(fault_pb2.FAULT_CONSEQUENCE_FORFEIT)


def table_of(player: Player) -> str:
    """The only table that a player knows."""
    (table_id,) = player.stories
    return table_id


async def event(player: Player, case: str) -> event_pb2.TableEvent:
    """The last event of a kind, once it is told."""
    story = player.story(table_of(player))
    await player.until(lambda: case in story.cases)
    return next(e for e in reversed(story.events) if e.WhichOneof("event") == case)


# ------------------------------------------------------------------------------- policies


@pytest.mark.parametrize(
    ("domain", "wire", "prefix"),
    [
        (FaultCause, fault_pb2.FaultCause.DESCRIPTOR, "FAULT_CAUSE_"),
        (FaultConsequence, fault_pb2.FaultConsequence.DESCRIPTOR, "FAULT_CONSEQUENCE_"),
        (HouseBot, table_pb2.HouseBot.DESCRIPTOR, "HOUSE_BOT_"),
    ],
)
async def test_the_lists_of_the_wire_are_those_of_the_server(
    domain: type[Enum], wire: EnumDescriptor, prefix: str
) -> None:
    """R8: one closed list in record, stream and metrics."""
    names = {name.removeprefix(prefix) for name in wire.values_by_name}
    assert names == {"UNSPECIFIED"} | {member.name for member in domain}


async def test_a_table_has_the_usual_clock_unless_it_is_given_one(running: House) -> None:
    table = await Player(running.channel, "ann").create_table()
    assert table.clock == fault_pb2.ClockPolicy(
        decision_ms=30_000, bank_ms=120_000, grace_ms=30_000
    )
    assert table.faults == fault_pb2.FaultPolicy(
        illegal_actions=3,
        safe_answers=3,
        consequence=fault_pb2.FAULT_CONSEQUENCE_HOUSE_PLAYS,
    )


async def test_a_table_shows_the_policies_that_it_was_given(running: House) -> None:
    clock = fault_pb2.ClockPolicy(decision_ms=1, bank_ms=2, increment_ms=3, grace_ms=4)
    faults = fault_pb2.FaultPolicy(
        illegal_actions=0, safe_answers=0, consequence=fault_pb2.FAULT_CONSEQUENCE_NONE
    )
    request = table_service_pb2.CreateTableRequest(clock=clock, faults=faults)
    ann = Player(running.channel, "ann")
    made = await ann.create_table(request)
    shown = await ann.get_table(made.table_id)
    assert (shown.clock, shown.faults) == (clock, faults)


async def test_a_clock_without_any_time_is_an_hour_a_decision(running: House) -> None:
    request = table_service_pb2.CreateTableRequest(clock=fault_pb2.ClockPolicy(grace_ms=7))
    table = await Player(running.channel, "ann").create_table(request)
    assert table.clock == fault_pb2.ClockPolicy(decision_ms=3_600_000, grace_ms=7)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"clock": {"decision_ms": 3_600_001}}, "clock"),
        ({"clock": {"decision_ms": 1, "grace_ms": 2**32 - 1}}, "clock"),
        ({"faults": {"illegal_actions": 101}}, "faults"),
        ({"faults": {"safe_answers": 1_001}}, "faults"),
        ({"faults": {"consequence": 9}}, "faults.consequence"),
        ({"house_bots": [1, 1, 1]}, "house_bots"),
        ({"house_bots": [0]}, "house_bots"),
        ({"house_bots": [9]}, "house_bots"),
    ],
)
async def test_policies_out_of_range_are_refused(
    running: House, request_: dict[str, object], field: str
) -> None:
    request = table_service_pb2.CreateTableRequest(**request_)  # type: ignore[arg-type]
    found = await failure(Player(running.channel, "ann").create_table(request))
    assert found.reason == "INVALID_FIELD"
    assert found.fields == [field]


# ------------------------------------------------------------------------------- house bots


async def test_a_bot_author_plays_alone_with_house_bots(running: House) -> None:
    """Section 5: house bots fill the other seats."""
    bots = [table_pb2.HOUSE_BOT_FIRST_OPTION, table_pb2.HOUSE_BOT_RANDOM]
    request = table_service_pb2.CreateTableRequest(house_bots=bots)
    ann = Player(running.channel, "ann")
    table = await ann.create_table(request, session_deals="3")
    assert [(s.seat, s.taken, s.connected, s.house_bot) for s in table.seats] == [
        (0, False, False, table_pb2.HOUSE_BOT_UNSPECIFIED),
        (1, True, True, bots[0]),
        (2, True, True, bots[1]),
    ]
    await ann.open(LIVE)
    await ann.take_seat(table.table_id)
    await ann.play(first_option, [table.table_id])
    assert (await ann.get_table(table.table_id)).state == table_pb2.TABLE_STATE_FINISHED


# ------------------------------------------------------------------------------- clocks


async def test_a_decision_says_what_is_left(running: House) -> None:
    players = await seated(running)
    decision = await players[CEM].decision(table_of(players[CEM]))
    assert decision.clock == decision_pb2.DecisionClock(
        decision_ms=1_000, bank_ms=5_000, grace_ms=2_000
    )


async def test_after_a_reconnect_the_decision_comes_again_with_its_true_time(
    running: House,
) -> None:
    """R18, R19, R22: offered again, with neither nothing nor all of the time."""
    players = await seated(running)
    cem, table_id = players[CEM], table_of(players[CEM])
    asked = await cem.decision(table_id)
    running.clock.advance(1.5)
    await disconnected(running, cem)
    running.clock.advance(0.75)
    cem.stories.clear()
    await cem.open(LIVE)
    again = await cem.decision(table_id)
    assert again.turn_id == asked.turn_id
    assert again.clock == decision_pb2.DecisionClock(bank_ms=4_500, grace_ms=1_250)


async def disconnected(running: House, player: Player) -> None:
    """Lose a connection, and wait until the server knows."""
    table_id = table_of(player)
    player.drop()
    seat = ["ann", "ben", "cem"].index(player.name)
    while (await player.get_table(table_id)).seats[seat].connected:
        pass


async def test_time_that_runs_out_is_told_to_everybody(running: House) -> None:
    players = await seated(running)
    running.clock.advance(ALL_OF_IT)
    for player in players:
        told = await event(player, "decision_defaulted")
        assert told.decision_defaulted == event_pb2.DecisionDefaulted(
            seat=CEM, cause=fault_pb2.FAULT_CAUSE_STALLED
        )
        assert (await event(player, "bid_passed")).sequence == told.sequence + 1


async def test_a_heartbeat_is_a_sign_of_life(running: House) -> None:
    """R21: who answers the server has not stalled, he was only too slow."""
    players = await seated(running)
    cem = players[CEM]
    running.clock.advance(0.5)
    beat = play_service_pb2.PlayRequest(heartbeat=play_service_pb2.Heartbeat())
    session = running.app.sessions._live[cem.welcome.player_id]
    await cem.send(beat)
    while session.heard_at < 0.5:
        await cem.get_table(table_of(cem))
    running.clock.advance(ALL_OF_IT)
    told = await event(cem, "decision_defaulted")
    assert told.decision_defaulted.cause == fault_pb2.FAULT_CAUSE_TIMEOUT


async def test_the_house_plays_until_the_player_opens_a_new_session(running: House) -> None:
    players = await seated(running, HOUSE_PLAYS)
    ann, cem, table_id = players[ANN], players[CEM], table_of(players[CEM])
    await disconnected(running, cem)
    running.clock.advance(GRACE + ALL_OF_IT)
    taken = await event(ann, "seat_taken_over")
    assert taken.seat_taken_over == event_pb2.SeatTakenOver(
        seat=CEM, cause=fault_pb2.FAULT_CAUSE_DISCONNECTED
    )
    seat = (await ann.get_table(table_id)).seats[CEM]
    assert (seat.taken, seat.connected, seat.taken_over) == (True, False, True)
    cem.stories.clear()
    await cem.open(LIVE)
    assert (await event(ann, "seat_returned")).seat_returned.seat == CEM
    assert not (await ann.get_table(table_id)).seats[CEM].taken_over


async def test_taking_the_own_seat_again_gives_it_back(running: House) -> None:
    players = await seated(running, HOUSE_PLAYS)
    cem, table_id = players[CEM], table_of(players[CEM])
    running.clock.advance(ALL_OF_IT)
    await event(cem, "seat_taken_over")
    assert await cem.take_seat(table_id) == CEM
    assert (await event(cem, "seat_returned")).seat_returned.seat == CEM


async def test_a_player_for_whom_the_house_plays_is_not_asked(running: House) -> None:
    players = await seated(running, HOUSE_PLAYS)
    cem = players[CEM]
    running.clock.advance(ALL_OF_IT)
    await event(cem, "seat_taken_over")
    before = len(cem.story(table_of(cem)).decisions)
    for seat in (ANN, BEN, ANN, BEN):
        player = players[seat]
        await player.answer(table_of(player), action_to_proto(parse_action("pass")))
    await event(cem, "series_ended")
    assert len(cem.story(table_of(cem)).decisions) == before


async def test_a_seat_that_forfeits_closes_the_table(running: House) -> None:
    """R8, R11: with cause and seat."""
    players = await seated(running, FORFEIT)
    running.clock.advance(ALL_OF_IT)
    for player in players:
        closed = (await event(player, "table_closed")).table_closed
        assert closed == event_pb2.TableClosed(
            reason="seat 2 forfeits", cause=fault_pb2.FAULT_CAUSE_STALLED, seat=CEM
        )


async def test_the_clock_of_an_empty_seat_runs_on(running: House) -> None:
    """R7: and then the house plays, until somebody sits down."""
    players = await seated(running)
    ann, cem, table_id = players[ANN], players[CEM], table_of(players[CEM])
    await cem.leave_seat(table_id)
    running.clock.advance(GRACE + ALL_OF_IT)
    taken = await event(ann, "seat_taken_over")
    assert taken.seat_taken_over.cause == fault_pb2.FAULT_CAUSE_SEAT_EMPTY
    heir = Player(running.channel, "heir")
    await heir.open(LIVE)
    assert await heir.take_seat(table_id) == CEM
    assert (await event(ann, "seat_returned")).sequence == (
        await event(ann, "seat_taken")
    ).sequence + 1


# ------------------------------------------------------------------------------- illegal actions


async def test_one_illegal_action_too_many_gets_the_safe_answer(running: House) -> None:
    """R20: three tries with the options again, the clock running."""
    players = await seated(running)
    cem, table_id = players[CEM], table_of(players[CEM])
    asked = await cem.decision(table_id)
    for _ in range(3):
        refused = await cem.refusal(table_id, action_to_proto(parse_action("hold")))
        assert refused.reason == error_pb2.ERROR_REASON_ILLEGAL_BID
        assert (await cem.decision(table_id)).turn_id == asked.turn_id
    refused = await cem.refusal(table_id, action_to_proto(parse_action("hold")))
    assert refused.reason == error_pb2.ERROR_REASON_TOO_MANY_ILLEGAL
    told = await event(cem, "decision_defaulted")
    assert told.decision_defaulted.cause == fault_pb2.FAULT_CAUSE_ILLEGAL_ACTIONS


# ------------------------------------------------------------------------------- records, outages


async def test_the_record_tells_clock_grace_and_faults(running: House) -> None:
    players = await seated(running, deals=1)
    table_id = table_of(players[CEM])
    await disconnected(running, players[CEM])
    running.clock.advance(GRACE + ALL_OF_IT)
    for player in (players[ANN], players[BEN]):
        await player.answer(table_id, action_to_proto(parse_action("pass")))
    await event(players[ANN], "series_ended")
    request = record_service_pb2.GetDealRecordRequest(table_id=table_id, deal_number=1)
    response = await players[ANN].records.GetDealRecord(request, metadata=players[ANN].metadata)
    row = json.loads(response.record.json)
    assert row["clock"]["bank_ms"] == 5_000
    assert row["think_ms"] == [8_000, 0, 0]
    assert row["grace_ms"] == [[0, 2_000]]
    assert row["faults"] == [[0, CEM, "disconnected"]]


async def test_clocks_stand_still_while_the_store_is_out() -> None:
    """F4: an outage is billed to nobody, and play goes on after it."""
    store, clock = OutageStore(), ManualClock()
    async with (
        App(Settings(port=0, grace=0.0), clock=clock, store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        running = House(app, clock, channel)
        players = await seated(running)
        cem, table_id = players[CEM], table_of(players[CEM])
        clock.advance(0.5)
        store.set_out(True)
        refused = await cem.refusal(table_id, action_to_proto(parse_action("pass")))
        assert refused.reason == error_pb2.ERROR_REASON_STORE_UNAVAILABLE
        clock.advance(9.0)
        store.set_out(False)
        await cem.answer(table_id, action_to_proto(parse_action("pass")))
        await event(players[ANN], "bid_passed")
        assert "decision_defaulted" not in players[ANN].story(table_id).cases
