"""Our own record of a deal: one JSON object on one line, complete enough to replay.

A record has the fields ``format`` (``skat-deal``), ``version``, ``id``, ``rules`` (the options
that differ from their defaults, as text), ``seats`` (names by seat), ``dealer`` (a seat),
``deal_number`` (from 1), ``dealt`` (three hands and the skat in notation), ``actions``
(position and action, ``1 18``, with position 0 forehand, 1 middlehand, 2 rearhand) and
``result`` (`skat_engine.records.facts`). Version 2 adds ``occasion``, a list of ``bock``,
``ramsch_round`` and ``no_grand_hand``, and the facts of a Ramsch and of Kontra and Bock; a
record that needs none of it is written as version 1. Readers pass over fields they do not
know, but not over facts of the result, which could not be checked. Whatever changes the
meaning of a field, or adds a fact, raises the version.

In both versions a record may have ``think_ms`` (milliseconds for each action) and ``seed`` with
its ``commitment`` (hexadecimal, `docs/shuffle.md`); they are checked where they are there. With
them may come ``chance``: the table's commitment, the players' nonces and the dealing's number.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from skat_engine.actions import Action
from skat_engine.errors import NotationError, RuleSetError
from skat_engine.notation import dealt_text, parse_action, parse_dealt
from skat_engine.occasions import ORDINARY, Occasion
from skat_engine.records.chance import chance_fields, check_seed, claimed_seed, share_of_row
from skat_engine.records.facts import SINCE_VERSION_2, result_facts
from skat_engine.records.model import Expected, Fact, OwnOrigin, Record, TableShare
from skat_engine.records.moves import Move
from skat_engine.records.rows import Row, parse_row
from skat_engine.records.timekeeping import (
    Timekeeping,
    check_timekeeping,
    timekeeping_fields,
    timekeeping_of_row,
)
from skat_engine.results import DealResult, Dealt
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_rule_set, rule_set_options
from skat_engine.seats import Position, Seating, seating
from skat_engine.shuffling import deal_from_seed

FORMAT: Final = "skat-deal"
VERSIONS: Final = (1, 2)

_MOST_DEALS: Final = 1_000_000_000
_MOST_MS: Final = 2**53 - 1
"""What every reader of JSON can hold."""
_KNOWN_RULES: Final = 16
"""Rule sets that are kept while a file is read or written."""
_BOCK: Final = "bock"
_RAMSCH_ROUND: Final = "ramsch_round"
_NO_GRAND_HAND: Final = "no_grand_hand"
# Nothing that is written here contains itself, so nobody looks for that.
_JSON: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_POSITIONS: Final = {"0": 0, "1": 1, "2": 2}


def new_record(  # noqa: PLR0913, PLR0917  # a record is wide
    record_id: str,
    rules: RuleSet,
    seat_names: Sequence[str],
    seating: Seating,
    deal_number: int,
    dealt: Dealt,
    actions: Iterable[tuple[Position, Action]],
    result: DealResult,
    occasion: Occasion = ORDINARY,
    *,
    think_ms: Sequence[int] = (),
    seed: bytes | None = None,
    share: TableShare | None = None,
    timekeeping: Timekeeping | None = None,
) -> Record:
    """The record of a deal that has just been finished.

    Args:
        record_id: names the record wherever it goes.
        rules: the rules it was played under.
        seat_names: who sat at the table, by seat.
        seating: who dealt and played; it must be the one that its dealer implies.
        deal_number: the deal's place in its series, from 1.
        dealt: the cards as dealt.
        actions: every accepted action with the position that took it, in order.
        result: what came of it.
        occasion: what the deal owed to the ones before it.
        think_ms: milliseconds for each action, or nothing.
        seed: what the cards were shuffled with, if anything.
        share: how that seed came about, where players had a share in it.
        timekeeping: how long the players had, and where they did not play themselves.

    Raises:
        ValueError: names, seating and rules do not fit one another, nor times and faults the
            actions, seed the cards or nonces the seats.
    """
    _check_table(rules, seat_names, seating)
    moves = tuple(actions)
    _check_times(think_ms, len(moves))
    if seed is not None and deal_from_seed(seed) != dealt:
        raise ValueError("the cards are not those of the seed")
    if share is not None and (seed is None or len(share.nonces) != rules.seats):
        raise ValueError("a share in the chance needs a seed, and a nonce for every seat")
    if timekeeping is not None:
        check_timekeeping(timekeeping, len(moves), rules.seats)
    return Record(
        record_id,
        OwnOrigin(deal_number, occasion, tuple(think_ms), seed, share, timekeeping),
        rules,
        tuple(seat_names),
        seating.dealer,
        dealt,
        moves,
        tuple([Expected(name, fact) for name, fact in result_facts(result).items()]),
    )


def _check_table(rules: RuleSet, seat_names: Sequence[str], seated: Seating) -> None:
    if len(seat_names) != rules.seats:
        raise ValueError(f"{len(seat_names)} names for {rules.seats} seats")
    if seated != seating(seated.dealer, rules.seats):
        raise ValueError(f"{seated} is not what dealer {seated.dealer} implies (R-TAB-1)")


def _check_times(think_ms: Sequence[int], actions: int) -> None:
    if think_ms and len(think_ms) != actions:
        raise ValueError(f"{len(think_ms)} times for {actions} actions")
    if min(think_ms, default=0) < 0:
        raise ValueError("a time is below 0")


def to_json_line(record: Record) -> str:
    """One line of ASCII without its line break; only for records of our own."""
    if not isinstance(record.origin, OwnOrigin):
        raise TypeError("only our own records are written in this form")
    origin = record.origin
    occasion, result = _occasion_words(origin.occasion), dict(record.expected)
    needs_more = occasion or not SINCE_VERSION_2.isdisjoint(result)
    row = {
        "format": FORMAT,
        "version": VERSIONS[bool(needs_more)],
        "id": record.id,
        "rules": _options(record.rules),
        "seats": record.seats,
        "dealer": record.dealer,
        "deal_number": origin.deal_number,
        **({"occasion": occasion} if occasion else {}),
        "dealt": dealt_text(record.dealt),
        "actions": [f"{position} {action!s}" for position, action in record.moves],
        **({"think_ms": origin.think_ms} if origin.think_ms else {}),
        **timekeeping_fields(origin.timekeeping),
        **chance_fields(record, origin.seed, origin.share),
        "result": result,
    }
    return _JSON.encode(row)


def from_json_line(line: str) -> Record:
    """Read what `to_json_line` writes.

    Raises:
        NotationError: the line is no such record, or one of another version.
    """
    return record_of_row(parse_row(line))


def record_of_row(row: Row) -> Record:
    """The record in a JSON object.

    Raises:
        NotationError: see `from_json_line`.
    """
    record = unproven_record(row)
    claimed = claimed_seed(row)
    if claimed is not None:
        check_seed(claimed, record.id, record.dealt)
    return record


def unproven_record(row: Row) -> Record:
    """The record in a JSON object, whose seed need not be that of commitment and cards.

    Raises:
        NotationError: the object is no such record, or one of another version.
    """
    if row.text("format") != FORMAT:
        raise NotationError(f"the format is not {FORMAT}")
    version = row.number("version", least=1, most=_MOST_DEALS)
    if version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise NotationError(f"version {version} of {FORMAT} is unknown; known are {known}")
    rules = _rules(row.mapping("rules"))
    seats = row.texts("seats")
    if len(seats) != rules.seats:
        raise NotationError(f"{len(seats)} names for {rules.seats} seats")
    claimed = claimed_seed(row)
    moves = tuple(_move(text) for text in row.texts("actions"))
    return Record(
        row.name("id"),
        OwnOrigin(
            row.number("deal_number", least=1, most=_MOST_DEALS),
            _occasion(row),
            _think_ms(row, len(moves)),
            None if claimed is None else claimed.seed,
            share_of_row(row, rules.seats),
            timekeeping_of_row(row, len(moves), rules.seats),
        ),
        rules,
        seats,
        row.number("dealer", least=0, most=rules.seats - 1),
        parse_dealt(row.text("dealt")),
        moves,
        _expected(row.mapping("result")),
    )


def _occasion_words(occasion: Occasion) -> list[str]:
    words = {
        _BOCK: occasion.bock,
        _RAMSCH_ROUND: occasion.ramsch_round,
        _NO_GRAND_HAND: not occasion.grand_hand_offered,
    }
    return [word for word, is_so in words.items() if is_so]


def _occasion(row: Row) -> Occasion:
    words = row.texts("occasion") if "occasion" in row else ()
    if not set(words) <= {_BOCK, _RAMSCH_ROUND, _NO_GRAND_HAND}:
        raise NotationError("field occasion has an unknown word")
    return Occasion(
        bock=_BOCK in words,
        ramsch_round=_RAMSCH_ROUND in words,
        grand_hand_offered=_NO_GRAND_HAND not in words,
    )


def _think_ms(row: Row, actions: int) -> tuple[int, ...]:
    if "think_ms" not in row:
        return ()
    think_ms = row.numbers("think_ms", least=0, most=_MOST_MS)
    if len(think_ms) != actions:
        raise NotationError(f"field think_ms has {len(think_ms)} times for {actions} actions")
    return think_ms


def _rules(options: Mapping[str, object]) -> RuleSet:
    texts = {name: text for name, text in options.items() if isinstance(text, str)}
    if len(texts) != len(options):
        raise NotationError("field rules is not an object of strings")
    return _rule_set(tuple(texts.items()))


@lru_cache(maxsize=_KNOWN_RULES)
def _rule_set(options: tuple[tuple[str, str], ...]) -> RuleSet:
    """The rule set of these options; the deals of a file mostly share one."""
    try:
        return parse_rule_set(dict(options))
    except RuleSetError as error:
        raise NotationError(f"rules: {error}") from None


@lru_cache(maxsize=_KNOWN_RULES)
def _options(rules: RuleSet) -> Mapping[str, str]:
    """The options of this rule set; the deals of a table all share one."""
    return rule_set_options(rules)


def _move(text: str) -> Move:
    position, _, action = text.partition(" ")
    if position not in _POSITIONS:
        raise NotationError(f"action {text!r} does not begin with a position, 0 to 2")
    return _POSITIONS[position], parse_action(action)


def _expected(result: Mapping[str, object]) -> tuple[Expected, ...]:
    if "ending" not in result:
        raise NotationError("field ending of the result is missing")
    return tuple(Expected(name, _fact(name, value)) for name, value in result.items())


def _fact(name: str, value: object) -> Fact:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list) and all(type(item) is int for item in value):
        return tuple(value)
    raise NotationError(f"field {name} of the result is no number, text, truth value or list")
