"""Dashboards, rules and metrics before the real programs of Prometheus."""

from __future__ import annotations

import asyncio
import math
import subprocess
from pathlib import Path

import grpc
import pytest

from deploy.grafana.panels import DASHBOARDS
from skat_server.app import App
from skat_server.config import Settings, WebSettings
from tests.e2e.prometheus import RULES, Prometheus, run, scraping
from tests.observability.scraping import get
from tests.programs import program
from tests.rpc.series import NAMES, play_series

QUERIES = {
    query.expr.replace("$__rate_interval", "1m").replace("$instance", ".*"): one.title
    for one in DASHBOARDS
    for panel in one.panels
    for query in panel.queries
}
BUSY = ("Skat: overview", "Skat: store")
"""Dashboards on which a load must be seen."""


def test_the_rules_hold_before_promtool() -> None:
    run(program("promtool"), "check", "rules", str(RULES))
    run(program("promtool"), "test", "rules", str(RULES.with_name("rules_test.yml")))
    run(program("promtool"), "check", "config", str(RULES.with_name("prometheus.yml")))


@pytest.mark.asyncio
async def test_the_metrics_hold_before_promtool() -> None:
    """Names, units and help texts as Prometheus wants them; the process's own are not ours."""
    async with App(Settings(port=0, grace=0.0, web=WebSettings())) as app:
        text = (await get(app.web_address, "/metrics")).text
    result = await asyncio.to_thread(
        subprocess.run,
        [program("promtool"), "check", "metrics"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    complaints = [line for line in result.stderr.splitlines() if line.startswith("skat_")]
    assert complaints == []


async def play(address: str, seed: int) -> None:
    """Three players play one deal at each of four tables."""
    async with grpc.aio.insecure_channel(address) as channel:
        names = [f"{name}-{seed}" for name in NAMES]
        await play_series(channel, deals=1, tables=4, names=names, seed=seed)


async def loaded(address: str, prometheus: Prometheus) -> None:
    """Play until a Prometheus has seen deals end."""
    seed = 0
    while not any(await prometheus.values("rate(skat_deals_completed_total[1m]) > 0")):
        await play(address, seed)
        seed += 1


@pytest.mark.asyncio
async def test_every_panel_and_rule_has_an_answer_on_a_loaded_server(tmp_path: Path) -> None:
    (tmp_path / "prometheus").mkdir()
    settings = Settings(port=0, grace=0.0, web=WebSettings(), data=tmp_path / "data", migrates=True)
    async with App(settings) as app:
        assert app.web_address is not None
        async with scraping(app.web_address, tmp_path / "prometheus") as prometheus:
            await prometheus.until("skat_build_info")
            async with asyncio.timeout(40):
                await loaded(app.address, prometheus)
            await prometheus.until("skat:commit_seconds:p99_rate5m")
            # Methods are not known before they are called: a rate of theirs takes a second look.
            await prometheus.until("rate(skat_rpc_handled_total[1m])")
            answers = {expr: await prometheus.values(expr) for expr in QUERIES}
            groups = (await prometheus.ask("rules"))["groups"]
    assert [expr for expr, values in answers.items() if not values] == []
    busy = [expr for expr, title in QUERIES.items() if title in BUSY]
    assert [expr for expr in busy if all(map(math.isnan, answers[expr]))] == []
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) == 20
    assert [rule["name"] for rule in rules if rule["health"] != "ok"] == []
    assert [rule["name"] for rule in rules if rule.get("state") == "firing"] == []
