"""Mistakes in an organiser's file, in our words: where, what stands there, and what is allowed.

What is allowed is read from the schema of the file, so that no bound stands in two places.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from skat_server.errors import quoted

Schema = Mapping[str, Any]
"""A JSON schema, or a part of one."""

_OWN: Final = "Value error, "
"""Stands before what a check of ours says."""
_WORDS: Final[Mapping[str, str]] = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "text in quotes",
    "array": "a list",
    "object": "a table",
}


def mistakes(found: Iterable[Mapping[str, Any]], schema: Schema) -> Sequence[str]:
    """A line for each mistake.

    Args:
        found: the mistakes as the library describes them: kind, place, what stands there.
        schema: of the whole file.
    """
    return [_line(one, schema) for one in found]


def _line(mistake: Mapping[str, Any], whole: Schema) -> str:
    kind: str = mistake["type"]
    place, schema, above = _find(mistake["loc"], whole)
    if kind == "value_error":
        return f"{place or 'the file'}: {mistake['msg'].removeprefix(_OWN)}"
    if kind == "extra_forbidden":
        return f"{place}: there is no such key; those here are {', '.join(above['properties'])}"
    if kind == "missing":
        return f"{place}: it is missing; write {_allowed(schema, whole)}"
    if kind.startswith("union_tag") and isinstance(mistake["input"], Mapping):
        return _of_the_kind(place, mistake["input"], schema)
    return f"{place}: {_shown(mistake['input'])} cannot be used; write {_allowed(schema, whole)}"


def _of_the_kind(place: str, table: Mapping[str, Any], schema: Schema) -> str:
    """What is said of a table whose kind says what else is in it."""
    key = schema["discriminator"]["propertyName"]
    kinds = _one_of(_kinds(schema))
    if key not in table:
        return f"{place}.{key}: it is missing; write {kinds}"
    return f"{place}.{key}: {_shown(table[key])} cannot be used; write {kinds}"


def _find(location: Sequence[str | int], whole: Schema) -> tuple[str, Schema, Schema]:
    """A place as it is written in the file, its part of the schema, and the part above it."""
    names: list[str] = []
    schema, above = whole, whole
    for step in location:
        above = _plain(schema, whole)
        if "discriminator" in above:  # the step names the kind and stands in no file
            schema = {"$ref": above["discriminator"]["mapping"][step]}
            continue
        names.append(_named(step))
        if isinstance(step, int):
            schema = above.get("items", {})
        else:
            schema = above.get("properties", {}).get(step, above.get("additionalProperties") or {})
    return ".".join(names), _plain(schema, whole), above


def _plain(schema: Schema, whole: Schema) -> Schema:
    """A part of the schema itself, where only its name stands, or that nothing is allowed too."""
    if "anyOf" in schema:
        schema = next(part for part in schema["anyOf"] if part.get("type") != "null")
    if "$ref" in schema:
        return _plain(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    return schema


def _named(step: str | int) -> str:
    """A key, or the number of an entry; keys come from the file."""
    text = str(step)
    return text if text.isidentifier() or text.isdecimal() else quoted(text)


def _allowed(schema: Schema, whole: Schema) -> str:
    """What may stand at a place."""
    if "discriminator" in schema:
        key = schema["discriminator"]["propertyName"]
        return f"a table with {key} = {_one_of(_kinds(schema))}"
    if "enum" in schema:
        return _one_of(schema["enum"])
    kind: str = schema.get("type", "")
    if kind == "string":
        return _text(schema)
    words = _WORDS.get(kind, "something else")
    if kind == "array":
        most = f" of at most {schema['maxItems']:,}" if "maxItems" in schema else ""
        return f"{words}{most}, each {_allowed(_plain(schema['items'], whole), whole)}"
    return f"{words}{_range(schema)}"


def _kinds(schema: Schema) -> Sequence[str]:
    return list(schema["discriminator"]["mapping"])


def _one_of(values: Sequence[str | int]) -> str:
    *some, last = [_shown(value) for value in values]
    return f"{', '.join(some)} or {last}" if some else last


def _text(schema: Schema) -> str:
    """Text whose pattern is explained in words where it has one."""
    if "description" in schema:
        return str(schema["description"])
    if "maxLength" in schema:
        return f"text of {schema['minLength']} to {schema['maxLength']} characters, in quotes"
    return _WORDS["string"]


def _range(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    if least is not None:
        return f", {least:,} or more"
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if above is not None and below is not None:
        return f" above {above:g} and below {below:g}"
    return ""


def _shown(value: object) -> str:
    """What stands at a place, as far as it can be shown."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return quoted(value)
        case Mapping():
            return "a table"
        case list() | tuple():
            return "a list"
        case _:  # a number or a date
            return quoted(str(value)).strip("'")
