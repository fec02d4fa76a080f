"""``python -m skat_server`` and the command ``skat-server``."""

import importlib
import os
import signal
import sys

# The library logs what it also raises, in its own words and before ours, such as a port in use.
# It reads this when it is imported, so it comes first.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def main() -> None:
    """Run the command line."""
    try:
        # To read all of it takes a second, in which Ctrl-C may come already.
        cli = importlib.import_module("skat_server.cli")
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the exit code is settled
        sys.exit(128 + signal.SIGINT)
    cli.app(prog_name="skat-server")


if __name__ == "__main__":
    main()
