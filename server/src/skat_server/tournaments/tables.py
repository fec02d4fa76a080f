"""The tables of an event: what they are made of, and what came of them."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Final

from skat_engine.records import own
from skat_engine.records.facts import result_of
from skat_engine.records.rows import Row
from skat_engine.series import Series
from skat_server.storage.protocols import SealedDeal
from skat_server.tables.clocks import ClockPolicy
from skat_server.tables.faults import FaultConsequence, FaultPolicy
from skat_server.tables.sources import BoardDeals
from skat_server.tables.state import Occupant, TableConfig, Visibility, house_occupant
from skat_server.tournaments.event import Event, PlayedTable, event_nonces
from skat_server.tournaments.matches import Match, TableResult
from skat_server.tournaments.plays import deed_in
from skat_server.tournaments.state import Entrant, Fixed

_ID_LABEL: Final = b"skat-tournament-table-v1"
_ID_DIGITS: Final = 16


def table_id_of(fixed: Fixed, match: Match, number: int) -> str:
    """The id of a planned table: computed, so a restart finds it, and it tells nothing (R4).

    The tournament's own id is part of it: two events may have one seed.
    """
    message = _ID_LABEL + f"{fixed.tournament_id}/{match.table_key(number)}".encode()
    digest = hmac.new(fixed.seed, message, hashlib.sha256).hexdigest()
    return f"table-{digest[:_ID_DIGITS]}"


def table_config(event: Event, match: Match, number: int, at: float) -> TableConfig:
    """What a planned table is made of.

    Args:
        event: the tournament.
        match: what is played.
        number: which of the match's tables.
        at: when it is made, in seconds since 1970.
    """
    fixed, config = event.fixed, event.fixed.config
    return TableConfig(
        table_id=table_id_of(fixed, match, number),
        owner_id=fixed.organiser_id,
        display_name=config.name,
        preset=config.rules.preset,
        overrides=tuple(sorted(config.table_options(match.boards).items())),
        rules=config.rule_set(match.boards),
        visibility=Visibility.PRIVATE,
        source=BoardDeals(fixed.seed, event_nonces(event.entrants), match.first_board),
        draw=(),
        created_at=at,
        clock=ClockPolicy(**config.clock.model_dump()),
        faults=FaultPolicy(
            config.faults.illegal_actions,
            config.faults.safe_answers,
            FaultConsequence(config.faults.consequence),
        ),
        seated=tuple(seated(event.entrants, match.lineups[number])),
        tournament_id=fixed.tournament_id,
    )


def seated(entrants: Sequence[Entrant], lineup: Sequence[int]) -> list[Occupant]:
    """Who sits at a table from the start: the players of the entries, house bots for others.

    An entry that sits at several seats has a player for each (`ab_test`).
    """
    used: dict[int, int] = {}
    occupants = []
    for number in lineup:
        entrant, turn = entrants[number], used.get(number, 0)
        used[number] = turn + 1
        occupants.append(_occupant(entrant, turn))
    return occupants


def _occupant(entrant: Entrant, turn: int) -> Occupant:
    if entrant.house is not None:
        return house_occupant(entrant.house)
    return Occupant(entrant.players[turn], entrant.name)


def played_table(
    table_id: str, records: Sequence[SealedDeal], *, with_records: bool = True
) -> tuple[PlayedTable, TableResult]:
    """A finished table from its sealed records: points are booked anew from the results.

    Args:
        table_id: the table.
        records: all of its records, in order.
        with_records: keep them, for who writes or checks them.
    """
    series: Series | None = None
    points, deeds, dealers, faulty = [], [], [], set()
    for place, deal in enumerate(records):
        record, row = own.from_json_line(deal.json), json.loads(deal.json)
        series = series or Series(record.rules)
        result = result_of(Row(row["result"]), record.dealt)
        points.append(series.book(result).changes)
        deeds.append(deed_in(row["result"]))
        dealers.append(row["dealer"])
        if row.get("faults"):
            faulty.add(place)
    kept = records if with_records else ()
    table = PlayedTable(table_id, tuple(deeds), kept)
    return table, TableResult(tuple(points), frozenset(faulty), tuple(dealers))
