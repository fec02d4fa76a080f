"""``python -m tests.soak``: a real server under good, slow, rude and dying bots.

Ends with a verdict and one line of JSON. Exit code: 0 all is well, 1 something is not.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rich.console import Console

from tests.soak.plan import Plan
from tests.soak.run import soak
from tests.soak.telling import Teller, conclude

FAILED: Final = 1
A_MINUTE: Final = 60.0


def main() -> int:
    """Run what the command line asks for."""
    plan, console = _plan(), Console(highlight=False)
    # Its connections are cut all the time; what it says of each would bury the samples.
    logging.getLogger("skat_client").setLevel(logging.ERROR)
    with TemporaryDirectory(prefix="skat-soak-") as folder, Teller(plan, console) as teller:
        report = asyncio.run(soak(plan, Path(folder), teller.tell))
    conclude(report, console)
    return FAILED if report.faults else 0


def _plan() -> Plan:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    parser.add_argument("--tables", type=int, default=200, help="under way at once")
    parser.add_argument("--kill", action="store_true", help="kill the server once a minute")
    parser.add_argument("--think", type=float, default=0.5, help="seconds for an answer")
    parser.add_argument("--seed", type=int, default=1, help="of all that the players do")
    options = parser.parse_args()
    return Plan(
        seconds=options.minutes * A_MINUTE,
        tables=options.tables,
        kill_every=A_MINUTE if options.kill else None,
        think=options.think,
        seed=options.seed,
    )


if __name__ == "__main__":
    sys.exit(main())
