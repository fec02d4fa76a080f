"""The pages and dashboards say what is declared; after a change: ``make docs``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.grafana import generate
from deploy.grafana.panels import DASHBOARDS
from docs import observed
from skat_server.observability.metrics.declarations import METRICS

ROOT = Path(__file__).parents[2]
FILES = {
    **{f"docs/{name}": text for name, text in observed.pages().items()},
    **{f"deploy/grafana/{name}": text for name, text in generate.files().items()},
}
NAMES = {one.name for one in METRICS}
RULES = (ROOT / "deploy" / "prometheus" / "rules.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_fresh(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == FILES[name]


def test_the_dashboards_show_almost_everything() -> None:
    shown = " ".join(query.expr for one in DASHBOARDS for p in one.panels for query in p.queries)
    hidden = {name for name in NAMES if name not in shown}
    assert hidden <= {"skat_build_info", "skat_rpc_started_total", "skat_seed_reuse_total"}


def test_the_alerts_ask_for_declared_metrics_only() -> None:
    asked = set(re.findall(r"\bskat_\w+", RULES))
    bare = {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}
    assert bare - NAMES == set()


def test_every_alert_has_a_test_and_a_line_in_the_runbook() -> None:
    alerts = set(re.findall(r"alert: (\w+)", RULES))
    tests = (ROOT / "deploy" / "prometheus" / "rules_test.yml").read_text(encoding="utf-8")
    guide = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
    assert len(alerts) == 16
    assert {alert for alert in alerts if alert not in tests} == set()
    assert {alert for alert in alerts if alert not in guide} == set()
