"""From the file's section to the format."""

from typing import assert_never

from skat_server.statistics.sprt import Hypotheses
from skat_server.tournaments import format_sections as file
from skat_server.tournaments.config import TournamentConfig
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.all_play_all import (
    AllTriples,
    Gauntlet,
    Lists,
    RoundRobin,
    entries_with_house,
)
from skat_server.tournaments.formats.knock_out import KnockOut
from skat_server.tournaments.formats.ladder import Ladder
from skat_server.tournaments.formats.once import Once
from skat_server.tournaments.formats.plan import Format
from skat_server.tournaments.formats.rounds import with_house
from skat_server.tournaments.formats.swiss import Swiss
from skat_server.tournaments.matches import SEATS
from skat_server.tournaments.sections import Stop


def format_of(config: TournamentConfig) -> Format:
    """The format that a file describes."""
    match config.format:
        case file.RoundRobinFormat(rounds=rounds, boards=boards):
            return RoundRobin(rounds, boards)
        case file.AllTriplesFormat(rounds=rounds, boards=boards):
            return AllTriples(rounds, boards)
        case file.GauntletFormat(references=references, rounds=rounds, boards=boards):
            return Gauntlet(references, rounds, boards)
        case file.AbTestFormat(boards=boards, both_roles=both_roles):
            return AbTest(_hypotheses(config.stop), boards, both_roles)
        case file.SwissFormat(rounds=rounds, boards=boards):
            return Swiss(rounds, boards)
        case file.KnockOutFormat(boards=boards, replays=replays):
            return KnockOut(boards, replays)
        case _:
            return _others(config.format)


def _others(section: file.ListsFormat | file.OnceFormat | file.LadderFormat) -> Format:
    match section:
        case file.LadderFormat(rounds=rounds, boards=boards, anchors=anchors):
            return Ladder(rounds, boards, anchors)
        case file.ListsFormat(seats=seats, rounds=rounds, deals=deals, pairs=pairs):
            return Lists(seats, rounds, deals, pairs)
        case file.OnceFormat(rounds=rounds, boards=boards):
            return Once(rounds, boards)
        case _:
            assert_never(section)


def seats_of_entry(config: TournamentConfig) -> int:
    """At how many seats of a table one entry sits at most, with a player for each."""
    return 2 if isinstance(config.format, file.AbTestFormat) else 1


def house_entries(config: TournamentConfig, entries: int) -> int:
    """How many house bots have to fill up so many entries.

    Raises:
        ValueError: so few entries cannot play this.
    """
    match config.format:
        case file.RoundRobinFormat():
            return entries_with_house(entries) - entries
        case file.SwissFormat() | file.OnceFormat():
            return with_house(entries) - entries
        case file.KnockOutFormat():
            return 1
        case file.LadderFormat():
            return max(0, SEATS - entries)
        case _:
            return 0


def _hypotheses(stop: Stop) -> Hypotheses:
    return Hypotheses(stop.delta0, stop.delta1, stop.alpha, stop.beta, stop.most_blocks)
