"""Values on the command lines of measurements."""

import argparse
import math
from typing import Final

SHORTEST: Final = 0.05
"""Seconds of a window; in less the system counts no processor time."""


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


def count(text: str) -> int:
    """How many of something: one at least.

    Raises:
        argparse.ArgumentTypeError: it is no such number.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of them; take 1 or more")
    return int(text)
