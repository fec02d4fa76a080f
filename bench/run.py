"""Measures the server and prints a line of JSON for each figure, then a table of all targets.

Server and clients are processes of their own on the loopback. The server's CPU time is read from
the operating system, so that a slow client does not flatter it. What depends on the machine is told
as a ratio to `raw`, a bare echo over gRPC with as many streams, whose windows alternate with those
of the figure; ratios are taken within a round, and their median is shown.
"""

import argparse
import importlib.util
import json
import os
import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from bench.arguments import between, count, window_seconds
from bench.catalog import FIGURES
from bench.files import UNFIT, why_too_few
from bench.plan import Plan, Values
from bench.processes import EXIT_INTERRUPTED, Machine, ending_like_ctrl_c
from bench.progress import under_way
from bench.targets import Row, rows

_FILE_WIDTH: Final = 110
"""Columns of the table where it goes to no terminal."""
FAILED: Final = 1
CALLED: Final = "SKAT_BENCH_CALLED"
"""Variable with the command that somebody has typed, where that is not `make bench`."""
_INSTALLS_UVLOOP: Final = shlex.join(
    [
        *(sys.executable, "-m", "pip", "install"),
        *("-c", str(Path(__file__).parents[1] / "constraints.txt"), "uvloop"),
    ]
)
"""A command that works from every folder."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, measure one figure after the other, and print.

    What was measured until Ctrl-C is shown all the same.
    """
    options = parser().parse_args(arguments)
    if options.loop == "uvloop" and importlib.util.find_spec("uvloop") is None:
        parser().error(f"uvloop is not installed: {_INSTALLS_UVLOOP}")
    plan = Plan(options.rounds, options.seconds, options.scale, Machine(options.loop, options.pin))
    names = options.figure or list(FIGURES)
    too_few = why_too_few({name: FIGURES[name].files(plan) for name in names})
    if too_few is not None:
        print(too_few, file=sys.stderr)
        sys.exit(UNFIT)
    found: list[Row] = []
    code = 0
    try:
        with ending_like_ctrl_c():
            _measure(names, plan, found)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except RuntimeError as error:  # a process of ours did not start
        print(error, file=sys.stderr)
        code = FAILED
    _show(found, plan)
    if code:
        sys.exit(code)


def _measure(names: Sequence[str], plan: Plan, found: list[Row]) -> None:
    for number, name in enumerate(names):
        figure = FIGURES[name]
        with under_way(name, figure.says, number, len(names)):
            values = figure.measure(plan)
        print(json.dumps({"figure": name, **_circumstances(plan), **values}), flush=True)
        found += rows(name, values)


def parser() -> argparse.ArgumentParser:
    """What the command line understands."""
    figures = "\n".join(f"  {name:<12} {figure.says}" for name, figure in FIGURES.items())
    options = argparse.ArgumentParser(
        prog=os.environ.get(CALLED, "make bench"),
        description=f"{__doc__}\nfigures:\n{figures}",
        epilog='All take about ten minutes. For a look: make bench ARGS="tables-64 --rounds 2", or '
        "skat-server bench tables-64 --rounds 2",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument(
        "figure",
        nargs="*",
        type=_figure,
        metavar="FIGURE",
        help="some figures; all when none is named",
    )
    defaults = Plan()
    options.add_argument(
        "--rounds", type=count, default=defaults.rounds, help="windows of each (5)"
    )
    options.add_argument(
        "--seconds", type=window_seconds, default=defaults.seconds, help="length of a window (2)"
    )
    options.add_argument(
        "--scale", type=_scale, default=1.0, help="share of tables and sessions, for a look (1)"
    )
    options.add_argument(
        "--loop",
        type=_loop,
        default="asyncio",
        metavar="{asyncio,uvloop}",
        help="event loop of the servers",
    )
    options.add_argument(
        "--pin", action="store_true", help="servers on the first processor, clients on the others"
    )
    return options


def _figure(text: str) -> str:
    if text not in FIGURES:
        raise argparse.ArgumentTypeError(f"there is no {text!r}; take some of {', '.join(FIGURES)}")
    return text


def _scale(text: str) -> float:
    return between(text, 0.001, 10.0)


def _loop(text: str) -> str:
    if text not in {"asyncio", "uvloop"}:
        raise argparse.ArgumentTypeError(f"there is no {text!r}; take asyncio or uvloop")
    return text


def _circumstances(plan: Plan) -> Values:
    """What else a figure depends on."""
    return {
        "python": platform.python_version(),
        "loop": plan.machine.loop,
        "rounds": plan.rounds,
        "window_s": plan.seconds,
        **({} if plan.scale == 1.0 else {"scale": plan.scale}),
    }


def _show(found: Sequence[Row], plan: Plan) -> None:
    """The table of the targets; missed ones are no failure of the run, and a look meets none."""
    if not found:
        return
    verdicts = () if plan.is_look else ("must", "aim", "met")
    table = Table("figure", "what", "measured", *verdicts)
    for row in found:
        table.add_row(*(row.measured if plan.is_look else row.judged))
    Console(width=None if sys.stdout.isatty() else _FILE_WIDTH).print(table)
    if plan.is_look:
        print(
            f"A look, not a figure: rounds {plan.rounds}, seconds {plan.seconds:g}, "
            f"scale {plan.scale:g}. Targets are for the whole."
        )


if __name__ == "__main__":
    main()
