"""VerifyDeal over the wire: real records hold, and every request gets an answer (T9, F17)."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from skat.v1 import record_service_pb2 as pb
from skat_engine.records import CheckKind, CheckOutcome
from tests.records.proving import TABLE_SEED, changed_result, line_after, proven_line
from tests.rpc.choices import Chance
from tests.rpc.failures import failure
from tests.rpc.player import WITH_DECISIONS, Player
from tests.rpc.test_first_option import seeded
from tests.rpc.test_records import records_of

pytestmark = pytest.mark.asyncio


async def verified(player: Player, **fields: object) -> pb.VerifyDealResponse:
    """What the server finds; nobody needs a token for that."""
    request = pb.VerifyDealRequest(**fields)  # type: ignore[arg-type]  # fields by name
    return await player.records.VerifyDeal(request)


def outcomes(response: pb.VerifyDealResponse) -> list[str]:
    """What came of each check, by the last words of their names."""
    kinds = [pb.DealCheckKind.Name(check.kind) for check in response.checks]
    assert kinds == [f"DEAL_CHECK_KIND_{kind.name}" for kind in CheckKind]
    assert all(check.message for check in response.checks)
    names = [pb.DealCheckOutcome.Name(check.outcome) for check in response.checks]
    return [name.removeprefix("DEAL_CHECK_OUTCOME_") for name in names]


async def test_kinds_and_outcomes_of_the_wire_are_those_of_the_check() -> None:
    kinds, found = set(pb.DealCheckKind.keys()), set(pb.DealCheckOutcome.keys())
    assert kinds == {f"DEAL_CHECK_KIND_{k.name}" for k in CheckKind} | {
        "DEAL_CHECK_KIND_UNSPECIFIED"
    }
    assert found == {f"DEAL_CHECK_OUTCOME_{o.name}" for o in CheckOutcome} | {
        "DEAL_CHECK_OUTCOME_UNSPECIFIED"
    }


async def test_the_records_of_a_played_table_hold(channel: grpc.aio.Channel) -> None:
    """From the commitment before the first seat was taken to the cards of every deal."""
    request = seeded(0, 2)
    request.ClearField("deal_source")
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table = await players[0].create_table(request)
    for player in players:
        await player.open(WITH_DECISIONS)
        await player.take_seat(table.table_id, nonce=f"of {player.name}".encode())
    async with asyncio.TaskGroup() as group:
        for number, player in enumerate(players):
            group.create_task(player.play(Chance(number), [table.table_id]))
    chance = (await players[0].get_table(table.table_id)).chance
    assert chance.commitment == table.chance.commitment
    events = players[0].story(table.table_id).events
    shown = [e.deal_started.commitment for e in events if e.HasField("deal_started")]
    records = await records_of(players[0], table.table_id)
    for record, commitment in zip(records, shown, strict=True):
        response = await verified(
            players[0], json=record.json, commitment=commitment, table_seed=chance.seed
        )
        assert response.ok
        assert outcomes(response) == ["OK"] * 6


async def test_a_tampered_record_does_not(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    response = await verified(player, json=line_after(changed_result), table_seed=TABLE_SEED)
    assert not response.ok
    assert outcomes(response) == ["OK", "OK", "OK", "OK", "OK", "FAILED"]


async def test_what_is_no_record_is_a_finding_and_no_error(channel: grpc.aio.Channel) -> None:
    response = await verified(Player(channel, "ann"), json="{}")
    assert not response.ok
    assert outcomes(response) == ["FAILED", *["NOT_CHECKED"] * 5]


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"json": ""}, "json"),
        ({"json": "x" * (64 * 1024 + 1)}, "json"),
        ({"json": "ü" * (32 * 1024 + 1)}, "json"),
        ({"json": proven_line(), "commitment": bytes(31)}, "commitment"),
        ({"json": proven_line(), "table_seed": bytes(33)}, "table_seed"),
    ],
    ids=["no record", "too long", "too long in bytes", "commitment", "table seed"],
)
async def test_what_cannot_be_checked_is_refused(
    channel: grpc.aio.Channel, fields: dict[str, object], name: str
) -> None:
    refused = await failure(verified(Player(channel, "ann"), **fields))
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert refused.fields == [name]
