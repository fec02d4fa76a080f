"""What a finished deal came to, as named facts: the ``result`` of our own records."""

from typing import Final

from skat_engine.cards import cards_text
from skat_engine.records.model import Fact
from skat_engine.results import DealResult, DeclarerGame, RamschGame
from skat_engine.valuation import NO_DOUBLING

SINCE_VERSION_2: Final = frozenset({"kontra", "card_points"})
"""Facts that only records of version 2 have, one of each kind of deal that needs it."""


def result_facts(result: DealResult) -> dict[str, Fact]:
    """The result under the names that our own records use.

    A deal without a game has ``ending``, ``scores`` and ``tricks`` only. Positions are 0
    forehand, 1 middlehand, 2 rearhand.
    """
    facts: dict[str, Fact] = {"ending": result.ending.value}
    if result.game is not None:
        facts |= _game_facts(result.game) | _doubling_facts(result.game)
    if result.ramsch is not None:
        facts |= _ramsch_facts(result.ramsch)
    return facts | {"scores": result.scores, "tricks": result.tricks}


def _doubling_facts(game: DeclarerGame) -> dict[str, Fact]:
    """What the game was beside its contract; nothing where it was nothing."""
    doubling = game.doubling
    if doubling == NO_DOUBLING and not game.replaces_ramsch:
        return {}
    return {
        "kontra": doubling.kontra,
        "re": doubling.re,
        "bock": doubling.bock,
        "replaces_ramsch": game.replaces_ramsch,
    }


def _ramsch_facts(ramsch: RamschGame) -> dict[str, Fact]:
    return {
        "card_points": ramsch.points,
        "looked": tuple(sorted(ramsch.looked)),
        "untouched": ramsch.untouched,
        "knocked": ramsch.knocked,
        "durchmarsch": ramsch.durchmarsch,
        "skat": cards_text(ramsch.skat),
    }


def _game_facts(game: DeclarerGame) -> dict[str, Fact]:
    value = game.value
    return {
        "declarer": game.declarer,
        "bid": game.bid,
        "contract": str(game.contract),
        "discards": cards_text(game.discards),
        "declarer_points": game.declarer_points,
        "defender_points": game.defender_points,
        "base": value.base,
        "matadors": value.matadors,
        "level": value.level.name.lower(),
        "multiplier": value.multiplier,
        "raw": value.raw,
        "overbid": value.overbid,
        "won": value.won,
        "value": value.value,
        "score": value.score,
    }
