"""Counts lines of play by depth: the cheapest way to find a wrong rule.

The numbers of fixed deals are committed under ``tests/engine/perft``.
"""

from skat_engine.actions import PlayCard
from skat_engine.deal import Deal


def perft(deal: Deal, depth: int, *, cards_only: bool = True) -> int:
    """The number of different lines of `depth` actions from here.

    A deal that ends earlier counts as one line.

    Args:
        deal: the starting point; it is not changed.
        depth: actions to take, 0 or more.
        cards_only: leave out giving up and laying open.
    """
    if depth == 0 or deal.is_over:
        return 1
    assert deal.to_act is not None
    actions = deal.legal(deal.to_act)
    if cards_only and any(isinstance(action, PlayCard) for action in actions):
        actions = [action for action in actions if isinstance(action, PlayCard)]
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        branch = deal.copy()
        branch.apply(deal.to_act, action)
        total += perft(branch, depth - 1, cards_only=cards_only)
    return total
