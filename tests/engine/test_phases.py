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
    Occasion,
    OptionValue,
    Phase,
    Refusal,
    RuleSet,
    deal_from_seed,
    parse_action,
    preset,
)
from skat_engine.options import (
    Kontra,
    KontraTiming,
    NullUnderbid,
    RamschGrandHand,
    RamschSkatExchange,
    UnreachableDeclaration,
)
from skat_engine.phases import KNOWN_ACTIONS, NEXT_PHASES
from tests.builders import auction, dealt, isko, play
from tests.strategies import Playthrough, all_games, play_randomly

SAMPLES = {
    type(action): action
    for action in map(
        parse_action,
        [
            *("18", "hold", "pass", "take", "hand", "CH", "SA", "give-up", "open:simple", "accept"),
            *("decline", "grand-hand", "pick-up", "pass-on", "down:D7.D8", "knock", "kontra", "re"),
            "keep:D7.D8",
        ],
    )
}
PUB = preset(
    "xskat_extras",
    {
        "ramsch_grand_hand": RamschGrandHand.FOREHAND_ONLY,
        "kontra": Kontra.ANY_DEFENDER,
        "kontra_timing": KontraTiming.BEFORE_FIRST_LEAD,
    },
)
RAMSCH_ROUND = Occasion(ramsch_round=True, grand_hand_offered=False)
CARDS = dealt("SA", skat="D7 D8")


_PLAIN_RAMSCH: dict[str, OptionValue] = {
    "ramsch_untouched_doubles": False,
    "ramsch_durchmarsch_times_untouched": False,
}
_OFFERED: dict[str, OptionValue] = {
    "ramsch_grand_hand": RamschGrandHand.ALL_PLAYERS,
    "kontra": Kontra.ANY_DEFENDER,
}
TABLES = [
    isko(),
    PUB,
    preset(
        "isko",
        {
            "unreachable_declaration": UnreachableDeclaration.REJECT,
            "null_underbid": NullUnderbid.LOSE_AS_TRUMP_GAME,
        },
    ),
    preset("proskat_pub"),
    preset("xskat_extras", {"kontra": Kontra.OFF}),
    preset("xskat_extras", _OFFERED | {"kontra_timing": KontraTiming.BEFORE_OWN_FIRST_CARD}),
    preset("bga_simple", _OFFERED),
    preset("xskat_extras", _PLAIN_RAMSCH | {"ramsch_skat_exchange": RamschSkatExchange.NONE}),
]
OCCASIONS = [Occasion(), RAMSCH_ROUND, Occasion(ramsch_round=True)]


# The way into each phase: preset, occasion, script.
WAYS: dict[Phase, tuple[RuleSet, Occasion, str]] = {
    Phase.BIDDING: (isko(), Occasion(), ""),
    Phase.FOREHAND_OPTION: (isko(), Occasion(), "1:pass 2:pass"),
    Phase.GRAND_HAND_OFFER: (PUB, Occasion(), "1:pass 2:pass 0:pass"),
    Phase.RAMSCH_EXCHANGE: (PUB, RAMSCH_ROUND, ""),
    Phase.KNOCKING: (PUB, RAMSCH_ROUND, "pick-up down:D7.D8 pass-on pass-on"),
    Phase.SKAT_DECISION: (isko(), Occasion(), auction(0, 18)),
    Phase.ANNOUNCE: (isko(), Occasion(), auction(0, 18) + " hand"),
    Phase.KONTRA: (PUB, Occasion(), auction(0, 18) + " hand CH"),
    Phase.REARRANGEMENT: (PUB, Occasion(), auction(0, 18) + " hand NHOR decline decline"),
    Phase.PLAY: (isko(), Occasion(), auction(0, 18) + " hand GH"),
    Phase.SHORTENING_VOTE: (isko(), Occasion(), auction(0, 18) + " hand GH 1:give-up"),
    Phase.DEAL_OVER: (isko(), Occasion(), "1:pass 2:pass 0:pass"),
}


def in_phase(phase: Phase) -> Deal:
    rules, occasion, script = WAYS[phase]
    deal = Deal(rules, CARDS, occasion)
    play(deal, script)
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
    """Some hundred deals with many proposals to stop take every entry of both tables."""
    taken, steps = set(), set()
    for number, (rules, occasion) in enumerate(product(TABLES, OCCASIONS * 25)):
        chance = random.Random(number)
        cards = deal_from_seed(number.to_bytes(32, "big"))
        game = play_randomly(rules, cards, chance, interventions=True, occasion=occasion)
        states = list(game.states())
        for before, after, (_, action) in zip(states, states[1:], game.moves, strict=False):
            taken.add((before.phase, type(action)))
            steps.add((before.phase, after.phase))
    assert taken == {(phase, kind) for phase, kinds in KNOWN_ACTIONS.items() for kind in kinds}
    assert steps == {(phase, to) for phase, phases in NEXT_PHASES.items() for to in phases}


@given(all_games())
def test_every_step_is_in_the_table(game: Playthrough) -> None:
    states = list(game.states())
    for before, after, (_, action) in zip(states, states[1:], game.moves, strict=False):
        assert type(action) in KNOWN_ACTIONS[before.phase]
        assert after.phase in NEXT_PHASES[before.phase]


def test_an_over_deal_leads_nowhere() -> None:
    assert not NEXT_PHASES[Phase.DEAL_OVER]
