"""The arena beside a table of the server: same words to the seats, same records, byte for byte."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

import skat_client as client
from skat_arena import ArenaTable
from skat_arena.answers import action_to_client
from skat_arena.playing import play
from skat_client._convert import decision_from_proto
from skat_client._convert_events import event_from_proto
from skat_engine import RuleSet
from skat_server.clock import ManualClock
from skat_server.errors import RefusedError
from skat_server.rpc.convert.decisions import decision_to_proto
from skat_server.storage.memory import MemoryStore
from skat_server.tables.clocks import DEFAULT_CLOCK
from skat_server.tables.sources import DealSource, FreshDeals, SeededDeals
from skat_server.tables.state import Occupant
from skat_server.tables.table import Table
from tests.arena.random_play import ALL_PRESETS, pick, rules_of
from tests.server.playing import config
from tests.written import written_event

NAMES = ("ann", "ben", "cem", "dia", "eva")
SEED = bytes(range(32))
DEALS = 12


def succeeded(refusal: RefusedError | None) -> None:
    assert refusal is None, refusal


class Original:
    """A table of the server, played in step with the arena's."""

    def __init__(self, rules: RuleSet, source: DealSource, nonces: Sequence[bytes]) -> None:
        self.store = MemoryStore()
        self.table = Table(
            replace(config(None), rules=rules, source=source), self.store, ManualClock()
        )
        self.table.open(succeeded)
        for seat in range(rules.seats - 1):
            self._sit(seat, nonces[seat])
        self.read = [self.table.log.last(seat) for seat in range(rules.seats)]
        self._sit(rules.seats - 1, nonces[-1])
        # Everybody is told of the last one's coming before the cards.
        self.read = [number + 1 for number in self.read]

    def _sit(self, seat: int, nonce: bytes) -> None:
        occupant = Occupant(f"player-{seat}", NAMES[seat], nonce=nonce)
        self.table.sit(occupant, seat, succeeded)

    def next_event(self, seat: int) -> client.Event:
        """What the server tells a seat next."""
        facts = self.table.log.after(seat, self.read[seat])
        assert facts, f"the server has told seat {seat} nothing more"
        self.read[seat] += 1
        return event_from_proto(written_event(facts[0])).event


class Shadow:
    """Plays by chance at both tables, and holds what the arena says against the server."""

    def __init__(self, original: Original, seat: int, chance: Random) -> None:
        self._original = original
        self._seat = seat
        self._chance = chance

    def decide(self, decision: client.Decision, sight: client.TableSight) -> client.Action:
        opened = self._original.table.decision
        assert opened is not None
        wired = decision_from_proto("table-1", decision_to_proto(opened))
        assert replace(decision, turn_id="") == replace(wired, turn_id="", clock=None)
        action = pick(opened.options, self._chance)
        self._original.table.answer(self._seat, opened.turn_id, action, succeeded)
        return action_to_client(action)

    def observe(self, event: client.TableEvent, sight: client.TableSight) -> None:
        assert event.event == self._original.next_event(self._seat)


def played(rules: RuleSet, source: DealSource, nonces: Sequence[bytes] | None) -> Sequence[str]:
    """The records of the arena's table; those of the server are the same."""
    original = Original(rules, source, nonces or [b""] * rules.seats)
    lines: list[str] = []
    table = ArenaTable(
        rules,
        SEED,
        table_id="table-1",
        names=NAMES[: rules.seats],
        nonces=nonces,
        clock=DEFAULT_CLOCK,
        on_record=lines.append,
    )
    chance = Random(7)
    play([Shadow(original, seat, chance) for seat in range(rules.seats)], [table])
    assert original.table.is_over
    sealed = asyncio.run(original.store.records("table-1", 0, DEALS))
    assert lines == [one.json for one in sealed]
    return lines


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_seats_are_told_the_same_and_records_are_the_same(name: str) -> None:
    assert len(played(rules_of(name, DEALS), SeededDeals(SEED), None)) == DEALS


def test_shares_of_the_players_are_the_same() -> None:
    nonces = (b"ann", b"", b"cem")
    assert len(played(rules_of("isko", 4), FreshDeals(SEED), nonces)) == 4


@pytest.mark.parametrize("seats", [4, 5])
def test_larger_tables_are_the_same(seats: int) -> None:
    rules = rules_of("terse_english_ramsch", 10, seats=seats)
    assert len(played(rules, SeededDeals(SEED), None)) == 10
