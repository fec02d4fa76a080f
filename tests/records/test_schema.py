"""The schema of our own records holds what is written, field by field."""

import json
import re
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine.records import to_json_line
from tests.records.playing import random_record

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "records.schema.json").read_text(encoding="utf-8")
)
KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """As much of JSON Schema as ours needs."""
    if "const" in schema or "enum" in schema:
        return bool(value in schema.get("enum", [schema.get("const")]))
    if "oneOf" in schema:
        return sum(fits(value, one) for one in schema["oneOf"]) == 1
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if type(value) not in [KINDS[kind] for kind in types]:
        return False
    if isinstance(value, list):
        most = schema.get("maxItems", len(value))
        sized = schema.get("minItems", 0) <= len(value) <= most
        kinds = schema.get("prefixItems") or [schema["items"]] * len(value)
        return sized and all(map(fits, value, kinds))
    if isinstance(value, dict):
        return fields_fit(value, schema)
    if type(value) is int:
        return value in range(schema.get("minimum", value), schema.get("maximum", value) + 1)
    pattern = schema.get("pattern") if isinstance(value, str) else None
    return pattern is None or re.search(pattern, value) is not None


def fields_fit(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    for name, needed in schema.get("dependentRequired", {}).items():
        if name in value and not set(needed) <= value.keys():
            return False
    known, others = schema.get("properties", {}), schema.get("additionalProperties", False)
    return set(schema.get("required", ())) <= value.keys() and all(
        fits(item, known[name]) if name in known else others and fits(item, others)
        for name, item in value.items()
    )


@settings(deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_every_record_fits(seed: int, bare: bool) -> None:
    row = json.loads(to_json_line(random_record(seed, bare=bare)))
    assert fits(row, SCHEMA)


def test_a_record_with_a_fact_too_many_or_too_few_does_not_fit() -> None:
    row = json.loads(to_json_line(random_record(1)))
    assert not fits(row | {"result": row["result"] | {"beauty": 1}}, SCHEMA)
    assert not fits(row | {"result": {"ending": "played_out"}}, SCHEMA)
    assert not fits(row | {"version": 3}, SCHEMA)


def test_times_and_seed_are_held_by_the_schema() -> None:
    row = json.loads(to_json_line(random_record(1)))
    assert not fits(row | {"think_ms": [-1]}, SCHEMA)
    assert not fits(row | {"seed": "00"}, SCHEMA)
    assert not fits({name: row[name] for name in row if name != "commitment"}, SCHEMA)
    assert not fits(row | {"chance": row["chance"] | {"nonces": ["", "", "0"]}}, SCHEMA)
    assert not fits(row | {"chance": row["chance"] | {"luck": 1}}, SCHEMA)


def test_clock_and_faults_are_held_by_the_schema() -> None:
    row = json.loads(to_json_line(random_record(1)))
    assert not fits(row | {"faults": [[0, 0, "laziness"]]}, SCHEMA)
    assert not fits(row | {"grace_ms": [[0]]}, SCHEMA)
    assert not fits(row | {"clock": row["clock"] | {"luck_ms": 1}}, SCHEMA)
    assert not fits({name: row[name] for name in row if name != "clock"}, SCHEMA)
