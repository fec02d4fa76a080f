"""The result property: what the server says came of the deal.

``passed``, ``unknown``, or fields in the server's own short names. The replay of
`skat_engine.records.iss.house` gives its facts under the same names.
"""

from typing import Final

from skat_engine.errors import NotationError
from skat_engine.records.model import Expected

OUTCOME: Final = "outcome"
BID: Final = "bid"
PASSED: Final = "passed"
UNKNOWN: Final = "unknown"
WIN: Final = "win"
LOSS: Final = "loss"
PENALTY: Final = "penalty"
BID_REACHED: Final = "bidok"
OVERBID: Final = "overbid"

_WORDS: Final = {
    WIN: OUTCOME,
    LOSS: OUTCOME,
    PENALTY: OUTCOME,
    BID_REACHED: BID,
    OVERBID: BID,
}
_NUMBERS: Final = frozenset({"d", "v", "m", "p", "t", "s", "z", "p0", "p1", "p2", "l", "to", "r"})
_MOST_DIGITS: Final = 6


def parse_result(text: str) -> tuple[Expected, ...]:
    """Every field of the result; the outcome comes first, so that it is compared first.

    Old records stop after ``to``; what a record does not say is not compared.

    Raises:
        NotationError: an unknown or repeated field, or one without which there is no result.
    """
    if text.strip() in (PASSED, UNKNOWN):
        return (Expected(OUTCOME, text.strip()),)
    claims = {}
    for word in text.split():
        claim = _claim(word)
        if claim.field in claims:
            raise NotationError(f"result says {claim.field} twice")
        claims[claim.field] = claim
    for field in (OUTCOME, "d", "v"):
        if field not in claims:
            raise NotationError(f"result lacks {field}")
    return (claims.pop(OUTCOME), *claims.values())


def _claim(word: str) -> Expected:
    if word in _WORDS:
        return Expected(_WORDS[word], word)
    name, _, number = word.partition(":")
    digits = number.removeprefix("-")
    if name not in _NUMBERS or not (digits.isascii() and digits.isdigit()):
        raise NotationError(f"result has an unknown field {word!r}")
    if len(digits) > _MOST_DIGITS:
        raise NotationError(f"result has an impossible number in {name}")
    return Expected(name, int(number))
