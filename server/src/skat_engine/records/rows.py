"""Typed reading of a JSON object: every field is there and of its kind, or the row is refused."""

import json
from collections.abc import Mapping

from skat_engine.errors import NotationError


class Row:
    """One JSON object whose fields are asked for by name and kind.

    All methods raise `NotationError` when the field is missing or of another kind.
    """

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, object]) -> None:
        """Read from these fields."""
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        """Whether the field is there at all."""
        return name in self._fields

    def text(self, name: str) -> str:
        """A string."""
        value = self.value(name)
        if not isinstance(value, str):
            raise _wrong(name, "a string")
        return value

    def name(self, name: str) -> str:
        """A string that says something."""
        value = self.text(name)
        if not value.strip():
            raise NotationError(f"field {name} is empty")
        return value

    def number(self, name: str, *, least: int, most: int) -> int:
        """A whole number within bounds; a truth value is none."""
        value = self.value(name)
        if type(value) is not int or not least <= value <= most:
            raise _wrong(name, f"a whole number from {least} to {most}")
        return value

    def numbers(self, name: str, *, least: int, most: int) -> tuple[int, ...]:
        """A list of whole numbers within bounds."""
        items = self.items(name)
        numbers = [n for n in items if type(n) is int and least <= n <= most]
        if len(numbers) != len(items):
            raise _wrong(name, f"a list of whole numbers from {least} to {most}")
        return tuple(numbers)

    def number_or_none(self, name: str, *, most: int) -> int | None:
        """A whole number from 0 on, or null."""
        return None if self.value(name) is None else self.number(name, least=0, most=most)

    def text_or_none(self, name: str) -> str | None:
        """A string or null."""
        return None if self.value(name) is None else self.text(name)

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self.value(name)
        if not isinstance(value, bool):
            raise _wrong(name, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        return _strings(name, self.value(name))

    def text_lists(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of strings."""
        return tuple(_strings(name, item) for item in self.items(name))

    def rows(self, name: str) -> tuple["Row", ...]:
        """A list of objects."""
        items = self.items(name)
        rows = tuple(Row(item) for item in items if isinstance(item, dict))
        if len(rows) != len(items):
            raise _wrong(name, "a list of objects")
        return rows

    def mapping(self, name: str) -> Mapping[str, object]:
        """An object with any fields."""
        value = self.value(name)
        if not isinstance(value, dict):
            raise _wrong(name, "an object")
        return value

    def value(self, name: str) -> object:
        """Whatever is there."""
        if name not in self._fields:
            raise NotationError(f"field {name} is missing")
        return self._fields[name]

    def items(self, name: str) -> list[object]:
        """A list of anything."""
        value = self.value(name)
        if not isinstance(value, list):
            raise _wrong(name, "a list")
        return value


def _strings(name: str, value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [None]
    strings = tuple(item for item in items if isinstance(item, str))
    if len(strings) != len(items):
        raise _wrong(name, "a list of strings")
    return strings


def _wrong(name: str, wanted: str) -> NotationError:
    return NotationError(f"field {name} is not {wanted}")


def parse_row(text: str) -> Row:
    """The JSON object that a line holds.

    Raises:
        NotationError: the line is not JSON, or not an object.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise NotationError("not a JSON object")
    return Row(value)
