"""Clock, grace, faults and stand-ins in a record: R22, R29."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from skat_engine.records import (
    ClockPolicy,
    Fault,
    FaultCause,
    Timekeeping,
    from_json_line,
    to_json_line,
)
from skat_engine.records.model import OwnOrigin
from skat_engine.records.timekeeping import check_timekeeping
from tests.records.playing import random_record
from tests.records.samples import json_outcome

CLOCK = ClockPolicy(30_000, 120_000, 0, 30_000)
ROW: dict[str, Any] = json.loads(to_json_line(random_record(5)))
COUNT = len(ROW["actions"])


def test_a_record_keeps_what_it_is_given() -> None:
    record = random_record(5)
    again = from_json_line(to_json_line(record))
    assert isinstance(record.origin, OwnOrigin)
    assert again.origin == record.origin
    assert record.origin.timekeeping is not None


def test_only_what_happened_is_written() -> None:
    record = random_record(5)
    assert isinstance(record.origin, OwnOrigin)
    quiet = replace(record, origin=replace(record.origin, timekeeping=Timekeeping(CLOCK)))
    row = json.loads(to_json_line(quiet))
    assert row["clock"] == {
        "decision_ms": 30_000,
        "bank_ms": 120_000,
        "increment_ms": 0,
        "grace_ms": 30_000,
    }
    assert not {"grace_ms", "faults", "stand_ins"} & row.keys()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"clock": 1}, "field clock is not an object"),
        ({"clock": {"decision_ms": 1}}, "field bank_ms is missing"),
        ({"clock": ROW["clock"] | {"grace_ms": 3_600_001}}, "field grace_ms is not a whole"),
        ({"clock": dict.fromkeys(ROW["clock"], 0)}, "neither decision_ms nor bank_ms"),
        ({"grace_ms": 1}, "field grace_ms is not a list"),
        ({"grace_ms": [[0]]}, "field grace_ms is not pairs"),
        ({"grace_ms": [[0, 0]]}, "field grace_ms is not pairs"),
        ({"grace_ms": [[False, 1]]}, "field grace_ms is not pairs"),
        ({"grace_ms": [[COUNT, 1]]}, "field grace_ms names an action that is not there"),
        ({"grace_ms": [[-1, 1]]}, "field grace_ms names an action that is not there"),
        ({"grace_ms": [[0, 1], [0, 1]]}, "field grace_ms does not go from action to action"),
        ({"faults": [[0, 0]]}, "field faults is not triples"),
        ({"faults": [[0, 0, "laziness"]]}, "field faults is not triples"),
        ({"faults": [[0, 9, "timeout"]]}, "field faults names a seat that is not there"),
        ({"faults": [[1, 0, "timeout"], [0, 0, "timeout"]]}, "field faults does not go"),
        ({"stand_ins": ["0"]}, "field stand_ins is not a list of whole numbers"),
        ({"stand_ins": [COUNT]}, "field stand_ins names an action that is not there"),
    ],
)
def test_what_does_not_fit_cannot_be_read(changes: dict[str, Any], why: str) -> None:
    outcome = str(json_outcome(json.dumps(ROW | changes)))
    assert outcome.startswith("random-5 unreadable: ")
    assert why in outcome


@pytest.mark.parametrize("name", ["grace_ms", "faults", "stand_ins"])
def test_nothing_of_it_stands_without_a_clock(name: str) -> None:
    others = {"clock", "grace_ms", "faults", "stand_ins"} - {name}
    row = {key: value for key, value in ROW.items() if key not in others}
    assert f"field {name} needs a clock" in str(json_outcome(json.dumps(row)))


def test_a_new_record_refuses_faults_of_actions_that_are_not_there() -> None:
    kept = Timekeeping(CLOCK, faults=(Fault(3, 0, FaultCause.ADMIN),))
    check_timekeeping(kept, actions=4, seats=3)
    with pytest.raises(ValueError, match="faults names an action"):
        check_timekeeping(kept, actions=3, seats=3)
