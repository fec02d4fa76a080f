"""A whole event as data: what was planned, what was played, what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skat_engine.shuffling import nonces_hash
from skat_server.statistics.model import Luck
from skat_server.storage.protocols import SealedDeal
from skat_server.tournaments.boards import boards_root as root_of
from skat_server.tournaments.config import TournamentConfig
from skat_server.tournaments.format_sections import OnceFormat
from skat_server.tournaments.formats.build import format_of
from skat_server.tournaments.formats.plan import Plan
from skat_server.tournaments.matches import MatchResult, Results
from skat_server.tournaments.plays import Deed, Play, plays_of
from skat_server.tournaments.state import Entrant, Fixed
from skat_server.tournaments.summary import Summary, summary


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """One table of a match."""

    table_id: str
    deeds: tuple[Deed, ...]
    """What was played, one for each board, in order."""
    records: Sequence[SealedDeal] = field(default=(), repr=False)
    """One for each board as well, for who writes or checks them; empty for who only counts."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match with its records."""

    result: MatchResult
    tables: tuple[PlayedTable, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament with its finished matches."""

    fixed: Fixed
    entrants: tuple[Entrant, ...]
    matches: Mapping[str, PlayedMatch]
    """By key; those that do not count are here as well."""

    @property
    def results(self) -> Results:
        """What the matches came to."""
        return {key: match.result for key, match in self.matches.items()}

    def plan(self) -> Plan:
        """The schedule as far as the results settle it.

        Without a match for as long as there are too few entries, which only an event that was
        never started can have.
        """
        try:
            return format_of(self.fixed.config).plan(len(self.entrants), self.results)
        except ValueError:
            return Plan(())

    @property
    def winner(self) -> str:
        """Name of the entry that is left in a knock-out; empty where there is none."""
        winner = self.plan().winner
        return "" if winner is None else self.entrants[winner].name

    def counting(self) -> list[PlayedMatch]:
        """The matches that count, in schedule order."""
        return [self.matches[match.key] for match in self.plan().counting(self.results)]

    def plays(self) -> Iterator[Play]:
        """The games that count."""
        for match in self.counting():
            yield from plays_of(match.result, [table.deeds for table in match.tables])

    def summary(self) -> Summary:
        """The figures of the event."""
        return summary(
            [match.result for match in self.counting()],
            list(self.plays()),
            len(self.entrants),
            luck=luck_of(self.fixed.config),
        )


def luck_of(config: TournamentConfig) -> Luck:
    """What games of an event share."""
    return Luck.BOARD_AND_SEAT if isinstance(config.format, OnceFormat) else Luck.BOARD


def event_nonces(entrants: tuple[Entrant, ...]) -> bytes:
    """The entrants' shares in the boards, as one hash."""
    return nonces_hash([entrant.nonce for entrant in entrants])


def board_count(event: Event) -> int:
    """How many boards there are up to the last one that counts."""
    played = [match.result.match for match in event.counting()]
    return max((match.first_board + match.boards for match in played), default=0)


def boards_root(event: Event, boards: int) -> bytes:
    """The root over the commitments of the first boards; empty for none."""
    if not boards:
        return b""
    fixed, nonces = event.fixed, event_nonces(event.entrants)
    return root_of(fixed.tournament_id, fixed.seed, nonces, boards)
