"""What one form of record can say and another cannot."""

from enum import Enum

from skat_engine.errors import SkatEngineError


class Unsayable(Enum):
    """What it is that cannot be said."""

    RAMSCH = "ramsch"
    """A Ramsch, or what leads to one: Grand Hand instead, the skat passed on, a knock."""
    KONTRA = "kontra"
    """Kontra or Re."""
    BOCK = "bock"
    """A deal that counts double for what happened before it."""
    SPITZE = "spitze"
    """The lowest trump announced for the last trick."""
    REVOLUTION = "revolution"
    """A Null ouvert against hands dealt anew."""
    VOTE = "vote"
    """A proposal to end the deal that was turned down, or that nobody took up."""
    INTERRUPTION = "interruption"
    """Somebody's time ran out, or somebody left."""
    ENDING = "ending"
    """The deal ended in a way that only its own rules know, or has not ended."""
    BOOKING = "booking"
    """The other rules book the same deal with another score."""
    MOVE = "move"
    """An action that the other rules refuse, or have no word for."""
    TEXT = "text"
    """A name with a line break, or one that is no text."""
    CONTRADICTION = "contradiction"
    """The record does not replay as it says, so its meaning is unknown."""


class UnsayableError(SkatEngineError):
    """A record that cannot be written in the form that was asked for.

    Attributes:
        what: what cannot be said.
    """

    def __init__(self, what: Unsayable, message: str) -> None:
        """Keep what it is beside the sentence for people."""
        super().__init__(f"{what.value}: {message}")
        self.what = what
