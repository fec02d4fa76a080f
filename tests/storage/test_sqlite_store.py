"""What the store on a disk does beyond the promises of every store."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from threading import Event, get_ident

import pytest

from skat_server.storage import revisions
from skat_server.storage.protocols import (
    Batch,
    Durability,
    Entry,
    EntryKind,
    StoreError,
    StoreFailure,
    UnusableStoreError,
)
from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.lock import lock_path
from skat_server.storage.sqlite.store import MOST_PENDING, SqliteStore
from skat_server.storage.sqlite.writer import Kept, Pace
from tests.storage.driving import (
    AT,
    Proxy,
    action,
    change,
    deal_end,
    failed,
    keep,
    opened,
    outcome,
    payloads,
    rows,
    start,
)

pytestmark = pytest.mark.asyncio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a database will be."""
    return tmp_path / "data" / "skat.db"


class Gate(Proxy):
    """A connection whose next transaction waits until it may begin."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.is_open = Event()
        self.is_open.set()
        self.is_stopped = Event()
        """Whether somebody has found it closed."""

    def execute(self, sql, parameters=(), /):  # type: ignore[no-untyped-def]
        if sql.startswith("BEGIN") and not self.is_open.is_set():
            self.is_stopped.set()
            self.is_open.wait()
        return super().execute(sql, parameters)


class Gates:
    """Opens connections with a gate."""

    def __call__(self, path: Path) -> Connection:
        self.gate = Gate(path)
        return self.gate


async def test_what_was_kept_is_there_after_a_restart(path: Path) -> None:
    """F1, F22: a start is a recovery, and entries go on where they ended."""
    async with opened(path) as store:
        await keep(store, start("t"), action("t", "a"), deal_end("t", 1))
    async with opened(path) as store:
        await keep(store, action("t", "b"), deal_end("t", 2))
        first, second = await store.records("t", 0, 9)
        assert second.previous_sha256 == first.sha256
    numbers = [row[0] for row in rows(path, "SELECT seq FROM events ORDER BY seq")]
    assert numbers == list(range(1, 10))


async def test_what_waits_together_is_kept_in_one_transaction(path: Path) -> None:
    """D2: group commit."""
    gates = Gates()
    async with opened(path, connect=gates) as store:
        gates.gate.is_open.clear()
        gates.gate.statements.clear()
        first = asyncio.create_task(outcome(store, action("t0", "a")))
        await asyncio.to_thread(lambda: None)
        others = [asyncio.create_task(outcome(store, action(f"t{n}", "a"))) for n in range(1, 50)]
        await asyncio.to_thread(lambda: None)
        gates.gate.is_open.set()
        assert await asyncio.gather(first, *others) == [None] * 50
        assert gates.gate.statements.count("COMMIT") <= 2


async def test_every_batch_of_a_transaction_lets_the_next_one_wait_for_more(path: Path) -> None:
    """ADR 0048, an hour for each here; the end of the store waits for nothing."""
    hour, hours, gates = 3600.0, [0.0], Gates()
    kept: list[Kept] = []
    pace = Pace(wait_per_batch=hour, longest_wait=9 * hour, stopwatch=lambda: hour * hours[0])

    async def asked_for(*numbers: int) -> list[asyncio.Task[StoreError | None]]:
        """One after the other, each seen by the thread if it looks."""
        tasks = []
        for number in numbers:
            tasks.append(asyncio.create_task(outcome(store, action(f"t{number}", "a"))))
            await asyncio.to_thread(lambda: None)
        return tasks

    async with opened(path, connect=gates, pace=pace) as store:
        store.watch_commits(kept.append)
        gates.gate.is_open.clear()
        first = await asked_for(0)
        await asyncio.to_thread(gates.gate.is_stopped.wait)
        first += await asked_for(1, 2, 3)
        hours[0] = 1.0
        gates.gate.is_open.set()
        assert await asyncio.gather(*first) == [None] * 4
        hours[0] = 3.5  # of the four until the next one
        last = await asked_for(*range(4, 20))
    assert await asyncio.gather(*last) == [None] * 16
    assert [one.entries for one in kept] == [1, 3, 16]


async def test_a_transaction_never_waits_longer_than_it_may(path: Path) -> None:
    async with opened(path, pace=Pace(wait_per_batch=3600.0, longest_wait=0.001)) as store:
        await keep(store, *[action("t", "a")] * 5)
        assert len(await payloads(store, "t")) == 5


async def test_a_store_ends_while_a_batch_waits_for_more(path: Path) -> None:
    """The thread sees the end when it looks for more, and has to see it again to end."""
    asked = Event()

    def stopwatch() -> float:
        asked.set()
        return 0.0

    pace = Pace(wait_per_batch=3600.0, longest_wait=3600.0, stopwatch=stopwatch)
    async with opened(path, pace=pace) as store:
        await keep(store, action("t", "a"))
        asked.clear()
        last = asyncio.create_task(outcome(store, action("t", "b")))
        # It is asked how long to wait only for what was taken.
        await asyncio.to_thread(asked.wait)
    assert await last is None


async def test_outcomes_are_told_in_the_loop_and_in_order(path: Path) -> None:
    told: list[tuple[int, int]] = []
    over = asyncio.Event()
    async with opened(path) as store:
        for number in range(100):

            def done(error: StoreError | None, number: int = number) -> None:
                assert error is None
                told.append((number, get_ident()))
                if number == 99:
                    over.set()

            store.append(action(f"t{number}", "a"), done)
        await over.wait()
    assert told == [(number, get_ident()) for number in range(100)]


async def test_two_batches_of_one_table_may_wait_together(path: Path) -> None:
    async with opened(path) as store:
        together = [outcome(store, action("t", text)) for text in ("a", "b", "c")]
        assert await asyncio.gather(*together) == [None] * 3
        assert await payloads(store, "t") == ["a", "b", "c"]


async def test_a_done_that_fails_leaves_the_others_their_outcome(path: Path) -> None:
    complaints: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: complaints.append(context["message"])
    )

    def bad(_: StoreError | None) -> None:
        raise ValueError("a bug")

    async with opened(path) as store:
        store.append(action("t", "a"), bad)
        await keep(store, action("u", "b"))
    assert complaints == ["told what became of a batch"]


async def test_a_watcher_that_fails_leaves_the_others_their_outcome(path: Path) -> None:
    complaints: list[str] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: complaints.append(context["message"])
    )

    def bad() -> None:
        raise ValueError("a log that is closed, for instance")

    async with opened(path) as zombie:
        told: list[bool] = []
        zombie.watch(bad)
        zombie.watch(lambda: told.append(True))
        change(path, "UPDATE nodes SET epoch = epoch + 1")
        assert (await failed(zombie, action("t", "a"))).failure is StoreFailure.FENCED
    assert told == [True]
    assert complaints == ["told what became of a batch"]


async def test_too_much_that_waits_is_refused_at_once(path: Path) -> None:
    """At most 20,000 entries wait."""
    gates = Gates()
    async with opened(path, connect=gates) as store:
        gates.gate.is_open.clear()
        most = asyncio.create_task(outcome(store, action("t", *["a"] * MOST_PENDING)))
        await asyncio.to_thread(lambda: None)
        assert store.pending_entries == MOST_PENDING
        refusals: list[StoreError | None] = []
        store.append(action("u", "a"), refusals.append)
        assert [error and error.failure for error in refusals] == [StoreFailure.OTHER]
        assert store.is_available
        gates.gate.is_open.set()
        assert await most is None
        assert store.pending_entries == 0
        await keep(store, action("u", "a"))


async def test_a_closed_store_refuses(path: Path) -> None:
    async with opened(path) as store:
        pass
    assert (await failed(store, action("t", "a"))).failure is StoreFailure.OTHER
    assert not store.is_available


async def test_what_was_given_before_the_end_is_kept(path: Path) -> None:
    """F18: the writer is flushed."""
    told: list[StoreError | None] = []
    async with opened(path) as store:
        for number in range(20):
            store.append(action(f"t{number}", "a"), told.append)
    assert told == [None] * 20
    assert rows(path, "SELECT COUNT(*) FROM events") == [(20,)]


async def test_an_orderly_end_leaves_one_file(path: Path) -> None:
    async with opened(path) as store:
        await keep(store, action("t", "a"))
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["skat.db", "skat.db.lock"]


async def test_a_finished_deal_is_sealed_with_its_results(path: Path) -> None:
    """Section 5: events, record and results in one transaction."""
    async with opened(path) as store:
        await keep(store, start("t"), action("t", "a"), deal_end("t", 1))
    assert rows(path, "SELECT deal_number, first_seq, last_seq FROM deals") == [(1, 1, 4)]
    assert rows(path, "SELECT seat, player_id, points FROM deal_results ORDER BY seat") == [
        (0, "player-0", 1),
        (1, "player-1", 11),
        (2, "player-2", 21),
    ]


async def test_a_batch_is_kept_as_a_whole_or_not_at_all(path: Path) -> None:
    """Rule 4 of section 3: what spoils the last row takes the first with it."""
    async with opened(path) as store:
        await keep(store, start("t"), deal_end("t", 1))
        again = deal_end("t", 1)
        assert (await failed(store, again)).failure is StoreFailure.OTHER
        assert store.is_available
        assert len(await payloads(store, "t")) == 4
        await keep(store, deal_end("t", 2))


async def test_a_batch_that_cannot_be_kept_does_not_spoil_its_group(path: Path) -> None:
    gates = Gates()
    async with opened(path, connect=gates) as store:
        await keep(store, start("t"), deal_end("t", 1))
        gates.gate.is_open.clear()
        batches = [action("u", "a"), deal_end("t", 1), action("v", "\ud800"), action("w", "b")]
        tasks = [asyncio.create_task(outcome(store, batch)) for batch in batches]
        await asyncio.to_thread(lambda: None)
        gates.gate.is_open.set()
        errors = await asyncio.gather(*tasks)
        assert [error is None for error in errors] == [True, False, False, True]
        assert store.is_available
        assert await payloads(store, "u") == ["a"]
        assert await payloads(store, "v") == []


async def test_actions_of_old_deals_are_dropped_but_for_the_last_two(path: Path) -> None:
    """Section 5: hot rows of sealed deals go, in quiet moments."""
    async with opened(path) as store:
        await keep(store, start("t"))
        for number in range(1, 6):
            await keep(store, action("t", f"in {number}"), deal_end("t", number))
        await gone(path, "in 1", "in 2", "in 3")
        kept = [text for text in await payloads(store, "t") if text.startswith("in ")]
        assert kept == ["in 4", "in 5"]
        log = await store.log("t")
        assert log is not None
        ends = [one for one in log.lines if one.entry.kind is EntryKind.DEAL_ENDED]
        assert len(ends) == 5
        assert len(await store.records("t", 0, 9)) == 5


async def gone(path: Path, *payloads: str) -> None:
    """Wait until the actions of these texts are gone, in whatever order they go."""
    question = "SELECT 1 FROM events WHERE payload = ?"
    for payload in payloads:
        while await asyncio.to_thread(rows, path, question, payload):
            pass


async def test_dropping_goes_on_after_a_restart(path: Path) -> None:
    async with opened(path) as store:  # whose end files what it has
        await keep(store, start("t"))
        for number in range(1, 3):
            await keep(store, action("t", f"in {number}"), deal_end("t", number))
    async with opened(path, pace=Pace(quiet=3600.0)) as store:
        for number in range(3, 6):
            await keep(store, action("t", f"in {number}"), deal_end("t", number))
    found = rows(path, "SELECT payload FROM events WHERE payload LIKE 'in %' ORDER BY seq")
    assert found == [("in 1",), ("in 2",), ("in 4",), ("in 5",)]
    async with opened(path) as store:
        await keep(store, deal_end("t", 6))
        await gone(path, "in 1", "in 2", "in 4")
        assert [one for one in await payloads(store, "t") if one.startswith("in")] == ["in 5"]


async def test_a_retired_table_keeps_its_records_and_drops_its_actions(path: Path) -> None:
    async with opened(path) as store:
        await keep(store, start("t"), action("t", "in 1"), deal_end("t", 1, is_last=True))
        store.retire("t")
        await keep(store, action("u", "a"))
        await gone(path, "in 1")
        assert len(await store.records("t", 0, 9)) == 1


async def test_the_write_ahead_log_is_brought_home_in_quiet_moments(path: Path) -> None:
    proxies: list[Proxy] = []

    def connect(path: Path) -> Connection:
        proxies.append(Proxy(path))
        return proxies[0]

    async with opened(path, connect=connect) as store:
        await keep(store, action("t", *["a"] * 1_000))
        while not any("wal_checkpoint" in sql for sql in proxies[0].statements):
            await asyncio.to_thread(lambda: None)
        await keep(store, action("t", "b"))
        assert len(await payloads(store, "t")) == 1_001


OPENING = ("NORMAL", "FULL")
"""What a start asks for, to give the write-ahead log its size and to keep it."""


@pytest.mark.parametrize(
    ("durability", "expected"),
    [
        (Durability.ACTION, [*OPENING]),
        (Durability.DEAL, [*OPENING, "NORMAL", "FULL", "NORMAL"]),
    ],
)
async def test_the_disk_is_waited_for_as_durability_says(
    path: Path, durability: Durability, expected: list[str]
) -> None:
    """Section 4: with DEAL only for batches that end a deal."""
    proxies: list[Proxy] = []

    def connect(path: Path) -> Connection:
        proxies.append(Proxy(path))
        return proxies[0]

    async with opened(path, durability, connect) as store:
        assert store.durability is durability
        await keep(store, start("t"), action("t", "a"), deal_end("t", 1), action("t", "b"))
    asked = [sql for sql in proxies[0].statements if "synchronous" in sql]
    assert [sql.rpartition("=")[2] for sql in asked] == expected


async def test_a_second_server_on_the_same_file_is_refused(path: Path) -> None:
    async with opened(path) as store:
        with pytest.raises(UnusableStoreError, match=r"in use by process \d+\.\n.*--data"):
            async with opened(path):
                pass
        await keep(store, action("t", "a"))
    async with opened(path) as store:
        await keep(store, action("t", "b"))


async def test_a_zombie_is_fenced_and_writes_nothing(path: Path) -> None:
    """F7, T24, H3: nothing of an epoch after the first entry of the next one."""
    async with opened(path) as zombie:
        await keep(zombie, action("t", "a"))
        # The lock alone does not protect: somebody takes it away.
        lock_path(path).unlink()
        async with opened(path) as store:
            await keep(store, action("t", "b"))
            told: list[bool] = []
            zombie.watch(lambda: told.append(zombie.fatal is not None))
            assert (await failed(zombie, action("t", "c"))).failure is StoreFailure.FENCED
            assert (await failed(zombie, action("u", "d"))).failure is StoreFailure.FENCED
            assert told == [True]
            assert not zombie.is_available
            assert await payloads(store, "t") == ["a", "b"]
            assert await store.log("u") is None
    assert rows(path, "SELECT DISTINCT epoch FROM events ORDER BY seq") == [(1,), (2,)]


async def test_a_zombie_s_chores_and_transactions_are_fenced_too(path: Path) -> None:
    async with opened(path) as zombie:
        change(path, "UPDATE nodes SET epoch = epoch + 1")
        with pytest.raises(StoreError) as error:
            await zombie.database.write(lambda connection: connection.execute("DELETE FROM nodes"))
        assert error.value.failure is StoreFailure.FENCED
    assert rows(path, "SELECT epoch FROM nodes") == [(2,)]


async def test_others_keep_their_things_through_the_same_thread(path: Path) -> None:
    def add(connection: Connection) -> str:
        connection.execute(
            "INSERT INTO audit_log (at_ms, actor, action, target, detail) VALUES (1, ?, ?, ?, ?)",
            ("ann", "ban", "ben", "{}"),
        )
        return "added"

    def add_and_fail(connection: Connection) -> None:
        add(connection)
        raise LookupError("no such account")

    async with opened(path) as store:
        assert await store.database.write(add) == "added"
        with pytest.raises(LookupError):
            await store.database.write(add_and_fail)
        assert store.is_available
        found = await store.database.read(
            lambda connection: connection.execute("SELECT COUNT(*) FROM audit_log").fetchall()
        )
    assert found == [(1,)]


async def test_a_wrong_revision_is_refused(path: Path) -> None:
    async with opened(path):
        pass
    change(path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnusableStoreError, match="9999"):
        async with opened(path):
            pass


async def test_an_old_revision_is_migrated_where_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "skat.db"
    revisions.upgrade(path, "0001")
    with pytest.raises(UnusableStoreError, match="store migrate"):
        async with opened(path):
            pass
    store = SqliteStore(path, migrates=True)
    await store.open()
    await keep(store, action("t", "a"))
    await store.close()
    assert revisions.revision_of(tmp_path / "skat.db.revision-0001") == "0001"


async def test_a_folder_that_cannot_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(
        UnusableStoreError, match=r"cannot be used: .*\.\nName a folder with --data"
    ):
        async with opened(tmp_path / "file" / "skat.db"):
            pass


async def test_payloads_are_kept_byte_for_byte(path: Path) -> None:
    texts = [json.dumps({"name": "Jürgen ♠"}), json.dumps({"name": "ß"}, ensure_ascii=False), ""]
    async with opened(path) as store:
        await keep(store, Batch("t", AT, tuple(Entry(EntryKind.SEAT_TAKEN, t) for t in texts)))
    async with opened(path) as store:
        assert await payloads(store, "t") == texts


async def test_a_database_that_is_closed_says_so_to_whoever_still_asks(path: Path) -> None:
    """A thread that has ended would leave him waiting for ever."""
    store = SqliteStore(path)
    await store.open()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.database.write(lambda connection: connection.execute("SELECT 1"))
    with pytest.raises(StoreError, match="closed"):
        await store.database.read(lambda connection: connection.execute("SELECT 1"))
