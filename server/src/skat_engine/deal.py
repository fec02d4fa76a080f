"""One deal, from the cards to the result.

`Deal` is small, slotted and mutable. `apply` validates first and changes afterwards, so a
refused action changes nothing; `copy` is cheap, so that bots and solvers can search.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, assert_never

from skat_engine import legality, shortening, valuation
from skat_engine.actions import (
    Action,
    Announce,
    Bid,
    GiveUp,
    Hold,
    LayOpen,
    Pass,
    PlayCard,
    PlayHand,
    TakeSkat,
    Vote,
)
from skat_engine.cards import EMPTY, Card, CardSet, card_set, cards_in
from skat_engine.contracts import Level, order_of
from skat_engine.events import (
    CARDS_PLAYED,
    AuctionWon,
    BidHeld,
    BidMade,
    CardPlayed,
    CardsDealt,
    ContractAnnounced,
    DealEnded,
    Event,
    HandChosen,
    HandExposed,
    Passed,
    ProposalDeclined,
    ProposalKind,
    ShorteningProposed,
    SkatTaken,
    TrickTaken,
    VoteCast,
)
from skat_engine.phases import Phase
from skat_engine.results import DealResult, DeclarerGame, Ending
from skat_engine.seats import FOREHAND, Position
from skat_engine.state import DealState, Proposal
from skat_engine.tricks import complete_trick
from skat_engine.valuation import GameValue, Standing

_FOREHAND_OPTION: Final = Phase.FOREHAND_OPTION

TRICKS: Final = 10
"""Tricks of a deal (R-PLAY-1)."""
TRICK_CARDS: Final = 3
FREE_GIVE_UP_CARDS: Final = 9
"""With this many cards in hand the declarer gives up without asking (R-END-1)."""


class Deal(DealState):
    """The state of one deal and its only way forward, `apply`."""

    __slots__ = ()

    def opening(self) -> CardsDealt:
        """The event that precedes every action."""
        return CardsDealt(self.dealt)

    def legal(self, position: Position) -> Sequence[Action]:
        """What a position may do now: its decision's options, or its interventions.

        Cards come before interventions. Empty when the position has nothing to say.
        """
        return legality.legal_actions(self, position)

    def apply(self, position: Position, action: Action) -> list[Event]:
        """Take one action and return what follows from it.

        Raises:
            IllegalActionError: the action may not be taken now; nothing has changed.
        """
        if not legality.is_legal(self, position, action):
            raise legality.explain(self, position, action)
        return _TRANSITIONS[type(action)](self, position, action)

    # Bidding

    def _bid(self, position: Position, action: Bid) -> list[Event]:
        made = BidMade(position, action.value)
        if self.phase is _FOREHAND_OPTION:
            self.auction.take(action.value)
            return [made, self._win_auction(position)]
        self.auction.bid(action.value)
        self.to_act = self.auction.to_act
        return [made]

    def _hold(self, position: Position, _action: Hold) -> list[Event]:
        self.auction.hold()
        self.to_act = self.auction.to_act
        return [BidHeld(position, self.auction.high)]

    def _pass(self, position: Position, _action: Pass) -> list[Event]:
        passed = Passed(position)
        if self.phase is _FOREHAND_OPTION:
            return [passed, self._pass_in()]
        self.auction.drop()
        survivor = self.auction.survivor
        if survivor is None:
            self.to_act = self.auction.to_act
            return [passed]
        if self.auction.high:
            return [passed, self._win_auction(survivor)]
        self.phase, self.to_act = Phase.FOREHAND_OPTION, survivor
        return [passed]

    def _win_auction(self, declarer: Position) -> AuctionWon:
        self.declarer, self.bid = declarer, self.auction.high
        self.phase, self.to_act = Phase.SKAT_DECISION, declarer
        return AuctionWon(declarer, self.bid)

    # Skat and announcement

    def _take_skat(self, position: Position, _action: TakeSkat) -> list[Event]:
        taken = self.skat
        self.hands[position] = CardSet(self.hands[position] | taken)
        self.skat = EMPTY
        self.phase = Phase.ANNOUNCE
        return [SkatTaken(position, cards_in(taken))]

    def _play_hand(self, position: Position, _action: PlayHand) -> list[Event]:
        self.phase = Phase.ANNOUNCE
        return [HandChosen(position)]

    def _announce(self, position: Position, action: Announce) -> list[Event]:
        if action.discards:
            self.skat = card_set(action.discards)
            self.hands[position] = CardSet(self.hands[position] & ~self.skat)
        self.contract = action.contract
        self.order = order_of(action.contract.kind)
        self.phase, self.to_act = Phase.PLAY, FOREHAND  # whoever is declarer (R-PLAY-1)
        announced = ContractAnnounced(position, action.contract, action.discards)
        if not action.contract.ouvert:
            return [announced]
        self.exposed = True
        return [announced, HandExposed(position, self.hands[position])]

    # Play

    def _play_card(self, position: Position, action: PlayCard) -> list[Event]:
        card = action.card
        self.hands[position] = CardSet(self.hands[position] & ~(1 << card))
        table = self.table = (*self.table, card)
        played = CARDS_PLAYED[position][card]
        if len(table) < TRICK_CARDS:
            self.to_act = (position + 1) % 3
            return [played]
        return self._take_trick(played, table)

    def _take_trick(self, played: CardPlayed, cards: tuple[Card, ...]) -> list[Event]:
        assert self.order is not None
        first, second, third = cards
        trick = complete_trick(self.leader, (first, second, third), self.order)
        winner = trick.winner
        self.table = ()
        self.tricks += (trick,)
        self.leader = self.to_act = winner
        self.points[winner] += trick.points
        self.tricks_won[winner] += 1
        ending = self._ending_by_play(winner)
        if ending is None:
            return [played, TrickTaken(trick)]
        standing = self.standing()
        value = valuation.played_out(standing, self.rules)
        return [played, TrickTaken(trick), self._end(ending, standing, value)]

    def _ending_by_play(self, winner: Position) -> Ending | None:
        """Whether the trick just completed was the last, also of a lost Null (R-NULL-1)."""
        declarer, contract = self.game()
        if winner == declarer and contract.is_null and self.rules.null_ends_at_first_trick:
            return Ending.NULL_LOST
        return Ending.PLAYED_OUT if len(self.tricks) == TRICKS else None

    # Shortening

    def _give_up(self, position: Position, _action: GiveUp) -> list[Event]:
        declarer, _ = self.game()
        self.asked_at[position] = len(self.tricks)
        if position != declarer:
            if self.rules.give_up_declarer_may_play_on:
                return self._propose(ProposalKind.DEFENDERS_GIVE_UP, position, (declarer,))
            return [self._shorten(ProposalKind.DEFENDERS_GIVE_UP, Level.SIMPLE)]
        if self.hands[declarer].bit_count() >= FREE_GIVE_UP_CARDS:
            return [self._shorten(ProposalKind.DECLARER_GIVES_UP, Level.SIMPLE)]
        return self._propose(ProposalKind.DECLARER_GIVES_UP, position, _others(position))

    def _lay_open(self, position: Position, action: LayOpen) -> list[Event]:
        self.claimed = self.exposed = True
        exposed = HandExposed(position, self.hands[position])
        proposed = self._propose(
            ProposalKind.CLAIM, position, _others(position), level=action.level
        )
        return [exposed, *proposed]

    def _propose(
        self,
        kind: ProposalKind,
        proposer: Position,
        voters: tuple[Position, ...],
        *,
        level: Level = Level.SIMPLE,
    ) -> list[Event]:
        self.proposal = Proposal(kind, proposer, level, voters)
        self.phase, self.to_act = Phase.SHORTENING_VOTE, voters[0]
        return [ShorteningProposed(proposer, kind, level)]

    def _vote(self, position: Position, action: Vote) -> list[Event]:
        proposal = self.proposal
        assert proposal is not None
        vote = VoteCast(position, action.accept)
        others = proposal.waiting[1:]
        needs_all = proposal.kind is ProposalKind.CLAIM
        if others and action.accept == needs_all:
            self.proposal = Proposal(proposal.kind, proposal.proposer, proposal.level, others)
            self.to_act = others[0]
            return [vote]
        self.proposal = None
        if action.accept:
            return [vote, self._shorten(proposal.kind, proposal.level)]
        self.phase = Phase.PLAY
        self.to_act = (self.leader + len(self.table)) % 3
        return [vote, ProposalDeclined(proposal.kind)]

    def _shorten(self, kind: ProposalKind, level: Level) -> DealEnded:
        standing, rules = self.standing(), self.rules
        match kind:
            case ProposalKind.DECLARER_GIVES_UP:
                value = shortening.declarer_gave_up(standing, rules)
                return self._end(Ending.DECLARER_GAVE_UP, standing, value)
            case ProposalKind.DEFENDERS_GIVE_UP:
                value = shortening.defenders_gave_up(standing, rules)
                return self._end(Ending.DEFENDERS_GAVE_UP, standing, value)
            case ProposalKind.CLAIM:
                value = shortening.claim_accepted(standing, level, rules)
                return self._end(Ending.CLAIM_ACCEPTED, standing, value)
            case _:
                assert_never(kind)

    # The result

    def _pass_in(self) -> DealEnded:
        return self._close(Ending.PASSED_IN, None, (0, 0, 0))

    def _end(self, ending: Ending, standing: Standing, value: GameValue) -> DealEnded:
        game = self._declarer_game(standing, value)
        score = value.score
        scores = [(score, 0, 0), (0, score, 0), (0, 0, score)][game.declarer]
        return self._close(ending, game, scores)

    def _close(
        self, ending: Ending, game: DeclarerGame | None, scores: tuple[int, int, int]
    ) -> DealEnded:
        forehand, middlehand, rearhand = self.tricks_won
        self.phase, self.to_act = Phase.DEAL_OVER, None
        self.result = DealResult(
            ending=ending,
            game=game,
            scores=scores,
            tricks=(forehand, middlehand, rearhand),
            dealt=self.dealt,
        )
        return DealEnded(self.result)

    def _declarer_game(self, standing: Standing, value: GameValue) -> DeclarerGame:
        declarer, contract = self.game()
        return DeclarerGame(
            declarer=declarer,
            bid=self.bid,
            contract=contract,
            discards=cards_in(self.skat),
            declarer_points=standing.declarer_points,
            defender_points=standing.defender_points,
            value=value,
        )


def _others(position: Position) -> tuple[Position, Position]:
    return ((position + 1) % 3, (position + 2) % 3)


_TRANSITIONS: Final[dict[type[Action], Callable[[Deal, Position, Any], list[Event]]]] = {
    Bid: Deal._bid,
    Hold: Deal._hold,
    Pass: Deal._pass,
    TakeSkat: Deal._take_skat,
    PlayHand: Deal._play_hand,
    Announce: Deal._announce,
    PlayCard: Deal._play_card,
    GiveUp: Deal._give_up,
    LayOpen: Deal._lay_open,
    Vote: Deal._vote,
}
