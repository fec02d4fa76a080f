"""The phase machine as a table: every entry is used, and nothing else is possible."""

import random
from itertools import product
from typing import get_args

import pytest
from hypothesis import given

from skat_engine import (
    POSITIONS,
    Action,
    Deal,
    IllegalActionError,
    Phase,
    Refusal,
    deal_from_seed,
    parse_action,
)
from skat_engine.phases import KNOWN_ACTIONS, NEXT_PHASES
from tests.builders import announced, auction, dealt, isko, play
from tests.strategies import Playthrough, play_randomly, playable_rules, playthroughs

SAMPLES = {
    type(action): action
    for action in map(
        parse_action,
        ["18", "hold", "pass", "take", "hand", "CH", "SA", "give-up", "open:simple", "accept"],
    )
}
CARDS = dealt("SA", skat="D7 D8")


def in_phase(phase: Phase) -> Deal:
    deal = Deal(isko(), CARDS)
    match phase:
        case Phase.BIDDING:
            pass
        case Phase.FOREHAND_OPTION:
            play(deal, "1:pass 2:pass")
        case Phase.SKAT_DECISION:
            play(deal, auction(0, 18))
        case Phase.ANNOUNCE:
            play(deal, auction(0, 18) + " hand")
        case Phase.PLAY:
            deal = announced("G", CARDS)
        case Phase.SHORTENING_VOTE:
            deal = announced("G", CARDS)
            play(deal, "1:give-up")
        case Phase.DEAL_OVER:
            play(deal, "1:pass 2:pass 0:pass")
    return deal


STRANGERS = [
    (phase, kind)
    for phase, kind in product(Phase, get_args(Action))
    if kind not in KNOWN_ACTIONS[phase]
]


def test_there_is_a_sample_of_every_action() -> None:
    assert set(SAMPLES) == set(get_args(Action))


@pytest.mark.parametrize("phase", Phase)
def test_both_tables_know_every_phase(phase: Phase) -> None:
    assert phase in KNOWN_ACTIONS
    assert phase in NEXT_PHASES
    assert in_phase(phase).phase is phase


@pytest.mark.parametrize(("phase", "kind"), STRANGERS)
def test_what_the_table_does_not_name_is_refused(phase: Phase, kind: type[Action]) -> None:
    reason = Refusal.DEAL_OVER if phase is Phase.DEAL_OVER else Refusal.WRONG_PHASE
    for position in POSITIONS:
        with pytest.raises(IllegalActionError) as refused:
            in_phase(phase).apply(position, SAMPLES[kind])
        assert refused.value.reason is reason


def test_everything_the_tables_name_happens() -> None:
    """A hundred deals with many proposals to stop take every entry of both tables."""
    taken, steps = set(), set()
    for number in range(100):
        chance = random.Random(number)
        cards = deal_from_seed(number.to_bytes(32, "big"))
        game = play_randomly(isko(), cards, chance, interventions=True)
        states = list(game.states())
        for before, after, (_, action) in zip(states, states[1:], game.moves, strict=False):
            taken.add((before.phase, type(action)))
            steps.add((before.phase, after.phase))
    assert taken == {(phase, kind) for phase, kinds in KNOWN_ACTIONS.items() for kind in kinds}
    assert steps == {(phase, to) for phase, phases in NEXT_PHASES.items() for to in phases}


@given(playthroughs(interventions=True, rules=playable_rules))
def test_every_step_is_in_the_table(game: Playthrough) -> None:
    states = list(game.states())
    for before, after, (_, action) in zip(states, states[1:], game.moves, strict=False):
        assert type(action) in KNOWN_ACTIONS[before.phase]
        assert after.phase in NEXT_PHASES[before.phase]


def test_an_over_deal_leads_nowhere() -> None:
    assert not NEXT_PHASES[Phase.DEAL_OVER]
