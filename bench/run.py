"""Runs every benchmark, one line of JSON per figure; what `make bench` calls."""

import subprocess
import sys

BENCHMARKS = ("bench.engine", "bench.recovery", "bench.server", "bench.durability")


def main() -> None:
    """Run them one after the other, so that they do not share the cores."""
    for module in BENCHMARKS:
        print(f"# {module}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", module], check=True)


if __name__ == "__main__":
    main()
