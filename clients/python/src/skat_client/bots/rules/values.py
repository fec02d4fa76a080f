"""What a game is worth before it is played: the values that bids are compared with."""

from collections.abc import Collection
from typing import Final

from skat_client._models import Card, Contract, ContractKind, Level
from skat_client.bots.rules.ranking import ranking_of

_NULL_VALUES: Final = {
    (False, False): 23,
    (True, False): 35,
    (False, True): 46,
    (True, True): 59,
}


def matadors(kind: ContractKind, cards: Collection[Card]) -> int:
    """Length of the unbroken row of trumps from the club jack, held or missing."""
    trumps = ranking_of(kind).trumps
    holds_top = trumps[0] in cards
    count = 0
    for trump in trumps:
        if (trump in cards) != holds_top:
            break
        count += 1
    return count


def game_value(contract: Contract, cards: Collection[Card]) -> int:
    """The value of a game that is won with no level but the announced ones.

    Args:
        contract: what is played.
        cards: the declarer's cards, skat or discards included as far as known.
    """
    base = contract.kind.base
    if base is None:
        return _NULL_VALUES[contract.hand, contract.ouvert]
    levels = 1 + contract.hand + contract.ouvert
    # An announced level counts twice: announced and reached.
    levels += 2 * (contract.announced - Level.SIMPLE)
    return base * (matadors(contract.kind, cards) + levels)


def lost_value(contract: Contract, value: int, bid: int) -> int:
    """What a lost game is valued at: one below the bid is rounded up to reach it."""
    base = contract.kind.base
    if base is None or value >= bid:
        return value
    return -(-bid // base) * base
