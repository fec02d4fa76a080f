"""Which card to play."""

from skat_client._models import Card, ContractKind
from skat_client._sight import TableSight
from skat_client.bots.rules.declarer import card_of_declarer
from skat_client.bots.rules.defender import card_of_defender
from skat_client.bots.rules.knowledge import knowledge_of
from skat_client.bots.rules.null_play import card_in_null
from skat_client.bots.rules.ramsch import card_in_ramsch


def card_to_play(sight: TableSight, cards: tuple[Card, ...]) -> Card:
    """One of the cards that may be played."""
    if len(cards) == 1:
        return cards[0]
    if sight.deal.declarer is None:
        return card_in_ramsch(sight, cards)
    known = knowledge_of(sight)
    if known.kind is ContractKind.NULL:
        return card_in_null(known, cards)
    return card_of_declarer(known, cards) if known.is_declarer else card_of_defender(known, cards)
