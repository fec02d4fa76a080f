"""The frame of a record: ``(;GM[Skat]PC[…]…R[…] ;)``, properties by name."""

import re
from collections.abc import Mapping
from typing import Final

from skat_engine.errors import NotationError

_OPENING: Final = "(;"
_CLOSING: Final = ")"
_PROPERTY: Final = re.compile(r"\s*([A-Z][A-Z0-9]*)\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ID: Final = re.compile(r"(?<![A-Z0-9])ID\[([^\]]{1,80})\]")


def parse_frame(line: str) -> Mapping[str, str]:
    """The properties of a record; a backslash before a character stands for that character.

    Raises:
        NotationError: the line is no complete frame, or names a property twice.
    """
    text = line.strip()
    if not text.startswith(_OPENING) or not text.endswith(_CLOSING):
        raise NotationError("not a complete record; it begins with '(;' and ends with ')'")
    properties: dict[str, str] = {}
    end = len(_OPENING)
    while found := _PROPERTY.match(text, end):
        name, value = found[1], _ESCAPE.sub(r"\1", found[2])
        if name in properties:
            raise NotationError(f"property {name} is there twice")
        properties[name] = value
        end = found.end()
    if text[end:].strip() not in (";)", ")"):
        raise NotationError(f"cannot read on from {text[end : end + 20]!r}")
    return properties


def required(properties: Mapping[str, str], name: str) -> str:
    """A property that no record can do without.

    Raises:
        NotationError: it is missing.
    """
    if not properties.get(name, "").strip():
        raise NotationError(f"property {name} is missing or empty")
    return properties[name]


def record_id_in(line: str) -> str | None:
    """The id of a record that need not be readable otherwise."""
    found = _ID.search(line)
    return found[1] if found else None
