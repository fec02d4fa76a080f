"""Runs the benchmarks, one line of JSON per figure; what `make bench` calls."""

import argparse
import subprocess
import sys

BENCHMARKS = ("engine", "recovery", "server", "durability")


def main() -> None:
    """Run them one after the other, so that they do not share the cores."""
    parser = argparse.ArgumentParser(prog="make bench", description="measure; takes minutes")
    parser.add_argument("name", nargs="*", help=f"some of {', '.join(BENCHMARKS)}; default: all")
    names = parser.parse_args().name or BENCHMARKS
    if unknown := set(names).difference(BENCHMARKS):
        parser.error(f"there is no {', '.join(sorted(unknown))}: {', '.join(BENCHMARKS)}")
    for name in names:
        print(f"# {name}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)


if __name__ == "__main__":
    main()
