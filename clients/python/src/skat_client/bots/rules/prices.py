"""What a card brings now and what it is worth later, in card points.

Every playable card has a price: the card points that its trick is expected to bring or to
cost, less what the card would be worth if it were kept. The leads of declarer and defenders
add what a lead is for. The weights were found by playing the bot against itself.
"""

from dataclasses import dataclass

from skat_client._models import Card, Rank
from skat_client.bots.rules.knowledge import Knowledge
from skat_client.bots.rules.odds import Odds
from skat_client.bots.rules.ranking import JACKS


@dataclass(slots=True)
class Weights:
    """Card points."""

    foe_gives: float = 2.0
    """What a foe who plays later adds to a trick of ours."""
    foe_takes: float = 5.0
    """What a foe who plays later adds to a trick of theirs."""
    friend_gives: float = 4.0
    friend_loses: float = 1.5
    trump: float = 3.0
    """A trump kept, beside its points."""
    jack: float = 3.0
    """A jack kept, on top of that."""
    trump_points: float = 0.45
    standing: float = 2.0
    """The highest card of its suit kept, beside its points."""
    standing_points: float = 0.55
    guarded_points: float = 0.35
    bare_points: float = 0.15
    guard: float = 1.0
    """A low card that keeps a higher one from falling."""
    void: float = 1.5
    """To be rid of a suit while holding trumps."""
    draw: float = 3.0
    """A foe's trump drawn."""
    force: float = 2.0
    """The declarer made to spend a trump."""
    long_lead: float = 0.25
    """Each card of the suit that a defender leads."""
    trump_lead: float = 3.0
    """What a defender's trump lead costs."""
    loser: float = -3.0
    """A low card kept: sooner or later it loses a trick."""
    entry: float = 3.0
    """A trump kept when nobody else has one, on top."""
    establish: float = 1.0
    """Each card of a suit that will stand once the higher ones are gone, when leading."""


DECLARER = Weights(
    trump=2.5,
    jack=3.15,
    trump_points=0.45,
    standing=3.0,
    guard=0.25,
    void=1.2,
    entry=7.8,
    bare_points=0.2,
    draw=9.0,
    loser=-4.2,
)
DEFENDER = Weights(
    loser=0.0, guard=1.25,
    jack=4.0,
    standing=0.3,
    trump_points=0.6,
    friend_gives=2.4,
    friend_loses=1.7,
    force=2.4,
    void=2.7,
    foe_gives=2.8,
    long_lead=0.25,
    guarded_points=0.75,
    trump_lead=2.5,
)


def weights_of(known: Knowledge) -> Weights:
    """The weights of the side that a seat is on."""
    return DECLARER if known.is_declarer else DEFENDER


def price(known: Knowledge, odds: Odds, card: Card) -> float:
    """What playing this card now is worth, in card points."""
    return trick_value(known, odds, card) - kept_value(known, card)


def trick_value(known: Knowledge, odds: Odds, card: Card) -> float:
    """Card points that the trick is expected to bring, or to cost."""
    w = weights_of(known)
    chance = odds.trick(card)
    friends = sum(known.is_friend(seat) for seat in known.to_come)
    foes = len(known.to_come) - friends
    sure = known.points_on_table + card.points
    won = sure + foes * w.foe_gives + friends * w.friend_gives
    lost = sure + foes * w.foe_takes + friends * w.friend_loses
    return chance * won - (1.0 - chance) * lost


def kept_value(known: Knowledge, card: Card) -> float:
    """Card points that a card is expected to bring later."""
    w = weights_of(known)
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
