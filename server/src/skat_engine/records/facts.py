"""What a finished deal came to, as named facts: the ``result`` of our own records."""

from skat_engine.cards import cards_text
from skat_engine.records.model import Fact
from skat_engine.results import DealResult, DeclarerGame


def result_facts(result: DealResult) -> dict[str, Fact]:
    """The result under the names that our own records use.

    A deal that was passed in has ``ending``, ``scores`` and ``tricks`` only. Positions are 0
    forehand, 1 middlehand, 2 rearhand.
    """
    facts: dict[str, Fact] = {"ending": result.ending.value}
    if result.game is not None:
        facts |= _game_facts(result.game)
    return facts | {"scores": result.scores, "tricks": result.tricks}


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
