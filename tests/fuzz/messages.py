"""Strategies for protobuf messages, made from their descriptors and from nothing else.

A vocabulary makes them worth something: a field called ``table_id`` is often one of a table that
exists, and often noise. What has to be known at the moment it is sent, such as the open turn, is
a word in angle brackets that `spoken` replaces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

DEPTH: Final = 6
"""Messages inside messages, at most."""
MOST_REPEATED: Final = 3

_INT_BITS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (True, 32),
    FieldDescriptor.CPPTYPE_INT64: (True, 64),
    FieldDescriptor.CPPTYPE_UINT32: (False, 32),
    FieldDescriptor.CPPTYPE_UINT64: (False, 64),
}
_SMALL: Final = tuple(range(12))
_TEXTS: Final = (
    "",
    " ",
    "x" * 65,
    "y" * 3_000,
    "new\nline",
    "\x1b[31mred\x1b[0m",
    "nul\0nul",
    "'; DROP TABLE events; --",
    "../../etc/passwd",
    "{}",
    "%s%n",
    "\N{ZERO WIDTH SPACE}\N{RIGHT-TO-LEFT OVERRIDE}",
    "9" * 40,
    "-1",
)
"""What has broken others (T20)."""


@dataclass(frozen=True)
class Vocabulary:
    """What fields of some names may sensibly hold."""

    words: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Values by the name of the field; keys of maps by the field's name with ``.key`` behind."""
    only: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Values for fields that hold nothing else."""

    @cached_property
    def _made(self) -> dict[tuple[str, int], st.SearchStrategy[Any]]:
        return {}

    def messages(self, kind: Descriptor, depth: int = DEPTH) -> st.SearchStrategy[Message]:
        """Messages of a kind: some fields set, well or badly."""
        key = (kind.full_name, depth)
        if key not in self._made:
            self._made[key] = self._message(kind, depth)
        return self._made[key]

    def _message(self, kind: Descriptor, depth: int) -> st.SearchStrategy[Message]:
        fields = [one for one in kind.fields if depth > 1 or one.message_type is None]
        groups = [[one for one in fields if one.containing_oneof is oneof] for oneof in kind.oneofs]
        alone = [[one] for one in fields if one.containing_oneof is None]
        choices = [self._choice(group, depth) for group in (*alone, *groups) if group]
        return st.tuples(*choices).map(lambda chosen: _built(kind, chosen))

    def _choice(
        self, group: Sequence[FieldDescriptor], depth: int
    ) -> st.SearchStrategy[tuple[FieldDescriptor, Any] | None]:
        """One of the fields with a value, or none of them."""
        said = [st.tuples(st.just(one), self._field(one, depth)) for one in group]
        return st.one_of(st.none(), *said)

    def _field(self, one: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
        if one.message_type is not None and one.message_type.GetOptions().map_entry:
            key, value = one.message_type.fields_by_name.values()
            keys = self._known(f"{one.name}.key", self._scalar(key))
            return st.dictionaries(keys, self._scalar(value), max_size=MOST_REPEATED)
        value_of = self._value(one, depth)
        return st.lists(value_of, max_size=MOST_REPEATED) if one.is_repeated else value_of

    def _value(self, one: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
        if one.message_type is not None:
            return self.messages(one.message_type, depth - 1)
        return self._known(one.name, self._scalar(one))

    def _known(self, name: str, anything: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        if name in self.only:
            return st.sampled_from(self.only[name])
        if name in self.words:
            return st.one_of(st.sampled_from(self.words[name]), anything)
        return anything

    @staticmethod
    def _scalar(one: FieldDescriptor) -> st.SearchStrategy[Any]:
        match one.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING if one.type == FieldDescriptor.TYPE_BYTES:
                return st.one_of(st.binary(max_size=40), st.just(bytes(32)))
            case FieldDescriptor.CPPTYPE_STRING:
                return st.one_of(st.sampled_from(_TEXTS), st.text(max_size=20))
            case FieldDescriptor.CPPTYPE_BOOL:
                return st.booleans()
            case FieldDescriptor.CPPTYPE_ENUM:
                assert one.enum_type is not None
                numbers = [value.number for value in one.enum_type.values]
                return st.one_of(st.sampled_from(numbers), st.integers(-(2**31), 2**31 - 1))
            case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
                return st.floats(width=32)
            case _:
                return _integers(*_INT_BITS[one.cpp_type])


def _integers(is_signed: bool, bits: int) -> st.SearchStrategy[int]:
    lowest, highest = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    edges = st.sampled_from((lowest, highest, highest - 1, 1_000, 32))
    return st.one_of(st.sampled_from(_SMALL), edges, st.integers(lowest, highest))


def _built(kind: Descriptor, chosen: Sequence[tuple[FieldDescriptor, Any] | None]) -> Message:
    values = {one.name: value for one, value in filter(None, chosen)}
    message: Message = GetMessageClass(kind)(**values)
    return message


def spoken(message: Message, words: Mapping[str, Any]) -> Message:
    """The message with words in angle brackets replaced by what they stand for now."""
    for one, value in list(message.ListFields()):
        if one.message_type is not None and not one.message_type.GetOptions().map_entry:
            for inner in value if one.is_repeated else [value]:
                spoken(inner, words)
        elif not one.is_repeated and isinstance(value, str) and value in words:
            setattr(message, one.name, words[value])
    return message


def damaged(whole: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Bytes that have nearly been a message: cut, with other bytes inside, or something behind."""

    def damage(parts: tuple[bytes, float, bytes, int]) -> bytes:
        data, where, other, kind = parts
        place = int(where * len(data))
        match kind:
            case 0:
                return data[:place]
            case 1:
                return data[:place] + other + data[place + len(other) :]
            case 2:
                return data + other
            case _:
                return other

    return st.tuples(whole, st.floats(0, 1), st.binary(max_size=12), st.integers(0, 3)).map(damage)


def nested(depth: int) -> bytes:
    """A field inside itself, so often: what a parser without a limit would choke on (T15)."""
    data = b""
    for _ in range(depth):
        data = b"\x0a" + _length(len(data)) + data
    return data


def _length(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
