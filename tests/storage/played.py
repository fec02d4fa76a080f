"""Batches of tables that were really played."""

from __future__ import annotations

import random
from dataclasses import replace

from skat_server.clock import ManualClock
from skat_server.storage.protocols import Batch
from skat_server.tables.sources import FreshDeals
from skat_server.tables.table import Table
from tests.server.playing import config, fill, play_on
from tests.server.stores import RecordingStore


def played(table_id: str, deals: int, seed: int = 1) -> list[Batch]:
    """What a table keeps that plays so many deals to its end."""
    store = RecordingStore()
    fixed = config(None, table_id=table_id, options={"session_deals": deals})
    fresh = replace(fixed, source=FreshDeals(bytes([seed]) * 32))
    table = Table(fresh, store, ManualClock())
    fill(table)
    play_on(table, random.Random(seed))
    assert table.is_over
    return store.batches
