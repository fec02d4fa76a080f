"""An event always ends, whatever its entries do (R10): every format, every cause of a fault."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_server.tournaments.formats.plan import EndReason
from skat_server.tournaments.state import Stage, Started, TournamentState
from tests.tournaments.staging import Conduct, House

FORMATS = {
    "round_robin": 'kind = "round_robin"\nboards = 1',
    "all_triples": 'kind = "all_triples"\nrounds = 1\nboards = 1',
    "gauntlet": 'kind = "gauntlet"\nrounds = 1\nboards = 2',
    "ab_test": 'kind = "ab_test"\nboards = 5\nboth_roles = false',
    "swiss": 'kind = "swiss"\nrounds = 2\nboards = 1',
    "knock_out": 'kind = "knock_out"\nboards = 1',
    "lists": 'kind = "lists"\nrounds = 1\ndeals = 2',
    "once": 'kind = "once"\nrounds = 2\nboards = 1',
    "ladder": 'kind = "ladder"\nrounds = 3\nboards = 1\nanchors = [30.0]',
}
CONSEQUENCES = ("house_plays", "forfeit", "none")
ENTRIES = {"ab_test": 2, "once": 6, "swiss": 4, "knock_out": 4}


def text_of(kind: str, consequence: str, safe_answers: int) -> str:
    """A file of this format."""
    entries = ""
    if kind == "ab_test":  # an entry sits twice at a table
        entries = "".join(
            f'[[entries]]\nname = "{name}"\nplayers = ["player-{name}1", "player-{name}2"]\n'
            for name in "ab"
        )
    return f"""
name = "Cup"
rated = false
[format]
{FORMATS[kind]}
[clock]
decision_ms = 5000
bank_ms = 5000
grace_ms = 5000
[faults]
illegal_actions = 1
safe_answers = {safe_answers}
consequence = "{consequence}"
[stop]
delta1 = 100.0
most_blocks = 50
{entries}
"""


async def ended_event(
    kind: str, consequence: str, conducts: list[Conduct], seed: int, safe_answers: int = 1
) -> TournamentState:
    """Where an event stands when nothing happens any more."""
    house = House()
    if kind == "ab_test":
        pairs = {f"{name}{n}": conducts["ab".index(name)] for name in "ab" for n in (1, 2)}
        tournament = await house.open_with_file(
            text_of(kind, consequence, safe_answers), pairs, seed
        )
        await tournament.change(Started())
    else:
        count = ENTRIES.get(kind, 3)
        entered = {f"e{n}": conducts[n % len(conducts)] for n in range(count)}
        tournament = await house.start(text_of(kind, consequence, safe_answers), entered, seed)
    try:
        await house.play(tournament)
    finally:
        await house.tournaments.stop()
    return tournament.state


CONDUCTS = st.lists(st.sampled_from(list(Conduct)), min_size=3, max_size=3)
QUICK = [kind for kind in FORMATS if kind != "ab_test"]


@pytest.mark.parametrize("consequence", CONSEQUENCES)
@pytest.mark.parametrize("kind", QUICK)
@settings(max_examples=4, deadline=None)
@given(conducts=CONDUCTS, seed=st.integers(0, 1_000))
def test_every_event_ends(kind: str, consequence: str, conducts: list[Conduct], seed: int) -> None:
    """R6, R7, R8, R10: absent, silent, cheating, dropping and late players end no event."""
    ended = asyncio.run(ended_event(kind, consequence, conducts, seed))
    assert ended.stage is Stage.FINISHED


@pytest.mark.parametrize("consequence", CONSEQUENCES)
@settings(max_examples=1, deadline=None)
@given(conducts=CONDUCTS, seed=st.integers(0, 1_000))
def test_every_test_of_two_ends(consequence: str, conducts: list[Conduct], seed: int) -> None:
    """The same for a sequential test with a cap."""
    ended = asyncio.run(ended_event("ab_test", consequence, conducts, seed))
    assert ended.stage is Stage.FINISHED


def test_a_test_that_nobody_plays_is_given_up() -> None:
    """R10, R11: tables that are forfeited bring no blocks, so a cap on blocks would not end it."""
    ended = asyncio.run(ended_event("ab_test", "forfeit", [Conduct.ABSENT] * 3, 0, 0))
    assert ended.end is EndReason.NO_BLOCKS
