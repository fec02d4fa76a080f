"""Tables without a wire: made, filled and played in a line or two."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from skat_engine import Action, Card, Dealt, OptionValue, Seat, option_text, parse_action
from skat_engine import preset as rules_of
from skat_server.clock import ManualClock
from skat_server.errors import Reason, RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Store
from skat_server.tables.sources import ListedDeals, SeededDeals
from skat_server.tables.state import Occupant, OpenDecision, TableConfig, Visibility
from skat_server.tables.table import Table
from tests.builders import dealt

NAMES = ("ann", "ben", "cem", "dia", "eva")

MIXED = dealt(
    "CJ HJ CA CT CK S7 S8 H7 D8 D9",
    "SJ CQ C9 SA ST S9 HA HT DA DT",
    "DJ C8 C7 SK SQ HK HQ H9 DK DQ",
    "H8 D7",
)
"""Everybody holds every suit; forehand can play Clubs."""

TO_PLAY = "18 hold pass pass take C.H8.D7"
"""In `MIXED`: forehand is declarer in Clubs and is to lead."""


def config(  # noqa: PLR0913  # a config is wide
    deals: Sequence[Dealt] | None = (MIXED,),
    *,
    table_id: str = "table-1",
    owner: str = "owner",
    visibility: Visibility = Visibility.PUBLIC,
    seed: int = 0,
    preset: str = "isko",
    draw: tuple[Card, ...] = (),
    request_id: str = "",
    options: Mapping[str, OptionValue] | None = None,
) -> TableConfig:
    """The fixed part of a table with these deals, or with seeded ones (None)."""
    options = dict(options or {})
    if deals is not None:
        options.setdefault("session_deals", len(deals))
    return TableConfig(
        table_id=table_id,
        owner_id=owner,
        display_name="",
        preset=preset,
        overrides=tuple((name, option_text(value)) for name, value in options.items()),
        rules=rules_of(preset, options),
        visibility=visibility,
        source=SeededDeals(bytes([seed]) * 32) if deals is None else ListedDeals(deals),
        draw=draw,
        created_at=0.0,
        request_id=request_id,
    )


class Outcomes(list[RefusedError | None]):
    """Told what became of commands; None for a success."""

    def __call__(self, outcome: RefusedError | None) -> None:
        """Take note."""
        self.append(outcome)

    @property
    def reasons(self) -> list[Reason | None]:
        """The reasons, None for a success."""
        return [None if outcome is None else outcome.reason for outcome in self]


def succeeded(outcome: RefusedError | None) -> None:
    """For commands that must not be refused."""
    if outcome is not None:
        raise outcome


def occupant(name: str) -> Occupant:
    """Somebody with a name."""
    return Occupant(f"player-{name}", name)


def new_table(
    deals: Sequence[Dealt] | None = (MIXED,),
    *,
    store: Store | None = None,
    clock: ManualClock | None = None,
    preset: str = "isko",
    **options: OptionValue,
) -> Table:
    """A durable table with free seats."""
    fixed = config(deals, preset=preset, options=options)
    table = Table(fixed, store or MemoryStore(), clock or ManualClock())
    table.open(succeeded)
    return table


def full_table(
    deals: Sequence[Dealt] | None = (MIXED,),
    *,
    store: Store | None = None,
    clock: ManualClock | None = None,
    preset: str = "isko",
    **options: OptionValue,
) -> Table:
    """A durable table at which the first deal has begun."""
    table = new_table(deals, store=store, clock=clock, preset=preset, **options)
    _take_seats(table)
    return table


def fill(table: Table) -> None:
    """Open a table and take all its seats."""
    table.open(succeeded)
    _take_seats(table)


def _take_seats(table: Table) -> None:
    """Everybody sits down whose seat no house bot has, and has a session that never stalls."""
    for seat in [seat for seat, one in enumerate(table.state.occupants) if one is None]:
        player = occupant(NAMES[seat])
        table.sit(player, seat, succeeded)
        table.came(player.player_id, always_heard)


def always_heard() -> float:
    """Of a session that gives signs of life at any moment."""
    return math.inf


def open_question(table: Table) -> OpenDecision:
    """The open decision, which there must be."""
    assert table.decision is not None
    return table.decision


def answer(table: Table, action: Action | str) -> tuple[Seat, str, Action]:
    """Answer the open decision; returns what was answered, to be sent again."""
    decision = open_question(table)
    said = parse_action(action) if isinstance(action, str) else action
    table.answer(decision.seat, decision.turn_id, said, succeeded)
    return decision.seat, decision.turn_id, said


def play(table: Table, moves: str) -> None:
    """Let whoever is asked do this, move by move."""
    for move in moves.split():
        answer(table, move)


def play_on(table: Table, chance: random.Random | None = None) -> None:
    """Answer everything, with the first option or by chance, until the table is over."""
    while table.decision is not None:
        options = table.decision.options
        pick = chance.randrange(min(len(options), 12)) if chance else 0
        answer(table, options[pick])
