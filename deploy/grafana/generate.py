"""Writes the dashboards for Grafana from their description in `panels.py`.

Run by ``make docs``; a test holds that the files are fresh.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from deploy.grafana.panels import DASHBOARDS, Dashboard, Panel, Query
from skat_server.observability.metrics.declarations import BUILD

HERE: Final = Path(__file__).parent
WIDTH: Final = 12
HEIGHT: Final = 8
_SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


def files() -> Mapping[str, str]:
    """The text of each file by its name."""
    return {
        f"{one.name}.json": json.dumps(_dashboard(one), indent=2, ensure_ascii=False) + "\n"
        for one in DASHBOARDS
    }


def _dashboard(dashboard: Dashboard) -> dict[str, Any]:
    return {
        "uid": f"skat-{dashboard.name}",
        "title": dashboard.title,
        "description": "Written by `make docs`; change deploy/grafana/panels.py instead.",
        "tags": ["skat"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "15s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [_source_variable(), _instance_variable()]},
        "panels": [_panel(number, panel) for number, panel in enumerate(dashboard.panels)],
    }


def _source_variable() -> dict[str, Any]:
    return {"name": "datasource", "type": "datasource", "query": "prometheus"}


def _instance_variable() -> dict[str, Any]:
    return {
        "name": "instance",
        "type": "query",
        "datasource": _SOURCE,
        "query": f"label_values({BUILD.name}, instance)",
        "includeAll": True,
        "multi": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
        "refresh": 2,
    }


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    return {
        "id": number + 1,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.description,
        "datasource": _SOURCE,
        "gridPos": {
            "x": number % 2 * WIDTH,
            "y": number // 2 * HEIGHT,
            "w": WIDTH,
            "h": HEIGHT,
        },
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "targets": [_target(number, query) for number, query in enumerate(panel.queries)],
    }


def _target(number: int, query: Query) -> dict[str, Any]:
    return {
        "refId": chr(ord("A") + number),
        "datasource": _SOURCE,
        "expr": query.expr,
        "legendFormat": query.legend,
    }


def main() -> None:
    """Write the files."""
    for name, text in files().items():
        (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
