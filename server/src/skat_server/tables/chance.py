"""What a table shows of its chance, and when (`docs/shuffle.md`)."""

from dataclasses import dataclass, field
from typing import Final

from skat_engine.records.model import TableShare
from skat_engine.shuffling import commitment, table_commitment
from skat_server.tables.sources import Dealing, FreshDeals
from skat_server.tables.state import ENDED, TableConfig, TableState


@dataclass(frozen=True, slots=True)
class TableChance:
    """What binds the operator to the cards of a table."""

    commitment: bytes
    """Binds the table's seed, from its first moment on; empty for deals that were given."""
    seed: bytes = field(repr=False)
    """The table's seed; empty until the table is over."""


NO_CHANCE: Final = TableChance(b"", b"")
"""Of tables whose maker knows every card."""


def chance_of(config: TableConfig, state: TableState) -> TableChance:
    """What everybody may know of a table's chance now."""
    source = config.source
    if not isinstance(source, FreshDeals):
        return NO_CHANCE
    bound = table_commitment(source.table_seed, config.table_id)
    return TableChance(bound, source.table_seed if state.stage in ENDED else b"")


def share_in(config: TableConfig, state: TableState) -> TableShare | None:
    """How the seed of the deal under way came about; None where players had no share in it."""
    if state.nonces is None:
        return None
    return TableShare(chance_of(config, state).commitment, state.nonces, state.dealt)


def deal_id(config: TableConfig, deal_number: int) -> str:
    """Names a deal, as its record does."""
    return f"{config.table_id}/{deal_number}"


def bound(config: TableConfig, deal_number: int, dealing: Dealing) -> bytes:
    """What binds a deal to its seed; empty for cards that were given."""
    if dealing.seed is None:
        return b""
    return commitment(dealing.seed, deal_id(config, deal_number))
