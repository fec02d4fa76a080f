"""Tables, records and rules: messages to values and back, one function a type."""

from enum import Enum
from operator import index
from typing import SupportsIndex, assert_never

from skat.v1 import record_service_pb2, rule_set_pb2, rules_service_pb2, table_pb2
from skat.v1 import table_service_pb2 as table_service
from skat_client._convert import (
    action_from_proto,
    action_to_proto,
    cards_to_proto,
    contract_to_proto,
    decision_from_proto,
    reason_from_proto,
)
from skat_client._convert_enums import enum_from_proto
from skat_client._convert_events import (
    deal_result_from_proto,
    dealt_to_proto,
    event_from_proto,
    game_value_from_proto,
)
from skat_client._convert_policies import (
    clock_policy_from_proto,
    fault_policy_from_proto,
    time_from_proto,
)
from skat_client._rules import (
    DealLine,
    DealReplay,
    GameScore,
    GameSummary,
    IllegalStep,
    LegalActions,
    OptionInfo,
    Part,
    RamschScore,
    RamschSummary,
    Reasoning,
    RuleBook,
    RuleSetInfo,
)
from skat_client._tables import (
    DealRecord,
    DealSource,
    Durability,
    FreshDeals,
    HouseBot,
    ListedDeals,
    RuleSet,
    SeatInfo,
    SeededDeals,
    Table,
    TableChance,
    TableState,
    TableView,
    Visibility,
)
from skat_client.errors import ConfigurationError


def rule_set_from_proto(message: rule_set_pb2.RuleSet) -> RuleSet:
    """The rules of a table."""
    return RuleSet(message.preset, dict(message.overrides))


def rule_set_to_proto(rule_set: RuleSet) -> rule_set_pb2.RuleSet:
    """The rules of a table.

    Raises:
        ConfigurationError: an option is set to what has no text.
    """
    overrides = {name: option_text(name, value) for name, value in rule_set.overrides.items()}
    return rule_set_pb2.RuleSet(preset=rule_set.preset, overrides=overrides)


def option_text(name: str, value: object) -> str:
    """The value of an option as the wire has it.

    Raises:
        ConfigurationError: there is no text for it.
    """
    plain = value.value if isinstance(value, Enum) else value
    if isinstance(plain, str):
        return plain
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, SupportsIndex):
        return str(index(plain))
    raise ConfigurationError(f"option {name} cannot be {value!r}: write text, a number or a bool")


def deal_source_to_proto(source: DealSource) -> table_service.DealSource:
    """Where the deals of a table come from."""
    match source:
        case FreshDeals():
            return table_service.DealSource(fresh=table_service.FreshDeals())
        case SeededDeals(seed):
            return table_service.DealSource(seeded=table_service.SeededDeals(seed=seed))
        case ListedDeals(deals):
            listed = table_service.ListedDeals(deals=[dealt_to_proto(dealt) for dealt in deals])
            return table_service.DealSource(listed=listed)
        case _:
            assert_never(source)


def seat_from_proto(message: table_pb2.SeatInfo) -> SeatInfo:
    """One place at a table."""
    return SeatInfo(
        seat=message.seat,
        taken=message.taken,
        player_name=message.player_name,
        connected=message.connected,
        house_bot=enum_from_proto(HouseBot, message.house_bot) if message.house_bot else None,
        taken_over=message.taken_over,
    )


def _chance_from_proto(message: table_pb2.TableChance) -> TableChance:
    return TableChance(message.commitment, message.seed)


def table_from_proto(message: table_pb2.Table) -> Table:
    """A table and its series."""
    return Table(
        table_id=message.table_id,
        display_name=message.display_name,
        state=enum_from_proto(TableState, message.state),
        rule_set=rule_set_from_proto(message.rule_set),
        visibility=visibility_from_proto(message.visibility),
        seats=tuple([seat_from_proto(seat) for seat in message.seats]),
        deals_done=message.deals_done,
        deals=message.deals,
        totals=tuple(message.totals),
        created_at=time_from_proto(message.created_at),
        clock=clock_policy_from_proto(message.clock) if message.HasField("clock") else None,
        faults=fault_policy_from_proto(message.faults) if message.HasField("faults") else None,
        chance=_chance_from_proto(message.chance),
        durability=enum_from_proto(Durability, message.durability) if message.durability else None,
    )


def visibility_from_proto(number: int) -> Visibility:
    """Who may find a table; public when not set."""
    return enum_from_proto(Visibility, number) if number else Visibility.PUBLIC


def view_from_proto(message: table_pb2.TableView) -> TableView:
    """What a viewer needs to know before the next event."""
    seat = message.seat if message.HasField("seat") else None
    return TableView(table_from_proto(message.table), seat, message.sequence)


def deal_record_from_proto(message: record_service_pb2.DealRecord) -> DealRecord:
    """The record of a finished deal."""
    return DealRecord(
        table_id=message.table_id,
        deal_number=message.deal_number,
        json=message.json,
        sha256=message.sha256,
        previous_sha256=message.previous_sha256,
    )


# -------------------------------------------------------------------------------------------- rules


def rule_book_from_proto(message: rules_service_pb2.ListRuleSetsResponse) -> RuleBook:
    """Every preset and every option."""
    return RuleBook(
        rule_sets=tuple([_rule_set_info_from_proto(info) for info in message.rule_sets]),
        options=tuple([_option_from_proto(option) for option in message.options]),
    )


def _rule_set_info_from_proto(message: rules_service_pb2.RuleSetInfo) -> RuleSetInfo:
    return RuleSetInfo(message.preset, dict(message.options))


def _option_from_proto(message: rules_service_pb2.OptionInfo) -> OptionInfo:
    return OptionInfo(
        name=message.name,
        meaning=message.meaning,
        values=tuple(message.values),
        default_value=message.default_value,
        source=message.source,
    )


def deal_line_to_proto(line: DealLine) -> rules_service_pb2.DealLine:
    """A deal so far."""
    return rules_service_pb2.DealLine(
        rule_set=rule_set_to_proto(line.rule_set),
        dealt=dealt_to_proto(line.dealt),
        steps=[
            rules_service_pb2.DealStep(position=step.position, action=action_to_proto(step.action))
            for step in line.steps
        ],
        bock=line.bock,
        ramsch_round=line.ramsch_round,
        forced_ramsch=line.forced_ramsch,
    )


def legal_actions_from_proto(message: rules_service_pb2.ListLegalActionsResponse) -> LegalActions:
    """What may be done next."""
    decision = decision_from_proto("", message.decision) if message.HasField("decision") else None
    interventions = {
        offer.position: tuple([action_from_proto(action) for action in offer.actions])
        for offer in message.interventions
    }
    return LegalActions(decision, interventions)


def replay_from_proto(message: rules_service_pb2.ReplayDealResponse) -> DealReplay:
    """What the legal steps of a deal came to."""
    illegal = message.illegal_step
    return DealReplay(
        events=tuple([event_from_proto(event) for event in message.events]),
        result=deal_result_from_proto(message.result) if message.HasField("result") else None,
        illegal_step=illegal_step_from_proto(illegal) if message.HasField("illegal_step") else None,
    )


def illegal_step_from_proto(message: rules_service_pb2.IllegalStep) -> IllegalStep:
    """The first step that could not be taken."""
    return IllegalStep(message.index, reason_from_proto(message.reason), message.message)


def summary_to_proto(rule_set: RuleSet, summary: GameSummary) -> rules_service_pb2.ScoreDealRequest:
    """The question what a game is worth."""
    return rules_service_pb2.ScoreDealRequest(
        rule_set=rule_set_to_proto(rule_set),
        playing_hand=cards_to_proto(summary.playing_hand),
        skat=cards_to_proto(summary.skat),
        contract=contract_to_proto(summary.contract),
        bid=summary.bid,
        declarer_points=summary.declarer_points,
        declarer_tricks=summary.declarer_tricks,
        defender_tricks=summary.defender_tricks,
        kontra=summary.kontra,
        re=summary.re,
        bock=summary.bock,
        spitze_made=summary.spitze_made,
        lay_open_failed=summary.lay_open_failed,
        schenken_refused=summary.schenken_refused,
    )


def ramsch_summary_to_proto(
    rule_set: RuleSet, summary: RamschSummary
) -> rules_service_pb2.ScoreRamschRequest:
    """The question what a Ramsch brings."""
    return rules_service_pb2.ScoreRamschRequest(
        rule_set=rule_set_to_proto(rule_set),
        points=summary.points,
        tricks=summary.tricks,
        looked=summary.looked,
        untouched=summary.untouched,
        bock=summary.bock,
        knocked=summary.knocked,
        skat_points=summary.skat_points,
        last_trick_winner=summary.last_trick_winner,
    )


def _part_from_proto(message: rules_service_pb2.Part) -> Part:
    return Part(message.name, message.number)


def reasoning_from_proto(message: rules_service_pb2.Reasoning) -> Reasoning:
    """How a score comes about."""
    return Reasoning(
        levels=tuple([_part_from_proto(part) for part in message.levels]),
        rounded_up=message.rounded_up if message.HasField("rounded_up") else None,
        factors=tuple([_part_from_proto(part) for part in message.factors]),
    )


def game_score_from_proto(message: rules_service_pb2.ScoreDealResponse) -> GameScore:
    """What a declarer game is worth."""
    return GameScore(game_value_from_proto(message.value), reasoning_from_proto(message.reasoning))


def ramsch_score_from_proto(message: rules_service_pb2.ScoreRamschResponse) -> RamschScore:
    """What a Ramsch brings."""
    return RamschScore(tuple(message.scores), reasoning_from_proto(message.reasoning))
