"""Writes the golden playthroughs anew and says which have changed.

    python tests/golden/regenerate.py

Read the difference before you commit it: it is the change of the rules.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.golden.playthrough import render  # noqa: E402  # the root is on the path only now


def main() -> None:
    """Rewrite every file that differs."""
    for file in sorted(HERE.glob("*.skat")):
        old = file.read_text()
        new = render(old)
        print(f"{file.name}: {'unchanged' if new == old else 'rewritten'}")
        file.write_text(new)


if __name__ == "__main__":
    main()
