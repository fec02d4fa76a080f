"""R-END-5, T4: a concession that one defender refuses the other leaves no trace elsewhere.

The same deal is played with and without it. The declarer, who tries everything that must be
refused while the defenders ask each other, hears the same bytes, and so does everybody else but
the two.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from skat_engine import GiveUp, OptionValue, Phase, RuleSet, Vote, deal_from_seed, preset
from skat_engine.options import DefenderGiveUp
from tests.leaks.recording import Recording, recorded, seat_name
from tests.leaks.twins import cut, is_possible
from tests.strategies import Playthrough, play_randomly

GIVE_UP, REJECT = GiveUp(), Vote(accept=False)


def with_and_without(rules: RuleSet, seed: int) -> tuple[Playthrough, Playthrough]:
    """A deal that stops during play, with a refused concession somewhere and without."""
    chance = random.Random(seed)
    while True:
        dealt = deal_from_seed(chance.randbytes(32))
        play = play_randomly(rules, dealt, chance, interventions=False)
        places = [
            (length, position)
            for length, deal in enumerate(play.states())
            if deal.phase is Phase.PLAY and length < len(play.moves) - 3
            for position in range(3)
            if position != deal.declarer and GIVE_UP in deal.legal(position)
        ]
        if not places:
            continue
        length, position = chance.choice(places)
        part = cut(play, min(length + 3, len(play.moves) - 1))
        partner = 3 - position - (play.final().declarer or 0)
        asked = ((position, GIVE_UP), (partner, REJECT))
        moves = (*part.moves[:length], *asked, *part.moves[length:])
        if is_possible(replace(part, moves=moves)):
            return replace(part, moves=moves), part


def heard_by_others(recording: Recording, play: Playthrough) -> dict[str, list[bytes]]:
    """What all but the defenders heard."""
    declarer = play.final().declarer
    defenders = [seat for position, seat in enumerate(recording.seats) if position != declarer]
    names = tuple(map(seat_name, defenders))
    return {name: said for name, said in recording.heard.items() if not name.startswith(names)}


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["proskat_pub", "xskat_extras"])
async def test_a_refused_concession_leaves_no_trace(name: str, seed: int) -> None:
    options: dict[str, OptionValue] = {
        "seats": 3 + seed % 2,
        "defender_give_up": DefenderGiveUp.BOTH_ONCE,
    }
    rules = preset(name, options)
    asked, silent = with_and_without(rules, seed)
    declarer = silent.final().declarer
    one = await recorded([asked], curious=declarer)
    other = await recorded([silent], curious=declarer)
    assert heard_by_others(one, silent) == heard_by_others(other, silent)
    assert one.heard != other.heard, "the defenders are told"
