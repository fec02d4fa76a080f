"""Writes the pages about metrics and log lines from their declarations in the server.

Run by ``make docs``; a test holds that the pages are fresh.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from skat_server.observability.metrics.declarations import METRICS
from skat_server.observability.metrics.declaring import Label, Metric
from skat_server.observability.vocabulary import ALWAYS, CONTEXT, EVENTS, FIELDS

HERE: Final = Path(__file__).parent
_NOTE: Final = "<!-- Written by `make docs` from the server's declarations; edit those instead. -->"

_METRICS: Final = """\
`skat-server serve --metrics-port 9464` shows these at `http://127.0.0.1:9464/metrics`, beside \
`process_*` and `python_gc_*` of the process. Units are seconds and bytes; counters end with \
`_total` and begin anew at zero with every start. Labels have closed sets of values: no table, \
player, token or address is ever one, so a server has fewer than 1,500 series whatever is played \
on it. Series that are known beforehand are there from the start, at zero.

[Running a server](operating.md#metrics) says how to collect them; `deploy/grafana` has dashboards \
and `deploy/prometheus` alerts over them.
"""

_LOGS: Final = """\
The server writes to standard error what happens: one JSON object a line, or readable lines on a \
terminal (`--log-format`). Each line has one of the events below and no fields but those named \
here; fields for which there is nothing to say are left out. No line holds cards, seeds, tokens, \
messages, or the text of an exception.
"""


def pages() -> Mapping[str, str]:
    """The text of each page by its file name."""
    return {"metrics.md": metrics_page(), "logs.md": logs_page()}


def metrics_page() -> str:
    """Every metric with its kind, meaning and labels."""
    rows = [
        (f"`{one.name}`", one.kind.value, one.meaning, _labels(one) or _bounds(one))
        for one in METRICS
    ]
    table = _table(("metric", "kind", "meaning", "labels; bounds of buckets"), rows)
    return _page("Metrics", _METRICS, table)


def logs_page() -> str:
    """Every event with its level, fields and meaning; every field."""
    events = _table(
        ("event", "level", "meaning", "fields"),
        [
            (f"`{one.name}`", one.level.value, one.meaning, _codes(one.fields))
            for one in EVENTS.values()
        ],
    )
    fields = _table(("field", "holds"), [(f"`{name}`", text) for name, text in FIELDS.items()])
    around = (
        f"Every line has {_codes(ALWAYS)}; those written on behalf of a call also have "
        f"{_codes(CONTEXT)} where they are known.\n"
    )
    return _page("Log lines", _LOGS, f"## Events\n\n{events}\n## Fields\n\n{around}\n{fields}")


def _labels(metric: Metric) -> str:
    labels = "; ".join(f"`{label.name}`: {_values(label)}" for label in metric.labels)
    bounds = _bounds(metric)
    return f"{labels}; {bounds}" if labels and bounds else labels


def _values(label: Label) -> str:
    return ", ".join(label.values) if label.values else label.source


def _bounds(metric: Metric) -> str:
    return ", ".join(f"{bound:g}" for bound in metric.bounds)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _page(title: str, introduction: str, body: str) -> str:
    return f"# {title}\n\n{_NOTE}\n\n{introduction}\n{body}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
