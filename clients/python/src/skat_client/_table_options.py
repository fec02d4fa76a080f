"""What may be said of a table's clock, faults and house bots on the command line."""

from collections.abc import Iterator, Mapping
from typing import Final

from skat_client._policies import ClockPolicy, FaultConsequence, FaultPolicy
from skat_client._tables import HouseBot
from skat_client.errors import ConfigurationError

_CLOCK_FIELDS: Final = {
    "decision": "decision_ms",
    "bank": "bank_ms",
    "increment": "increment_ms",
    "grace": "grace_ms",
}
_LONGEST: Final = 3600.0
"""Seconds that any part of a clock may have."""
_FAULT_LIMITS: Final = {"illegal": 100, "safe": 1000}
_CONSEQUENCES: Final = {
    "house": FaultConsequence.HOUSE_PLAYS,
    "forfeit": FaultConsequence.FORFEIT,
    "none": FaultConsequence.NONE,
}
_HOUSE_BOTS: Final = {str(bot): bot for bot in HouseBot}


def clock_of(text: str | None) -> ClockPolicy | None:
    """A clock from `decision=30,bank=120,increment=0,grace=30`, in seconds.

    Raises:
        ConfigurationError: it says something else.
    """
    if text is None:
        return None
    fields = {}
    for name, value in _pairs(text, _CLOCK_FIELDS):
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if not 0.0 <= seconds <= _LONGEST:
            raise ConfigurationError(f"{name}={value}: 0 to {_LONGEST:g} seconds are allowed")
        fields[_CLOCK_FIELDS[name]] = round(seconds * 1000)
    return ClockPolicy(**fields)


def faults_of(text: str | None) -> FaultPolicy | None:
    """A fault policy from `illegal=3,safe=3,then=house`.

    Raises:
        ConfigurationError: it says something else.
    """
    if text is None:
        return None
    said = dict(_pairs(text, {**_FAULT_LIMITS, "then": 0}))
    default = FaultPolicy()
    then = said.get("then", "house")
    if then not in _CONSEQUENCES:
        raise ConfigurationError(f"then={then}: choose one of {', '.join(_CONSEQUENCES)}")
    return FaultPolicy(
        illegal_actions=_count(said, "illegal", default.illegal_actions),
        safe_answers=_count(said, "safe", default.safe_answers),
        consequence=_CONSEQUENCES[then],
    )


def house_bots_of(text: str) -> tuple[HouseBot, ...]:
    """House bots from their names, separated by commas.

    Raises:
        ConfigurationError: there is no such bot.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in _HOUSE_BOTS:
            known = ", ".join(_HOUSE_BOTS)
            raise ConfigurationError(f"there is no house bot {name!r}: choose one of {known}")
    return tuple(_HOUSE_BOTS[name] for name in names)


def _count(said: Mapping[str, str], name: str, default: int) -> int:
    value = said.get(name, str(default))
    if not (value.isdecimal() and int(value) <= _FAULT_LIMITS[name]):
        raise ConfigurationError(f"{name}={value}: 0 to {_FAULT_LIMITS[name]} are allowed")
    return int(value)


def _pairs(text: str, known: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for part in text.split(","):
        name, _, value = part.strip().partition("=")
        if name not in known or not value:
            raise ConfigurationError(f"{part!r}: write NAME=VALUE with one of {', '.join(known)}")
        yield name, value
