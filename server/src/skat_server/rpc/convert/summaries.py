"""Summaries of deals for the oracle, and the reasoning behind its answers."""

from collections.abc import Sequence

from skat.v1 import rules_service_pb2 as pb
from skat_engine.cards import CardSet
from skat_engine.contracts import Contract
from skat_engine.ramsch import Triple
from skat_engine.seats import POSITIONS, Position
from skat_engine.summary import (
    DeclarerSummary,
    RamschSummary,
    Reasoning,
    SummaryError,
    new_doubling,
)
from skat_engine.valuation import Doubling
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.convert.tables import rule_set_from_proto
from skat_server.rpc.convert.values import contract_from_proto, distinct_cards


def in_a_call(refusal: RefusedError, field: str) -> RefusedError:
    """What a stream calls an unreadable action is a bad field of a call."""
    unreadable = refusal.reason is Reason.UNREADABLE_ACTION
    reason = Reason.INVALID_FIELD if unreadable else refusal.reason
    return RefusedError(reason, str(refusal), field=field)


def bad_summary(error: SummaryError) -> RefusedError:
    """The engine's refusal of a summary; its own reason is in the metadata."""
    return RefusedError(Reason.BAD_SUMMARY, str(error), cause=error.reason.value)


def declarer_summary_from_proto(request: pb.ScoreDealRequest) -> DeclarerSummary:
    """The summary of a declarer game.

    Raises:
        RefusedError: INVALID_FIELD, BAD_RULE_SET, BAD_SUMMARY for Re without Kontra, or the
            reason that the contract is refused.
    """
    return DeclarerSummary(
        rules=rule_set_from_proto(request.rule_set),
        contract=_contract(request),
        bid=request.bid,
        playing_hand=_cards(request.playing_hand, "playing_hand"),
        skat=_cards(request.skat, "skat"),
        declarer_points=_optional(request, "declarer_points"),
        declarer_tricks=_optional(request, "declarer_tricks"),
        defender_tricks=_optional(request, "defender_tricks"),
        doubling=_doubling(request),
        spitze_made=request.spitze_made,
        lay_open_failed=request.lay_open_failed,
        schenken_refused=request.schenken_refused,
    )


def ramsch_summary_from_proto(request: pb.ScoreRamschRequest) -> RamschSummary:
    """The summary of a Ramsch.

    Raises:
        RefusedError: INVALID_FIELD or BAD_RULE_SET.
    """
    last = _optional(request, "last_trick_winner")
    return RamschSummary(
        rules=rule_set_from_proto(request.rule_set),
        points=_triple(request.points, "points"),
        tricks=_triple(request.tricks, "tricks"),
        looked=frozenset(_position(number, "looked") for number in request.looked),
        untouched=request.untouched,
        bock=request.bock,
        knocked=request.knocked,
        skat_points=_optional(request, "skat_points"),
        last_trick_winner=None if last is None else _position(last, "last_trick_winner"),
    )


def reasoning_to_proto(reasoning: Reasoning) -> pb.Reasoning:
    """How a score comes about."""
    return pb.Reasoning(
        levels=[pb.Part(name=name, number=number) for name, number in reasoning.levels],
        rounded_up=reasoning.rounded_up,
        factors=[pb.Part(name=name, number=number) for name, number in reasoning.factors],
    )


def _optional(request: pb.ScoreDealRequest | pb.ScoreRamschRequest, field: str) -> int | None:
    number: int = getattr(request, field)
    has_field: bool = request.HasField(field)  # type: ignore[arg-type]  # a name of either
    return number if has_field else None


def _doubling(request: pb.ScoreDealRequest) -> Doubling:
    try:
        return new_doubling(kontra=request.kontra, re=request.re, bock=request.bock)
    except SummaryError as error:
        raise bad_summary(error) from error


def _contract(request: pb.ScoreDealRequest) -> Contract:
    try:
        return contract_from_proto(request.contract, hand=False)
    except RefusedError as refusal:
        raise in_a_call(refusal, "contract") from refusal


def _cards(numbers: Sequence[int], field: str) -> CardSet:
    try:
        return distinct_cards(numbers)
    except RefusedError as refusal:
        raise in_a_call(refusal, field) from refusal


def _triple(numbers: Sequence[int], field: str) -> Triple:
    if len(numbers) != len(POSITIONS):
        raise RefusedError(
            Reason.INVALID_FIELD, f"{field} has {len(numbers)} numbers; give three", field=field
        )
    forehand, middlehand, rearhand = numbers
    return forehand, middlehand, rearhand


def _position(number: int, field: str) -> Position:
    if number not in POSITIONS:
        raise RefusedError(
            Reason.INVALID_FIELD, f"{number} is no position; use 0, 1 or 2", field=field
        )
    return number
