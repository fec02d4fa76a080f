"""ScoreDeal and ScoreRamsch: every worked example of section 22, and what has no score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from skat.v1 import contract_pb2, rule_set_pb2, rules_service_pb2, rules_service_pb2_grpc
from skat_engine import option_text
from skat_engine.summary import SummaryRefusal
from skat_server.rpc.convert.values import cards_to_proto
from tests.builders import hand
from tests.rpc.failures import Failure, failure

pytestmark = pytest.mark.asyncio

Row = dict[str, Any]
FLAGS = ("kontra", "re", "bock", "spitze_made", "lay_open_failed", "schenken_refused")
COUNTS = ("declarer_points", "declarer_tricks", "defender_tricks")


@pytest_asyncio.fixture
async def rules(channel: grpc.aio.Channel) -> Any:
    """The stub; its calls carry no token."""
    return rules_service_pb2_grpc.RulesServiceStub(channel)


def rows_of(path: Path) -> Iterator[Row]:
    """The worked examples of a file."""
    for line in path.read_text().splitlines():
        yield json.loads(line)


def rule_set(row: Row) -> rule_set_pb2.RuleSet:
    """The rules of a row; those of isko where it names none."""
    options = {name: text_of(value) for name, value in row["options"].items()}
    return rule_set_pb2.RuleSet(preset=row.get("preset") or "isko", overrides=options)


def text_of(value: Any) -> str:
    """An option of a row as the wire has it."""
    return option_text(value) if not isinstance(value, str) else value


def game_request(row: Row) -> rules_service_pb2.ScoreDealRequest:
    """The request of a declarer game."""
    level = f"LEVEL_{(row['announced'] or 'simple').upper()}"
    request = rules_service_pb2.ScoreDealRequest(
        rule_set=rule_set(row),
        playing_hand=cards_to_proto(hand(" ".join(row["playing_hand"]))),
        skat=cards_to_proto(hand(" ".join(row["skat"]))),
        bid=row["bid"],
        contract=contract_pb2.Contract(
            kind=contract_pb2.ContractKind.Value(f"CONTRACT_KIND_{row['contract'].upper()}"),
            hand=row["hand"],
            announced=contract_pb2.Level.Value(level),
            ouvert=row["ouvert"],
            spitze=row.get("spitze", False),
        ),
        **{flag: row.get(flag, False) for flag in FLAGS},
    )
    for name in COUNTS:
        if row[name] is not None:
            setattr(request, name, row[name])
    return request


def ramsch_request(row: Row) -> rules_service_pb2.ScoreRamschRequest:
    """The request of a Ramsch."""
    names = {"F": 0, "M": 1, "R": 2}
    return rules_service_pb2.ScoreRamschRequest(
        rule_set=rule_set(row),
        points=row["card_points"],
        tricks=row["trick_counts"],
        looked=[names[who] for who in row["looked"]],
        untouched=row["untouched"],
        bock=row["bock"],
        skat_points=row["skat_points"],
        last_trick_winner=row["last_trick_winner"],
    )


async def test_every_declarer_game_has_its_score(rules: Any, conformance: Path) -> None:
    count = 0
    for row in rows_of(conformance / "scoring_examples.jsonl"):
        expected, request = row["expected"], game_request(row)
        if "error" in expected:
            refused = await failure(rules.ScoreDeal(request))
            assert (refused.reason, refused.info.metadata["cause"]) == (
                "BAD_SUMMARY",
                expected["error"],
            )
        else:
            value = (await rules.ScoreDeal(request)).value
            got = {"won": value.won, "value": value.value, "score": value.score}
            assert got == expected, row["id"]
        count += 1
    assert count == 61


async def test_every_ramsch_has_its_scores(rules: Any, conformance: Path) -> None:
    count = 0
    for row in rows_of(conformance / "ramsch_examples.jsonl"):
        response = await rules.ScoreRamsch(ramsch_request(row))
        assert list(response.scores) == row["expected"]["scores"], row["id"]
        count += 1
    assert count == 22


GAME: Row = {
    "preset": "isko",
    "options": {},
    "playing_hand": ["CJ", "HJ", "DA", "DT", "DK", "D9", "D7", "CA", "SA", "H8"],
    "skat": ["S7", "H7"],
    "bid": 18,
    "contract": "diamonds",
    "hand": False,
    "announced": None,
    "ouvert": False,
    "declarer_points": 61,
    "declarer_tricks": 6,
    "defender_tricks": 4,
}
"""Row A1."""

RAMSCH: Row = {
    "preset": "proskat_pub",
    "options": {},
    "card_points": [55, 40, 25],
    "trick_counts": [4, 3, 3],
    "looked": [],
    "untouched": 0,
    "bock": False,
    "skat_points": None,
    "last_trick_winner": None,
}
"""Row RAM1."""


def parts(named: Any) -> dict[str, int]:
    """Named numbers by name."""
    return {part.name: part.number for part in named}


async def test_the_reasoning_names_levels_and_factors(rules: Any) -> None:
    row = GAME | {"preset": "proskat_pub", "kontra": True, "re": True, "declarer_points": 58}
    response = await rules.ScoreDeal(game_request(row))
    assert parts(response.reasoning.levels) == {"with": 1, "game": 1}
    assert parts(response.reasoning.factors) == {"lost": 2, "kontra": 2, "re": 2}
    assert not response.reasoning.HasField("rounded_up")
    assert response.value.score == -144


async def test_the_reasoning_names_what_an_overbid_game_was_raised_to(rules: Any) -> None:
    response = await rules.ScoreDeal(game_request(GAME | {"bid": 22}))
    assert response.value.overbid
    assert response.reasoning.rounded_up == 27


async def test_the_reasoning_of_a_ramsch(rules: Any) -> None:
    row = RAMSCH | {"preset": "bga_skat", "untouched": 3}
    row |= {"card_points": [70, 50, 0], "trick_counts": [6, 4, 0]}
    response = await rules.ScoreRamsch(ramsch_request(row))
    assert parts(response.reasoning.factors) == {"untouched": 8, "jungfrau": 2}


REFUSED_GAMES = [
    pytest.param({"skat": ["S7"]}, SummaryRefusal.WRONG_CARDS, id="one card in the skat"),
    pytest.param({"skat": ["S7", "CJ"]}, SummaryRefusal.WRONG_CARDS, id="a card twice"),
    pytest.param({"bid": 19}, SummaryRefusal.ILLEGAL_BID, id="no bid"),
    pytest.param({"re": True}, SummaryRefusal.RE_WITHOUT_KONTRA, id="re"),
    pytest.param({"declarer_points": 121}, SummaryRefusal.WRONG_POINTS, id="points"),
    pytest.param({"declarer_points": None}, SummaryRefusal.WRONG_POINTS, id="no points"),
    pytest.param({"declarer_tricks": 11}, SummaryRefusal.WRONG_TRICKS, id="tricks"),
    pytest.param({"defender_tricks": 5}, SummaryRefusal.WRONG_TRICKS, id="eleven tricks"),
    pytest.param({"contract": "null", "bid": 24}, SummaryRefusal.NULL_UNDERBID, id="null"),
    pytest.param(
        {"contract": "clubs", "spitze": True}, SummaryRefusal.SPITZE_CARD_NOT_HELD, id="no C7"
    ),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED_GAMES)
async def test_a_game_that_no_deal_has_is_refused(
    rules: Any, changes: Row, reason: SummaryRefusal
) -> None:
    check_refused(await failure(rules.ScoreDeal(game_request({**GAME, **changes}))), reason)


REFUSED_RAMSCHES = [
    pytest.param({"card_points": [55, 40, 26]}, SummaryRefusal.WRONG_POINTS, id="points"),
    pytest.param({"trick_counts": [4, 3, 2]}, SummaryRefusal.WRONG_TRICKS, id="nine tricks"),
    pytest.param(
        {"card_points": [50, 40, 20], "skat_points": 10},
        SummaryRefusal.LAST_TRICK_UNKNOWN,
        id="whose skat",
    ),
]


def check_refused(refused: Failure, reason: SummaryRefusal) -> None:
    """A summary is refused with the engine's reason in the metadata."""
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.reason == "BAD_SUMMARY"
    assert refused.info.metadata["cause"] == reason.value


@pytest.mark.parametrize(("changes", "reason"), REFUSED_RAMSCHES)
async def test_a_ramsch_that_no_deal_has_is_refused(
    rules: Any, changes: Row, reason: SummaryRefusal
) -> None:
    check_refused(await failure(rules.ScoreRamsch(ramsch_request({**RAMSCH, **changes}))), reason)


async def test_cards_that_are_none_name_their_field(rules: Any) -> None:
    for field in ("playing_hand", "skat"):
        request = game_request(GAME)
        getattr(request, field)[0] = 99
        refused = await failure(rules.ScoreDeal(request))
        assert (refused.reason, refused.fields) == ("INVALID_FIELD", [field])


async def test_a_card_named_twice_names_its_field(rules: Any) -> None:
    request = game_request(GAME)
    request.skat[0] = request.skat[1]
    assert (await failure(rules.ScoreDeal(request))).fields == ["skat"]


async def test_a_game_without_contract_names_its_field(rules: Any) -> None:
    request = game_request(GAME)
    request.ClearField("contract")
    refused = await failure(rules.ScoreDeal(request))
    assert (refused.reason, refused.fields) == ("INVALID_FIELD", ["contract"])


async def test_a_level_without_hand_implies_hand(rules: Any) -> None:
    request = game_request(GAME | {"declarer_points": 120})
    request.contract.announced = contract_pb2.LEVEL_SCHNEIDER
    whole = game_request(GAME | {"declarer_points": 120, "announced": "schneider", "hand": True})
    assert await rules.ScoreDeal(request) == await rules.ScoreDeal(whole)


@pytest.mark.parametrize(
    ("field", "values"),
    [("points", [60, 60]), ("tricks", [4, 3, 3, 0]), ("looked", [3]), ("last_trick_winner", 3)],
)
async def test_a_ramsch_out_of_range_names_its_field(rules: Any, field: str, values: Any) -> None:
    request = ramsch_request(RAMSCH)
    if isinstance(values, list):
        del getattr(request, field)[:]
        getattr(request, field).extend(values)
    else:
        setattr(request, field, values)
    refused = await failure(rules.ScoreRamsch(request))
    assert (refused.reason, refused.fields) == ("INVALID_FIELD", [field])


async def test_unknown_rules_are_refused(rules: Any) -> None:
    game, ramsch = game_request(GAME), ramsch_request(RAMSCH)
    game.rule_set.preset = ramsch.rule_set.preset = "no-preset"
    for call in (rules.ScoreDeal(game), rules.ScoreRamsch(ramsch)):
        assert (await failure(call)).reason == "BAD_RULE_SET"
