"""What is played in a run and what goes wrong in it, all drawn from its seed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skat_engine import OptionValue, option_text, preset, shuffled_deck
from skat_engine.options import SessionEnd
from skat_server.storage.protocols import Durability
from skat_server.tables.clocks import DEFAULT_CLOCK, ClockPolicy
from skat_server.tables.faults import DEFAULT_FAULTS, FaultConsequence, FaultPolicy
from skat_server.tables.house import HouseBot
from skat_server.tables.sources import FreshDeals
from skat_server.tables.state import TableConfig, Visibility, house_on_top
from tests.simulation.habits import KINDS, Habits
from tests.simulation.network import NetworkFaults
from tests.simulation.store import StoreFaults

NAMES: Final = ("ann", "ben", "cem", "dia", "eva")

PRESETS: Final = ("isko", "isko", "proskat_pub", "terse_english_ramsch", "xskat_extras")

CLOCKS: Final = (
    DEFAULT_CLOCK,
    ClockPolicy(decision_ms=1_000, bank_ms=3_000, increment_ms=100, grace_ms=2_000),
    ClockPolicy(decision_ms=5_000, bank_ms=0, increment_ms=0, grace_ms=20_000),
    ClockPolicy(decision_ms=0, bank_ms=20_000, increment_ms=500, grace_ms=0),
)

FAULTS: Final = (
    DEFAULT_FAULTS,
    DEFAULT_FAULTS,
    FaultPolicy(0, 0, FaultConsequence.HOUSE_PLAYS),
    FaultPolicy(2, 1, FaultConsequence.FORFEIT),
    FaultPolicy(1, 0, FaultConsequence.NONE),
)

HOUSES: Final[tuple[tuple[HouseBot, ...], ...]] = (
    (),
    (),
    (),
    (HouseBot.RANDOM,),
    (HouseBot.FIRST_OPTION, HouseBot.RANDOM),
)


@dataclass(frozen=True, slots=True)
class Moments:
    """When something happens that nobody at the table has asked for, in seconds."""

    kills: tuple[float, ...] = ()
    """SIGKILL of the server."""
    freezes: tuple[float, ...] = ()
    """A server is frozen, replaced, and later thawed."""
    clock_jumps: tuple[float, ...] = ()
    """The wall clock jumps by up to an hour either way."""
    orders: tuple[float, ...] = ()
    """The operator voids a deal, lets a seat forfeit or closes a table."""
    longest_downtime: float = 20.0
    """Until the next server runs."""


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
    moments: Moments
    is_watched: bool
    """A spectator sits beside every table."""
    calm_at: float
    """Seconds after which nothing goes wrong any more."""


def scenario(seed: int) -> Scenario:
    """Draw a run."""
    chance = random.Random(seed)
    seats, house = chance.choice([3, 3, 3, 4]), chance.choice(HOUSES)
    names = NAMES[: seats - len(house)]
    count = chance.choice([1, 1, 1, 1, 1, 2])
    tables = tuple(_table(chance, number, seats, house) for number in range(count))
    calm_at = chance.uniform(5.0, 60.0)
    kinds = list(KINDS)
    return Scenario(
        tables=tables,
        habits={name: KINDS[chance.choice(kinds)] for name in names},
        places={name: _places(tables, seat, len(names)) for seat, name in enumerate(names)},
        store=_store_faults(chance),
        network=_network_faults(chance),
        moments=_moments(chance, calm_at),
        is_watched=chance.random() < 0.5,
        calm_at=calm_at,
    )


def _places(tables: tuple[TableConfig, ...], seat: int, seats: int) -> dict[str, int]:
    """Another seat at every table."""
    return {table.table_id: (seat + number) % seats for number, table in enumerate(tables)}


def _table(
    chance: random.Random, number: int, seats: int, house: tuple[HouseBot, ...]
) -> TableConfig:
    name = chance.choice(PRESETS)
    options: dict[str, OptionValue] = {
        "seats": seats,
        "session_end": chance.choice([*(SessionEnd.FIXED_DEALS,) * 12, SessionEnd.OPEN]),
        "session_deals": chance.choice([1, 1, 1, 1, 1, 1, 2, 2, 4]),
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
        clock=chance.choice(CLOCKS),
        faults=chance.choice(FAULTS),
        seated=house_on_top(house, seats),
        request_id=f"request-{number}",
    )


def _store_faults(chance: random.Random) -> StoreFaults:
    return StoreFaults(
        slowest_commit=chance.choice([0.001, 0.003, 0.5]),
        crash_at_commit=chance.choice([0.0, 0.0, 0.05]),
        fill_up=chance.choice([0.0, 0.0, 0.1]),
        break_down=chance.choice([0.0, 0.0, 0.02]),
        durability=chance.choice([*(Durability.ACTION,) * 7, Durability.DEAL]),
    )


def _network_faults(chance: random.Random) -> NetworkFaults:
    return NetworkFaults(
        slowest=chance.choice([0.002, 0.02, 0.2]),
        cut=chance.choice([0.0, 0.0, 0.02]),
        mute=chance.choice([0.0, 0.0, 0.01]),
    )


def _moments(chance: random.Random, calm_at: float) -> Moments:
    def some(most: int) -> tuple[float, ...]:
        count = chance.randint(0, most)
        return tuple(sorted(chance.uniform(0.0, calm_at) for _ in range(count)))

    return Moments(
        kills=some(3),
        freezes=some(1),
        clock_jumps=some(1),
        orders=some(chance.choice([0, 0, 1])),
        longest_downtime=chance.choice([0.1, 5.0, 20.0]),
    )
