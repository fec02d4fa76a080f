"""Playing by chance, under every preset."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from skat_arena import ArenaTable
from skat_engine import (
    PRESETS,
    Action,
    Announcements,
    Arrangements,
    Bid,
    GiveUp,
    LayOpen,
    OptionValue,
    RuleSet,
    preset,
)
from skat_engine.options import FirstDealer, SessionEnd

ALL_PRESETS = tuple(PRESETS)
SELDOM = 0.03
"""How often a deal is shortened where it can be; more often hardly any would be played out."""

LOW_NUMBERS = 2
"""Of all that may be named; games that cannot be reached are a dull lot."""


def rules_of(name: str, deals: int, **options: OptionValue) -> RuleSet:
    """A preset whose series has so many deals and is dealt first by seat 0."""
    fixed: dict[str, OptionValue] = {
        "first_dealer": FirstDealer.SEAT_0,
        "session_end": SessionEnd.FIXED_DEALS,
        "session_deals": deals,
    }
    return preset(name, {**fixed, **options})


def pick(legal: Sequence[Action], chance: Random) -> Action:
    """One of the actions; interventions seldom, low numbers, and all others equally often."""
    if isinstance(legal, Announcements | Arrangements):
        return legal[chance.randrange(len(legal))]
    plain = [one for one in legal if not isinstance(one, GiveUp | LayOpen)]
    if isinstance(legal[-1], Bid):
        plain = plain[: 1 + LOW_NUMBERS]  # pass comes first
    if isinstance(legal[-1], GiveUp | LayOpen) and chance.random() < SELDOM:
        return chance.choice(legal)
    return chance.choice(plain)


def play_out(table: ArenaTable, chance: Random) -> None:
    """Play a series to its end."""
    while not table.is_over:
        table.start_deal()
        while table.deal is not None:
            table.act(pick(table.legal, chance))
