"""The end of a Ramsch: who holds which card points and what that costs (section 16)."""

from skat_engine.cards import cards_in, points_in
from skat_engine.ending import close
from skat_engine.events import DealEnded
from skat_engine.options import RamschSkatExchange, RamschSkatTo
from skat_engine.ramsch import durchmarsch, losers, score_ramsch
from skat_engine.results import Ending, RamschGame
from skat_engine.seats import POSITIONS, Position
from skat_engine.state import DealState


def end_ramsch(deal: DealState) -> DealEnded:
    """End a Ramsch of ten tricks."""
    rules, last = deal.rules, deal.tricks[-1].winner
    tricks = deal.tricks_won
    taken = _with_skat(deal, (last,) if rules.ramsch_skat_to is RamschSkatTo.LAST_TRICK else ())
    untouched = _untouched(deal)
    scores = score_ramsch(
        taken,
        tricks,
        rules=rules,
        looked=deal.looked,
        untouched=untouched,
        bock=deal.occasion.bock,
        knocked=deal.knocked,
        skat_points=points_in(deal.skat),
        last_trick_winner=last,
    )
    to_losers = rules.ramsch_skat_to is RamschSkatTo.LOSER
    game = RamschGame(
        points=_with_skat(deal, losers(taken, rules, last)) if to_losers else taken,
        looked=deal.looked,
        untouched=untouched,
        knocked=deal.knocked,
        durchmarsch=durchmarsch(tricks, rules),
        skat=cards_in(deal.skat),
    )
    return close(deal, Ending.RAMSCH_PLAYED, ramsch=game, scores=scores)


def _with_skat(deal: DealState, getters: tuple[Position, ...]) -> tuple[int, int, int]:
    """Card points of the tricks, those of the skat added for each of these (R-RAM-2)."""
    skat = points_in(deal.skat)
    forehand, middlehand, rearhand = (
        deal.points[position] + skat * (position in getters) for position in POSITIONS
    )
    return (forehand, middlehand, rearhand)


def _untouched(deal: DealState) -> int:
    """How many passed the skat on unseen; without an exchange nobody could (R-RAM-6)."""
    exchanged = deal.rules.ramsch_skat_exchange is RamschSkatExchange.PASS_ALONG
    return len(POSITIONS) - len(deal.looked) if exchanged else 0
