"""Damage of every kind is found, and named (F21, H4, H5)."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from skat_server.storage.protocols import Batch
from skat_server.storage.sealing import seal_of
from skat_server.storage.verifying import Sound, Unsound, count_deals, verify
from tests.storage.driving import change, keep, opened, rows
from tests.storage.played import played


@pytest.fixture(scope="module")
def batches() -> list[Batch]:
    """Three deals of one table."""
    return played("t", 3)


@pytest.fixture
def database(tmp_path: Path, batches: list[Batch]) -> Path:
    """A database with three sound deals."""

    async def fill() -> None:
        async with opened(tmp_path / "skat.db") as store:
            await keep(store, *batches)

    asyncio.run(fill())
    return tmp_path / "skat.db"


def wrong(database: Path) -> list[Unsound]:
    """What is wrong with a database."""
    return [one for one in verify(database) if isinstance(one, Unsound)]


def test_a_database_after_play_is_sound(database: Path) -> None:
    """H4: replay of every record gives the recorded result; H5: results are those of the log."""
    assert list(verify(database)) == [Sound("t", number) for number in (1, 2, 3)]
    assert count_deals(database) == 3


def test_an_empty_database_is_sound(tmp_path: Path) -> None:
    async def fill() -> None:
        async with opened(tmp_path / "skat.db"):
            pass

    asyncio.run(fill())
    assert list(verify(tmp_path / "skat.db")) == []


def flip_byte(database: Path) -> None:
    """Damage the record of deal 2."""
    [(log,)] = rows(database, "SELECT log FROM deals WHERE deal_number = 2")
    assert isinstance(log, bytes)
    spoiled = log[:40] + bytes([log[40] ^ 1]) + log[41:]
    change(database, "UPDATE deals SET log = ? WHERE deal_number = 2", spoiled)


def drop_first(database: Path) -> None:
    """Take the first deal away: the second follows nothing then."""
    change(database, "DELETE FROM deal_results WHERE deal_number = 1")
    change(database, "DELETE FROM deals WHERE deal_number = 1")


def reseal(database: Path, alter: Callable[[dict[str, object]], None]) -> None:
    """Change the last record and seal it anew, as whoever can write everything can."""
    [(log, previous)] = rows(
        database, "SELECT log, previous_sha256 FROM deals WHERE deal_number = 3"
    )
    assert isinstance(log, bytes)
    assert isinstance(previous, bytes)
    record = json.loads(zlib.decompress(log))
    alter(record)
    text = json.dumps(record)
    change(
        database,
        "UPDATE deals SET log = ?, log_sha256 = ? WHERE deal_number = 3",
        zlib.compress(text.encode()),
        seal_of(text, previous),
    )


def lose_a_card(record: dict[str, object]) -> None:
    actions = record["actions"]
    assert isinstance(actions, list)
    actions.pop()
    times = record["think_ms"]
    assert isinstance(times, list)
    times.pop()


def forget_format(record: dict[str, object]) -> None:
    record["format"] = "something else"


def renumber(record: dict[str, object]) -> None:
    record["deal_number"] = 7


def test_a_flipped_byte_breaks_the_seal(database: Path) -> None:
    """F21."""
    flip_byte(database)
    [finding] = wrong(database)
    assert finding.what == "t/2"
    assert finding.why.startswith("seal: ")


def test_a_missing_deal_breaks_the_chain(database: Path) -> None:
    drop_first(database)
    assert [(one.what, one.why) for one in wrong(database)] == [
        ("t/2", "seal: it does not follow the deal before it")
    ]


@pytest.mark.parametrize(
    ("alter", "why"),
    [(lose_a_card, "replay: "), (forget_format, "record: "), (renumber, "record: ")],
)
def test_a_record_sealed_anew_does_not_replay(
    database: Path, alter: Callable[[dict[str, object]], None], why: str
) -> None:
    reseal(database, alter)
    [finding] = wrong(database)
    assert finding.what == "t/3"
    assert finding.why.startswith(why)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE deal_results SET points = points + 1 WHERE deal_number = 2", "results: "),
        ("DELETE FROM deal_results WHERE deal_number = 2 AND seat = 0", "results: "),
        ("DELETE FROM filed_events WHERE kind = 'deal_ended' AND seq > 20", "log: "),
    ],
)
def test_results_must_be_those_of_the_log(database: Path, statement: str, why: str) -> None:
    """H5: the results of a deal are what the log says it added."""
    change(database, statement)
    assert all(one.why.startswith(why) for one in wrong(database))
    assert wrong(database)


@pytest.mark.parametrize("payload", ['{"deal":2,"resultx:{}}', "[]", '{"deal":2}', b"\xff"])
def test_a_log_that_cannot_be_read_is_said_of_every_deal_from_there_on(
    database: Path, payload: str | bytes
) -> None:
    """F21: a byte changed in an entry, which no page and no seal shows."""
    [_, (seq,), _] = rows(database, "SELECT seq FROM events WHERE kind = 'deal_ended' ORDER BY seq")
    change(database, "UPDATE filed_events SET payload = ? WHERE seq = ?", payload, seq)
    assert [(one.what, one.why) for one in wrong(database)] == [
        (f"t/{number}", "log: it cannot be read to this deal's end") for number in (2, 3)
    ]


def test_a_damaged_page_is_named(database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[40_960:] = bytes(len(content) - 40_960)
    database.write_bytes(content)
    findings = wrong(database)
    assert findings
    assert {one.what for one in findings} == {"pages"}
