"""Every kind of log entry is written and read; what cannot be read is refused and not repeated."""

from __future__ import annotations

import json
import random
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import PRESETS, deal_from_seed, parse_action, preset, seating, shuffled_deck
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import TOURNAMENT_KINDS, Entry, EntryKind
from skat_server.tables import entries, entry_values, reading
from skat_server.tables.carried import carried_by
from skat_server.tables.clocks import ClockPolicy, Spent
from skat_server.tables.faults import FaultCause, FaultConsequence, FaultPolicy
from skat_server.tables.house import HouseBot
from skat_server.tables.sources import (
    BoardDeals,
    Dealing,
    DealSource,
    FreshDeals,
    ListedDeals,
    SeededDeals,
)
from skat_server.tables.state import Occupant, TableConfig, Visibility, house_on_top
from skat_server.tables.table import Table
from tests.server.playing import MIXED, config, fill, occupant, play_on
from tests.server.stores import entries_of

SEED = bytes(range(32))
ANN = replace(occupant("ann"), nonce=b"\x00share")
HOUSE = Occupant("house-random", "house-random", HouseBot.RANDOM)


def before_a_deal() -> Table:
    """A table with everything that goes from one deal to the next."""
    table = Table(config(None, options={"seats": 4}), MemoryStore(), ManualClock())
    table.state = replace(
        table.state,
        occupants=(ANN, None, HOUSE, occupant("dia")),
        told=(7, 8, 9, 10, 6),
        seated_at=(1, 0, 0, 5),
        taken_over=(None, FaultCause.SEAT_EMPTY, None, FaultCause.TIMEOUT),
        idle=2,
        end_requested=True,
        dealt=4,
    )
    return table


def started() -> Entry:
    state = before_a_deal().state
    return entries.deal_started(state, seating(0, 4), Dealing(deal_from_seed(SEED), SEED))


def ended() -> Entry:
    store = MemoryStore()
    table = Table(config(None, options={"session_deals": 1, "seats": 4}), store, ManualClock())
    fill(table)
    play_on(table, random.Random(3))
    (entry,) = (e for e in entries_of(store, "table-1") if e.kind is EntryKind.DEAL_ENDED)
    return entry


HOLD = parse_action("hold")
WRITTEN = [
    (entries.seat_taken(1, ANN), entry_values.SeatTakenEntry(1, ANN)),
    (entries.seat_taken(2, HOUSE), entry_values.SeatTakenEntry(2, HOUSE)),
    (entries.seat_left(3), entry_values.SeatLeftEntry(3)),
    (entries.acted(2, HOLD, Spent(17)), entry_values.ActionEntry(2, HOLD, 17, 0)),
    (entries.acted(0, HOLD, Spent(17, 5)), entry_values.ActionEntry(0, HOLD, 17, 5)),
    (
        entries.decision_defaulted(1, HOLD, FaultCause.STALLED, Spent(9, 2)),
        entry_values.DecisionDefaultedEntry(1, HOLD, FaultCause.STALLED, 9, 2),
    ),
    (
        entries.seat_taken_over(1, FaultCause.TIMEOUT),
        entry_values.SeatTakenOverEntry(1, FaultCause.TIMEOUT),
    ),
    (entries.seat_returned(0), entry_values.SeatReturnedEntry(0)),
    (entries.deal_voided("so"), entry_values.DealVoidedEntry("so")),
    (entries.end_requested(None), entry_values.EndRequestedEntry(None)),
    (entries.end_requested(2), entry_values.EndRequestedEntry(2)),
    (entries.table_closed("so", None, None), entry_values.TableClosedEntry("so", None, None)),
    (
        entries.table_closed("so", FaultCause.ADMIN, 3),
        entry_values.TableClosedEntry("so", FaultCause.ADMIN, 3),
    ),
    (
        started(),
        entry_values.DealStartedEntry(
            entry_values.DealtEntry(1, 0, deal_from_seed(SEED)),
            5,
            SEED.hex(),
            carried_by(before_a_deal().state),
        ),
    ),
]


@pytest.mark.parametrize(
    ("entry", "value"), WRITTEN, ids=lambda one: getattr(getattr(one, "kind", one), "name", "")
)
def test_what_is_written_is_read(entry: Entry, value: entry_values.Read) -> None:
    assert reading.read(entry, 4) == value


def test_every_kind_is_read() -> None:
    """A new kind that nobody reads would stop the next start."""
    looked_at = {entry.kind for entry, _ in WRITTEN} | {EntryKind.DEAL_ENDED}
    assert looked_at | {EntryKind.TABLE_OPENED} == set(EntryKind) - TOURNAMENT_KINDS
    assert set(reading._READERS) == looked_at


def test_a_result_is_read_with_its_cards() -> None:
    entry = ended()
    read = reading.read(entry, 4)
    assert isinstance(read, entry_values.DealEndedEntry)
    assert (read.deal_number, len(read.totals), read.end_requested) == (1, 4, False)
    assert reading.result_in(read, MIXED).dealt == MIXED


def test_a_result_that_cannot_be_read_is_refused() -> None:
    row = json.loads(ended().payload)
    row["result"]["ending"] = "CJ"
    read = reading.read(Entry(EntryKind.DEAL_ENDED, json.dumps(row)), 4)
    assert isinstance(read, entry_values.DealEndedEntry)
    with pytest.raises(reading.EntryError, match=r"^deal_ended: the result cannot be read$"):
        reading.result_in(read, MIXED)
    with pytest.raises(reading.EntryError, match="field totals is not that of 3 seats"):
        reading.read(ended(), 3)


def everything() -> list[tuple[Entry, int]]:
    return [(entry, 4) for entry, _ in WRITTEN] + [(ended(), 4)]


@pytest.mark.parametrize(("entry", "seats"), everything(), ids=lambda one: "")
def test_a_field_that_is_missing_is_named(entry: Entry, seats: int) -> None:
    if entry.kind is EntryKind.ACTION:
        return
    row = json.loads(entry.payload)
    for name in row.keys() - {"house", "nonce", "series"}:
        rest = {other: value for other, value in row.items() if other != name}
        with pytest.raises(reading.EntryError, match=f"^{entry.kind.value}: field {name} is"):
            reading.read(Entry(entry.kind, json.dumps(rest)), seats)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "0",
        "0 hold",
        "3 hold 1",
        "0 hold x",
        "0 hold -1",
        "0 hold 1 2 3",
        "0 hold " + "9" * 5_000,
        "0 fold 1",
        "0  1",
    ],
)
def test_no_action(payload: str) -> None:
    with pytest.raises(reading.EntryError, match=r"^action: "):
        reading.read(Entry(EntryKind.ACTION, payload), 3)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(everything()), st.data())
def test_whatever_is_changed_the_entry_is_read_or_refused(
    written: tuple[Entry, int], data: st.DataObject
) -> None:
    """F17, T6: no other error, and no card or seed in it."""
    entry, seats = written
    place = data.draw(st.integers(0, len(entry.payload)))
    text = data.draw(st.sampled_from(["", "0", "[", "]", '"', "-", "9" * 400, "null", "CJ"]))
    length = data.draw(st.integers(0, 4))
    broken = Entry(entry.kind, entry.payload[:place] + text + entry.payload[place + length :])
    assert SEED.hex() not in outcome_of(broken, seats)
    assert "CJ" not in outcome_of(broken, seats)


def outcome_of(entry: Entry, seats: int) -> str:
    try:
        reading.read(entry, seats)
    except reading.EntryError as error:
        return str(error)
    return ""


SOURCES: list[DealSource] = [
    FreshDeals(SEED),
    SeededDeals(SEED),
    ListedDeals((MIXED, deal_from_seed(SEED))),
    BoardDeals(SEED, SEED, 12),
]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
def test_a_table_is_opened_as_it_was(name: str, source: DealSource) -> None:
    """Everything that is fixed is in the log, where its deals come from included."""
    made = TableConfig(
        table_id="table-ü",
        owner_id="owner",
        display_name='"quoted"',
        preset=name,
        overrides=(("session_deals", "7"),),
        rules=preset(name, {"session_deals": 7}),
        visibility=Visibility.PRIVATE,
        source=source,
        draw=shuffled_deck(SEED),
        created_at=1_700_000_000.123456,
        request_id="r",
        clock=ClockPolicy(decision_ms=1, bank_ms=2, increment_ms=3, grace_ms=4),
        faults=FaultPolicy(1, 2, FaultConsequence.FORFEIT),
        seated=house_on_top([HouseBot.RANDOM], preset(name).seats),
        tournament_id="t",
    )
    assert reading.read_opening(entries.table_opened(made)) == made
    defaults = {field.name for field in fields(made) if getattr(made, field.name) == field.default}
    assert not defaults


def test_the_rules_are_those_of_the_log_whatever_the_preset_says_today() -> None:
    made = config(None, options={"session_deals": 7})
    row = json.loads(entries.table_opened(made).payload) | {"preset": "gone", "overrides": {}}
    read = reading.read_opening(Entry(EntryKind.TABLE_OPENED, json.dumps(row)))
    assert (read.preset, read.rules) == ("gone", made.rules)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"format": 0}, "field format is another one"),
        ({"rules": {"seats": "9"}}, "field rules has a wrong option seats"),
        ({"rules": {"seats": 4}}, "field rules is not an object of strings"),
        ({"visibility": "secret"}, "it cannot be read"),
        ({"source": {}}, "field listed is missing"),
        ({"source": {"fresh": "00"}}, "field fresh is not 32 bytes in hexadecimal"),
        ({"source": {"seeded": "zz" * 32}}, "field seeded is not 32 bytes in hexadecimal"),
        ({"source": {"listed": ["CJ|HJ"]}}, "it cannot be read"),
        ({"draw": "CJ.XX"}, "it cannot be read"),
        ({"created_at": True}, "field created_at is not a number"),
        ({"clock": {}}, "field decision_ms is missing"),
        ({"seated": ["none"]}, "it cannot be read"),
    ],
)
def test_an_opening_that_cannot_be_read(changes: dict[str, object], why: str) -> None:
    row = json.loads(entries.table_opened(config(None)).payload) | changes
    with pytest.raises(reading.EntryError) as caught:
        reading.read_opening(Entry(EntryKind.TABLE_OPENED, json.dumps(row)))
    assert str(caught.value) == f"table_opened: {why}"


def test_clock_and_faults_out_of_range_are_refused() -> None:
    row = json.loads(entries.table_opened(config(None)).payload)
    for name, fields_of in (
        ("clock", {"decision_ms": 0, "bank_ms": 0}),
        ("faults", {"illegal_actions": 10_000}),
    ):
        broken = row | {name: row[name] | fields_of}
        with pytest.raises(reading.EntryError, match=f"field {name}: "):
            reading.read_opening(Entry(EntryKind.TABLE_OPENED, json.dumps(broken)))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"nonce": "0"}, "field nonce is not hexadecimal"),
        ({"nonce": "00" * 33}, "field nonce has more than 32 bytes"),
        ({"seat": 4}, "field seat is not a whole number from 0 to 3"),
        ({"player": " "}, "field player is empty"),
        ({"house": "rich"}, "it cannot be read"),
    ],
)
def test_somebody_who_cannot_be_read(changes: dict[str, object], why: str) -> None:
    row = json.loads(entries.seat_taken(1, ANN).payload) | changes
    with pytest.raises(reading.EntryError) as caught:
        reading.read(Entry(EntryKind.SEAT_TAKEN, json.dumps(row)), 4)
    assert str(caught.value) == f"seat_taken: {why}"


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": [None] * 3},
        {"seats": [1, None, None, None]},
        {"told": [1, 2, 3, 4]},
        {"seated_at": [1]},
        {"taken_over": [1, None, None, None]},
        {"taken_over": ["luck", None, None, None]},
        {"idle": -1},
        {"end_requested": 1},
    ],
    ids=str,
)
def test_what_a_deal_finds_has_its_form(changes: dict[str, object]) -> None:
    row = json.loads(started().payload) | changes
    with pytest.raises(reading.EntryError, match=r"^deal_started: "):
        reading.read(Entry(EntryKind.DEAL_STARTED, json.dumps(row)), 4)
