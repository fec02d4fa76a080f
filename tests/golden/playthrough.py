"""Whole deals as text: cards and actions as input, every event as it follows.

A file begins with comments and a header: the options that differ from the preset ``isko``, and
the cards of each hand. Then come the actions, each with who takes it; below it, indented, stand
the events that follow, one a line. `render` writes the indented lines anew.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from skat_engine import (
    CardSet,
    Contract,
    Deal,
    DealEnded,
    Dealt,
    Event,
    Trick,
    card_text,
    cards_text,
    hand_text,
    parse_action,
    preset,
)
from skat_engine.ruleset_text import parse_option
from skat_engine.seats import POSITION_NAMES
from tests.builders import hand

HANDS = (*POSITION_NAMES, "skat")
POSITION_FIELDS = {"position", "declarer", "leader", "winner"}


def render(text: str) -> str:
    """The playthrough with the events that its actions have now."""
    given = [line for line in text.splitlines() if not line.startswith("    ")]
    return "\n".join(_lines(given)) + "\n"


def _lines(given: list[str]) -> Iterator[str]:
    header: dict[str, str] = {}
    deal: Deal | None = None
    for line in given:
        yield line
        word, _, rest = line.partition(" ")
        if line.startswith("#") or not line:
            continue
        if len(header) < len(HANDS) and deal is None:
            header[word] = rest
            deal = _deal(header) if word == "skat" else None
            continue
        assert deal is not None
        for event in deal.apply(POSITION_NAMES.index(word), parse_action(rest)):
            yield from _event_lines(event)


def _deal(header: dict[str, str]) -> Deal:
    """The deal of a header; what is no hand is an option."""
    options = {
        name: parse_option(name, value) for name, value in header.items() if name not in HANDS
    }
    first, second, third, skat = (hand(header[name]) for name in HANDS)
    return Deal(preset("isko", options), Dealt((first, second, third), skat))


def _event_lines(event: Event) -> Iterator[str]:
    """An event on one line, a result with one line for each of its facts."""
    name, facts = type(event).__name__, [f"{name}={text}" for name, text in _facts(event)]
    if isinstance(event, DealEnded):
        yield f"    {name}"
        yield from (f"        {fact}" for fact in facts)
    else:
        yield " ".join((f"    {name}", *facts))


def _facts(value: object) -> Iterator[tuple[str, str]]:
    """The fields of a value and of the values in it, as name and text; cards as cards."""
    assert is_dataclass(value)
    for field in fields(value):
        inner = getattr(value, field.name)
        if isinstance(inner, Trick):
            yield from ((name, _text(name, getattr(inner, name))) for name in inner._fields)
        elif isinstance(inner, Contract) or not is_dataclass(inner):
            yield field.name, _text(field.name, inner)
        elif not isinstance(inner, Dealt):
            yield from _facts(inner)


def _text(name: str, value: object) -> str:
    match name, value:
        case ("card", int(card)):
            return card_text(card)  # type: ignore[arg-type]
        case ("cards", int(mask)):
            return hand_text(CardSet(mask)).replace(" ", ".")
        case ("cards" | "skat" | "discards", tuple(cards)):
            return cards_text(cards) or "none"
        case (_, int(position)) if name in POSITION_FIELDS:
            return POSITION_NAMES[position]
        case (_, Enum()):
            return value.name.lower()
        case (_, bool(flag)):
            return str(flag).lower()
        case (_, tuple(numbers)):
            return "/".join(map(str, numbers))
        case _:
            return str(value)
