"""A record is checked by itself, and every kind of tampering is found by its own check (T9)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine import commitment, deal_from_seed, dealt_text
from skat_engine.records import (
    CheckKind,
    CheckOutcome,
    is_verified,
    to_json_line,
    verify,
)
from skat_engine.records.files import MAX_LINE
from tests.records.playing import random_record
from tests.records.proving import (
    ROW,
    SEED,
    TABLE_SEED,
    TAMPERED,
    Change,
    illegal_card,
    line_after,
    line_with,
    proven_line,
)

OTHER = bytes(31) + b"\x01"
RECORD_ID = ROW["id"]


def outcomes(line: str, shown: bytes = b"", table_seed: bytes = TABLE_SEED) -> dict[str, str]:
    """What came of each kind of check."""
    checks = verify(line.encode(), shown, table_seed)
    assert [check.kind for check in checks] == list(CheckKind)
    assert is_verified(checks) == all(c.outcome is not CheckOutcome.FAILED for c in checks)
    return {check.kind.name: check.outcome.name for check in checks}


def failed(line: str, shown: bytes = b"", table_seed: bytes = TABLE_SEED) -> set[str]:
    found = outcomes(line, shown, table_seed)
    return {kind for kind, outcome in found.items() if outcome == "FAILED"}


def test_a_true_record_holds_in_everything() -> None:
    assert set(outcomes(proven_line()).values()) == {"OK"}
    assert set(outcomes(proven_line(), commitment(SEED, RECORD_ID)).values()) == {"OK"}


@pytest.mark.parametrize(("change", "kind"), TAMPERED)
def test_one_check_alone_finds_it(change: Change, kind: str) -> None:
    assert failed(line_after(change)) == {kind}


def test_another_commitment_is_found_by_one_check_alone() -> None:
    assert failed(line_with(commitment="00" * 32)) == {"COMMITMENT"}
    assert failed(proven_line(), OTHER) == {"COMMITMENT"}
    assert failed(line_with(commitment="00" * 32), commitment(SEED, RECORD_ID)) == {"COMMITMENT"}


def test_other_cards_are_found_by_the_shuffle_alone() -> None:
    """All pass, so that nothing else depends on the cards."""
    passes = {"actions": ["1 pass", "2 pass", "0 pass"]}
    result = {"ending": "passed_in", "scores": [0, 0, 0], "tricks": [0, 0, 0]}
    assert failed(line_with(**passes, result=result)) == set()
    other = dealt_text(deal_from_seed(OTHER))
    assert failed(line_with(**passes, result=result, dealt=other)) == {"SHUFFLE"}


def test_another_seed_of_the_table_is_found() -> None:
    assert failed(proven_line(), table_seed=OTHER) == {"DERIVATION"}


def test_a_seed_that_the_operator_has_chosen_is_found() -> None:
    """Its commitment and its cards agree; only the table's seed gives it away."""
    fields = {
        "seed": OTHER.hex(),
        "commitment": commitment(OTHER, RECORD_ID).hex(),
        "dealt": dealt_text(deal_from_seed(OTHER)),
        "actions": ["1 pass", "2 pass", "0 pass"],
        "result": {"ending": "passed_in", "scores": [0, 0, 0], "tricks": [0, 0, 0]},
    }
    assert failed(line_with(**fields)) == {"DERIVATION"}


def test_another_id_is_another_deal() -> None:
    """The record of one deal cannot stand for another one, nor for one of another table."""
    assert failed(proven_line("table-1/3")) == set()
    assert failed(line_with(id="table-1/3")) == {"COMMITMENT"}
    assert failed(line_with(id="table-2/2")) == {"COMMITMENT", "DERIVATION"}


def test_what_is_not_there_is_not_checked() -> None:
    without_seed = line_with(seed=None, commitment=None, chance=None)
    assert outcomes(without_seed) == {
        "FORMAT": "OK",
        "COMMITMENT": "NOT_CHECKED",
        "DERIVATION": "NOT_CHECKED",
        "SHUFFLE": "NOT_CHECKED",
        "LEGALITY": "OK",
        "RESULT": "OK",
    }
    assert outcomes(line_with(chance=None))["DERIVATION"] == "NOT_CHECKED"
    assert outcomes(proven_line(), table_seed=b"")["DERIVATION"] == "NOT_CHECKED"
    assert outcomes(line_after(illegal_card))["RESULT"] == "NOT_CHECKED"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[]",
        "not json",
        '{"format":"skat-deal","version":9}',
        line_with(seats=["ann"]),
        line_with(seed="00"),
        line_with(commitment=None),
        line_with(chance={"dealing": 1}),
        line_with(id="\ud800"),
        line_with(dealt="CJ"),
        line_with(seats=["x" * MAX_LINE] * 3),
    ],
    ids=lambda line: line[:20],
)
def test_what_cannot_be_read_fails_in_its_form_alone(line: str) -> None:
    """F17: whatever is sent, the answer is a finding."""
    found = outcomes(line)
    assert found.pop("FORMAT") == "FAILED"
    assert set(found.values()) == {"NOT_CHECKED"}


@pytest.mark.parametrize(
    "fields",
    [
        {"result": {**ROW["result"], "contract": "\ud800"}},
        {"result": {**ROW["result"], "\ud800": 1}},
        {"rules": {"\ud800": "1"}},
    ],
    ids=["a fact", "a name of a fact", "an option"],
)
def test_what_it_says_can_be_sent_whatever_it_quotes(fields: dict[str, object]) -> None:
    """F17: JSON can spell half a character, which no message may hold."""
    checks = verify(line_with(**fields).encode(), b"", TABLE_SEED)
    assert not is_verified(checks)
    assert any("\\ud800" in check.message for check in checks)
    for check in checks:
        check.message.encode()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_records_of_any_deal_hold(seed: int, bare: bool) -> None:
    """In all rule systems, with and without a seed."""
    line = to_json_line(random_record(seed, bare=bare))
    assert failed(line, table_seed=b"") == set()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_whatever_is_changed_nothing_is_raised(data: st.DataObject) -> None:
    line = proven_line()
    place = data.draw(st.integers(0, len(line)))
    text = data.draw(st.sampled_from(["", "0", "[", '"', "}", "9" * 30, "\\ud800", "\x00"]))
    broken = line[:place] + text + line[place + data.draw(st.integers(0, 3)) :]
    assert len(verify(broken.encode(), b"", TABLE_SEED)) == len(CheckKind)
