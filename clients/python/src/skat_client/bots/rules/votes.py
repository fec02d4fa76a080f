"""Whether to agree that the deal ends here."""

from typing import Final, assert_never

from skat_client._models import Card, ContractKind, Level, ProposalKind
from skat_client._sight import TableSight
from skat_client.bots.rules.knowledge import Knowledge, knowledge_of

_WON: Final = 61
_SCHNEIDER: Final = 90
_OPEN_SCHNEIDER: Final = 120 - _SCHNEIDER
"""Defenders with more points are out of Schneider."""
_NEARLY: Final = 75
"""With so many points, Schneider is worth playing on for."""


def accepts(kind: ProposalKind, level: Level, sight: TableSight) -> bool:
    """The answer to a proposal.

    A game given up is taken, except by a declarer who is close to Schneider. A claim is
    agreed to only when it cannot fail: to play on with the declarer's cards open costs nothing.
    A defender who is asked to give up does so only to stay out of Schneider.
    """
    match kind:
        case ProposalKind.DECLARER_GIVES_UP:
            return True
        case ProposalKind.DEFENDERS_GIVE_UP | ProposalKind.SCHENKEN:
            known = knowledge_of(sight)
            return _schneider_is_near(known) != known.is_declarer
        case ProposalKind.ALL_TRICKS:
            return _takes_all(sight)
        case ProposalKind.CLAIM:
            return _holds(level, sight)
        case _:
            assert_never(kind)


def _schneider_is_near(known: Knowledge) -> bool:
    open_still = known.defender_points <= _OPEN_SCHNEIDER
    return (
        known.kind is not ContractKind.NULL
        and open_still
        and _NEARLY <= known.declarer_points < _SCHNEIDER
    )


def _holds(level: Level, sight: TableSight) -> bool:
    """Whether a defender sees that a claim cannot fail."""
    known = knowledge_of(sight)
    leads = not known.trick and _leader(sight) == known.declarer
    if known.kind is ContractKind.NULL:
        return not leads and not known.trick and _is_safe_in_null(known)
    if level is not Level.SCHWARZ:
        needed = _WON if level is Level.SIMPLE else _SCHNEIDER
        if known.declarer_points >= needed:
            return True
        if known.defender_points > 120 - needed:
            return False
    elif any(trick.winner != known.declarer for trick in sight.deal.tricks):
        return False
    return leads and _takes_the_rest(known)


def _takes_all(sight: TableSight) -> bool:
    """Whether a defender sees that every remaining trick is the declarer's."""
    known = knowledge_of(sight)
    leads = not known.trick and _leader(sight) == known.declarer
    return leads and _takes_the_rest(known)


def _leader(sight: TableSight) -> int:
    tricks = sight.deal.tricks
    return tricks[-1].winner if tricks else sight.deal.forehand


def _foreign(known: Knowledge) -> frozenset[Card]:
    """What the defenders may hold, the own cards included."""
    return (known.unseen | frozenset(known.hand)) - (known.exposed or frozenset())


def _takes_the_rest(known: Knowledge) -> bool:
    """Whether a declarer who leads has only cards that nothing beats, trumps first."""
    foreign, open_cards = _foreign(known), known.exposed or frozenset()
    beaten = any(
        known.ranking.group(card) is known.ranking.group(other)
        and known.ranking.height(other) > known.ranking.height(card)
        for card in open_cards
        for other in foreign
    )
    trumps = frozenset(known.ranking.trumps)
    return not beaten and len(trumps & foreign) <= len(trumps & open_cards)


def _is_safe_in_null(known: Knowledge) -> bool:
    """Whether the open hand can duck whatever is led."""
    foreign, height = _foreign(known), known.ranking.height
    for group in known.ranking.members.values():
        own = [card for card in group if known.exposed and card in known.exposed]
        lower = [card for card in group if card in foreign]
        for cover, card in enumerate(own):
            if sum(height(other) < height(card) for other in lower) > cover:
                return False
    return True
