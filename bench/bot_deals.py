"""One deal on the rules engine with bots of `skat_client` in its seats, without a server."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, cast

import skat_client as client
import skat_engine as engine
from skat_arena.answers import action_of
from skat_arena.asked import decision_in
from skat_arena.told import event_of
from skat_arena.values import held
from skat_client import Bot, TableSight

DEALER: Final = 2
"""Rearhand deals, so that seats and positions have the same numbers."""
SEATING: Final = engine.seating(DEALER, 3)


@dataclass(slots=True)
class Thinking:
    """How long bots thought."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """One more decision."""
        self.decisions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


def new_sight(seat: int) -> TableSight:
    """What a seat knows before the deal."""
    seats = tuple(client.SeatInfo(i, True, "", True) for i in range(3))
    table = client.Table(
        table_id="bench",
        display_name="",
        state=client.TableState.PLAYING,
        rule_set=client.RuleSet("isko"),
        visibility=client.Visibility.PRIVATE,
        seats=seats,
        deals_done=0,
        deals=1,
        totals=(0, 0, 0),
        created_at=datetime(2000, 1, 1, tzinfo=UTC),
    )
    return TableSight.from_view(client.TableView(table, seat, 0))


def play_deal(
    dealt: engine.Dealt,
    bots: Sequence[Bot],
    *,
    rules: engine.RuleSet,
    thinking: Sequence[Thinking] | None = None,
) -> engine.DealResult:
    """Play a deal to its end, each bot seeing what its seat may see."""
    deal = engine.Deal(rules, dealt)
    sights = [new_sight(seat) for seat in engine.POSITIONS]
    _tell(sights, [deal.opening()])
    while (seat := deal.to_act) is not None:
        decision = decision_of(deal, seat)
        start = time.perf_counter()
        answer = bots[seat].decide(decision, sights[seat])
        if thinking is not None:
            thinking[seat].add(time.perf_counter() - start)
        _tell(sights, deal.apply(seat, action_of(cast(client.Action, answer))))
    assert deal.result is not None
    return deal.result


def decision_of(deal: engine.Deal, seat: int) -> client.Decision:
    """The open decision of a deal; nobody here proposes to end it early."""
    decision = decision_in(deal, deal.legal(seat), SEATING, "bench", "turn")
    return replace(decision, interventions=())


def _tell(sights: Sequence[TableSight], events: Iterable[engine.Event]) -> None:
    for event in events:
        for seat, sight in enumerate(sights):
            seen = _seen(engine.project(event, seat))
            if seen is not None:
                moment = sight.table.created_at
                sight.apply(client.TableEvent(sight.sequence + 1, moment, seen))


def _seen(event: engine.Event) -> client.Event | None:
    """An event as projected for a viewer."""
    if isinstance(event, engine.HandDealt):
        return client.DealStarted(1, DEALER, SEATING.active, (), held(event.hand))
    return event_of(event, SEATING)
