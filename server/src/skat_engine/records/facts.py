"""What a finished deal came to, as named facts: the ``result`` of our own records, both ways."""

from typing import Final

from skat_engine.cards import Card, cards_text, parse_cards
from skat_engine.contracts import Level, parse_contract
from skat_engine.errors import NotationError
from skat_engine.records.model import Fact
from skat_engine.records.rows import Row
from skat_engine.results import DealResult, Dealt, DeclarerGame, Ending, RamschGame
from skat_engine.seats import POSITIONS, Position
from skat_engine.valuation import NO_DOUBLING, Doubling, GameValue

SINCE_VERSION_2: Final = frozenset({"kontra", "card_points"})
"""Facts that only records of version 2 have, one of each kind of deal that needs it."""

_MOST: Final = 2**53 - 1
"""What every reader of JSON can hold."""
_LEVELS: Final = {level.name.lower(): level for level in Level}


def result_facts(result: DealResult) -> dict[str, Fact]:
    """The result under the names that our own records use.

    A deal without a game has ``ending``, ``scores`` and ``tricks`` only. Positions are 0
    forehand, 1 middlehand, 2 rearhand.
    """
    facts: dict[str, Fact] = {"ending": result.ending.value}
    if result.game is not None:
        facts |= _game_facts(result.game)
        facts |= _doubling_facts(result.game)
    if result.ramsch is not None:
        facts |= _ramsch_facts(result.ramsch)
    facts |= {"scores": result.scores, "tricks": result.tricks}
    return facts


def result_of(facts: Row, dealt: Dealt) -> DealResult:
    """The result that has these facts, the inverse of `result_facts`.

    Args:
        facts: by name.
        dealt: the cards, which no fact repeats.

    Raises:
        NotationError: a fact is missing or not of its kind.
    """
    return DealResult(
        ending=_ending(facts.text("ending")),
        game=_game(facts) if "declarer" in facts else None,
        scores=_three(facts, "scores"),
        tricks=_three(facts, "tricks"),
        dealt=dealt,
        ramsch=_ramsch(facts) if "card_points" in facts else None,
    )


def _game(facts: Row) -> DeclarerGame:
    return DeclarerGame(
        declarer=_position(facts, "declarer"),
        bid=_number(facts, "bid"),
        contract=parse_contract(facts.text("contract")),
        discards=_cards(facts, "discards"),
        declarer_points=_number(facts, "declarer_points"),
        defender_points=_number(facts, "defender_points"),
        value=_value(facts),
        doubling=_doubling(facts),
        replaces_ramsch="replaces_ramsch" in facts and facts.flag("replaces_ramsch"),
    )


def _value(facts: Row) -> GameValue:
    return GameValue(
        base=_number(facts, "base"),
        matadors=_number(facts, "matadors"),
        level=_level(facts.text("level")),
        multiplier=_number(facts, "multiplier"),
        raw=_number(facts, "raw"),
        overbid=facts.flag("overbid"),
        won=facts.flag("won"),
        value=_number(facts, "value"),
        score=_number(facts, "score"),
    )


def _doubling(facts: Row) -> Doubling:
    if "kontra" not in facts:
        return NO_DOUBLING
    try:
        return Doubling(facts.flag("kontra"), facts.flag("re"), facts.flag("bock"))
    except ValueError as error:
        raise NotationError(str(error)) from None


def _ramsch(facts: Row) -> RamschGame:
    taker = facts.value("durchmarsch")
    return RamschGame(
        points=_three(facts, "card_points"),
        looked=facts.numbers("looked", least=0, most=POSITIONS[-1]),
        untouched=_number(facts, "untouched"),
        knocked=facts.flag("knocked"),
        durchmarsch=None if taker is None else _position(facts, "durchmarsch"),
        skat=_cards(facts, "skat"),
    )


def _number(facts: Row, name: str) -> int:
    return facts.number(name, least=-_MOST, most=_MOST)


def _three(facts: Row, name: str) -> tuple[int, int, int]:
    numbers = facts.numbers(name, least=-_MOST, most=_MOST)
    try:
        first, second, third = numbers
    except ValueError:
        raise NotationError(f"field {name} is not three numbers") from None
    return first, second, third


def _position(facts: Row, name: str) -> Position:
    return facts.number(name, least=0, most=POSITIONS[-1])


def _cards(facts: Row, name: str) -> tuple[Card, ...]:
    return parse_cards(facts.text(name))


def _ending(text: str) -> Ending:
    try:
        return Ending(text)
    except ValueError:
        raise NotationError("field ending is none that we know") from None


def _level(text: str) -> Level:
    if text not in _LEVELS:
        raise NotationError("field level is none that we know")
    return _LEVELS[text]


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
