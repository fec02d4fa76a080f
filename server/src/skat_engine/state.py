"""What is true of a deal at one moment: the slots that legality reads and `Deal` changes."""

from dataclasses import dataclass
from typing import Final, Self

from skat_engine.bidding import Auction
from skat_engine.cards import Card, CardSet, points_in
from skat_engine.contracts import CardOrder, Contract, Level, spitze_card
from skat_engine.events import ProposalKind
from skat_engine.occasions import ORDINARY, Occasion
from skat_engine.phases import Phase
from skat_engine.results import DealResult, Dealt
from skat_engine.ruleset import RuleSet
from skat_engine.seats import FOREHAND, Position
from skat_engine.tricks import Trick
from skat_engine.valuation import NO_DOUBLING, Doubling, Standing, matadors

TRICKS: Final = 10
"""Tricks of a deal (R-PLAY-1)."""

_BOCK: Final = Doubling(bock=True)


CONCESSIONS: Final = frozenset({ProposalKind.DEFENDERS_GIVE_UP, ProposalKind.SCHENKEN})
"""Proposals of the defenders to give up."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open proposal to end the deal here (section 15)."""

    kind: ProposalKind
    proposer: Position
    level: Level
    waiting: tuple[Position, ...]
    """Who is still to be asked, in order; the first has the open decision."""

    def is_hidden_from(self, viewer: Position) -> bool:
        """Whether a position may not know that this is asked (R-END-5).

        Of a concession that one defender offers to the other the declarer learns nothing yet.
        """
        among_defenders = self.kind in CONCESSIONS and len(self.waiting) > 1
        return among_defenders and viewer not in (self.proposer, self.waiting[0])


class DealState:
    """The state of one deal.

    Attributes:
        rules: the rule set, frozen.
        dealt: the cards as dealt.
        phase: where the deal stands.
        to_act: the position with the open decision; None when the deal is over.
        occasion: what the deal owes to its place in a series.
        hands: the cards each position holds now.
        skat: the two cards in the skat: as dealt, or what was put down; empty while somebody
            holds twelve cards.
        auction: the bidding so far; final once `bid` is set.
        declarer: position of the declarer once the auction is won.
        bid: the number the declarer must reach; 0 before, and when nobody bid.
        replaces_ramsch: the declarer plays Grand Hand instead of a Ramsch.
        waiting: who is still to be asked before play, in order; the first has the decision.
        looked: the positions that picked the skat of a Ramsch up.
        knocked: somebody doubled the Ramsch.
        contract: the announced game; None in a Ramsch.
        doubling: Kontra, Re and Bock so far.
        may_say_kontra: bit per position that may say Kontra until its first card; 0 where
            Kontra is asked for before the first lead.
        order: ranking tables of the game that is played.
        table: the cards of the trick under way, the leader's first.
        leader: who led, or leads, the trick under way.
        tricks: the completed tricks; players may look at the last one only (R-PLAY-5).
        points: card points of the tricks per position.
        tricks_won: number of tricks per position.
        exposed: the declarer's cards lie open.
        proposal: what is being voted on.
        asked_at: per position the number of completed tricks at its last give-up proposal,
            -1 when it made none: one proposal per trick, so that every deal ends.
        claimed: the declarer has laid open; once per deal.
        must_win_all: the declarer claimed every remaining trick and was not believed (R-END-8).
        schenken_refused: the declarer was given the game in the first trick and plays on.
        result: set when the deal is over.
    """

    __slots__ = (
        "asked_at",
        "auction",
        "bid",
        "claimed",
        "contract",
        "dealt",
        "declarer",
        "doubling",
        "exposed",
        "hands",
        "knocked",
        "leader",
        "looked",
        "may_say_kontra",
        "must_win_all",
        "occasion",
        "order",
        "phase",
        "points",
        "proposal",
        "replaces_ramsch",
        "result",
        "rules",
        "schenken_refused",
        "skat",
        "table",
        "to_act",
        "tricks",
        "tricks_won",
        "waiting",
    )

    def __init__(self, rules: RuleSet, dealt: Dealt, occasion: Occasion = ORDINARY) -> None:
        """Lay the cards out and open the bidding."""
        self.rules = rules
        self.dealt = dealt
        self.occasion = occasion
        self.phase = Phase.BIDDING
        self.hands: list[CardSet] = list(dealt.hands)
        self.skat = dealt.skat
        self.auction = Auction()
        self.to_act: Position | None = self.auction.to_act
        self.declarer: Position | None = None
        self.bid = 0
        self.replaces_ramsch = False
        self.waiting: tuple[Position, ...] = ()
        self.looked: tuple[Position, ...] = ()
        self.knocked = False
        self.contract: Contract | None = None
        self.doubling = _BOCK if occasion.bock else NO_DOUBLING
        self.may_say_kontra = 0
        self.order: CardOrder | None = None
        self.table: tuple[Card, ...] = ()
        self.leader: Position = FOREHAND
        self.tricks: tuple[Trick, ...] = ()
        self.points = self.tricks_won = (0, 0, 0)
        self.exposed = False
        self.proposal: Proposal | None = None
        self.asked_at = (-1, -1, -1)
        self.claimed = False
        self.must_win_all = False
        self.schenken_refused = False
        self.result: DealResult | None = None

    def copy(self) -> Self:
        """An independent deal in the same state; what is frozen is shared."""
        twin = object.__new__(type(self))
        twin.rules, twin.dealt, twin.occasion = self.rules, self.dealt, self.occasion
        twin.phase, twin.to_act, twin.waiting = self.phase, self.to_act, self.waiting
        twin.hands, twin.skat = self.hands.copy(), self.skat
        twin.auction = self.auction if self.order else self.auction.copy()
        twin.declarer, twin.bid = self.declarer, self.bid
        twin.replaces_ramsch, twin.looked = self.replaces_ramsch, self.looked
        twin.knocked, twin.doubling = self.knocked, self.doubling
        twin.contract, twin.order = self.contract, self.order
        twin.may_say_kontra = self.may_say_kontra
        twin.table, twin.leader = self.table, self.leader
        twin.tricks, twin.tricks_won = self.tricks, self.tricks_won
        twin.points, twin.exposed = self.points, self.exposed
        twin.proposal, twin.claimed = self.proposal, self.claimed
        twin.must_win_all, twin.schenken_refused = self.must_win_all, self.schenken_refused
        twin.asked_at, twin.result = self.asked_at, self.result
        return twin

    @property
    def is_over(self) -> bool:
        """Whether the deal has its result."""
        return self.result is not None

    def game(self) -> tuple[Position, Contract]:
        """Declarer and contract, from the announcement on."""
        assert self.declarer is not None
        assert self.contract is not None
        return self.declarer, self.contract

    @property
    def is_schenken_open(self) -> bool:
        """Whether the defenders may give the game away now (section 21): never a Null."""
        in_first_trick = self.rules.schenken_first_trick and not self.tricks
        _, contract = self.game()
        return in_first_trick and not contract.is_null and not self.schenken_refused

    def known_to(self, viewer: Position) -> Self:
        """The deal as a position has to believe it to be (R-END-5).

        This very deal, or, while something is asked of which the position may not know, a copy
        in which nothing is asked.
        """
        if self.proposal is None or not self.proposal.is_hidden_from(viewer):
            return self
        twin = self.copy()
        twin.proposal, twin.phase, twin.to_act = None, Phase.PLAY, twin.turn()
        return twin

    def turn(self) -> Position:
        """Who plays the next card of the trick under way."""
        return (self.leader + len(self.table)) % 3

    def own_cards(self) -> CardSet:
        """The twelve cards dealt to the declarer, skat included (R-SKAT-1)."""
        assert self.declarer is not None
        return CardSet(self.dealt.hands[self.declarer] | self.dealt.skat)

    def standing(self) -> Standing:
        """Points, tricks and matadors of the game under way, as they are now.

        Valid from the announcement on. Spitze counts as made while it still can be.
        """
        declarer, contract = self.game()
        tricks, points = self.tricks_won[declarer], self.points[declarer]
        skat_points = points_in(self.skat)
        return Standing(
            contract=contract,
            bid=self.bid,
            matadors=0 if contract.is_null else self._matadors(contract),
            declarer_points=points + skat_points,
            defender_points=sum(self.points) - points,
            declarer_tricks=tricks,
            defender_tricks=len(self.tricks) - tricks,
            spitze_made=not contract.spitze or self._spitze_in_reach(declarer, contract),
            skat_points=skat_points,
            schenken_refused=self.schenken_refused,
        )

    def _matadors(self, contract: Contract) -> int:
        return matadors(contract.kind, self.own_cards(), self.rules.matador_limit)

    def _spitze_in_reach(self, declarer: Position, contract: Contract) -> bool:
        """Whether the Spitze card has won the tenth trick, or can (R-SPI-1)."""
        card = spitze_card(contract.kind)
        if len(self.tricks) < TRICKS:
            played_last = card in self.table and len(self.tricks) == TRICKS - 1
            return played_last or self.hands[declarer] >> card & 1 == 1
        return self.tricks[-1].winning_card == card
