"""What a look at one thing has come to."""

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """How it is."""

    GOOD = "good"
    DOUBTFUL = "doubtful"
    """A server starts with it, and somebody should look at it."""
    BAD = "bad"
    """A server does not start with it, or must not run with it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    verdict: Verdict
    text: str
    """What was found."""
    advice: str = ""
    """What to do; empty where there is nothing to do."""


def good(what: str, text: str) -> Finding:
    """Nothing is to be done."""
    return Finding(what, Verdict.GOOD, text)


def doubtful(what: str, text: str, advice: str) -> Finding:
    """Somebody should look at it."""
    return Finding(what, Verdict.DOUBTFUL, text, advice)


def bad(what: str, text: str, advice: str) -> Finding:
    """It has to be mended first."""
    return Finding(what, Verdict.BAD, text, advice)
