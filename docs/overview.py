"""Draws the picture of the overview: its panels over a minute in which a server is played on.

    python -m docs.overview

needs Debian's package `prometheus` and writes docs/overview.png. The queries are those of the
dashboard; the picture is drawn with matplotlib, because it takes no browser.
"""

import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deploy.grafana.panels import DASHBOARDS, Panel, Query

PICTURE = Path(__file__).with_name("overview.png")
SECONDS = 60
WINDOW = "10s"
"""Over which rates are taken; a dashboard takes four scrapes."""
COMMAND = str(Path(sys.executable).with_name("skat-server"))
CONFIG = """\
global: {{scrape_interval: 1s}}
scrape_configs:
  - {{job_name: skat, static_configs: [{{targets: ["{target}"]}}]}}
"""
_NAMES: Mapping[str, str] = {"ops": "1/s", "s": "s", "short": ""}


@contextmanager
def running(*command: str) -> Iterator["subprocess.Popen[str]"]:
    """A program that is told to stop afterwards."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


@contextmanager
def server(data: Path) -> Iterator[tuple[str, str]]:
    """A server: where it listens, and where its metrics are."""
    ports = ("--port", "0", "--metrics-port", "0", "--grace", "1")
    with running(COMMAND, "serve", "--data", str(data), *ports) as one:
        assert one.stdout is not None
        address = one.stdout.readline().split()[-1]
        one.stdout.readline()  # where tables are kept
        yield address, one.stdout.readline().rpartition("//")[2].strip()


@contextmanager
def prometheus(target: str, folder: Path) -> Iterator[str]:
    """A Prometheus that scrapes it every second: where it is asked."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    (folder / "prometheus.yml").write_text(CONFIG.format(target=target), encoding="utf-8")
    with running(
        "prometheus",
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'tsdb'}",
        f"--web.listen-address={address}",
        "--log.level=error",
    ):
        yield address


def series(address: str, query: Query, end: float) -> list[dict[str, Any]]:
    """The answers to a query over the last minute."""
    expr = query.expr.replace("$__rate_interval", WINDOW).replace("$instance", ".*")
    asked = {"query": expr, "start": f"{end - SECONDS}", "end": f"{end}", "step": "1"}
    url = f"http://{address}/api/v1/query_range?{urllib.parse.urlencode(asked)}"
    with urllib.request.urlopen(url) as answer:  # on the loopback
        found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        return found


def name_of(query: Query, labels: Mapping[str, str]) -> str:
    """What Grafana would call a series."""
    name = query.legend
    for label, value in labels.items():
        name = name.replace(f"{{{{{label}}}}}", value)
    return name


def draw(axes: Axes, panel: Panel, address: str, end: float) -> None:
    """Draw one panel; series that are nothing but zero are left out."""
    axes.set_title(panel.title, fontsize=9, loc="left", fontweight="bold")
    for query in panel.queries:
        for one in series(address, query, end):
            points = [(at - end, float(value)) for at, value in one["values"]]
            if any(value > 0 for _, value in points):
                axes.plot(*zip(*points, strict=True), label=name_of(query, one["metric"]), lw=1.4)
    axes.set_xlim(-SECONDS, 0)
    axes.set_ylim(0, max(axes.get_ylim()[1] * 1.25, 1e-3))
    axes.set_ylabel(_NAMES.get(panel.unit, panel.unit), fontsize=7)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.25)
    if axes.get_lines():
        axes.legend(fontsize=6, loc="upper left", frameon=False, ncols=2)


def picture(panels: Sequence[Panel], address: str, end: float) -> Figure:
    """All panels of a dashboard."""
    mpl.use("agg")
    figure = Figure(figsize=(12, 9), layout="constrained")
    for number, panel in enumerate(panels):
        draw(figure.add_subplot(4, 3, number + 1), panel, address, end)
    return figure


def main() -> None:
    """Run all of it, and write the picture."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        address, metrics = stack.enter_context(server(folder / "data"))
        asked = stack.enter_context(prometheus(metrics, folder))
        load = ("--sessions", "24", "--tables", "24", "--seconds", str(SECONDS))
        subprocess.run(
            [COMMAND, "load", "--target", address, *load, "--think", "exp:40"], check=True
        )
        picture(DASHBOARDS[0].panels, asked, time.time() - 3).savefig(PICTURE, dpi=110)
    print(PICTURE)


if __name__ == "__main__":
    main()
