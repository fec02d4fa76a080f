"""Actions as numbers: every one can be said, and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_arena import ACTION_COUNT, ArenaTable, Speller, action_code_names
from skat_arena.codes import CONTRACTS
from skat_engine import (
    DECK,
    Action,
    Announcements,
    Arrangements,
    Phase,
    PutDown,
    Rearrange,
    card_set,
)
from tests.arena.random_play import ALL_PRESETS, rules_of


def spelt_at_random(table: ArenaTable, chance: Random) -> tuple[Action, int]:
    """An action that the numbers spell, and how many it took."""
    speller, count = Speller(), 0
    while True:
        code = chance.choice(speller.codes(table.legal))
        count += 1
        action = speller.spell(table.legal, code)
        if action is not None:
            assert not speller.is_spelling
            return action, count


def test_every_number_has_a_name_of_its_own() -> None:
    names = action_code_names()
    assert len(names) == len(set(names)) == ACTION_COUNT == 168


def test_no_contract_is_named_twice() -> None:
    assert len(set(CONTRACTS)) == len(CONTRACTS) == 56


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_what_is_spelt_is_legal_in_every_phase(name: str) -> None:
    table, chance = ArenaTable(rules_of(name, 40), bytes(32)), Random(name)
    while not table.is_over:
        table.start_deal()
        while table.deal is not None:
            table.act(spelt_at_random(table, chance)[0])


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_every_legal_action_can_be_spelt(name: str) -> None:
    """Also those that name cards: as many as the engine counts, all different."""
    table, chance = ArenaTable(rules_of(name, 3), bytes(32)), Random(name)
    while not table.is_over:
        table.start_deal()
        while table.deal is not None:
            legal = table.legal
            if not isinstance(legal, Arrangements):  # there are 184,757 of them
                said = set(everything(table, Speller()))
                assert {key(action) for action in legal} == said
            table.act(spelt_at_random(table, chance)[0])


def everything(table: ArenaTable, speller: Speller) -> list[object]:
    """All actions that can be spelt from here."""
    found: list[object] = []
    for code in speller.codes(table.legal):
        twin = Speller()
        twin.contract, twin.cards = speller.contract, speller.cards
        action = twin.spell(table.legal, code)
        found += everything(table, twin) if action is None else [key(action)]
    return found


def key(action: Action) -> object:
    """Cards that are put down have no order."""
    return str(action) if not isinstance(action, PutDown) else card_set(action.cards)


@given(st.integers(0, 2**32))
def test_a_revolution_is_spelt_card_by_card(seed: int) -> None:
    legal, chance, speller = Arrangements(card_set(DECK[:20])), Random(seed), Speller()
    action: Action | None = None
    while action is None:
        cards = [code for code in speller.codes(legal) if code < 32]
        action = speller.spell(legal, chance.choice(cards))
    assert isinstance(action, Rearrange)
    assert action in legal


def test_what_the_mask_forbids_is_refused() -> None:
    table = ArenaTable(rules_of("isko", 1), bytes(32))
    table.start_deal()
    with pytest.raises(ValueError, match="is not legal now"):
        Speller().spell(table.legal, 0)


def test_an_announcement_takes_three_numbers() -> None:
    chance, table = Random(5), ArenaTable(rules_of("isko", 200), bytes(32))
    counts = set()
    while not table.is_over:
        table.start_deal()
        while table.deal is not None:
            announces = table.deal.phase is Phase.ANNOUNCE
            legal = table.legal
            action, count = spelt_at_random(table, chance)
            if announces and isinstance(legal, Announcements):
                counts.add((bool(legal.hand), count))
            table.act(action)
    assert counts == {(True, 3), (False, 1)}
