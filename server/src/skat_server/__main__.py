"""``python -m skat_server`` and the command ``skat-server``."""

from skat_server.cli import app


def main() -> None:
    """Run the command line."""
    app(prog_name="skat-server")


if __name__ == "__main__":
    main()
