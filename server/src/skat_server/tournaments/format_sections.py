"""The table of an organiser's file that says in which format is played, one class a format."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from skat_server.tournaments.sections import Section

_Count = Annotated[int, Field(ge=1, le=1_000_000)]


class RoundRobinFormat(Section):
    """Everybody before everybody equally often."""

    kind: Literal["round_robin"]
    rounds: _Count = 1
    boards: _Count = 10
    """Boards of a match."""


class AllTriplesFormat(Section):
    """Every three entries."""

    kind: Literal["all_triples"]
    rounds: _Count = 2
    boards: _Count = 10


class GauntletFormat(Section):
    """Challengers against frozen references."""

    kind: Literal["gauntlet"]
    references: Annotated[int, Field(ge=2)] = 2
    """The first so many entries, those of the file before those that register."""
    rounds: _Count = 2
    boards: _Count = 10


class AbTestFormat(Section):
    """The first entry against the second, until the test knows."""

    kind: Literal["ab_test"]
    boards: _Count = 10
    both_roles: bool = True


class SwissFormat(Section):
    """Rounds of pods of about the same rank."""

    kind: Literal["swiss"]
    rounds: _Count = 5
    boards: _Count = 12


class KnockOutFormat(Section):
    """Pods of which one goes on."""

    kind: Literal["knock_out"]
    boards: _Count = 24
    replays: Annotated[int, Field(ge=0, le=10)] = 1


class ListsFormat(Section):
    """Classical lists."""

    kind: Literal["lists"]
    seats: Literal[3, 4] = 3
    rounds: _Count = 3
    deals: _Count = 36
    pairs: bool = False
    """Every board at two tables of the same four, with opposite seats exchanged."""

    @model_validator(mode="after")
    def _has_opposite_seats(self) -> Self:
        if self.pairs and self.seats != 4:  # noqa: PLR2004
            raise ValueError("pairs need seats = 4; for three play round_robin")
        return self


class OnceFormat(Section):
    """Rounds in which nobody meets a board twice (exposure `once`)."""

    kind: Literal["once"]
    rounds: _Count = 10
    boards: _Count = 10


class LadderFormat(Section):
    """Whoever has played least meets two of about his own strength."""

    kind: Literal["ladder"]
    rounds: _Count = 20
    boards: _Count = 4
    anchors: tuple[Annotated[float, Field(ge=0, le=50)], ...] = ()
    """Ratings of the first entries, which do not change; a new entry begins at 25."""


FormatSection = Annotated[
    RoundRobinFormat
    | AllTriplesFormat
    | GauntletFormat
    | AbTestFormat
    | SwissFormat
    | KnockOutFormat
    | ListsFormat
    | OnceFormat
    | LadderFormat,
    Field(discriminator="kind"),
]
