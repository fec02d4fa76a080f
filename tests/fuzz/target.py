"""What the fuzzer runs: it mutates inputs and watches which branches of the server they take.

Started by `tests.fuzz.run`; the options are those of libFuzzer.
"""

import asyncio
import sys

import atheris

with atheris.instrument_imports(include=["skat_engine", "skat_server"]):
    from tests.fuzz.inputs import Doors


def main() -> None:
    """Fuzz until the time is up or something breaks."""
    doors = Doors(asyncio.new_event_loop())
    atheris.Setup(sys.argv, doors.take)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
