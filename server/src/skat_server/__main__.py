"""``python -m skat_server`` and the command ``skat-server``."""

import os

# The library logs what it also raises, in its own words and before ours, such as a port in use.
# It reads this when it is imported, so it comes first.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from skat_server.cli import app


def main() -> None:
    """Run the command line."""
    app(prog_name="skat-server")


if __name__ == "__main__":
    main()
