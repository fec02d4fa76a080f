"""Rule sets as text: the table of options, single values, whole sets (section 21)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from skat_engine.errors import RuleSetError
from skat_engine.options import BockTrigger, OptionValue, option_text
from skat_engine.ruleset import DEFAULTS, OPTION_TYPES, RuleSet


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One row of the table of options, for documentation and the wire."""

    name: str
    meaning: str
    values: tuple[str, ...]
    """The allowed values as text; free text where they cannot be listed."""
    default: str
    source: str
    """The rule that defines the option."""


def option_table() -> tuple[OptionInfo, ...]:
    """Every option with meaning, values, default and source, in the order of declaration."""
    return tuple(
        OptionInfo(
            f.name,
            f.metadata["meaning"],
            _values(f.name, f.metadata["values"]),
            option_text(DEFAULTS[f.name]),
            f.metadata["source"],
        )
        for f in fields(RuleSet)
    )


def _values(name: str, documented: str) -> tuple[str, ...]:
    kind = OPTION_TYPES[name]
    if documented:
        return (documented,)
    if kind is bool:
        return ("false", "true")
    members = BockTrigger if kind == frozenset[BockTrigger] else kind
    return tuple(member.value for member in members)


def parse_option(name: str, text: str) -> OptionValue:
    """Read the text of an option's value; the inverse of `option_text`.

    Raises:
        RuleSetError: unknown option, or a text that is none of its values.
    """
    if name not in OPTION_TYPES:
        raise RuleSetError(name, "is not an option of the rules")
    kind = OPTION_TYPES[name]
    try:
        return _parse_value(kind, text)
    except (ValueError, KeyError):
        info = next(row for row in option_table() if row.name == name)
        raise RuleSetError(name, f"{text!r} is not one of: {', '.join(info.values)}") from None


def _parse_value(kind: Any, text: str) -> OptionValue:
    if kind is bool:
        return {"true": True, "false": False}[text]
    if kind == int | None:
        return None if text == "unset" else _whole_number(text)
    if kind is int:
        return _whole_number(text)
    if kind == frozenset[BockTrigger]:
        return frozenset(BockTrigger(word) for word in text.split(",") if word)
    value: OptionValue = kind(text)
    return value


def _whole_number(text: str) -> int:
    """Read digits with an optional minus; `int` also takes blanks and other scripts."""
    if re.fullmatch(r"-?[0-9]{1,9}", text) is None:
        raise ValueError(text)
    return int(text)


def rule_set_options(rules: RuleSet) -> dict[str, str]:
    """Every option that differs from its default, as text; what a record stores."""
    return {
        name: option_text(getattr(rules, name))
        for name, default in DEFAULTS.items()
        if getattr(rules, name) != default
    }


def parse_rule_set(options: Mapping[str, str]) -> RuleSet:
    """The rule set of `rule_set_options`.

    Raises:
        RuleSetError: an unknown option or value, or an impossible mix.
    """
    values = {name: parse_option(name, text) for name, text in options.items()}
    return RuleSet(**values)  # type: ignore[arg-type]  # names checked by parse_option
