"""The tables of an organiser's file but that of the format: rules, time, faults, seeds, entries."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

_Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        pattern=r"^[\w .+@-]+$",
        description="1 to 40 letters, digits, spaces and any of _ . + @ -",
    ),
]
_Milliseconds = Annotated[int, Field(ge=0, le=3_600_000)]


class Section(BaseModel):
    """A table of the file: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Rules(Section):
    """What is played."""

    preset: str = "isko"
    options: dict[str, str] = {}
    """Options that differ from the preset, as text (`docs/rules/`)."""


class Clock(Section):
    """How long entries may think, in milliseconds."""

    decision_ms: _Milliseconds = 10_000
    bank_ms: _Milliseconds = 60_000
    increment_ms: _Milliseconds = 0
    grace_ms: _Milliseconds = 30_000


class Faults(Section):
    """What happens to entries that do not play."""

    illegal_actions: Annotated[int, Field(ge=0, le=100)] = 3
    safe_answers: Annotated[int, Field(ge=0, le=1_000)] = 3
    consequence: Literal["house_plays", "forfeit", "none"] = "house_plays"


class Stop(Section):
    """When a test ends; points a game."""

    delta0: FiniteFloat = 0.0
    delta1: FiniteFloat = 2.0
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    most_blocks: Annotated[int, Field(ge=50)] | None = None


class Seeds(Section):
    """Where the boards come from."""

    seed: (
        Annotated[
            str,
            Field(pattern=r"^[0-9a-f]{64}$", description="64 hexadecimal digits in small letters"),
        ]
        | None
    ) = None
    """For practice and tests, never rated; without it the server draws one in secret."""


class EntrySection(Section):
    """Somebody who takes part."""

    name: _Name
    players: tuple[str, ...] = ()
    """Ids of the players that play for it; a second one for tests of two entries, where an entry
    sits twice at a table. Empty for an entry that is yet to register."""
    owner: str = ""
    """Entries of one owner do not meet, unless `owners_may_meet`."""
    house: Literal["first_option", "random"] | None = None
    """A bot of the server's own."""
