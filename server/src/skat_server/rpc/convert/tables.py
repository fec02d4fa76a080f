"""Tables, frames, and what a table is made from."""

from collections.abc import Callable
from typing import Final

from skat.v1 import rule_set_pb2, table_pb2, table_service_pb2
from skat_engine.errors import RuleSetError
from skat_engine.options import SessionEnd
from skat_engine.presets import preset
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_option
from skat_engine.seats import Seat
from skat_engine.shuffling import MOST_NONCE_BYTES, SEED_BYTES
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.convert.deals import dealt_from_proto
from skat_server.rpc.convert.facts import timestamp
from skat_server.rpc.convert.policies import (
    HOUSE_BOTS_TO_PROTO,
    clock_to_proto,
    faults_to_proto,
)
from skat_server.rpc.texts import check_length
from skat_server.storage.protocols import Durability
from skat_server.tables.chance import TableChance, chance_of
from skat_server.tables.outbox import TableUpdate
from skat_server.tables.sources import DealSource, FreshDeals, ListedDeals, SeededDeals
from skat_server.tables.state import Stage, TableState, Visibility
from skat_server.tables.table import Table

MOST_LISTED_DEALS: Final = 200
LONGEST_NAME: Final = 64
"""Characters of a preset's or an option's name."""
LONGEST_VALUE: Final = 400
"""Characters of an option's value; a set of triggers is the longest."""

_STAGES_TO_PROTO: Final = {
    stage: table_pb2.TableState.Value(f"TABLE_STATE_{stage.name}") for stage in Stage
}
_STAGES: Final = {number: stage for stage, number in _STAGES_TO_PROTO.items()}
_VISIBILITIES_TO_PROTO: Final = {
    visibility: table_pb2.Visibility.Value(f"VISIBILITY_{visibility.name}")
    for visibility in Visibility
}
_VISIBILITIES: Final = {
    table_pb2.VISIBILITY_UNSPECIFIED: Visibility.PUBLIC,
    **{number: visibility for visibility, number in _VISIBILITIES_TO_PROTO.items()},
}

_DURABILITIES: Final = {
    durability: table_pb2.Durability.Value(f"DURABILITY_{durability.name}")
    for durability in Durability
}

IsConnected = Callable[[str], bool]
"""Whether the player of an id has a session open."""


def table_to_proto(table: Table, is_connected: IsConnected) -> table_pb2.Table:
    """A table as everybody may see it."""
    config, state = table.config, table.state
    return table_pb2.Table(
        table_id=config.table_id,
        display_name=config.display_name,
        state=_STAGES_TO_PROTO[state.stage],
        rule_set=rule_set_pb2.RuleSet(preset=config.preset, overrides=dict(config.overrides)),
        visibility=_VISIBILITIES_TO_PROTO[config.visibility],
        seats=[_seat_to_proto(state, seat, is_connected) for seat in range(len(state.occupants))],
        deals_done=state.series.deals_done,
        deals=config.rules.deals if config.rules.session_end is SessionEnd.FIXED_DEALS else 0,
        totals=state.series.sheet.totals,
        created_at=timestamp(config.created_at),
        chance=_chance_to_proto(chance_of(config, state)),
        clock=clock_to_proto(config.clock),
        faults=faults_to_proto(config.faults),
        durability=_DURABILITIES[table.durability],
    )


def _seat_to_proto(state: TableState, seat: Seat, is_connected: IsConnected) -> table_pb2.SeatInfo:
    occupant = state.occupants[seat]
    info = table_pb2.SeatInfo(seat=seat, taken_over=state.taken_over[seat] is not None)
    if occupant is not None:
        info.taken, info.player_name = True, occupant.name
        info.connected = occupant.house is not None or is_connected(occupant.player_id)
        if occupant.house is not None:
            info.house_bot = HOUSE_BOTS_TO_PROTO[occupant.house]
    return info


def _chance_to_proto(chance: TableChance) -> table_pb2.TableChance:
    return table_pb2.TableChance(commitment=chance.commitment, seed=chance.seed)


def view_to_proto(update: TableUpdate, is_connected: IsConnected) -> table_pb2.TableView:
    """The table and the viewer's place in it, before a deal that is told from its start."""
    return table_pb2.TableView(
        table=table_to_proto(update.table, is_connected),
        seat=update.viewer,
        sequence=update.sequence,
    )


def stage_from_proto(number: int) -> Stage | None:
    """The stage of a number; None when not set.

    Raises:
        RefusedError: INVALID_FIELD for an unknown one.
    """
    if number == table_pb2.TABLE_STATE_UNSPECIFIED:
        return None
    stage = _STAGES.get(table_pb2.TableState.ValueType(number))
    if stage is None:
        raise RefusedError(Reason.INVALID_FIELD, f"{number} is no state of a table", field="state")
    return stage


def visibility_from_proto(number: int) -> Visibility:
    """The visibility of a number; public when not set.

    Raises:
        RefusedError: INVALID_FIELD for an unknown one.
    """
    visibility = _VISIBILITIES.get(table_pb2.Visibility.ValueType(number))
    if visibility is None:
        raise RefusedError(Reason.INVALID_FIELD, f"{number} is no visibility", field="visibility")
    return visibility


def rule_set_from_proto(message: rule_set_pb2.RuleSet) -> RuleSet:
    """The rule set of a preset and its overrides.

    Raises:
        RefusedError: BAD_RULE_SET, with the option at fault; INVALID_FIELD for texts that are
            too long or cannot be printed.
    """
    _check_texts(message)
    try:
        overrides = {name: parse_option(name, text) for name, text in message.overrides.items()}
        return preset(message.preset, overrides)
    except RuleSetError as error:
        raise bad_rule_set(error) from error


def _check_texts(message: rule_set_pb2.RuleSet) -> None:
    """Refuse names and values that no rule set has, before a message repeats them.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    check_length("rule_set.preset", message.preset, LONGEST_NAME)
    for name, text in message.overrides.items():
        check_length("rule_set.overrides", name, LONGEST_NAME)
        check_length("rule_set.overrides", text, LONGEST_VALUE)


def bad_rule_set(error: RuleSetError) -> RefusedError:
    """The engine's refusal of a rule set."""
    return RefusedError(Reason.BAD_RULE_SET, str(error), option=error.option)


def source_from_proto(
    message: table_service_pb2.DealSource, entropy: Callable[[int], bytes]
) -> DealSource:
    """Where the deals come from; fresh when nothing is set.

    Raises:
        RefusedError: INVALID_FIELD for a seed of another length, or deals that are none.
    """
    case = message.WhichOneof("source")
    if case == "seeded":
        return _seeded(message.seeded.seed)
    if case == "listed":
        return _listed(message.listed)
    return FreshDeals(entropy(SEED_BYTES))


def _seeded(seed: bytes) -> SeededDeals:
    if len(seed) != SEED_BYTES:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"a seed has {SEED_BYTES} bytes, not {len(seed)}",
            field="deal_source.seeded.seed",
        )
    return SeededDeals(seed)


def _listed(message: table_service_pb2.ListedDeals) -> ListedDeals:
    field = "deal_source.listed.deals"
    count = len(message.deals)
    if not 0 < count <= MOST_LISTED_DEALS:
        raise RefusedError(
            Reason.INVALID_FIELD, f"list 1 to {MOST_LISTED_DEALS} deals, not {count}", field=field
        )
    return ListedDeals(
        tuple(dealt_from_proto(deal, f"{field}[{i}]") for i, deal in enumerate(message.deals))
    )


def nonce_from_proto(nonce: bytes) -> bytes:
    """A player's share in the chance of a table.

    Raises:
        RefusedError: INVALID_FIELD for one that is too long.
    """
    if len(nonce) > MOST_NONCE_BYTES:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"a nonce has at most {MOST_NONCE_BYTES} bytes, not {len(nonce)}",
            field="client_nonce",
        )
    return nonce
