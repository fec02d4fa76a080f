"""Values on the command lines of measurements."""

import argparse
import math
from typing import Final

SHORTEST: Final = 0.05
"""Seconds of a window; in less the system counts no processor time."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl-C."""


def window_seconds(text: str) -> float:
    """The length of a window.

    Raises:
        argparse.ArgumentTypeError: nothing can be measured in it.
    """
    return between(text, SHORTEST, 3600.0)


def between(text: str, least: float, most: float) -> float:
    """A number within bounds.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not from {least:g} to {most:g}")
    return number
