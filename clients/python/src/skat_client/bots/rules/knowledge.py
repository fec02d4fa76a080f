"""What a seat knows when a card is asked of it: its memory of the deal so far."""

from collections.abc import Iterable
from dataclasses import dataclass

from skat_client._models import Card, Contract, ContractKind
from skat_client._sight import DealSight, SeatCard, TableSight
from skat_client.bots.rules.ranking import Group, Ranking, ranking_of

_DECK = frozenset(Card)
_TRICKS = 10


@dataclass(slots=True)
class Knowledge:
    """The deal as one seat sees it before it plays a card."""

    seat: int
    declarer: int
    partner: int | None
    """The other defender; None for the declarer."""
    contract: Contract
    ranking: Ranking
    hand: tuple[Card, ...]
    trick: tuple[SeatCard, ...]
    """The cards on the table."""
    to_come: tuple[int, ...]
    """The seats that play to this trick after this one."""
    unseen: frozenset[Card]
    """The cards that somebody else may hold; the skat is among them unless it is known."""
    voids: dict[int, set[Group]]
    """By seat: groups that it failed to follow."""
    exposed: frozenset[Card] | None
    """The declarer's cards when they lie open."""
    skat_is_known: bool
    declarer_points: int
    """Card points of the declarer's tricks, with discards as far as known."""
    defender_points: int
    tricks_done: int

    @property
    def kind(self) -> ContractKind:
        """What is played."""
        return self.contract.kind

    @property
    def is_declarer(self) -> bool:
        """Whether this seat is the declarer."""
        return self.seat == self.declarer

    @property
    def others(self) -> tuple[int, ...]:
        """The two other players."""
        return tuple(seat for seat in self.voids if seat != self.seat)

    @property
    def best(self) -> SeatCard | None:
        """Who takes the trick as it lies, and with what; None when it is to be led."""
        best: SeatCard | None = None
        for played in self.trick:
            if best is None or self.ranking.beats(played.card, best.card):
                best = played
        return best

    @property
    def points_on_table(self) -> int:
        """Card points of the trick as it lies."""
        return sum(played.card.points for played in self.trick)

    def own(self, group: Group) -> list[Card]:
        """The own cards of a group, the lowest first."""
        return [card for card in self.ranking.members[group] if card in self.hand]

    def out(self, group: Group) -> list[Card]:
        """The cards of a group that others may hold, the lowest first."""
        return [card for card in self.ranking.members[group] if card in self.unseen]

    def is_friend(self, seat: int) -> bool:
        """Whether a seat plays on the same side."""
        return seat in (self.seat, self.partner)

    def cards_left(self, seat: int) -> int:
        """How many cards another seat holds."""
        has_played = any(played.seat == seat for played in self.trick)
        return _TRICKS - self.tricks_done - has_played

    def may_hold(self, seat: int, card: Card) -> bool:
        """Whether another seat may hold a card, by all that was seen."""
        if card not in self.unseen or self.ranking.group(card) in self.voids[seat]:
            return False
        if self.exposed is None:
            return True
        return (card in self.exposed) == (seat == self.declarer)


def knowledge_of(sight: TableSight) -> Knowledge:
    """What the viewer of a table knows before it plays a card."""
    deal = sight.deal
    seat, declarer, contract = sight.seat, deal.declarer, deal.contract
    assert seat is not None
    assert declarer is not None
    assert contract is not None
    ranking = ranking_of(contract.kind)
    seen = {played.card for played in deal.played}
    seen.update(deal.hand, deal.discards)
    return Knowledge(
        seat=seat,
        declarer=declarer,
        partner=sight.partner,
        contract=contract,
        ranking=ranking,
        hand=deal.hand,
        trick=tuple(deal.current_trick),
        to_come=_to_come(deal, seat),
        unseen=_DECK - seen,
        voids=_voids(deal, ranking),
        exposed=frozenset(deal.exposed) if deal.exposed and seat != declarer else None,
        skat_is_known=bool(deal.discards),
        declarer_points=deal.declarer_points + deal.known_discard_points,
        defender_points=deal.defender_points,
        tricks_done=len(deal.tricks),
    )


def _to_come(deal: DealSight, seat: int) -> tuple[int, ...]:
    after = deal.active_seats.index(seat)
    order = deal.active_seats[after + 1 :] + deal.active_seats[:after]
    return order[: 2 - len(deal.current_trick)]


def _voids(deal: DealSight, ranking: Ranking) -> dict[int, set[Group]]:
    voids: dict[int, set[Group]] = {seat: set() for seat in deal.active_seats}
    for trick in deal.tricks:
        _note_voids(trick.cards, ranking, voids)
    _note_voids(deal.current_trick, ranking, voids)
    return voids


def _note_voids(trick: Iterable[SeatCard], ranking: Ranking, voids: dict[int, set[Group]]) -> None:
    led: Group = None
    for index, (seat, card) in enumerate(trick):
        group = ranking.group(card)
        if index == 0:
            led = group
        elif group is not led:
            voids[seat].add(led)
