"""Bots of the server's own, which fill seats and stand in for players."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from skat_engine.actions import Action, Bid, Hold, Pass, PlayCard
from skat_engine.phases import Phase

Chance = Callable[[int], bytes]
"""Gives so many unpredictable bytes."""


class HouseBot(Enum):
    """How a house bot plays."""

    FIRST_OPTION = "first_option"
    """Takes the plainest answer: passes, declines, plays its lowest legal card."""
    RANDOM = "random"
    """Takes any legal answer by chance, and seldom bids high."""


_AUCTION: Final = frozenset({Phase.BIDDING, Phase.FOREHAND_OPTION})
_CHANCE_BYTES: Final = 8
_PASSES: Final = (2, 3)
"""How often it passes rather than bids, each time it is asked: so it seldom gets far."""


def house_answer(bot: HouseBot, phase: Phase, options: Sequence[Action], chance: Chance) -> Action:
    """What a house bot answers.

    Args:
        bot: how it plays.
        phase: where the deal stands.
        options: what may be answered, the plainest first, at least one.
        chance: asked by bots that play by chance only.
    """
    if bot is HouseBot.FIRST_OPTION:
        return options[0]
    if phase in _AUCTION:
        return _spoken(options, chance)
    if phase is Phase.PLAY:
        return _pick([option for option in options if isinstance(option, PlayCard)], chance)
    return _pick(options, chance)


def _spoken(options: Sequence[Action], chance: Chance) -> Action:
    """Pass mostly, else hold or name the lowest number."""
    passes, of = _PASSES
    spoken = [option for option in options if isinstance(option, Hold | Bid)]
    silent = [option for option in options if isinstance(option, Pass)]
    if not spoken or (silent and _below(of, chance) < passes):
        return silent[0]
    return spoken[0]


def _pick(options: Sequence[Action], chance: Chance) -> Action:
    return options[_below(len(options), chance)]


def _below(bound: int, chance: Chance) -> int:
    return int.from_bytes(chance(_CHANCE_BYTES)) % bound
