"""Deals for scripted play, from notation."""

from typing import Final

from tests.builders import dealt

MIXED: Final = dealt(
    "CJ HJ CA CT CK S7 S8 H7 D8 D9",
    "SJ CQ C9 SA ST S9 HA HT DA DT",
    "DJ C8 C7 SK SQ HK HQ H9 DK DQ",
    "H8 D7",
)
"""Everybody holds every suit; forehand can play Clubs."""

TRUMPS: Final = dealt(
    "CJ SJ HJ DJ CA CT CK CQ C9 C8",
    "SA ST SK SQ S9 S8 S7 HA HT HK",
    "HQ H9 H8 H7 DA DT DK DQ D9 D8",
    "C7 D7",
)
"""Forehand makes every trick in Clubs."""

CLUBS_BY_FOREHAND: Final = "18 hold pass pass take C.H8.D7"
"""In `MIXED`: forehand is declarer at 18, discards what lay in the skat, and is to lead."""
