"""What is true of a deal at one moment: the slots that legality reads and `Deal` changes."""

from dataclasses import dataclass
from typing import Self

from skat_engine.bidding import Auction
from skat_engine.cards import Card, CardSet, points_in
from skat_engine.contracts import CardOrder, Contract, Level
from skat_engine.events import ProposalKind
from skat_engine.phases import Phase
from skat_engine.results import DealResult, Dealt
from skat_engine.ruleset import RuleSet, require_playable
from skat_engine.seats import FOREHAND, Position
from skat_engine.tricks import Trick
from skat_engine.valuation import Standing, matadors


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open proposal to end the deal here (section 15)."""

    kind: ProposalKind
    proposer: Position
    level: Level
    waiting: tuple[Position, ...]
    """Who is still to be asked, in order; the first has the open decision."""


class DealState:
    """The state of one deal.

    Attributes:
        rules: the rule set, frozen.
        dealt: the cards as dealt.
        phase: where the deal stands.
        to_act: the position with the open decision; None when the deal is over.
        hands: the cards each position holds now.
        skat: the two cards in the skat: as dealt, or the declarer's discards; empty while
            the declarer holds twelve cards.
        auction: the bidding so far; final once `bid` is set.
        declarer: position of the declarer once the auction is won.
        bid: the number the declarer must reach; 0 before.
        contract: the announced game.
        order: ranking tables of that game.
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
        "exposed",
        "hands",
        "leader",
        "order",
        "phase",
        "points",
        "proposal",
        "result",
        "rules",
        "skat",
        "table",
        "to_act",
        "tricks",
        "tricks_won",
    )

    def __init__(self, rules: RuleSet, dealt: Dealt) -> None:
        """Lay the cards out and open the bidding.

        Raises:
            RuleSetError: the rule set asks for something the engine cannot play.
        """
        require_playable(rules)
        self.rules = rules
        self.dealt = dealt
        self.phase = Phase.BIDDING
        self.hands: list[CardSet] = list(dealt.hands)
        self.skat = dealt.skat
        self.auction = Auction()
        self.to_act: Position | None = self.auction.to_act
        self.declarer: Position | None = None
        self.bid = 0
        self.contract: Contract | None = None
        self.order: CardOrder | None = None
        self.table: tuple[Card, ...] = ()
        self.leader: Position = FOREHAND
        self.tricks: tuple[Trick, ...] = ()
        self.points = [0, 0, 0]
        self.tricks_won = [0, 0, 0]
        self.exposed = False
        self.proposal: Proposal | None = None
        self.asked_at = [-1, -1, -1]
        self.claimed = False
        self.result: DealResult | None = None

    def copy(self) -> Self:
        """An independent deal in the same state; what is frozen is shared."""
        twin = object.__new__(type(self))
        twin.rules, twin.dealt = self.rules, self.dealt
        twin.phase, twin.to_act = self.phase, self.to_act
        twin.hands, twin.skat = self.hands.copy(), self.skat
        twin.auction = self.auction if self.bid else self.auction.copy()
        twin.declarer, twin.bid = self.declarer, self.bid
        twin.contract, twin.order = self.contract, self.order
        twin.table, twin.leader = self.table, self.leader
        twin.tricks, twin.tricks_won = self.tricks, self.tricks_won.copy()
        twin.points, twin.exposed = self.points.copy(), self.exposed
        twin.proposal, twin.claimed = self.proposal, self.claimed
        twin.asked_at, twin.result = self.asked_at.copy(), self.result
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

    def standing(self) -> Standing:
        """Points, tricks and matadors of the game under way, as they are now.

        Valid from the announcement on.
        """
        declarer, contract = self.game()
        tricks, points = self.tricks_won[declarer], self.points[declarer]
        return Standing(
            contract=contract,
            bid=self.bid,
            matadors=0 if contract.is_null else self._matadors(declarer, contract),
            declarer_points=points + points_in(self.skat),
            defender_points=sum(self.points) - points,
            declarer_tricks=tricks,
            defender_tricks=len(self.tricks) - tricks,
        )

    def _matadors(self, declarer: Position, contract: Contract) -> int:
        """Counted on the twelve cards dealt to the declarer, skat included (R-SKAT-1)."""
        own = CardSet(self.dealt.hands[declarer] | self.dealt.skat)
        return matadors(contract.kind, own, self.rules.matador_limit)
