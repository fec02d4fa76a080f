"""Draws the picture of the README: the end of the demo as a terminal shows it.

    python docs/picture.py

plays a cup on fixed boards and writes docs/demo.svg.
"""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "demo.svg"
WIDTH = 112
DEMO = ("clients/python/examples/play_cup.py", "--seed", "01" * 32)

FORMAT = re.sub(r"@font-face \{\{.*?\}\}|<!--.*?-->", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""Rich's picture of a terminal without the fonts that it would fetch from elsewhere."""


def played() -> str:
    """What the demo prints on a terminal, colours included; the progress bar is left out."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    with subprocess.Popen(
        [sys.executable, *DEMO],
        cwd=ROOT,
        env=environment,
        stdout=follower,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(follower)
        output = b"".join(iter(lambda: _read(leader), b""))
        os.close(leader)
    if process.returncode:
        raise SystemExit(f"the demo failed with {process.returncode}")
    return output.decode()


def _read(terminal: int) -> bytes:
    """The next bytes; nothing once the other side is closed, which Linux reports as an error."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def main() -> None:
    """Play, draw, write."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True)
        # No-break spaces keep the columns in every viewer.
        shown = played().replace("\r", "").replace(" ", "\u00a0")
        console.print(Text.from_ansi(f"$ make demo\n{shown}"), highlight=False)
        picture = console.export_svg(title="skat server", code_format=FORMAT)
        PICTURE.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
