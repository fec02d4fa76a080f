"""Bots that come with the client: opponents for a first game, and examples to read.

`BOTS` makes each from a seed; the same seed and the same questions give the same answers.
"""

from collections.abc import Callable
from typing import Final

from skat_client.bot import Bot
from skat_client.bots.chaos import ChaosBot
from skat_client.bots.first_option import FirstOptionBot
from skat_client.bots.random_bot import RandomBot
from skat_client.bots.rules import RulesBot

__all__ = ["BOTS", "ChaosBot", "FirstOptionBot", "RandomBot", "RulesBot"]

BOTS: Final[dict[str, Callable[[int], Bot]]] = {
    "random": RandomBot,
    "first-option": lambda _seed: FirstOptionBot(),
    "chaos": ChaosBot,
    "rules": lambda _seed: RulesBot(),
}
"""The bundled bots by name: a seed makes a bot."""
