"""What a record says of the chance of its deal, and whether that can be so."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from skat_client._cards import Card
from skat_client._results import DealtCards
from skat_client._shuffle import (
    SEED_BYTES,
    deal_commitment,
    deal_from_seed,
    table_commitment,
    table_deal_seed,
)
from skat_client._tables import DealRecord, TableChance
from skat_client.errors import ProtocolError

FIRST: Final = bytes(32)
"""What the first record of a table follows."""

_MOST_NONCE_BYTES: Final = 32
_MOST_DEALINGS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class RecordedChance:
    """Where the cards of a recorded deal came from."""

    deal_id: str
    dealt: DealtCards
    seed: bytes
    commitment: bytes
    table_commitment: bytes
    """Empty where the players had no share in it."""
    nonces: tuple[bytes, ...]
    """By seat; what each player brought."""
    dealing: int
    """How often cards had been dealt there, this time included; 0 without shares."""


def chance_in(record: DealRecord) -> RecordedChance | None:
    """What a record says of its chance; None for cards that were given.

    Raises:
        ProtocolError: it is no record, or says what cannot be.
    """
    try:
        return _read(json.loads(record.json))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ProtocolError(
            f"deal {record.deal_number} of table {record.table_id}: no record: {error!r}"
        ) from error


def _read(row: Mapping[str, Any]) -> RecordedChance | None:
    if "seed" not in row:
        return None
    share = row.get("chance", {"table_commitment": "", "nonces": [], "dealing": 0})
    nonces = tuple([bytes.fromhex(nonce) for nonce in share["nonces"]])
    if any(len(nonce) > _MOST_NONCE_BYTES for nonce in nonces):
        raise ValueError("a nonce is too long")
    dealing = int(share["dealing"])
    if not 0 <= dealing < _MOST_DEALINGS:
        raise ValueError("no such dealing")
    return RecordedChance(
        deal_id=str(row["id"]),
        dealt=_dealt(row["dealt"]),
        seed=bytes.fromhex(row["seed"]),
        commitment=bytes.fromhex(row["commitment"]),
        table_commitment=bytes.fromhex(share["table_commitment"]),
        nonces=nonces,
        dealing=dealing,
    )


def _dealt(text: str) -> DealtCards:
    forehand, middlehand, rearhand, skat = (
        tuple(sorted(Card[name] for name in cards.split("."))) for cards in text.split("|")
    )
    return DealtCards(forehand, middlehand, rearhand, skat)


def faults_in(chance: RecordedChance, table_id: str, table: TableChance) -> tuple[str, ...]:
    """What does not hold, in sentences; empty where all does.

    Args:
        chance: what the record says.
        table_id: the table it is of.
        table: what the table shows; its seed is checked once it does.
    """
    faults = [_seed_fault(chance.seed, chance.deal_id, chance.commitment, chance.dealt)]
    if chance.table_commitment != table.commitment:
        faults.append("it names another commitment than its table")
    if table.seed and table_commitment(table.seed, table_id) != table.commitment:
        faults.append("the seed of the table is not the one that it was bound to")
    if table.seed and table.commitment:
        derived = table_deal_seed(table.seed, chance.dealing, chance.nonces)
        if derived != chance.seed:
            faults.append("the seed does not come from that of the table and the nonces")
    return tuple(filter(None, faults))


def _seed_fault(seed: bytes, deal_id: str, commitment: bytes, dealt: DealtCards) -> str:
    if len(seed) != SEED_BYTES or deal_commitment(seed, deal_id) != commitment:
        return "the seed is not the one that the deal was bound to"
    return "" if deal_from_seed(seed) == dealt else "the cards are not those of the seed"


def seed_fault(seed: bytes, deal_id: str, commitment: bytes, dealt: DealtCards) -> str:
    """What is wrong with a seed that was revealed; empty where nothing is."""
    hands = (dealt.forehand, dealt.middlehand, dealt.rearhand, dealt.skat)
    in_order = DealtCards(*(tuple(sorted(cards)) for cards in hands))
    return _seed_fault(seed, deal_id, commitment, in_order)


def chain_fault(record: DealRecord, previous: bytes) -> str:
    """What is wrong with a record's place in the chain; empty where nothing is.

    Args:
        record: the record.
        previous: seal of the record before it, or `FIRST`.
    """
    if record.previous_sha256 != previous:
        return "it does not follow the record before it"
    if sha256(previous + record.json.encode()).digest() != record.sha256:
        return "it is not what was sealed"
    return ""
