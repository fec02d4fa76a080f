"""A deal as a state machine: legal and illegal actions in any order, at every phase."""

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from skat_engine import (
    POSITIONS,
    Action,
    Deal,
    Dealt,
    Event,
    IllegalActionError,
    Occasion,
    Phase,
    RuleSet,
    cards_in,
    parse_action,
    points_in,
    project,
)
from skat_engine.cards import CARD_POINTS, FULL_DECK, card_set
from skat_engine.phases import KNOWN_ACTIONS, NEXT_PHASES
from tests.engine.test_properties import snapshot
from tests.strategies import actions, any_rules, deals_dealt, occasions

VIEWERS = (*POSITIONS, None)


class DealMachine(RuleBasedStateMachine):
    """Anybody says anything at any time; what is refused changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.deal: Deal | None = None
        self.taken: list[tuple[int, Action]] = []

    @initialize(rules=any_rules, dealt=deals_dealt, occasion=occasions)
    def start(self, rules: RuleSet, dealt: Dealt, occasion: Occasion) -> None:
        self.begun_with = rules, dealt, occasion
        self.deal = Deal(rules, dealt, occasion)

    def _take(self, position: int, action: Action) -> None:
        assert self.deal is not None
        before = self.deal.phase
        events = self.deal.apply(position, action)
        self.taken.append((position, action))
        assert events
        assert type(action) in KNOWN_ACTIONS[before]
        assert self.deal.phase in NEXT_PHASES[before]
        self._look(events)

    def _look(self, events: list[Event]) -> None:
        """Every event has a view for everybody."""
        for event in events:
            assert all(project(event, viewer) is not None for viewer in VIEWERS)

    @precondition(lambda self: self.deal is not None and not self.deal.is_over)
    @rule(seed=st.integers(0, 2**32))
    def decide(self, seed: int) -> None:
        """Whoever is to act takes one of the options."""
        assert self.deal is not None
        assert self.deal.to_act is not None
        options = self.deal.legal(self.deal.to_act)
        self._take(self.deal.to_act, options[random.Random(seed).randrange(len(options))])

    @precondition(lambda self: self.deal is not None and not self.deal.is_over)
    @rule()
    def let_go_by(self) -> None:
        """Whoever is to act is silent, and the first option is taken for him."""
        assert self.deal is not None
        assert self.deal.to_act is not None
        self._take(self.deal.to_act, self.deal.legal(self.deal.to_act)[0])

    @precondition(lambda self: self.deal is not None and not self.deal.is_over)
    @rule(position=st.sampled_from(POSITIONS), seed=st.integers(0, 2**32))
    def intervene(self, position: int, seed: int) -> None:
        """Somebody says what he may say out of turn, if anything."""
        assert self.deal is not None
        options = self.deal.legal(position)
        if position != self.deal.to_act and options:
            self._take(position, options[random.Random(seed).randrange(len(options))])

    @rule(position=st.sampled_from(POSITIONS), action=actions)
    def blurt(self, position: int, action: Action) -> None:
        """Anything at all: accepted if it is an option, refused without a trace otherwise."""
        assert self.deal is not None
        if action in self.deal.legal(position):
            self._take(position, action)
            return
        before = snapshot(self.deal)
        with pytest.raises(IllegalActionError):
            self.deal.apply(position, action)
        assert snapshot(self.deal) == before

    @rule()
    def replay(self) -> None:
        """The actions alone give the same deal again, also through their text."""
        assert self.deal is not None
        again = Deal(*self.begun_with)
        for position, action in self.taken:
            again.apply(position, parse_action(str(action)))
        assert snapshot(again) == snapshot(self.deal)

    @invariant()
    def all_cards_are_somewhere(self) -> None:
        if self.deal is None:
            return
        deal = self.deal
        played = card_set(card for trick in deal.tricks for card in trick.cards)
        places = [played, card_set(deal.table), *deal.hands, deal.skat]
        assert sum(place.bit_count() for place in places) == 32
        assert sum(places) == FULL_DECK
        assert sum(deal.points) == sum(CARD_POINTS[card] for card in cards_in(played))
        assert sum(deal.tricks_won) == len(deal.tricks)

    @invariant()
    def somebody_has_the_decision(self) -> None:
        if self.deal is None:
            return
        assert (self.deal.to_act is None) is (self.deal.phase is Phase.DEAL_OVER)
        if self.deal.to_act is not None:
            assert len(self.deal.legal(self.deal.to_act)) > 0
        if self.deal.phase is not Phase.PLAY:
            spoken = [who for who in POSITIONS if len(self.deal.legal(who))]
            assert spoken in ([], [self.deal.to_act])

    @invariant()
    def the_result_adds_up(self) -> None:
        if self.deal is None or self.deal.result is None:
            return
        result = self.deal.result
        if result.game is not None:
            assert result.game.declarer_points + result.game.defender_points <= 120
            assert result.scores[result.game.declarer] == result.game.value.score
        if result.ramsch is not None:
            assert points_in(card_set(result.ramsch.skat)) <= 21


TestDealMachine = DealMachine.TestCase
TestDealMachine.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
