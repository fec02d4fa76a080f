"""A record with everything that can be proven, and changes to it that one check alone finds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from skat_engine import (
    CARD_POINTS,
    DECK,
    Deal,
    card_text,
    cards_in,
    deal_from_seed,
    parse_action,
    preset,
    seating,
    table_commitment,
    table_deal_seed,
)
from skat_engine.records import new_record, to_json_line
from skat_engine.records.model import TableShare

TABLE_ID: Final = "table-1"
TABLE_SEED: Final = bytes(range(32))
NONCES: Final = (b"of ann", b"", bytes(32))
DEALING: Final = 3
SEED: Final = table_deal_seed(TABLE_SEED, DEALING, NONCES)
CARDS: Final = frozenset(map(card_text, DECK))
RULES: Final = preset("isko")
ACTIONS: Final = "18 hold pass pass take"


def proven_line(record_id: str = f"{TABLE_ID}/2") -> str:
    """A deal in which forehand plays Grand to the end."""
    deal = Deal(RULES, deal_from_seed(SEED))
    actions = []

    def act(text: str) -> None:
        assert deal.to_act is not None
        action = parse_action(text)
        actions.append((deal.to_act, action))
        deal.apply(deal.to_act, action)

    for text in ACTIONS.split():
        act(text)
    weakest = sorted(cards_in(deal.hands[0]), key=CARD_POINTS.__getitem__)[:2]
    act(".".join(["G", *map(card_text, sorted(weakest))]))
    while deal.to_act is not None:
        act(str(deal.legal(deal.to_act)[0]))
    assert deal.result is not None
    record = new_record(
        record_id,
        RULES,
        ["ann", "ben", "cem"],
        seating(2, 3),
        2,
        deal.dealt,
        actions,
        deal.result,
        seed=SEED,
        share=TableShare(table_commitment(TABLE_SEED, TABLE_ID), NONCES, DEALING),
    )
    return to_json_line(record)


ROW: Final[Mapping[str, Any]] = json.loads(proven_line())
"""The record as an object."""

Change = Callable[[dict[str, Any]], None]


def line_with(**fields: object) -> str:
    """The record with other fields; None drops one."""
    row = {**ROW, **fields}
    return json.dumps({name: value for name, value in row.items() if value is not None})


def line_after(change: Change) -> str:
    """The record after a change."""
    row = json.loads(json.dumps(dict(ROW)))
    change(row)
    return json.dumps(row)


def changed_result(row: dict[str, Any]) -> None:
    row["result"]["scores"][0] += 1


def fact_dropped(row: dict[str, Any]) -> None:
    del row["result"]["scores"]


def illegal_card(row: dict[str, Any]) -> None:
    """The first two cards of the play change places."""
    cards = [n for n, action in enumerate(row["actions"]) if action[2:] in CARDS]
    first, second = cards[0], cards[1]
    one, two = row["actions"][first].split(), row["actions"][second].split()
    row["actions"][first] = f"{one[0]} {two[1]}"
    row["actions"][second] = f"{two[0]} {one[1]}"


def cut_short(row: dict[str, Any]) -> None:
    del row["actions"][-1]


def other_nonce(row: dict[str, Any]) -> None:
    row["chance"]["nonces"][1] = "00"


def moved_nonce(row: dict[str, Any]) -> None:
    row["chance"]["nonces"].reverse()


def other_dealing(row: dict[str, Any]) -> None:
    row["chance"]["dealing"] += 1


def other_table(row: dict[str, Any]) -> None:
    row["chance"]["table_commitment"] = "00" * 32


TAMPERED: Final[list[tuple[Change, str]]] = [
    (changed_result, "RESULT"),
    (fact_dropped, "RESULT"),
    (cut_short, "RESULT"),
    (illegal_card, "LEGALITY"),
    (other_nonce, "DERIVATION"),
    (moved_nonce, "DERIVATION"),
    (other_dealing, "DERIVATION"),
    (other_table, "DERIVATION"),
]
"""Changes, and the one check that finds each."""
