"""What is played in a run and what goes wrong in it, all drawn from its seed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skat_engine import OptionValue, option_text, preset, shuffled_deck
from skat_engine.options import SessionEnd
from skat_server.tables.sources import FreshDeals
from skat_server.tables.state import TableConfig, Visibility
from tests.simulation.habits import KINDS, Habits
from tests.simulation.network import NetworkFaults
from tests.simulation.store import StoreFaults

NAMES: Final = ("ann", "ben", "cem", "dia", "eva")

PRESETS: Final = ("isko", "isko", "proskat_pub", "terse_english_ramsch", "xskat_extras")


@dataclass(frozen=True, slots=True)
class Deaths:
    """How servers end before their time."""

    kills: tuple[float, ...] = ()
    """Moments of SIGKILL, in seconds."""
    freezes: tuple[float, ...] = ()
    """Moments at which a server is frozen, replaced, and later thawed."""
    clock_jumps: tuple[float, ...] = ()
    """Moments at which the wall clock jumps by up to an hour either way."""
    longest_downtime: float = 20.0
    """Seconds until the next one runs."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One run."""

    tables: tuple[TableConfig, ...]
    habits: Mapping[str, Habits]
    """Of every player, by id."""
    places: Mapping[str, Mapping[str, int]]
    """Seat of every player, by table."""
    store: StoreFaults
    network: NetworkFaults
    deaths: Deaths
    calm_at: float
    """Seconds after which nothing goes wrong any more."""


def scenario(seed: int) -> Scenario:
    """Draw a run."""
    chance = random.Random(seed)
    names = NAMES[: chance.choice([3, 3, 3, 4])]
    tables = tuple(
        _table(chance, number, len(names)) for number in range(chance.choice([1, 1, 1, 1, 2]))
    )
    kinds = list(KINDS)
    calm_at = chance.uniform(5.0, 60.0)
    return Scenario(
        tables=tables,
        habits={name: KINDS[chance.choice(kinds)] for name in names},
        places={
            name: {
                table.table_id: (seat + number) % len(names) for number, table in enumerate(tables)
            }
            for seat, name in enumerate(names)
        },
        store=_store_faults(chance),
        network=_network_faults(chance),
        deaths=_deaths(chance, calm_at),
        calm_at=calm_at,
    )


def _places(tables: tuple[TableConfig, ...], seat: int, seats: int) -> dict[str, int]:
    """Another seat at every table."""
    return {table.table_id: (seat + number) % seats for number, table in enumerate(tables)}


def _table(chance: random.Random, number: int, seats: int) -> TableConfig:
    name = chance.choice(PRESETS)
    options: dict[str, OptionValue] = {
        "seats": seats,
        "session_end": SessionEnd.FIXED_DEALS,
        "session_deals": chance.choice([1, 1, 1, 2]),
    }
    return TableConfig(
        table_id=f"table-{number}",
        owner_id="owner",
        display_name="",
        preset=name,
        overrides=tuple((option, option_text(value)) for option, value in options.items()),
        rules=preset(name, options),
        visibility=Visibility.PUBLIC,
        source=FreshDeals(chance.randbytes(32)),
        draw=shuffled_deck(chance.randbytes(32)),
        created_at=0.0,
        request_id=f"request-{number}",
    )


def _store_faults(chance: random.Random) -> StoreFaults:
    return StoreFaults(
        slowest_commit=chance.choice([0.001, 0.003, 0.5]),
        crash_at_commit=0.0,
        fill_up=chance.choice([0.0, 0.0, 0.05]),
        break_down=0.0,
    )


def _network_faults(chance: random.Random) -> NetworkFaults:
    return NetworkFaults(
        slowest=chance.choice([0.002, 0.02, 0.2]),
        cut=chance.choice([0.0, 0.0, 0.02]),
        mute=chance.choice([0.0, 0.0, 0.01]),
    )


def _deaths(chance: random.Random, calm_at: float) -> Deaths:
    def moments(most: int) -> tuple[float, ...]:
        count = chance.randint(0, most)
        return tuple(sorted(chance.uniform(0.0, calm_at) for _ in range(count)))

    return Deaths(clock_jumps=moments(1))
