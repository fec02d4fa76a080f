"""The connection breaks at every boundary of a message, over every transport (R18, R32).

A player is asked three times and would answer differently each time he were asked, so that a
turn that is asked twice, or an answer that is not the recorded one, does not fit the script.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pytest

from skat.v1 import event_pb2, table_pb2
from skat_client import Action, AsyncClient, Bid, DecisionAsked, EventSeen, SessionOptions
from skat_client.testing import (
    DROP,
    ExpectHello,
    ExpectSubmission,
    ScriptedServer,
    SendFrames,
    Step,
    bidding_decision,
    new_events,
    new_frame,
    new_view,
)

pytestmark = pytest.mark.asyncio

ANSWERS: Final = (Bid(18), Bid(20), Bid(22))
PASSED: Final = event_pb2.BidPassed(seat=1)
CLOSED: Final = event_pb2.TableClosed(reason="enough")
EVENTS: Final = 2 * len(ANSWERS) + 1
"""Two before every question, and the last one."""


@dataclass(frozen=True)
class Seen:
    """What a client has when a connection is lost."""

    events: int = 0
    settled: int = 0
    """Turns that the server has settled."""

    @property
    def is_asked(self) -> bool:
        """Whether the question of the next turn has been sent."""
        return self.events == 2 * (self.settled + 1)


Cut = tuple[list[Step], Seen]
"""The steps of a connection up to where it breaks, and what the client has then."""


def steps_after(seen: Seen) -> Iterator[Cut]:
    """All further steps, and after each of them what the client has."""
    steps: list[Step] = [ExpectHello(positions={"t": seen.events} if seen.events else {})]
    yield list(steps), seen
    if seen.is_asked:
        steps.append(SendFrames(question(seen.settled)))
        yield list(steps), seen
    while seen.events < EVENTS:
        if seen.is_asked:
            turn = seen.settled
            steps.append(ExpectSubmission("t", str(turn), ANSWERS[turn]))
            # Its connection is lost with the answer, or only after that was settled.
            yield list(steps), seen
            seen = Seen(seen.events, turn + 1)
            yield list(steps), seen
        steps.append(SendFrames(news(seen)))
        seen = Seen(min(seen.events + 2, EVENTS), seen.settled)
        yield list(steps), seen


def question(turn: int) -> table_pb2.TableFrame:
    return new_frame("t", decision=bidding_decision(str(turn), [18, 20, 22]))


def news(seen: Seen) -> table_pb2.TableFrame:
    """What follows, with the next question; the end where all are settled."""
    view = None if seen.events else new_view("t", sequence=2)
    if seen.settled == len(ANSWERS):
        return new_frame("t", new_events(seen.events + 1, CLOSED))
    decision = question(seen.settled).decision
    events = new_events(seen.events + 1, PASSED, PASSED)
    return new_frame("t", events, view=view, decision=decision)


CUTS: Final = list(steps_after(Seen()))


def rest_after(seen: Seen) -> list[Step]:
    *_, (steps, _) = steps_after(seen)
    return steps


async def play(client: AsyncClient, options: SessionOptions) -> tuple[list[int], list[str]]:
    """Answer every question with the next answer; sequences of the events and turns asked."""
    answers: Iterator[Action] = iter(ANSWERS)
    events, asked = [], []
    async with client.open_session(options) as session:
        async for item in session:
            match item:
                case EventSeen(event, sight):
                    events.append(event.sequence)
                    if sight.is_over:
                        break
                case DecisionAsked(decision):
                    asked.append(decision.turn_id)
                    session.submit(decision, next(answers))
                case _:
                    pass
    return events, asked


EVERYTHING: Final = (list(range(1, EVENTS + 1)), ["0", "1", "2"])


@pytest.mark.parametrize("cut", range(len(CUTS) - 1))
async def test_a_drop_at_any_boundary_loses_and_repeats_nothing(
    cut: int, server: ScriptedServer, client: AsyncClient, either: SessionOptions
) -> None:
    steps, seen = CUTS[cut]
    server.play(*steps, DROP)
    server.play(*rest_after(seen))
    assert await play(client, either) == EVERYTHING


@pytest.mark.parametrize("first", range(0, len(CUTS) - 1, 3))
@pytest.mark.parametrize("second", [0, 1, 2, 4])
async def test_so_does_a_second_one(
    first: int, second: int, server: ScriptedServer, client: AsyncClient, either: SessionOptions
) -> None:
    steps, seen = CUTS[first]
    again = list(steps_after(seen))
    later, seen_then = again[min(second, len(again) - 2)]
    server.play(*steps, DROP)
    server.play(*later, DROP)
    server.play(*rest_after(seen_then))
    assert await play(client, either) == EVERYTHING


async def test_one_before_the_greeting_costs_nothing(
    server: ScriptedServer, client: AsyncClient, either: SessionOptions
) -> None:
    server.play(DROP)
    server.play(*rest_after(Seen()))
    assert await play(client, either) == EVERYTHING


@pytest.mark.parametrize("cut", range(1, len(CUTS) - 1))
async def test_a_restart_of_the_server_is_as_good_as_a_drop(
    cut: int, server: ScriptedServer, client: AsyncClient, options: SessionOptions
) -> None:
    """F1: every turn has the same `turn_id` afterwards, so it is played once."""
    steps, seen = CUTS[cut]
    server.play(*steps, DROP)
    server.play(DROP)
    server.play(*rest_after(seen))
    assert await play(client, options) == EVERYTHING


async def test_views_instead_of_positions_are_as_good(
    server: ScriptedServer, client: AsyncClient, either: SessionOptions
) -> None:
    """A server that cannot resume shows the table anew: the turn is still played once."""
    shown = new_frame("t", new_events(1, PASSED, PASSED), view=new_view("t", sequence=2))
    shown.decision.CopyFrom(question(0).decision)
    submission = ExpectSubmission("t", "0", ANSWERS[0])
    server.play(ExpectHello(), SendFrames(shown), submission, DROP)
    server.play(ExpectHello(), SendFrames(shown), submission, *rest_after(Seen(2, 1))[1:])
    events, asked = await play(client, either)
    assert (events, asked) == ([1, 2, *EVERYTHING[0]], EVERYTHING[1])
