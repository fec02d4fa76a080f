"""The soak in a small size, and what it takes for flat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from tests.soak.flatness import flatness
from tests.soak.plan import Plan
from tests.soak.run import soak
from tests.soak.sampling import Sample, Usage
from tests.soak.telling import Teller, conclude

MIB = 1024


@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_a_server_bears_good_slow_rude_and_dying_bots_and_kills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """F1, F9, F15, H1 to H7, T12 to T17."""
    plan = Plan(15.0, 20, 6.0, think=0.1, cut_every=0.5, rude_every=0.5, sample_every=0.2)
    console = Console(width=200)
    with Teller(plan, console) as teller:
        report = await soak(plan, tmp_path, teller.tell)
    conclude(report, console)
    assert report.faults == []
    assert min(report.kills, report.cuts, len(report.rude)) > 0
    assert report.samples
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["ok"] is True


def samples(rss: float = 0, descriptors: float = 0, threads: float = 0) -> list[Sample]:
    """Ten minutes of a server that holds so much more after each second."""
    return [
        Sample(
            float(at),
            Usage(
                round(100 * MIB + rss * at + at % 7 * 100),
                round(20 + threads * at),
                round(600 + descriptors * at + at % 5),
            ),
            open_tables=200,
            ended_tables=8 * at,
            actions=300 * at,
        )
        for at in range(0, 600, 2)
    ]


def test_what_goes_to_and_fro_is_flat() -> None:
    found = flatness(samples())
    assert found.is_judged
    assert found.faults == []


@pytest.mark.parametrize(
    ("grown", "word"),
    [
        (samples(rss=40), "memory"),
        (samples(descriptors=0.5), "descriptors"),
        (samples(threads=0.05), "threads"),
    ],
    ids=["memory", "descriptors", "threads"],
)
def test_what_grows_is_found(grown: list[Sample], word: str) -> None:
    (fault,) = flatness(grown).faults
    assert word in fault


def test_a_server_that_is_not_warm_is_not_judged() -> None:
    cold = [sample for sample in samples(rss=1_000) if sample.ended_tables < 1_000]
    assert not flatness(cold).is_judged
    assert not flatness([]).is_judged
