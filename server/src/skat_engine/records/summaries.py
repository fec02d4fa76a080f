"""Rows of summaries: one JSON object becomes a summary, and what it says about its score.

A declarer game has the fields ``id, playing_hand, skat, bid, contract, hand, announced, ouvert``,
``declarer_points, declarer_tricks, defender_tricks``, and may have ``preset, options, spitze,
spitze_made, kontra, re, bock, lay_open_failed, schenken_refused, revolution``. A Ramsch has
``id, card_points, trick_counts``, and may have ``preset, options, looked, untouched, bock,
knocked, skat_points, last_trick_winner``, with positions as ``F M R`` or 0 to 2.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from skat_engine.cards import CardSet, card_set, parse_card
from skat_engine.contracts import Contract, ContractKind, Level, new_contract
from skat_engine.errors import IllegalActionError, NotationError, RuleSetError
from skat_engine.presets import preset
from skat_engine.ramsch import Triple
from skat_engine.records.model import Expected, Fact
from skat_engine.records.rows import Row
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_option
from skat_engine.seats import Position
from skat_engine.summary import (
    DeclarerSummary,
    RamschSummary,
    SummaryError,
    SummaryRefusal,
    new_doubling,
    reasoning_of,
    score_deal,
    score_ramsch_deal,
)

Summary = DeclarerSummary | RamschSummary

_KINDS: Final = {kind.name.lower(): kind for kind in ContractKind}
_ANNOUNCED: Final = {level.name.lower(): level for level in Level if level}
_POSITIONS: Final[Mapping[object, Position]] = {"F": 0, "M": 1, "R": 2, 0: 0, 1: 1, 2: 2}
_MOST: Final = 1_000
"""No bid, card points or tricks of a row come near; how many are too many is the oracle's."""


def read_summary(row: Row) -> Summary:
    """The summary in a row.

    Raises:
        NotationError: a field is missing, of the wrong kind, or of no meaning.
        SummaryError: what the row says contradicts itself.
    """
    return _ramsch(row) if "card_points" in row else _declarer_game(row)


def score_facts(row: Row, *, explain: bool = False) -> dict[str, Fact]:
    """What a row scores, by the names that it expects.

    ``won, value, score`` of a declarer game, ``scores`` of a Ramsch, or ``error`` with the
    reason why there is no score.

    Args:
        row: a summary.
        explain: say everything that led to the score of a declarer game as well.

    Raises:
        NotationError: see `read_summary`.
    """
    try:
        summary = read_summary(row)
        if isinstance(summary, RamschSummary):
            return {"scores": score_ramsch_deal(summary)}
        return _game_facts(summary, explain=explain)
    except SummaryError as error:
        return {"error": error.reason.value}


def _game_facts(summary: DeclarerSummary, *, explain: bool) -> dict[str, Fact]:
    value = score_deal(summary)
    facts: dict[str, Fact] = {"won": value.won, "value": value.value, "score": value.score}
    if not explain:
        return facts
    reasoning = reasoning_of(summary, value)
    return facts | {
        "base": value.base,
        "matadors": value.matadors,
        "levels": " ".join(f"{name}={count}" for name, count in reasoning.levels),
        "raw": value.raw,
        "overbid": value.overbid,
        "rounded_up": reasoning.rounded_up,
        "factors": " ".join(f"{name}={times}" for name, times in reasoning.factors),
    }


def expected_facts(row: Row) -> tuple[Expected, ...]:
    """What a row says about its score.

    Raises:
        NotationError: it says nothing, or something that is no result.
    """
    expected = row.mapping("expected")
    if not expected:
        raise NotationError("field expected says nothing")
    return tuple(Expected(name, _fact(name, value)) for name, value in expected.items())


def _fact(name: str, value: object) -> Fact:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list) and all(type(item) is int for item in value):
        return tuple(value)
    raise NotationError(f"field {name} of what is expected is no number, text or list")


def _declarer_game(row: Row) -> DeclarerSummary:
    return DeclarerSummary(
        rules=_rules(row),
        contract=_contract(row),
        bid=row.number("bid", least=0, most=_MOST),
        playing_hand=_cards(row, "playing_hand"),
        skat=_cards(row, "skat"),
        declarer_points=row.number_or_none("declarer_points", most=_MOST),
        declarer_tricks=row.number_or_none("declarer_tricks", most=_MOST),
        defender_tricks=row.number_or_none("defender_tricks", most=_MOST),
        doubling=new_doubling(
            kontra=_flag(row, "kontra"), re=_flag(row, "re"), bock=_flag(row, "bock")
        ),
        spitze_made=_flag(row, "spitze_made"),
        lay_open_failed=_flag(row, "lay_open_failed"),
        schenken_refused=_flag(row, "schenken_refused"),
    )


def _ramsch(row: Row) -> RamschSummary:
    skat_points = row.number_or_none("skat_points", most=_MOST) if "skat_points" in row else None
    return RamschSummary(
        rules=_rules(row),
        points=_triple(row, "card_points"),
        tricks=_triple(row, "trick_counts"),
        looked=frozenset(_positions(row, "looked")),
        untouched=row.number("untouched", least=0, most=3) if "untouched" in row else 0,
        bock=_flag(row, "bock"),
        knocked=_flag(row, "knocked"),
        skat_points=skat_points,
        last_trick_winner=_position(row, "last_trick_winner"),
    )


def _rules(row: Row) -> RuleSet:
    name = row.text("preset") if "preset" in row else None
    options = row.mapping("options") if "options" in row else {}
    return _rule_set(name, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=256)
def _rule_set(name: str | None, options: str) -> RuleSet:
    """The rule set of a preset and overrides; rows of a file share few of them."""
    texts = {option: _option_text(option, value) for option, value in json.loads(options).items()}
    try:
        values = {option: parse_option(option, text) for option, text in texts.items()}
        if name is None:
            return RuleSet(**values)  # type: ignore[arg-type]  # names checked by parse_option
        return preset(name, values)
    except RuleSetError as error:
        raise NotationError(f"rules: {error}") from None


def _option_text(option: str, value: object) -> str:
    """A JSON value as the text that `parse_option` reads."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "unset"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ",".join(value)
    raise NotationError(f"option {option} is no text, number, truth value or list of texts")


def _contract(row: Row) -> Contract:
    kind = _KINDS.get(row.text("contract"))
    if kind is None:
        raise NotationError(f"contract {row.text('contract')!r} is not one of {', '.join(_KINDS)}")
    try:
        return new_contract(
            kind,
            hand=row.flag("hand"),
            announced=_announced(row),
            ouvert=row.flag("ouvert"),
            spitze=_flag(row, "spitze"),
            revolution=_flag(row, "revolution"),
        )
    except IllegalActionError as error:
        reason = SummaryRefusal.CONTRADICTORY_ANNOUNCEMENT
        raise SummaryError(reason, str(error)) from None


def _announced(row: Row) -> Level:
    text = row.text_or_none("announced")
    if text is None:
        return Level.SIMPLE
    if text not in _ANNOUNCED:
        raise NotationError(f"announced {text!r} is not null, schneider or schwarz")
    return _ANNOUNCED[text]


def _cards(row: Row, name: str) -> CardSet:
    names = row.texts(name)
    cards = card_set(parse_card(text) for text in names)
    if cards.bit_count() != len(names):
        raise NotationError(f"field {name} has a card twice")
    return cards


def _flag(row: Row, name: str) -> bool:
    """A truth value that is false when it is not there."""
    return row.flag(name) if name in row else False


def _triple(row: Row, name: str) -> Triple:
    numbers = row.numbers(name, least=0, most=_MOST)
    if len(numbers) != 3:
        raise NotationError(f"field {name} has {len(numbers)} numbers instead of three")
    return (numbers[0], numbers[1], numbers[2])


def _positions(row: Row, name: str) -> Iterator[Position]:
    for value in row.items(name) if name in row else ():
        yield _known_position(name, value)


def _position(row: Row, name: str) -> Position | None:
    value = row.value(name) if name in row else None
    return None if value is None else _known_position(name, value)


def _known_position(name: str, value: object) -> Position:
    if isinstance(value, str) or type(value) is int:
        position = _POSITIONS.get(value)
        if position is not None:
            return position
    raise NotationError(f"field {name}: {value!r} is not one of F, M, R")
