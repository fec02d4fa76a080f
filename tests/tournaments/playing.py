"""Whole events played by chance on the engine, with real records."""

from __future__ import annotations

import random

from skat_engine import Deal, Series, board_seed, deal_from_seed
from skat_engine.records import own
from skat_server.storage.protocols import DealRecordLine, SealedDeal
from skat_server.storage.sealing import FIRST, sealed
from skat_server.tournaments.config import parse_config
from skat_server.tournaments.event import Event, PlayedMatch, PlayedTable, event_nonces
from skat_server.tournaments.formats.build import format_of, house_entries
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.state import Entrant, Fixed
from skat_server.tournaments.tables import played_table

CUP = """
name = "Cup"
[format]
kind = "round_robin"
boards = 3
"""


def played(text: str = CUP, entries: int = 3, seed: int = 1) -> Event:
    """An event that is played to its end."""
    config = parse_config(text)
    fixed = Fixed("tournament-1", "organiser", text, config, bytes([seed]) * 32, 0.0)
    count = entries + house_entries(config, entries)
    entrants = tuple(Entrant(f"bot-{n}", (f"player-{n}",), nonce=bytes([n])) for n in range(count))
    event, chance = Event(fixed, entrants, {}), random.Random(seed)
    while True:
        plan = format_of(config).plan(count, event.results)
        waiting = plan.to_play(event.results)
        if not waiting:
            return event
        matches = {match.key: _match(event, match, chance) for match in waiting}
        event = Event(fixed, entrants, {**event.matches, **matches})


def _match(event: Event, match: Match, chance: random.Random) -> PlayedMatch:
    tables, results = [], []
    for number in range(len(match.lineups)):
        table, result = _table(event, match, number, chance)
        tables.append(table)
        results.append(result)
    return PlayedMatch(MatchResult(match, tuple(results)), tuple(tables))


def _table(
    event: Event, match: Match, number: int, chance: random.Random
) -> tuple[PlayedTable, TableResult]:
    series = Series(event.fixed.config.rule_set(match.boards))
    records: list[SealedDeal] = []
    for place in range(match.boards):
        seed = board_seed(event.fixed.seed, event_nonces(event.entrants), match.first_board + place)
        names = [event.entrants[entry].name for entry in match.lineups[number]]
        line = _deal(series, seed, place + 1, match.table_key(number), names, chance)
        records.append(sealed(line, records[-1].sha256 if records else FIRST))
    return played_table(match.table_key(number), records)


def _deal(  # noqa: PLR0913, PLR0917  # a record has many sides
    series: Series,
    seed: bytes,
    number: int,
    table: str,
    names: list[str],
    chance: random.Random,
) -> DealRecordLine:
    seating, dealt = series.next_seating(), deal_from_seed(seed)
    deal, moves = Deal(series.rules, dealt), []
    while deal.to_act is not None:
        position, options = deal.to_act, deal.legal(deal.to_act)
        action = options[chance.randrange(min(len(options), 12))]
        deal.apply(position, action)
        moves.append((position, action))
    assert deal.result is not None
    name, result = f"{table}/{number}", deal.result
    record = own.new_record(
        name, series.rules, names, seating, number, dealt, moves, result, seed=seed
    )
    series.book(deal.result)
    return DealRecordLine(number, own.to_json_line(record))
