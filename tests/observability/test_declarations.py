"""Metrics are declared once, with closed sets of labels, and what counts fits the declaration."""

from __future__ import annotations

import pytest

from skat_engine.phases import Phase
from skat_engine.records import FaultCause
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.declaring import (
    Kind,
    Label,
    Metric,
    counter,
    gauge,
    histogram,
)
from skat_server.observability.metrics.room import MOST_VALUES, OTHER, Room
from skat_server.observability.vocabulary import EVENTS, Level, Violation
from skat_server.rpc.interceptors.counting import AUTH, ENDS, LIMITS
from skat_server.storage.protocols import StoreFailure
from skat_server.tables.state import ENDED
from skat_server.tables.state import Stage as TableStage
from skat_server.tournaments.plays import GameKind
from skat_server.tournaments.state import Stage as TournamentStage
from skat_server.watching.play import OUTCOMES, PHASES
from skat_server.watching.server import NodeState

FORBIDDEN = {"table", "tournament", "bot", "player", "account", "token", "ip", "peer", "address"}
COLOUR = Label("colour", ("red", "black"))


def test_every_metric_is_listed_once() -> None:
    made = {one for one in vars(declared).values() if isinstance(one, Metric)}
    assert set(declared.METRICS) == made
    assert len({one.name for one in declared.METRICS}) == len(declared.METRICS)


def test_no_label_is_something_that_callers_make_up() -> None:
    assert not FORBIDDEN & {label.name for one in declared.METRICS for label in one.labels}


def test_closed_metrics_alone_are_far_below_the_bound() -> None:
    assert sum(one.most_series for one in declared.METRICS if one.is_closed) < 500


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (declared.NODE_STATE, {state.value for state in NodeState}),
        (
            declared.TABLES,
            {"paused", "ended", "parked"}
            | {stage.value for stage in TableStage if stage not in ENDED},
        ),
        (declared.TERMINATIONS, {"normal", "voided", "closed"} | {c.value for c in FaultCause}),
        (declared.DEALS, {kind.value for kind in GameKind}),
        (declared.STORE_ERRORS, {failure.value for failure in StoreFailure}),
        (declared.TOURNAMENTS, {stage.value for stage in TournamentStage}),
        (declared.THINK, set(PHASES.values())),
        (declared.AUTH_FAILURES, set(AUTH.values())),
        (declared.RATE_LIMITED, set(LIMITS.values())),
        (declared.DISCONNECTS, {"client", "refused", *ENDS.values()}),
        (
            declared.ACTIONS,
            {"accepted", "duplicate", "failed", "defaulted", "house", *OUTCOMES.values()},
        ),
        (declared.VIOLATIONS, {violation.value for violation in Violation}),
        (declared.LOG_LINES, {level.value for level in Level}),
    ],
    ids=lambda one: one.name if isinstance(one, Metric) else "",
)
def test_labels_have_the_values_of_what_they_count(metric: Metric, expected: set[str]) -> None:
    (label,) = metric.labels
    assert set(label.values) == expected


def test_every_violation_is_that_of_an_event() -> None:
    assert {event.violation for event in EVENTS.values()} == {None, *Violation}


def test_every_phase_belongs_to_a_part_of_the_deal() -> None:
    assert set(PHASES) == set(Phase)


@pytest.mark.parametrize(
    "declare",
    [
        lambda: counter("skat_things", "no end"),
        lambda: gauge("skat_things_total", "no counter"),
        lambda: gauge("skatThings", "no snake"),
        lambda: gauge("things", "no prefix"),
        lambda: histogram("skat_things", "no bounds", ()),
        lambda: Metric("skat_things", Kind.GAUGE, "bounds", (), (1.0,)),
    ],
)
def test_a_declaration_that_prometheus_would_not_like_is_refused(declare: object) -> None:
    assert callable(declare)
    with pytest.raises(ValueError, match=r"things|skatThings"):
        declare()


def test_series_of_closed_labels_are_there_at_zero() -> None:
    metric = counter("skat_cards_total", "cards", COLOUR)
    ((_, series),) = Room([metric]).read()
    assert [(labels, one.value) for labels, one in series] == [  # type: ignore[union-attr]
        (("red",), 0.0),
        (("black",), 0.0),
    ]


def test_the_instrument_of_a_series_is_always_the_same() -> None:
    metric = counter("skat_cards_total", "cards", COLOUR)
    room = Room([metric])
    room.counter(metric, colour="red").add()
    room.counter(metric, colour="red").add(2)
    assert room.counter(metric, colour="red").value == 3


@pytest.mark.parametrize("labels", [{}, {"colour": "green"}, {"suit": "red"}])
def test_what_is_not_declared_cannot_be_counted(labels: dict[str, str]) -> None:
    metric = counter("skat_cards_total", "cards", COLOUR)
    with pytest.raises(ValueError, match="skat_cards_total has"):
        Room([metric]).counter(metric, **labels)


def test_values_that_are_known_late_are_bounded() -> None:
    metric = counter("skat_calls_total", "calls", Label("method", source="the server"))
    room = Room([metric])
    for number in range(MOST_VALUES + 5):
        room.counter(metric, method=f"m{number}").add()
    assert room.counter(metric, method="one more").value == 5
    assert room.counter(metric, method=OTHER) is room.counter(metric, method="another")
    assert room.counter(metric, method="m0").value == 1


def test_a_value_on_a_bound_counts_below_it() -> None:
    metric = histogram("skat_sizes", "sizes", (1.0, 2.0))
    found = Room([metric]).histogram(metric)
    for value in (0.5, 1.0, 1.5, 2.0, 2.5):
        found.observe(value)
    assert (found.counts, found.sum) == ([2, 2, 1], 7.5)
