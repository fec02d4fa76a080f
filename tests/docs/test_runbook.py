"""The runbook says what to do about every alert, and about no other."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
RULES: Final = (ROOT / "deploy" / "prometheus" / "rules.yml").read_text(encoding="utf-8")
INCIDENTS: Final = (
    (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8").partition("\n## Incidents")[2]
)


def test_every_alert_has_a_line() -> None:
    alerts = set(re.findall(r"^ *- alert: (\w+)$", RULES, re.MULTILINE))
    assert alerts
    assert set(re.findall(r"\bSkat[A-Z]\w+", INCIDENTS)) == alerts
