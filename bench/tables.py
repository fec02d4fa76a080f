"""Tables in this process, without a server, played by chance."""

import random
from collections.abc import Sequence
from typing import Final

from skat_engine import Action, Bid, GiveUp, Hold, LayOpen, preset
from skat_engine.options import SessionEnd
from skat_server.clock import Clock
from skat_server.errors import RefusedError
from skat_server.storage.protocols import Store
from skat_server.tables.sources import FreshDeals
from skat_server.tables.state import Occupant, TableConfig, Visibility
from skat_server.tables.table import Table

NAMES: Final = ("ann", "ben", "cem")
_BIDS: Final = 0.6
"""How often a player bids or holds instead of passing."""
_RULES: Final = preset("isko", {"session_end": SessionEnd.OPEN})


def succeeded(refusal: RefusedError | None) -> None:
    """For commands that must not be refused."""
    if refusal is not None:
        raise refusal


def seated_table(table_id: str, store: Store, clock: Clock, chance: random.Random) -> Table:
    """A table with three players, whose first deal has begun."""
    table = Table(_config(table_id, chance), store, clock)
    table.open(succeeded)
    for seat, name in enumerate(NAMES):
        table.sit(Occupant(f"{table_id}-{name}", name), seat, succeeded)
    return table


def _config(table_id: str, chance: random.Random) -> TableConfig:
    return TableConfig(
        table_id=table_id,
        owner_id="owner",
        display_name="",
        preset="isko",
        overrides=(("session_end", "open"),),
        rules=_RULES,
        visibility=Visibility.PUBLIC,
        source=FreshDeals(chance.randbytes(32)),
        draw=(),
        created_at=0.0,
    )


def answer(table: Table, chance: random.Random) -> None:
    """Answer the open decision by chance."""
    decision = table.decision
    assert decision is not None
    action = pick(decision.options, chance)
    table.answer(decision.seat, decision.turn_id, action, succeeded)


def pick(options: Sequence[Action], chance: random.Random) -> Action:
    """One of the plainer answers, none that ends the deal early."""
    first = options[0]
    spoken = [one for one in options[:2] if isinstance(one, Bid | Hold)]
    if spoken:
        return spoken[0] if chance.random() < _BIDS else first
    plain = [one for one in options[:12] if not isinstance(one, GiveUp | LayOpen)]
    return plain[chance.randrange(len(plain))]


def play(table: Table, deals: int, actions: int, chance: random.Random) -> None:
    """Play so many deals, and so many actions of one more that has as many."""
    while table.state.series.deals_done < deals or len(table.state.actions) < actions:
        answer(table, chance)
