"""Values that are made for every action: frozen for the type checker, and quick to make.

A frozen dataclass sets every field through a call. Nobody changes one of these either: mypy holds
that, so the interpreter need not look after it as well (ADR 0030).
"""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

_Made = TypeVar("_Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(made: type[_Made]) -> type[_Made]:
    """A slotted dataclass that is frozen as far as types are checked, with equality and hash."""
    return dataclass(slots=True, unsafe_hash=True)(made)
