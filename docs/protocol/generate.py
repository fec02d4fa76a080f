"""Writes the reference of the protocol from the comments of the .proto files, a page for each file.

Run by ``make docs`` and ``make proto``; a test holds that the pages are fresh.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

HERE: Final = Path(__file__).parent
PROTO: Final = HERE.parents[1] / "proto"
_NOTE: Final = (
    "<!-- Written by `make docs` from the comments in proto/skat/v1; edit those instead. -->"
)
_PACKAGE: Final = ".skat.v1."
# Numbers of the fields of descriptors, of which paths to comments are made.
_MESSAGES, _ENUMS, _SERVICES = 4, 5, 6
_FIELDS, _VALUES, _METHODS, _ONEOFS = 2, 2, 2, 8


@dataclass(frozen=True, slots=True)
class Source:
    """A .proto file with its comments, and where all types are described."""

    file: FileDescriptorProto
    comments: Mapping[tuple[int, ...], str]
    homes: Mapping[str, str]
    """The page of each type by its full name."""

    @property
    def page(self) -> str:
        """The name of its page."""
        return page_name(self.file)

    def link(self, type_name: str) -> str:
        """A type as a link to its description, or as code where it is none of ours."""
        name = type_name.removeprefix(_PACKAGE)
        home = self.homes.get(type_name)
        if home is None:
            return f"`{name.lstrip('.')}`"
        return f"[{name}]({'' if home == self.page else home}#{name.lower()})"


def page_name(file: FileDescriptorProto) -> str:
    """The name of the page of a file."""
    return f"{Path(file.name).stem}.md"


def title(file: FileDescriptorProto) -> str:
    """What a page is called: its service, else its subject."""
    if file.service:
        return file.service[0].name
    return Path(file.name).stem.replace("_", " ").capitalize()


def sources() -> list[Source]:
    """All files of the contract, compiled with their comments."""
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "descriptors.binpb"
        names = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.glob("skat/v1/*.proto"))
        flags = ("--proto_path=.", "--include_source_info", f"--descriptor_set_out={target}")
        command = [sys.executable, "-m", "grpc_tools.protoc", *flags, *names]
        subprocess.run(command, cwd=PROTO, check=True)
        files = FileDescriptorSet.FromString(target.read_bytes()).file
    homes = {f"{_PACKAGE}{kind.name}": page_name(file) for file in files for kind in _types(file)}
    return [Source(file, _comments(file), homes) for file in files]


def _comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    return {
        tuple(place.path): place.leading_comments
        for place in file.source_code_info.location
        if place.leading_comments
    }


def _types(file: FileDescriptorProto) -> list[DescriptorProto | EnumDescriptorProto]:
    return [*file.message_type, *file.enum_type]


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    all_sources = sources()
    return {
        "index.md": index_page(all_sources),
        **{source.page: file_page(source) for source in all_sources},
    }


def index_page(all_sources: Sequence[Source]) -> str:
    """Every method of every service, and the pages of what they carry."""
    services = "\n".join(
        f"## {service.name}\n\n{_methods_table(source, service)}"
        for source in all_sources
        for service in source.file.service
    )
    subjects = "".join(
        f"- [{title(source.file)}]({source.page}): {_names(source.file)}\n"
        for source in all_sources
        if not source.file.service
    )
    return (
        f"# Protocol reference\n\n{_NOTE}\n\n"
        f"The package `skat.v1` as its .proto files describe it. "
        f"[A bot from the bare protos](../bare-protos.md) is the way through it.\n\n"
        f"{services}\n## What they carry\n\n{subjects}"
    )


def _methods_table(source: Source, service: ServiceDescriptorProto) -> str:
    rows = [
        (
            f"[{method.name}]({source.page}#{method.name.lower()})",
            _first_sentence(source.comments.get((_SERVICES, 0, _METHODS, number), "")),
        )
        for number, method in enumerate(service.method)
    ]
    return _table(("method", "what it does"), rows)


def _names(file: FileDescriptorProto) -> str:
    return ", ".join(f"`{kind.name}`" for kind in _types(file))


def file_page(source: Source) -> str:
    """Services first, then messages, then enums."""
    file = source.file
    sections = (
        (
            "Methods",
            [_method(source, n, m) for n, one in enumerate(file.service) for m in _numbers(one)],
        ),
        ("Messages", [_message(source, one, n) for n, one in enumerate(file.message_type)]),
        ("Enums", [_enum(source, one, n) for n, one in enumerate(file.enum_type)]),
    )
    about = [_prose(source.comments.get((_SERVICES, n), "")) for n, _ in enumerate(file.service)]
    texts = [f"## {name}\n\n" + "\n".join(parts) for name, parts in sections if parts]
    return "\n\n".join([f"# {title(file)}", _NOTE, *about, "\n".join(texts)])


def _numbers(service: ServiceDescriptorProto) -> range:
    return range(len(service.method))


def _method(source: Source, service: int, number: int) -> str:
    method = source.file.service[service].method[number]
    asked = "stream of " * method.client_streaming + source.link(method.input_type)
    answered = "stream of " * method.server_streaming + source.link(method.output_type)
    about = _prose(source.comments.get((_SERVICES, service, _METHODS, number), ""))
    return f"### {method.name}\n\n{asked} → {answered}\n\n{about}\n"


def _message(source: Source, message: DescriptorProto, number: int) -> str:
    path = (_MESSAGES, number)
    parts = [f"### {message.name}\n\n{_prose(source.comments.get(path, ''))}\n"]
    plain = [n for n, field in enumerate(message.field) if not _is_choice(field)]
    if plain:
        parts.append(_fields_table(source, message, path, plain))
    for place, oneof in enumerate(message.oneof_decl):
        chosen = [
            n
            for n, field in enumerate(message.field)
            if _is_choice(field) and field.oneof_index == place
        ]
        if chosen:
            about = _line(source.comments.get((*path, _ONEOFS, place), ""))
            parts.append(f"One of these, as `{oneof.name}`: {about}\n")
            parts.append(_fields_table(source, message, path, chosen))
    return "\n".join(parts)


def _is_choice(field: FieldDescriptorProto) -> bool:
    """Whether it is a case of a oneof that the file declares."""
    return field.HasField("oneof_index") and not field.proto3_optional


def _fields_table(
    source: Source, message: DescriptorProto, path: tuple[int, ...], numbers: Iterable[int]
) -> str:
    rows = [
        (
            f"`{message.field[n].name}` = {message.field[n].number}",
            _type(source, message, message.field[n]),
            _line(source.comments.get((*path, _FIELDS, n), "")),
        )
        for n in numbers
    ]
    return _table(("field", "type", "meaning"), rows)


def _type(source: Source, message: DescriptorProto, field: FieldDescriptorProto) -> str:
    for nested in message.nested_type:
        if nested.options.map_entry and field.type_name.endswith(f".{message.name}.{nested.name}"):
            key, value = (_type(source, nested, entry) for entry in nested.field)
            return f"map of {key} to {value}"
    name = source.link(field.type_name) if field.type_name else _scalar(field)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def _scalar(field: FieldDescriptorProto) -> str:
    return f"`{FieldDescriptorProto.Type.Name(field.type).removeprefix('TYPE_').lower()}`"


def _enum(source: Source, enum: EnumDescriptorProto, number: int) -> str:
    path = (_ENUMS, number)
    rows = [
        (f"`{value.name}` = {value.number}", _line(source.comments.get((*path, _VALUES, n), "")))
        for n, value in enumerate(enum.value)
    ]
    about = _prose(source.comments.get(path, ""))
    return f"### {enum.name}\n\n{about}\n\n" + _table(("value", "meaning"), rows)


# ------------------------------------------------------------------------------------------- text


def _prose(comment: str) -> str:
    """A comment as paragraphs and lists, which Markdown wants between blank lines."""
    return "\n".join(_spaced(line.removeprefix(" ") for line in comment.rstrip().splitlines()))


def _spaced(lines: Iterable[str]) -> Iterator[str]:
    in_list = False
    for line in lines:
        is_item, goes_on = line.startswith("- "), line.startswith("  ")
        if is_item != in_list and not (in_list and goes_on) and line:
            yield ""
        in_list = is_item or (in_list and goes_on)
        yield line


def _line(comment: str) -> str:
    """A comment in a cell of a table."""
    return re.sub(r"\s+", " ", comment).strip().replace("|", "\\|")


def _first_sentence(comment: str) -> str:
    return re.split(r"(?<=\.) ", _line(comment), maxsplit=1)[0]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    for file_name, text in pages().items():
        (HERE / file_name).write_text(text, encoding="utf-8")
