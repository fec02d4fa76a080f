"""A record checked by itself: that commitment, seed, cards, actions and result agree.

Everything is computed again from the record and what is given beside it; a check that fails
does not hide what comes after it, unless that cannot be asked any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from skat_engine.errors import NotationError
from skat_engine.records.chance import ClaimedSeed, claimed_seed, is_bound
from skat_engine.records.files import row_of_line, short_reason, short_text
from skat_engine.records.model import Fact, OwnOrigin, Record, TableShare, fact_text
from skat_engine.records.outcomes import Differs, compare
from skat_engine.records.own import unproven_record
from skat_engine.records.replay import IllegalMove, play
from skat_engine.shuffling import deal_from_seed, table_commitment, table_deal_seed


class CheckKind(Enum):
    """What can be checked, in this order."""

    FORMAT = auto()
    """The record can be read."""
    COMMITMENT = auto()
    """The commitment is that of id and seed."""
    DERIVATION = auto()
    """The seed was derived from the table's seed and the players' nonces."""
    SHUFFLE = auto()
    """The cards are those of the seed."""
    LEGALITY = auto()
    """Every action was legal."""
    RESULT = auto()
    """The result is what the rules make of the actions."""


class CheckOutcome(Enum):
    """What came of a check."""

    OK = auto()
    FAILED = auto()
    NOT_CHECKED = auto()
    """Something that it needs is not there."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked."""

    kind: CheckKind
    outcome: CheckOutcome
    message: str
    """The same for people."""


def verify(line: bytes, shown: bytes = b"", table_seed: bytes = b"") -> tuple[Check, ...]:
    """Check one of our own records; all kinds of checks, in their order.

    Args:
        line: the record.
        shown: the commitment that was shown before the deal; empty for the one in the record.
        table_seed: the seed of the table, known when the table is over; empty for none.
    """
    try:
        row = row_of_line(line)
        record, claimed = unproven_record(row), claimed_seed(row)
        is_bound(bytes(32), record.id, b"")  # the id can be hashed
    except NotationError as error:
        unread = _failed(CheckKind.FORMAT, short_reason(error))
        rest = [kind for kind in CheckKind if kind is not CheckKind.FORMAT]
        return (unread, *(_not_checked(kind, "the record cannot be read") for kind in rest))
    return (
        _ok(CheckKind.FORMAT, "the record can be read"),
        _commitment(record, claimed, shown),
        _derivation(record, claimed, table_seed),
        _shuffle(record, claimed),
        *_play(record),
    )


def is_verified(checks: Sequence[Check]) -> bool:
    """Whether no check failed."""
    return all(check.outcome is not CheckOutcome.FAILED for check in checks)


def _commitment(record: Record, claimed: ClaimedSeed | None, shown: bytes) -> Check:
    kind = CheckKind.COMMITMENT
    if claimed is None:
        return _not_checked(kind, "the cards come from no seed")
    if shown and not is_bound(claimed.seed, record.id, shown):
        return _failed(kind, "the commitment that was shown is not that of seed and id")
    if not is_bound(claimed.seed, record.id, claimed.commitment):
        return _failed(kind, "the commitment of the record is not that of seed and id")
    return _ok(kind, "the commitment is that of seed and id")


def _derivation(record: Record, claimed: ClaimedSeed | None, table_seed: bytes) -> Check:
    kind, share = CheckKind.DERIVATION, _share_of(record)
    if not table_seed:
        return _not_checked(kind, "the table's seed was not given")
    if claimed is None or share is None:
        return _not_checked(kind, "the record does not say how its seed came about")
    table_id = record.id.rpartition("/")[0]
    if table_commitment(table_seed, table_id) != share.table_commitment:
        return _failed(kind, "the table's commitment is not that of its seed and id")
    if table_deal_seed(table_seed, share.dealing, share.nonces) != claimed.seed:
        return _failed(kind, "the seed is not that of table, dealing and nonces")
    return _ok(kind, "the seed is that of table, dealing and nonces")


def _share_of(record: Record) -> TableShare | None:
    return record.origin.share if isinstance(record.origin, OwnOrigin) else None


def _shuffle(record: Record, claimed: ClaimedSeed | None) -> Check:
    kind = CheckKind.SHUFFLE
    if claimed is None:
        return _not_checked(kind, "the cards come from no seed")
    if deal_from_seed(claimed.seed) != record.dealt:
        return _failed(kind, "the cards are not those of the seed")
    return _ok(kind, "the cards are those of the seed")


def _play(record: Record) -> tuple[Check, Check]:
    """Legality and result, from one replay."""
    outcome = play(record)
    if isinstance(outcome, IllegalMove):
        why = short_text(f"action {outcome.number}, {outcome.said}: {outcome.why}")
        unknown = _not_checked(CheckKind.RESULT, "the actions lead to none")
        return _failed(CheckKind.LEGALITY, why), unknown
    legal = _ok(CheckKind.LEGALITY, f"all {len(record.moves)} actions were legal")
    return legal, _result(record, outcome)


def _result(record: Record, facts: dict[str, Fact]) -> Check:
    kind = CheckKind.RESULT
    compared = compare(record.id, record.expected, facts)
    if isinstance(compared, Differs):
        why = f"{compared.field}: the record says {compared.expected}, the rules {compared.got}"
        return _failed(kind, short_text(why))
    claimed = {claim.field for claim in record.expected}
    for name, fact in facts.items():
        if name not in claimed:
            return _failed(kind, f"{name}: the record says nothing, the rules {fact_text(fact)}")
    return _ok(kind, "the result is what the rules make of the actions")


def _ok(kind: CheckKind, message: str) -> Check:
    return Check(kind, CheckOutcome.OK, message)


def _failed(kind: CheckKind, message: str) -> Check:
    return Check(kind, CheckOutcome.FAILED, message)


def _not_checked(kind: CheckKind, message: str) -> Check:
    return Check(kind, CheckOutcome.NOT_CHECKED, message)
