"""F22: a copy that is taken during play is a server of its own that goes on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.crash.database import histories_in
from tests.crash.field import Field, requests_for
from tests.crash.supervising import Supervisor, supervised
from tests.crash.wire import ON_THE_WIRE
from tests.e2e.server_process import run
from tests.histories.checker import violations
from tests.histories.fold import replayed
from tests.histories.model import ClientHistory, Frame, History, Item, TableHistory

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(120)]

TABLES = 6
DEALS = 2
THINK = 0.05
"""Seconds before each answer, so that the copy is made while there is play."""


async def backed_up(field: Field, data: Path, backup: Path) -> None:
    """Copy the database in the middle of play."""
    await field.progress.reach(field.progress.count + TABLES * 5)
    copy = await asyncio.to_thread(run, "store", "backup", str(backup), "--data", str(data))
    assert copy.returncode == 0, copy.stderr


async def played_with_backup(supervisor: Supervisor, data: Path, backup: Path) -> Field:
    """Tables that are played to their end, while a copy is made."""
    field = Field(lambda: supervisor.address, seed=22, think=THINK)
    await field.open(requests_for(TABLES, DEALS))
    async with asyncio.TaskGroup() as group:
        copying = group.create_task(backed_up(field, data, backup))
        await field.play()
    assert copying.done()
    return field


def is_prefix(part: Sequence[object], whole: Sequence[object]) -> bool:
    """Whether one is how the other begins."""
    return list(whole[: len(part)]) == list(part)


def until(copies: Sequence[TableHistory], history: ClientHistory) -> ClientHistory:
    """What a client did and was told up to the moment of the copy."""
    logs = {copy.table_id: replayed(copy, ON_THE_WIRE) for copy in copies}
    items: list[Item] = []
    for item in history.items:
        if not isinstance(item, Frame):
            items.append(item)
            continue
        log = logs[item.table_id]
        seat = log.players.index(history.player_id) if history.player_id else None
        if (part := cut(item, log.telling.number(seat))) is not None:
            items.append(part)
    return ClientHistory(history.player_id, items)


def cut(frame: Frame, last: int) -> Frame | None:
    """The part of a frame that tells nothing after an event; None when there is none."""
    events = tuple((number, content) for number, content in frame.events if number <= last)
    if len(events) == len(frame.events):
        return frame if events or frame.view is not None else None
    view = None if frame.view is None else min(frame.view, last)
    return replace(frame, view=view, events=events, question=None) if events else None


async def test_a_copy_taken_during_play_goes_on_by_itself(tmp_path: Path) -> None:
    """F22, H1 to H8: every table of the copy resumes, and what was before it still holds."""
    data, copied, backup = tmp_path / "data", tmp_path / "copy", tmp_path / "backup.db"
    async with supervised(data) as supervisor:
        first = await played_with_backup(supervisor, data, backup)
        assert await supervisor.stop() == 0
    assert await first.violations(data) == []
    restored = await asyncio.to_thread(run, "store", "restore", str(backup), "--data", str(copied))
    assert restored.returncode == 0, restored.stderr
    before = histories_in(copied)
    originals = {table.table_id: table for table in histories_in(data)}
    assert any(table.lines[-1] != originals[table.table_id].lines[-1] for table in before)
    for table in before:
        assert is_prefix(table.lines, originals[table.table_id].lines)
        assert is_prefix(table.records, originals[table.table_id].records)
    async with supervised(copied) as supervisor:
        second = first.again(lambda: supervisor.address, seed=23)
        await second.play()
        assert await supervisor.stop() == 0
    after = histories_in(copied)
    histories = [
        # Who has nothing left to play at the copy never says hello there.
        ClientHistory(old.player_id, [*until(before, old).items, *new.items], at_rest=True)
        for old, new in zip(first.histories, second.histories, strict=True)
    ]
    assert violations(History(after, histories, ON_THE_WIRE)) == []
