"""Results of deals that were never played, for tests of what is booked."""

from skat_engine import DealResult, Ending, Position, parse_contract
from skat_engine.contracts import Level
from skat_engine.results import DeclarerGame, RamschGame
from skat_engine.valuation import NO_DOUBLING, Doubling, GameValue
from tests.builders import dealt

_CARDS = dealt()


def declared(
    position: Position,
    score: int,
    *,
    doubling: Doubling = NO_DOUBLING,
    replaces_ramsch: bool = False,
) -> DealResult:
    """A declarer game that brings this position this score."""
    won, size = score > 0, abs(score)
    value = GameValue(size, 1, Level.SIMPLE, 1, size, False, won, size, score)
    contract = parse_contract("GH" if replaces_ramsch else "C")
    game = DeclarerGame(position, 18, contract, (), 0, 0, value, doubling, replaces_ramsch)
    first, second, third = (score if place == position else 0 for place in range(3))
    return DealResult(Ending.PLAYED_OUT, game, (first, second, third), (0, 0, 0), _CARDS)


def ramsch(
    scores: tuple[int, int, int] = (-55, 0, 0),
    points: tuple[int, int, int] = (55, 40, 25),
    tricks: tuple[int, int, int] = (4, 3, 3),
) -> DealResult:
    """A Ramsch with these scores."""
    marcher = tricks.index(10) if 10 in tricks else None
    game = RamschGame(points, (False, False, False), 0, False, marcher, ())
    return DealResult(Ending.RAMSCH_PLAYED, None, scores, tricks, _CARDS, game)
