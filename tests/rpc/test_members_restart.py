"""What a server knows of its players is there again after a restart (F1, T1, T21)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rpc.failures import failure
from tests.rpc.members import Club, Member, club
from tests.server.account_stores import furnish

pytestmark = pytest.mark.asyncio


async def quotas(member: Member) -> dict[str, int]:
    """What the member uses of its limits."""
    return {quota.name: quota.used for quota in (await member.get_caller()).quotas}


def later(house: Club, member: Member) -> Member:
    """The same caller at a server that was started again."""
    return Member(house.channel, member.account, member.issued)


async def test_tokens_tables_and_seats_count_on_after_a_restart(tmp_path: Path) -> None:
    furnish(tmp_path)
    async with club(data=tmp_path) as house:
        ann = await house.account("ann")
        hal = await house.bot(ann, "hal")
        gone = await house.again(hal.account)
        await ann.revoke(gone.token_id)
        table = await ann.create_table()
        await hal.take_seat(table.table_id)
        before = await quotas(ann), await quotas(hal)
    async with club(data=tmp_path) as house:
        ann, hal = later(house, ann), later(house, hal)
        assert (await quotas(ann), await quotas(hal)) == before
        assert (await failure(later(house, gone).get_caller())).reason == "TOKEN_REVOKED"
        await hal.leave_seat(table.table_id)
        await ann.close_table(table.table_id)
