"""Run under the shim: forks processes that keep batches and die, and looks at what they leave.

Prints one line of JSON for the test that has started it. To fork is quick: everything is imported
once. Each process writes to a pipe which batches were reported as kept.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import alembic.command  # noqa: F401  # before the fork, so that no child has to
import sqlalchemy.dialects.sqlite  # noqa: F401  # as above

from skat_server.observability.logging import configure_logging
from skat_server.storage.protocols import Batch, StoreError, StoreFailure, UnusableStoreError
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.sqlite.writer import Pace
from tests.storage.driving import action, available, deal_end, keep, opened, outcome, start

SHIM: Final = ctypes.CDLL(os.environ.get("SKAT_SHIM"))
TABLES: Final = ("t", "u")
UNUSABLE: Final = 3
DEAD: Final = 74
PACE: Final = Pace(probe=0.001, quiet=3600.0)


def story(table_id: str) -> list[Batch]:
    """What a table keeps."""
    return [
        start(table_id),
        action(table_id, "a"),
        deal_end(table_id, 1),
        action(table_id, "b", "c"),
        deal_end(table_id, 2, is_last=True),
    ]


# -------------------------------------------------------------------------------------- the child


async def live(folder: Path, told: int) -> None:
    """Keep the stories, and tell what is kept."""
    store = SqliteStore(folder / "skat.db", pace=PACE)
    store.watch(lambda: leave(store, told))
    try:
        await store.open()
    except UnusableStoreError:
        os._exit(UNUSABLE)

    async def table(table_id: str) -> None:
        for number, batch in enumerate(story(table_id), 1):
            if await outcome(store, batch) is not None:
                await asyncio.Event().wait()
            os.write(told, f"{table_id} {number}\n".encode())

    await asyncio.gather(*map(table, TABLES))
    await store.close()


def leave(store: SqliteStore, told: int) -> None:
    """End as the server does when its store is dead, and tell how often a sync was tried then."""
    assert store.fatal is not None
    assert store.fatal.failure is StoreFailure.BROKEN
    os.write(told, f"failed {SHIM.shim_failed()} of {SHIM.shim_syncs()}\n".encode())
    os._exit(DEAD)


# ------------------------------------------------------------------------------------- the parent


@dataclass(frozen=True)
class Death:
    """How a child has ended."""

    status: int
    """Exit code; the number of a signal with a minus sign."""
    kept: dict[str, int]
    """How many batches of each table it had been told to be kept."""
    failed: str


def life(folder: Path, arm: Callable[[], None]) -> Death:
    """Let a child live and die."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        arm()
        with suppress(BaseException):
            asyncio.run(live(folder, writing))
            os._exit(0)
        os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = [line.split() for line in pipe]
    _, status = os.waitpid(child, 0)
    kept = {table: sum(line[0] == table for line in lines) for table in TABLES}
    failed = " ".join(line for words in lines if words[0] == "failed" for line in words)
    return Death(os.waitstatus_to_exitcode(status), kept, failed)


async def look(folder: Path, death: Death) -> None:
    """Start again: all that was told is there, whole batches only, and play goes on."""
    async with opened(folder / "skat.db", pace=PACE) as store:
        for table_id in TABLES:
            batches = story(table_id)
            log = await store.log(table_id)
            found = [] if log is None else [line.entry for line in log.lines]
            there = 0
            for batch in batches:
                if found[: len(batch.entries)] != list(batch.entries):
                    break
                del found[: len(batch.entries)]
                there += 1
            assert not found, f"a part of batch {there + 1} of {table_id}"
            told = death.kept[table_id]
            assert told <= there <= told + 1, f"{told} told and {there} there of {table_id}"
            sealed = sum(batch.record is not None for batch in batches[:there])
            assert len(await store.records(table_id, 0, 9)) == sealed
            await keep(store, *batches[there:])


def lives(folder: Path, arm: Callable[[int], None]) -> Iterator[tuple[int, Death]]:
    """Lives that are spoiled at the first sync, the second, and so on, until one is not."""
    number = 0
    while True:
        number += 1
        place = folder / str(number)
        death = life(place, partial(arm, number))
        try:
            asyncio.run(look(place, death))
        except BaseException as error:
            error.add_note(f"at sync {number}: {death}")
            raise
        shutil.rmtree(place)
        yield number, death
        if death.status == 0:
            return


def kill(folder: Path, after: str) -> dict[str, object]:
    """F2: die before, or after, every sync."""
    deaths = [one for _, one in lives(folder, lambda n: SHIM.shim_arm(n, int(after)))]
    assert all(one.status == -9 for one in deaths[:-1])
    return {"deaths": len(deaths) - 1}


def fail(folder: Path) -> dict[str, object]:
    """F5: every sync fails once; it is never tried again."""
    found = [one for _, one in lives(folder, SHIM.shim_fail)]
    statuses = [one.status for one in found]
    return {
        "statuses": statuses,
        "unusable": statuses.count(UNUSABLE),
        "dead": statuses.count(DEAD),
        "lives": len(found),
        "tried_again": [one.failed for one in found if one.failed and not once(one.failed)],
    }


def once(failed: str) -> bool:
    """Whether the sync that failed was the last one."""
    _, times, _, syncs = failed.split()
    return times == "1" and int(syncs) > 0


async def _slow(folder: Path) -> dict[str, object]:
    async with opened(folder / "skat.db", pace=PACE) as store:
        before = SHIM.shim_syncs()
        tables = [f"t{number}" for number in range(100)]
        await asyncio.gather(*(keep(store, *story(table_id)) for table_id in tables))
        return {"batches": 5 * len(tables), "syncs": SHIM.shim_syncs() - before}


def slow(folder: Path) -> dict[str, object]:
    """F5: syncs take 5 ms; tables share them."""
    SHIM.shim_delay(5_000)
    return asyncio.run(_slow(folder))


async def _full(folder: Path) -> dict[str, object]:
    async with opened(folder / "skat.db", pace=PACE) as store:
        await keep(store, start("t"))
        SHIM.shim_fill(1)
        error: StoreError | None = await outcome(store, deal_end("t", 1))
        assert error is not None
        assert not store.is_available
        SHIM.shim_fill(0)
        await available(store)
        await keep(store, deal_end("t", 1), action("t", "a"))
        log = await store.log("t")
        assert log is not None
        return {"failure": error.failure.value, "entries": len(log.lines)}


def full(folder: Path) -> dict[str, object]:
    """F4: writes of the database find no space, then they do."""
    return asyncio.run(_full(folder))


SCENES: Final[dict[str, Callable[..., dict[str, object]]]] = {
    "kill": kill,
    "fail": fail,
    "slow": slow,
    "full": full,
}

if __name__ == "__main__":
    configure_logging()
    scene, folder, *arguments = sys.argv[1:]
    sys.stdout.write(json.dumps(SCENES[scene](Path(folder), *arguments)) + "\n")
