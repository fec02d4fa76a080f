"""What must hold of the log of one table and of what was made of it: H3, H4, H5, H6, H8."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from skat_engine.records import Differs, from_json_line, replay
from skat_server.storage.sealing import FIRST, seal_of
from tests.histories.fold import Replayed
from tests.histories.model import TableHistory


def epochs_in_order(table: TableHistory) -> Iterator[str]:
    """H3: no event of an epoch after the first event of the next one."""
    for number, (before, after) in enumerate(pairwise(table.lines), 2):
        if after.epoch < before.epoch:
            yield f"entry {number} is of epoch {after.epoch}, the one before of {before.epoch}"


def results_as_recorded(table: TableHistory, replayed: Replayed) -> Iterator[str]:
    """H4: replay of the log gives the recorded results, and every counted deal has its record."""
    yield from replayed.unlike
    sealed = [record.deal_number for record in table.records]
    booked = [booking.deal_number for booking in replayed.bookings]
    if not replayed.broken and sealed != booked:
        yield f"the log books deals {booked}, sealed are {sealed}"
    yield from _chain_faults(table)
    for record in table.records:
        outcome = replay(from_json_line(record.json))
        if isinstance(outcome, Differs):
            yield f"the record of deal {record.deal_number} differs from its replay: {outcome}"


def _chain_faults(table: TableHistory) -> Iterator[str]:
    previous = FIRST
    for record in table.records:
        if record.previous_sha256 != previous:
            yield f"the record of deal {record.deal_number} does not follow the one before it"
        if record.sha256 != seal_of(record.json, record.previous_sha256):
            yield f"the record of deal {record.deal_number} does not fit its seal"
        previous = record.sha256


def standings_are_sums(table: TableHistory, replayed: Replayed) -> Iterator[str]:
    """H5: what the deals brought adds up to the totals, each of them counted once."""
    totals = [0] * len(replayed.players)
    for _, results in table.results:
        for result in results:
            totals[result.seat] += result.points
    booked = replayed.bookings[-1].totals if replayed.bookings else (0,) * len(replayed.players)
    if not replayed.broken and tuple(totals) != booked:
        yield f"results add up to {totals}, the standings are {list(booked)}"
    numbers = [number for number, _ in table.results]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield f"deal {number} was counted {numbers.count(number)} times"


def actions_legal(replayed: Replayed) -> Iterator[str]:
    """H6: every action that counts was legal and in turn."""
    if replayed.broken:
        yield f"the log cannot be replayed: {replayed.broken}"


def everything_ended(replayed: Replayed) -> Iterator[str]:
    """H8: after the faults every deal that was begun ends, and so does its table."""
    if replayed.broken:
        return
    if replayed.deal_is_open:
        yield f"dealing {replayed.dealt} did not end"
    elif not replayed.is_over and "" not in replayed.players:
        yield "the table did not end though nobody is missing"
