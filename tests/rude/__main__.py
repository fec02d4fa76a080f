"""Let one badly behaved client loose: ``python -m tests.rude NAME --server HOST:PORT``."""

from __future__ import annotations

import argparse
import asyncio
import sys

from tests.rude.clients import CLIENTS


def main() -> None:
    """Run one and say how it was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(CLIENTS))
    parser.add_argument("--server", default="127.0.0.1:7654")
    arguments = parser.parse_args()
    met = asyncio.run(CLIENTS[arguments.name](arguments.server))
    sys.stdout.write(f"{arguments.name}: {', '.join(met) or 'not a word'}\n")


if __name__ == "__main__":
    main()
