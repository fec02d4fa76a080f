"""T4 to T6: what somebody hears depends on nothing that he may not know (R42).

Two deals that differ only in cards hidden from a viewer are played with the same public actions.
Everything that the viewer hears of them has to be the same, byte for byte: the messages of his
streams, the refusals of all he tries, what he may ask, what spectators and strangers are told,
and what the server writes into its log.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat.v1 import error_pb2, play_service_pb2
from skat_engine import PRESETS, Occasion, Phase, Position, RuleSet, preset
from tests.leaks.recording import Recording, recorded
from tests.leaks.running import run
from tests.leaks.scenes import finished, scene, slow_scene, until_a_ramsch_round
from tests.leaks.twins import Twins, Viewer
from tests.strategies import Playthrough, any_rules

VIEWERS: tuple[Viewer, ...] = (0, 1, 2, None)
POSITIONS: tuple[Position, ...] = (0, 1, 2)


async def both(twins: Twins, *before: Playthrough) -> tuple[Recording, Recording]:
    """The twins on a server each, after the same deals."""
    one = await recorded([*before, twins.one], curious=twins.viewer)
    return one, await recorded([*before, twins.other], curious=twins.viewer)


def differences(twins: Twins, one: Recording, other: Recording) -> list[str]:
    """Who hears the twins apart, of those who may not."""
    told = [
        f"seat {one.seats[position]}" for position in POSITIONS if not twins.hides_from(position)
    ]
    assert one.heard.keys() == other.heard.keys()
    return [
        name
        for name in one.heard
        if one.heard[name] != other.heard[name] and not name.startswith(tuple(told))
    ]


STOPS = {
    Phase.BIDDING: "isko terse_english",
    Phase.FOREHAND_OPTION: "swedish_ramsch",
    Phase.SKAT_DECISION: "isko bga_simple",
    Phase.ANNOUNCE: "isko xskat_extras",
    Phase.KONTRA: "proskat_pub xskat_extras",
    Phase.PLAY: " ".join(PRESETS),
    Phase.SHORTENING_VOTE: "isko proskat_pub xskat_extras",
    Phase.GRAND_HAND_OFFER: "bga_skat",
    Phase.RAMSCH_EXCHANGE: "bga_skat terse_english_ramsch xskat_extras",
    Phase.REARRANGEMENT: "xskat_extras xskat_extras",
}
"""Where the deals stop, and under which rules."""

SCENES = [
    pytest.param(phase, name, VIEWERS[number % 4], id=f"{name}-{phase.value}-{number % 4}")
    for phase, names in STOPS.items()
    for number, name in enumerate(names.split())
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("phase", "name", "viewer"), SCENES)
async def test_nobody_hears_what_he_may_not_know(phase: Phase, name: str, viewer: Viewer) -> None:
    twins = scene(preset(name), viewer, name, phase)
    assert differences(twins, *await both(twins)) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("viewer", [0, 2])
async def test_nobody_hears_it_in_a_ramsch_round(viewer: Position) -> None:
    """The only deals in which somebody may knock, after four that are over and public."""
    rules = preset("xskat_extras")
    before = until_a_ramsch_round(rules, "ramsch round")
    twins = scene(rules, viewer, "ramsch round", Phase.KNOCKING, Occasion(ramsch_round=True))
    assert differences(twins, *await both(twins, *before)) == []


def test_a_deal_is_stopped_in_every_phase() -> None:
    assert STOPS.keys() | {Phase.KNOCKING} == set(Phase) - {Phase.DEAL_OVER}


@settings(max_examples=8, deadline=None)
@given(any_rules, st.sampled_from(VIEWERS), st.integers(0, 2**32))
def test_nobody_hears_it_under_any_rules(rules: RuleSet, viewer: Viewer, seed: int) -> None:
    twins = scene(rules, viewer, seed)
    assert differences(twins, *run(both(twins))) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("viewer", POSITIONS)
async def test_nobody_hears_it_in_a_later_deal(viewer: Position) -> None:
    """Four seats: the first deal is over and public, the second one has another who sits out."""
    rules = preset("isko", {"seats": 4})
    twins = scene(rules, viewer, "later")
    assert differences(twins, *await both(twins, finished(rules, "first"))) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("viewer", POSITIONS)
async def test_nobody_hears_it_from_safe_answers(viewer: Position) -> None:
    """Whoever lets his time run out gets an answer that depends on his own cards only."""
    twins, slow = slow_scene(preset("proskat_pub"), viewer, "slow")
    one = await recorded([twins.one], curious=viewer, slow=slow)
    other = await recorded([twins.other], curious=viewer, slow=slow)
    assert differences(twins, one, other) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("viewer", POSITIONS)
async def test_whoever_may_know_hears_it(viewer: Position) -> None:
    """The comparison can fail: who holds one of the cards hears another story."""
    twins = scene(preset("isko"), viewer, "control")
    one, other = await both(twins)
    holders = [position for position in POSITIONS if not twins.hides_from(position)]
    assert holders
    assert viewer not in holders
    assert all(one.stream_of(holder) != other.stream_of(holder) for holder in holders)


@pytest.mark.asyncio
async def test_the_defenders_of_a_revolution_see_each_other() -> None:
    """They are shown what the declarer is not (section 21)."""
    rules = preset("xskat_extras")
    scenes = (scene(rules, 0, seed, Phase.REARRANGEMENT) for seed in range(100))
    twins = next(twins for twins in scenes if twins.one.final().declarer == 0)
    one, other = await both(twins)
    assert one.stream_of(0) == other.stream_of(0)
    assert [one.stream_of(defender) != other.stream_of(defender) for defender in (1, 2)] == [
        True,
        True,
    ]


@pytest.mark.asyncio
async def test_who_tries_everything_meets_every_refusal_of_play() -> None:
    """The catalogue of attempts is worth its name."""
    met: set[str] = set()
    for name in ("isko", "xskat_extras", "swedish_ramsch"):
        play = finished(preset(name), "refusals")
        for position in POSITIONS:
            heard = (await recorded([play], curious=position)).stream_of(position)
            met |= {reason for message in heard for reason in _reasons(message)}
    expected = "NOT_YOUR_TURN STALE_TURN STALE_SEQUENCE WRONG_PHASE ILLEGAL_BID CARD_NOT_HELD"
    expected += " MUST_FOLLOW BAD_DISCARD NOT_OFFERED NOT_SEATED UNREADABLE_ACTION"
    expected += " CONTRADICTORY_ANNOUNCEMENT"
    assert set(expected.split()) <= met


def _reasons(message: bytes) -> list[str]:
    try:
        response = play_service_pb2.PlayResponse.FromString(message)
    except ValueError:
        return []
    reasons = [result.refused.reason for result in response.results if result.HasField("refused")]
    return [error_pb2.ErrorReason.Name(r).removeprefix("ERROR_REASON_") for r in reasons]
