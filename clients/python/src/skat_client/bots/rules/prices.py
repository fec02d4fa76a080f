"""What a card brings now and what it is worth later, in card points.

Every playable card has a price: the card points that its trick is expected to bring or to
cost, less what the card would be worth if it were kept. The leads of declarer and defenders
add what a lead is for. The weights were found by playing the bot against itself.
"""

from dataclasses import dataclass
from typing import Final

from skat_client._models import Card, Rank
from skat_client.bots.rules.knowledge import Knowledge
from skat_client.bots.rules.odds import Odds
from skat_client.bots.rules.ranking import JACKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What counts how much for one side, in card points."""

    foe_gives: float
    """What a foe who plays later adds to a trick of ours."""
    foe_takes: float
    """What a foe who plays later adds to a trick of theirs."""
    friend_gives: float = 0.0
    """What the partner adds to a trick of ours."""
    friend_loses: float = 0.0
    """What the partner adds to a trick of theirs."""
    trump: float
    """A trump kept."""
    jack: float
    """A jack kept, on top of that."""
    trump_points: float
    """Each card point of a trump kept."""
    entry: float
    """A trump kept when nobody else has one, on top of that."""
    standing: float
    """The highest card of a suit kept."""
    standing_points: float
    """Each card point of such a card."""
    guarded_points: float
    """Each card point of a card with enough others of its suit to wait behind."""
    bare_points: float
    """Each card point of any other card."""
    loser: float
    """Such a card kept; below 0, for sooner or later it loses a trick."""
    guard: float
    """A low card kept that keeps a ten or king from falling."""
    void: float
    """To be rid of the last card of a suit while holding trumps."""


_DECLARER: Final = Weights(
    foe_gives=2.0,
    foe_takes=5.0,
    trump=2.5,
    jack=3.15,
    trump_points=0.45,
    entry=7.8,
    standing=3.0,
    standing_points=0.55,
    guarded_points=0.35,
    bare_points=0.2,
    loser=-4.2,
    guard=0.25,
    void=1.2,
)
_DEFENDER: Final = Weights(
    foe_gives=2.8,
    foe_takes=5.0,
    friend_gives=2.4,
    friend_loses=1.7,
    trump=3.0,
    jack=4.0,
    trump_points=0.6,
    entry=3.0,
    standing=0.3,
    standing_points=0.55,
    guarded_points=0.75,
    bare_points=0.15,
    loser=0.0,
    guard=1.25,
    void=2.7,
)


def price(known: Knowledge, odds: Odds, card: Card) -> float:
    """What playing this card now is worth, in card points."""
    return trick_value(known, odds, card) - kept_value(known, card)


def trick_value(known: Knowledge, odds: Odds, card: Card) -> float:
    """Card points that the trick is expected to bring, or to cost."""
    w = _DECLARER if known.is_declarer else _DEFENDER
    chance = odds.trick(card)
    friends = sum(known.is_friend(seat) for seat in known.to_come)
    foes = len(known.to_come) - friends
    sure = known.points_on_table + card.points
    won = sure + foes * w.foe_gives + friends * w.friend_gives
    lost = sure + foes * w.foe_takes + friends * w.friend_loses
    return chance * won - (1.0 - chance) * lost


def kept_value(known: Knowledge, card: Card) -> float:
    """Card points that a card is expected to bring later."""
    w = _DECLARER if known.is_declarer else _DEFENDER
    group = known.ranking.group(card)
    if group is None:
        jack = w.jack if card in JACKS else 0.0
        entry = w.entry if not known.out(None) else 0.0
        return w.trump + jack + entry + w.trump_points * card.points
    own, out = known.own(group), known.out(group)
    height = known.ranking.height(card)
    above = sum(known.ranking.height(other) > height for other in out)
    if not above:
        value = w.standing + w.standing_points * card.points
    elif len(own) > above:
        value = w.guarded_points * card.points
    else:
        value = w.bare_points * card.points + w.loser
    if card.rank <= Rank.NINE and _guards(known, own, out):
        value += w.guard
    if len(own) == 1 and known.own(None):
        value -= w.void
    return value


def _guards(known: Knowledge, own: list[Card], out: list[Card]) -> bool:
    """Whether a low card protects a ten or king that is not yet the highest."""
    top = own[-1]
    height = known.ranking.height
    above = sum(height(other) > height(top) for other in out)
    return top.points >= Card.CK.points and 0 < above < len(own) <= above + 1
