"""What is fixed of a table as one JSON object, both ways."""

from dataclasses import asdict, fields
from functools import lru_cache
from typing import Final, assert_never

from skat_engine.cards import cards_text, parse_cards
from skat_engine.errors import NotationError, RuleSetError
from skat_engine.notation import dealt_text, parse_dealt
from skat_engine.records.rows import Row
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_rule_set, rule_set_options
from skat_engine.shuffling import SEED_BYTES
from skat_server.tables.clocks import ClockPolicy
from skat_server.tables.faults import FaultConsequence, FaultPolicy
from skat_server.tables.occupant_text import occupant_or_none, occupant_row, word_of
from skat_server.tables.sources import BoardDeals, DealSource, FreshDeals, ListedDeals, SeededDeals
from skat_server.tables.state import Occupant, TableConfig, Visibility

FORMAT: Final = 1
"""Raised by whatever an older reader would take for something else."""

_KNOWN_RULES: Final = 64
"""Rule sets that are kept while tables are read; many tables share one."""
_HEX_SEED: Final = 2 * SEED_BYTES
_MOST: Final = 2**53 - 1
"""Larger numbers are none that we have written."""


def config_row(config: TableConfig) -> dict[str, object]:
    """Everything that is needed to make the same table again."""
    return {
        "format": FORMAT,
        "table": config.table_id,
        "owner": config.owner_id,
        "name": config.display_name,
        "preset": config.preset,
        "overrides": dict(config.overrides),
        "rules": rule_set_options(config.rules),
        "visibility": config.visibility.value,
        "source": _source_row(config.source),
        "draw": cards_text(config.draw),
        "created_at": config.created_at,
        "request": config.request_id,
        "clock": asdict(config.clock),
        "faults": asdict(config.faults) | {"consequence": config.faults.consequence.value},
        "seated": [None if one is None else occupant_row(one) for one in config.seated],
        "tournament": config.tournament_id,
    }


def config_of(row: Row) -> TableConfig:
    """The table that `config_row` has written.

    The rules are those that were written down, whatever the preset of that name says today.

    Raises:
        NotationError: something is missing or not of its kind.
    """
    if row.number("format", least=0, most=FORMAT) != FORMAT:
        raise NotationError("field format is another one")
    return TableConfig(
        table_id=row.name("table"),
        owner_id=row.text("owner"),
        display_name=row.text("name"),
        preset=row.text("preset"),
        overrides=tuple(_texts(row, "overrides").items()),
        rules=_rules(tuple(_texts(row, "rules").items())),
        visibility=word_of(Visibility, row.text("visibility")),
        source=_source(Row(row.mapping("source"))),
        draw=parse_cards(row.text("draw")),
        created_at=_moment(row.value("created_at")),
        request_id=row.text("request"),
        clock=_clock(Row(row.mapping("clock"))),
        faults=_faults(Row(row.mapping("faults"))),
        seated=_seated(row),
        tournament_id=row.text("tournament"),
    )


def _seated(row: Row) -> tuple[Occupant | None, ...]:
    return tuple(map(occupant_or_none, row.items("seated")))


def _source_row(source: DealSource) -> dict[str, object]:
    match source:
        case FreshDeals(table_seed):
            return {"fresh": table_seed.hex()}
        case SeededDeals(seed):
            return {"seeded": seed.hex()}
        case ListedDeals(deals):
            return {"listed": [dealt_text(dealt) for dealt in deals]}
        case BoardDeals(seed, nonces, first_board):
            return {"boards": seed.hex(), "nonces": nonces.hex(), "first": first_board}
        case _:
            assert_never(source)


def _source(row: Row) -> DealSource:
    if "fresh" in row:
        return FreshDeals(_seed(row, "fresh"))
    if "seeded" in row:
        return SeededDeals(_seed(row, "seeded"))
    if "boards" in row:
        first = row.number("first", least=0, most=_MOST)
        return BoardDeals(_seed(row, "boards"), _seed(row, "nonces"), first)
    return ListedDeals(tuple(map(parse_dealt, row.texts("listed"))))


def _seed(row: Row, name: str) -> bytes:
    text = row.text(name)
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(text) != _HEX_SEED or len(seed) != SEED_BYTES:
        raise NotationError(f"field {name} is not {SEED_BYTES} bytes in hexadecimal")
    return seed


def _texts(row: Row, name: str) -> dict[str, str]:
    mapping = row.mapping(name)
    texts = {key: text for key, text in mapping.items() if isinstance(text, str)}
    if len(texts) != len(mapping):
        raise NotationError(f"field {name} is not an object of strings")
    return texts


@lru_cache(maxsize=_KNOWN_RULES)
def _rules(options: tuple[tuple[str, str], ...]) -> RuleSet:
    try:
        return parse_rule_set(dict(options))
    except RuleSetError as error:
        raise NotationError(f"field rules has a wrong option {error.option}") from None


def _clock(row: Row) -> ClockPolicy:
    times = [_number(row, field.name) for field in fields(ClockPolicy)]
    try:
        return ClockPolicy(*times)
    except ValueError as error:
        raise NotationError(f"field clock: {error}") from None


def _faults(row: Row) -> FaultPolicy:
    consequence = word_of(FaultConsequence, row.text("consequence"))
    limits = (_number(row, "illegal_actions"), _number(row, "safe_answers"))
    try:
        return FaultPolicy(*limits, consequence)
    except ValueError as error:
        raise NotationError(f"field faults: {error}") from None


def _number(row: Row, name: str) -> int:
    return row.number(name, least=0, most=_MOST)


def _moment(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotationError("field created_at is not a number")
    return float(value)
