"""Every preset is played to its end over the wire by clients that know no rules."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from skat.v1 import rule_set_pb2, table_pb2, table_service_pb2
from skat_engine import PRESETS
from skat_engine.options import AllPass
from skat_engine.presets import preset, preset_seats
from tests.rpc.choices import Chance, first_option
from tests.rpc.player import WITH_DECISIONS, Choose, Player

pytestmark = pytest.mark.asyncio

DEALS, FEW = 60, 12
TABLES = [(name, seats) for name in PRESETS for seats in preset_seats(name)]


async def played(
    channel: grpc.aio.Channel, choices: list[Choose], name: str, **overrides: str
) -> tuple[table_pb2.Table, list[Player]]:
    """A table of computed deals, played to its end by one player per way to choose."""
    players = [Player(channel, f"number-{seat}") for seat in range(len(choices))]
    request = table_service_pb2.CreateTableRequest()
    fixed = {"session_end": "fixed_deals", "session_deals": str(DEALS), "seats": str(len(choices))}
    request.rule_set.CopyFrom(rule_set_pb2.RuleSet(preset=name, overrides={**fixed, **overrides}))
    request.deal_source.seeded.seed = name.encode().ljust(32, b".")
    table = await players[0].create_table(request)
    for player in players:
        await player.open(WITH_DECISIONS)
        await player.take_seat(table.table_id)
    async with asyncio.TaskGroup() as group:
        for player, choose in zip(players, choices, strict=True):
            group.create_task(player.play(choose, [table.table_id]))
    return await players[0].get_table(table.table_id), players


@pytest.mark.parametrize(("name", "seats"), TABLES)
async def test_first_options_against_chance_play_every_preset_to_its_end(
    channel: grpc.aio.Channel, name: str, seats: int
) -> None:
    """Where all pass the cards may be dealt again for ever, so somebody has to bid."""
    choices: list[Choose] = [first_option, *(Chance(seat) for seat in range(1, seats))]
    deals = DEALS if seats == min(preset_seats(name)) else FEW
    table, _ = await played(channel, choices, name, session_deals=str(deals))
    assert table.state == table_pb2.TABLE_STATE_FINISHED
    assert table.deals_done == deals


@pytest.mark.parametrize(
    "name", [name for name in PRESETS if preset(name).all_pass is not AllPass.REDEAL_SAME_DEALER]
)
async def test_first_options_alone_play_every_preset_to_its_end(
    channel: grpc.aio.Channel, name: str
) -> None:
    table, _ = await played(channel, [first_option] * 3, name)
    assert table.state == table_pb2.TABLE_STATE_FINISHED
    assert table.deals_done == DEALS


async def test_five_seats_with_a_bonus_of_their_own_play_to_the_end(
    channel: grpc.aio.Channel,
) -> None:
    """R-BOOK-2: five have no official bonus for the others, so it is given."""
    choices: list[Choose] = [first_option, *(Chance(seat) for seat in range(1, 5))]
    table, players = await played(
        channel,
        choices,
        "terse_english_ramsch",
        scoring="seeger_fabian",
        seeger_other_bonus="25",
        session_deals="20",
    )
    assert table.deals_done == 20
    for seat, player in enumerate(players):
        events = player.story(table.table_id).events
        for event in events:
            if event.HasField("deal_started"):
                started = event.deal_started
                sits_out = seat in started.sitting_out
                assert len(started.sitting_out) == 2
                assert len(started.hand) == (0 if sits_out else 10)
        assert list(events[-1].series_ended.totals) == list(table.totals)


async def test_whoever_sits_out_is_asked_nothing(channel: grpc.aio.Channel) -> None:
    choices: list[Choose] = [Chance(seat) for seat in range(5)]
    table, players = await played(channel, choices, "terse_english_ramsch", session_deals="10")
    for seat, player in enumerate(players):
        story = player.story(table.table_id)
        assert all(decision.seat == seat for decision in story.decisions)


async def occasions_of(channel: grpc.aio.Channel, name: str) -> list[str]:
    """The occasion of each deal of a series, as a player is told, and how each ended."""
    players = [Player(channel, f"player-{seat}") for seat in range(3)]
    request = table_service_pb2.CreateTableRequest()
    request.rule_set.CopyFrom(
        rule_set_pb2.RuleSet(
            preset=name, overrides={"session_end": "fixed_deals", "session_deals": "40"}
        )
    )
    request.deal_source.seeded.seed = b"o" * 32
    table = await players[0].create_table(request)
    for player in players:
        await player.open(WITH_DECISIONS)
        await player.take_seat(table.table_id)
    async with asyncio.TaskGroup() as group:
        for seat, player in enumerate(players):
            group.create_task(player.play(Chance(seat), [table.table_id]))
    events = players[0].story(table.table_id).events
    kinds = []
    for event in events:
        if event.HasField("deal_started"):
            started = event.deal_started
            kinds.append(
                "BR"[started.ramsch_round] if started.bock or started.ramsch_round else "N"
            )
            assert started.grand_hand_offered <= started.ramsch_round
        if event.HasField("deal_ended"):
            result = event.deal_ended.result
            assert not (result.HasField("game") and result.game.bock) or kinds[-1] == "B"
            if kinds[-1] == "R" and result.HasField("game"):
                assert result.game.replaces_ramsch
    return kinds


async def test_bock_and_ramsch_rounds_are_told_with_the_cards(channel: grpc.aio.Channel) -> None:
    """BOCK1: as many deals of a Ramsch round as of Bock follow, and then ordinary ones."""
    kinds = "".join(await occasions_of(channel, "proskat_pub"))
    assert "NBBBR" in kinds


async def test_without_bock_every_deal_is_ordinary(channel: grpc.aio.Channel) -> None:
    assert set(await occasions_of(channel, "swedish_ramsch")) == {"N"}
