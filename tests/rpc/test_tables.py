"""TableService: making, finding, joining and closing tables."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from skat.v1 import deal_pb2, rule_set_pb2, table_pb2, table_service_pb2
from skat_engine import PRESETS, deal_from_seed, deal_seed
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.rpc.convert.deals import dealt_from_proto, dealt_to_proto
from tests.rpc.deals import MIXED
from tests.rpc.failures import Failure, failure
from tests.rpc.game import listed, new_game
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio


@pytest.fixture
def ann(channel: grpc.aio.Channel) -> Player:
    """Somebody who makes tables."""
    return Player(channel, "ann")


async def test_a_new_table_shows_what_it_was_made_from(ann: Player) -> None:
    request = table_service_pb2.CreateTableRequest(
        rule_set=rule_set_pb2.RuleSet(preset="isko", overrides={"seats": "4"}),
        display_name="final",
        visibility=table_pb2.VISIBILITY_PRIVATE,
    )
    table = await ann.create_table(request)
    assert (table.display_name, table.visibility) == ("final", table_pb2.VISIBILITY_PRIVATE)
    assert table.state == table_pb2.TABLE_STATE_OPEN
    assert table.rule_set == request.rule_set
    assert [seat.taken for seat in table.seats] == [False] * 4
    assert (table.deals, table.deals_done, list(table.totals)) == (48, 0, [0, 0, 0, 0])


async def test_visibility_is_public_when_not_set(ann: Player) -> None:
    assert (await ann.create_table()).visibility == table_pb2.VISIBILITY_PUBLIC


async def test_times_are_rounded_to_ten_milliseconds() -> None:
    """A moment on the wire is no fine signal."""
    clock = ManualClock(1_700_000_000.123456)
    async with (
        App(Settings(port=0, grace=0.0), clock=clock) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        table = await Player(channel, "ann").create_table()
        assert table.created_at.seconds == 1_700_000_000
        assert table.created_at.nanos == 120_000_000


async def test_the_same_request_id_gives_the_same_table(ann: Player) -> None:
    request = table_service_pb2.CreateTableRequest(request_id="r-1")
    first, second = await ann.create_table(request), await ann.create_table(request)
    assert first.table_id == second.table_id


async def test_a_request_id_is_its_callers_own(channel: grpc.aio.Channel, ann: Player) -> None:
    request = table_service_pb2.CreateTableRequest(request_id="r-1")
    other = await Player(channel, "ben").create_table(request)
    assert (await ann.create_table(request)).table_id != other.table_id


async def test_without_request_id_every_call_makes_a_table(ann: Player) -> None:
    assert (await ann.create_table()).table_id != (await ann.create_table()).table_id


@pytest.mark.parametrize(("field", "longest"), [("display_name", 80), ("request_id", 64)], ids=str)
async def test_texts_have_a_length(ann: Player, field: str, longest: int) -> None:
    await ann.create_table(table_service_pb2.CreateTableRequest(**{field: "x" * longest}))  # type: ignore[arg-type]
    too_long = table_service_pb2.CreateTableRequest(**{field: "x" * (longest + 1)})  # type: ignore[arg-type]
    refused = await failure(ann.create_table(too_long))
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.fields == [field]


@pytest.mark.parametrize("name", ["", "x" * 41, "bell\a", "\x1b[31mred"])
async def test_a_player_name_is_short_and_printable(ann: Player, name: str) -> None:
    """T20: no name draws on a terminal."""
    table = await ann.create_table()
    ann.name = name
    refused = await failure(ann.take_seat(table.table_id))
    assert refused.reason == "INVALID_FIELD"
    assert refused.fields == ["player_name"]


BAD_RULES = [
    pytest.param("", {}, "preset", id="no preset"),
    pytest.param("kneipe", {}, "preset", id="unknown preset"),
    pytest.param("isko", {"colour": "red"}, "colour", id="unknown option"),
    pytest.param("isko", {"seats": "many"}, "seats", id="no value of the option"),
    pytest.param("bga_skat", {"seats": "4"}, "seats", id="impossible in the preset"),
    pytest.param("isko", {"kontra": "said_18"}, "kontra", id="sealed option"),
    pytest.param(
        "bga_simple", {"ramsch_looker_doubles": "true"}, "ramsch_looker_doubles", id="mix"
    ),
]


@pytest.mark.parametrize(("name", "overrides", "option"), BAD_RULES)
async def test_a_bad_rule_set_names_its_option(
    ann: Player, name: str, overrides: dict[str, str], option: str
) -> None:
    rules = rule_set_pb2.RuleSet(preset=name, overrides=overrides)
    request = table_service_pb2.CreateTableRequest(rule_set=rules)
    refused = await failure(ann.create_table(request))
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "BAD_RULE_SET"
    assert refused.info.metadata["option"] == option


@pytest.mark.parametrize("name", PRESETS)
async def test_a_table_can_be_made_with_every_preset(ann: Player, name: str) -> None:
    rules = rule_set_pb2.RuleSet(preset=name)
    request = table_service_pb2.CreateTableRequest(rule_set=rules)
    assert (await ann.create_table(request)).rule_set.preset == name


async def test_seeded_deals_are_those_of_the_shuffle(channel: grpc.aio.Channel) -> None:
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    request = table_service_pb2.CreateTableRequest()
    request.deal_source.seeded.seed = b"s" * 32
    table = await players[0].create_table(request)
    for player in players:
        await player.open()
        await player.take_seat(table.table_id)
    story = players[1].story(table.table_id)
    await players[1].until(lambda: "deal_started" in story.cases)
    forehand = dealt_to_proto(deal_from_seed(deal_seed(b"s" * 32, 1))).forehand
    assert list(story.events[-1].deal_started.hand) == list(forehand)


@pytest.mark.parametrize("length", [0, 31, 33])
async def test_a_seed_has_32_bytes(ann: Player, length: int) -> None:
    """T8: no short seed is ever used."""
    request = table_service_pb2.CreateTableRequest()
    request.deal_source.seeded.seed = b"s" * length
    refused = await failure(ann.create_table(request))
    assert refused.fields == ["deal_source.seeded.seed"]


async def test_a_listed_series_is_as_long_as_the_list(ann: Player) -> None:
    table = await ann.create_table(listed([MIXED, MIXED]))
    assert table.deals == 2


def missing_card(cards: deal_pb2.DealtCards) -> None:
    """31 cards."""
    del cards.forehand[0]


def repeated_card(cards: deal_pb2.DealtCards) -> None:
    """One card instead of another."""
    cards.middlehand[0] = cards.forehand[0]


def card_named_twice(cards: deal_pb2.DealtCards) -> None:
    """33 entries."""
    cards.rearhand.append(cards.rearhand[0])


def no_card(cards: deal_pb2.DealtCards) -> None:
    """An entry that is no card."""
    cards.skat[0] = 0  # type: ignore[call-overload]  # what a forgotten value is on the wire


@pytest.mark.parametrize("spoil", [missing_card, repeated_card, card_named_twice, no_card])
async def test_a_listed_deal_has_every_card_once(ann: Player, spoil: object) -> None:
    request = listed([MIXED, MIXED])
    assert callable(spoil)
    spoil(request.deal_source.listed.deals[1])
    refused = await failure(ann.create_table(request))
    assert refused.reason == "INVALID_FIELD"
    assert refused.fields == ["deal_source.listed.deals[1]"]


@pytest.mark.parametrize("count", [0, 201])
async def test_a_list_has_1_to_200_deals(ann: Player, count: int) -> None:
    request = listed([MIXED] * count)
    request.deal_source.listed.SetInParent()
    refused = await failure(ann.create_table(request))
    assert refused.fields == ["deal_source.listed.deals"]


async def test_a_deal_survives_the_wire() -> None:
    assert dealt_from_proto(dealt_to_proto(MIXED), "deal") == MIXED


async def test_tables_are_listed_newest_first(ann: Player) -> None:
    made = [(await ann.create_table()).table_id for _ in range(3)]
    response = await ann.tables.ListTables(table_service_pb2.ListTablesRequest())
    assert [table.table_id for table in response.tables] == made[::-1]


async def test_private_tables_are_not_listed_but_found(ann: Player) -> None:
    request = table_service_pb2.CreateTableRequest(visibility=table_pb2.VISIBILITY_PRIVATE)
    table = await ann.create_table(request)
    listing = await ann.tables.ListTables(table_service_pb2.ListTablesRequest())
    assert not listing.tables
    assert await ann.get_table(table.table_id) == table


async def test_a_listing_can_be_of_one_state(ann: Player) -> None:
    open_table, closed = await ann.create_table(), await ann.create_table()
    await ann.close_table(closed.table_id)
    request = table_service_pb2.ListTablesRequest(state=table_pb2.TABLE_STATE_OPEN)
    response = await ann.tables.ListTables(request)
    assert [table.table_id for table in response.tables] == [open_table.table_id]


async def test_pages_cover_all_tables_once(ann: Player) -> None:
    made = {(await ann.create_table()).table_id for _ in range(5)}
    seen: list[str] = []
    request = table_service_pb2.ListTablesRequest(page_size=2)
    while True:
        response = await ann.tables.ListTables(request)
        seen += [table.table_id for table in response.tables]
        request.page_token = response.next_page_token
        if not request.page_token:
            break
    assert len(seen) == 5
    assert set(seen) == made


@pytest.mark.parametrize("token", ["next", "-1", "1.5", "²", "9" * 5_000], ids=lambda t: t[:5])
async def test_a_token_that_no_page_gave_is_refused(ann: Player, token: str) -> None:
    request = table_service_pb2.ListTablesRequest(page_token=token)
    refused = await failure(ann.tables.ListTables(request))
    assert refused.reason == "INVALID_FIELD"
    assert refused.fields == ["page_token"]


async def test_an_unknown_state_and_visibility_are_refused(ann: Player) -> None:
    listing = table_service_pb2.ListTablesRequest(state=77)  # type: ignore[arg-type]
    creation = table_service_pb2.CreateTableRequest(visibility=77)  # type: ignore[arg-type]
    assert (await failure(ann.tables.ListTables(listing))).fields == ["state"]
    assert (await failure(ann.create_table(creation))).fields == ["visibility"]


@pytest.mark.parametrize("method", ["get_table", "take_seat", "leave_seat", "close_table"])
async def test_an_unknown_table_is_not_found(ann: Player, method: str) -> None:
    refused = await failure(getattr(ann, method)("no-table"))
    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "TABLE_NOT_FOUND"


async def test_a_seat_is_the_first_free_one_or_the_one_wanted(channel: grpc.aio.Channel) -> None:
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table = await players[0].create_table()
    assert await players[0].take_seat(table.table_id, 1) == 1
    assert await players[1].take_seat(table.table_id) == 0
    assert await players[2].take_seat(table.table_id) == 2


async def test_sitting_down_again_changes_nothing(ann: Player) -> None:
    table = await ann.create_table()
    assert await ann.take_seat(table.table_id, 2) == 2
    assert await ann.take_seat(table.table_id, 2) == 2
    assert await ann.take_seat(table.table_id) == 2
    seats = (await ann.get_table(table.table_id)).seats
    assert [seat.taken for seat in seats] == [False, False, True]


async def test_the_first_deal_starts_when_every_seat_is_taken(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    table = await game.players[0].get_table(game.table_id)
    assert table.state == table_pb2.TABLE_STATE_PLAYING


async def refused_seat(player: Player, table_id: str, seat: int | None = None) -> Failure:
    """Why a seat cannot be taken."""
    return await failure(player.take_seat(table_id, seat))


async def test_a_taken_seat_is_refused(channel: grpc.aio.Channel, ann: Player) -> None:
    table = await ann.create_table()
    await ann.take_seat(table.table_id, 0)
    refused = await refused_seat(Player(channel, "ben"), table.table_id, 0)
    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN")


async def test_a_full_table_is_refused(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    refused = await refused_seat(Player(channel, "dia"), game.table_id)
    assert refused.reason == "SEAT_TAKEN"


async def test_a_second_seat_is_refused(ann: Player) -> None:
    table = await ann.create_table()
    await ann.take_seat(table.table_id, 0)
    refused = await refused_seat(ann, table.table_id, 1)
    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_SEATED")


@pytest.mark.parametrize("seat", [3, 2**32 - 1])
async def test_a_seat_that_is_not_there_is_refused(ann: Player, seat: int) -> None:
    table = await ann.create_table()
    refused = await refused_seat(ann, table.table_id, seat)
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "SEAT_NOT_FOUND")


async def test_a_table_that_is_over_takes_nobody(channel: grpc.aio.Channel, ann: Player) -> None:
    table = await ann.create_table()
    await ann.close_table(table.table_id)
    refused = await refused_seat(Player(channel, "ben"), table.table_id)
    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_OVER")


async def test_only_who_sits_can_get_up(ann: Player) -> None:
    table = await ann.create_table()
    refused = await failure(ann.leave_seat(table.table_id))
    assert (refused.code, refused.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_SEATED")


async def test_only_the_owner_closes_a_table(channel: grpc.aio.Channel, ann: Player) -> None:
    """T3: what a caller may do comes from the token."""
    table = await ann.create_table()
    refused = await failure(Player(channel, "ben").close_table(table.table_id))
    assert (refused.code, refused.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED")
    assert (await ann.get_table(table.table_id)).state == table_pb2.TABLE_STATE_OPEN


async def test_a_closed_table_is_not_closed_again(ann: Player) -> None:
    table = await ann.create_table()
    await ann.close_table(table.table_id)
    assert (await failure(ann.close_table(table.table_id))).reason == "TABLE_OVER"


async def test_too_many_tables_are_refused_with_a_delay() -> None:
    """T21, R24: a limit says when to try again."""
    async with (
        App(Settings(port=0, grace=0.0, max_tables=1)) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        ann = Player(channel, "ann")
        await ann.create_table()
        refused = await failure(ann.create_table())
        assert (refused.code, refused.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "QUOTA_EXCEEDED",
        )
        assert any("seconds" in str(detail) for detail in refused.details)


async def test_at_most_one_of_many_gets_a_seat(channel: grpc.aio.Channel, ann: Player) -> None:
    table = await ann.create_table()
    others = [Player(channel, f"p{i}") for i in range(6)]
    calls = (other.take_seat(table.table_id, 0) for other in others)
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [outcome for outcome in outcomes if outcome == 0] == [0]


async def test_no_call_shows_a_token_or_a_players_id(ann: Player) -> None:
    """T1: what others see of a player is the name."""
    table = await ann.create_table()
    await ann.open()
    await ann.take_seat(table.table_id)
    shown = str(await ann.get_table(table.table_id))
    assert "token" not in shown
    assert ann.welcome.player_id not in shown


async def test_a_table_says_how_well_it_is_kept(channel: grpc.aio.Channel, tmp_path: Path) -> None:
    """D3: whoever plays for something can see what an acknowledgement means."""
    in_memory = await Player(channel, "ann").create_table()
    assert in_memory.durability == table_pb2.DURABILITY_MEMORY
    async with (
        App(Settings(port=0, grace=0.0, data=tmp_path)) as app,
        grpc.aio.insecure_channel(app.address) as other,
    ):
        on_disk = await Player(other, "ann").create_table()
    assert on_disk.durability == table_pb2.DURABILITY_ACTION
