"""Fuzzes the server for a while, or shows again what an input has broken.

    python -m tests.fuzz.run --seconds 60
    python -m tests.fuzz.run .fuzz/crashes/crash-...

Inputs that found something new are kept in `.fuzz/corpus` and mutated further the next time;
inputs that broke something are kept in `.fuzz/crashes`. Only the first form needs atheris, which
`make fuzz` installs.
"""

import argparse
import asyncio
import subprocess
import sys
from pathlib import Path

from tests.fuzz.inputs import Doors, seeds

FOLDER = Path(".fuzz")
LONGEST_INPUT = 8_192
LONGEST_RUN = 25
"""Seconds after which one input counts as one that hangs."""


def written_seeds(folder: Path) -> Path:
    """The folder of the corpus, with the seeds in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in seeds():
        (folder / name).write_bytes(data)
    return folder


def fuzz(seconds: int, folder: Path) -> int:
    """Run the fuzzer; how many inputs have broken something."""
    crashes = folder / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={LONGEST_RUN}",
        f"-artifact_prefix={crashes}/",
        "-print_final_stats=1",
    ]
    corpus = written_seeds(folder / "corpus")
    command = [sys.executable, "-m", "tests.fuzz.target", *options, str(corpus)]
    status = subprocess.run(command, check=False).returncode
    new = sorted(set(crashes.iterdir()) - before)
    for crash in new:
        print(f"broken: {crash}\n  again: python -m tests.fuzz.run {crash}")
    if not new and status:
        print(f"the fuzzer itself has failed with status {status}")
    elif not new:
        print(f"nothing broke in {seconds} s; {len(list(corpus.iterdir()))} inputs in {corpus}")
    return len(new) or abs(status)


def again(inputs: list[Path]) -> int:
    """Take inputs as the fuzzer does; what breaks is shown with its trace."""
    doors = Doors(asyncio.new_event_loop())
    for path in inputs:
        print(f"{path}: {path.read_bytes()[:60]!r}")
        doors.take(path.read_bytes())
    print("nothing broke")
    return 0


def main() -> int:
    """Read the options and do one or the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("inputs", nargs="*", type=Path, help="inputs to take again")
    parser.add_argument("--seconds", type=int, default=60, help="how long to fuzz")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where inputs are kept")
    options = parser.parse_args()
    if options.inputs:
        return again(options.inputs)
    return fuzz(options.seconds, options.folder)


if __name__ == "__main__":
    sys.exit(main())
