"""Deals that stop somewhere in the middle, with a twin for one of those who look on."""

from __future__ import annotations

import random

from skat_engine import Occasion, Phase, RuleSet, Series, deal_from_seed
from skat_engine.bock import triggers
from skat_engine.options import AllPass
from tests.leaks.twins import Twins, Viewer, cut, is_possible, plainest, twins_of
from tests.strategies import ORDINARY, Playthrough, play_randomly

SLOW = 6
"""Decisions that are left to the clock, at least."""


def scene(
    rules: RuleSet,
    viewer: Viewer,
    seed: object,
    phase: Phase | None = None,
    occasion: Occasion = ORDINARY,
) -> Twins:
    """Twins that stop in a phase, or in one of those that a deal came through."""
    chance = random.Random(f"{seed} {viewer} {phase}")
    while True:
        play = some_play(rules, chance, occasion)
        length = _somewhere(play, chance, phase)
        twins = None if length is None else twins_of(cut(play, length), viewer, chance)
        if twins is not None:
            return twins


def slow_scene(rules: RuleSet, viewer: Viewer, seed: object) -> tuple[Twins, frozenset[int]]:
    """Twins that stop during play, and the moves for which a clock may stand in both times."""
    chance = random.Random(f"{seed} {viewer}")
    while True:
        whole = some_play(rules, chance, interventions=False)
        play = cut(whole, chance.randrange(8, 25))
        plain = plainest(play) if is_possible(play) else frozenset()
        twins = twins_of(play, viewer, chance, plain) if len(plain) >= SLOW else None
        if twins is not None:
            return twins, plain


def some_play(
    rules: RuleSet,
    chance: random.Random,
    occasion: Occasion = ORDINARY,
    *,
    interventions: bool = True,
) -> Playthrough:
    """A whole deal played by chance, with proposals unless none are wanted."""
    dealt = deal_from_seed(chance.randbytes(32))
    return play_randomly(rules, dealt, chance, interventions=interventions, occasion=occasion)


def finished(rules: RuleSet, seed: object) -> Playthrough:
    """A whole deal that counts: one that is dealt anew would have no number of its own."""
    chance = random.Random(f"{seed}")
    while True:
        play = some_play(rules, chance)
        if rules.all_pass is not AllPass.REDEAL_SAME_DEALER or play.final().contract is not None:
            return play


def until_a_ramsch_round(rules: RuleSet, seed: object) -> list[Playthrough]:
    """The deals of a series before its first Ramsch round (R-BOCK-2, R-BOCK-9)."""
    chance = random.Random(f"{seed}")
    series, deals = Series(rules), list[Playthrough]()
    while not series.next_occasion().ramsch_round:
        play = some_play(rules, chance, series.next_occasion())
        result = play.final().result
        assert result is not None
        if deals or triggers(result, rules):
            series.book(result)
            deals.append(play)
    return deals


def _somewhere(play: Playthrough, chance: random.Random, wanted: Phase | None) -> int | None:
    """How many moves to make; None when the deal never was in the phase wanted."""
    phases: dict[Phase, list[int]] = {}
    for length, deal in enumerate(play.states()):
        if not deal.is_over:
            phases.setdefault(deal.phase, []).append(length)
    phase = wanted or chance.choice(list(phases))
    return chance.choice(phases[phase]) if phase in phases else None
