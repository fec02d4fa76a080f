"""Which game to announce: the one that is expected to bring most."""

from skat_client._models import Announce, AnnounceOptions, Card
from skat_client.bots.rules.discards import best_discards
from skat_client.bots.rules.prospects import by_hand


def announcement(
    options: AnnounceOptions, hand: tuple[Card, ...], *, bid: int, leads: bool
) -> Announce:
    """The announcement, with discards when the skat was taken.

    Args:
        options: what may be announced.
        hand: the own cards, twelve with the skat taken.
        bid: the number to reach.
        leads: whether the declarer is forehand.
    """
    if options.discard_count:
        cards = options.discardable
        found = [best_discards(each, cards, bid=bid, leads=leads) for each in options.contracts]
    else:
        found = [p for p in by_hand(hand, leads=leads) if p.contract in options.contracts]
    best = max(found, key=lambda prospect: prospect.expected(bid))
    return Announce(best.contract, best.discards)
