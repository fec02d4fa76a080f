"""The end of a deal: its result, whatever led to it."""

from typing import Final

from skat_engine.cards import cards_in
from skat_engine.events import DealEnded
from skat_engine.phases import Phase
from skat_engine.results import DealResult, DeclarerGame, Ending, RamschGame
from skat_engine.state import DealState
from skat_engine.valuation import GameValue, Standing

NOBODY_SCORES: Final = (0, 0, 0)


def close(
    deal: DealState,
    ending: Ending,
    *,
    game: DeclarerGame | None = None,
    ramsch: RamschGame | None = None,
    scores: tuple[int, int, int] = NOBODY_SCORES,
) -> DealEnded:
    """End the deal with this result."""
    deal.phase, deal.to_act = Phase.DEAL_OVER, None
    deal.result = DealResult(
        ending=ending,
        game=game,
        scores=scores,
        tricks=deal.tricks_won,
        dealt=deal.dealt,
        ramsch=ramsch,
    )
    return DealEnded(deal.result)


def end_game(deal: DealState, ending: Ending, standing: Standing, value: GameValue) -> DealEnded:
    """End a declarer game with what it is worth."""
    declarer, contract = deal.game()
    game = DeclarerGame(
        declarer=declarer,
        bid=deal.bid,
        contract=contract,
        discards=cards_in(deal.skat),
        declarer_points=standing.declarer_points,
        defender_points=standing.defender_points,
        value=value,
        doubling=deal.doubling,
        replaces_ramsch=deal.replaces_ramsch,
    )
    score = value.score
    scores = [(score, 0, 0), (0, score, 0), (0, 0, score)][declarer]
    return close(deal, ending, game=game, scores=scores)
