"""A disk that loses its power: what SQLite asks of it is recorded, and cut off anywhere.

Of a file, what was synced is there. Of what was written since, any part may be: each write as a
whole, not at all, or torn at boundaries of 512 bytes; also a later one without an earlier one.
A file that is deleted may come back until something else is synced. The shared memory of the
write-ahead log is not on the disk.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

import apsw

from skat_server.storage.sqlite.connections import Connection, prepare_writer

SECTOR: Final = 512
_NUMBERS: Final = count()


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes at a place of a file."""

    name: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file gets this size."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """All of a file is on the disk."""

    name: str


@dataclass(frozen=True, slots=True)
class Delete:
    """A file is gone."""

    name: str


Operation = Write | Truncate | Sync | Delete


class RecordingFile(apsw.VFSFile):
    """Does everything for real, and takes notes."""

    def __init__(
        self, name: str | apsw.URIFilename | None, flags: list[int], operations: list[Operation]
    ) -> None:
        super().__init__("", name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(path or "").name
        self._operations = operations

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        self._operations.append(Write(self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._operations.append(Truncate(self._name, newsize))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._operations.append(Sync(self._name))


class RecordingDisk(apsw.VFS):
    """The file system of the operating system, watched.

    Attributes:
        operations: everything that was asked of it, in order.
    """

    def __init__(self) -> None:
        self.name = f"recording-{next(_NUMBERS)}"
        self.operations: list[Operation] = []
        super().__init__(self.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> RecordingFile:
        return RecordingFile(name, flags, self.operations)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self.operations.append(Delete(Path(filename).name))

    def connect(self, path: Path) -> Connection:
        """The connection that writes, with the settings of the product."""
        connection = apsw.Connection(str(path), vfs=self.name)
        prepare_writer(connection)
        return connection


@dataclass
class Disk:
    """What is on the disk for certain, and what is still on its way."""

    files: dict[str, bytearray]
    pending: list[Operation] = field(default_factory=list)

    def take(self, operations: Iterable[Operation]) -> None:
        """Go on by so many operations."""
        for operation in operations:
            if isinstance(operation, Sync):
                self._sync(operation.name)
            else:
                self.pending.append(operation)

    def _sync(self, name: str) -> None:
        """A file is on the disk now, and so are deletions before."""
        left: list[Operation] = []
        for operation in self.pending:
            if operation.name == name or isinstance(operation, Delete):
                apply(self.files, operation)
            else:
                left.append(operation)
        self.pending = left

    def after_cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files as they might be found after the power is back."""
        files = {name: bytearray(content) for name, content in self.files.items()}
        kept = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for operation in self.pending:
            for part in torn(operation, chance):
                if chance.random() < kept:
                    apply(files, part)
        return {name: bytes(content) for name, content in files.items()}


def torn(operation: Operation, chance: random.Random) -> Sequence[Operation]:
    """An operation in the parts of which each may be lost alone."""
    if not isinstance(operation, Write) or chance.random() < 0.5:
        return [operation]
    edges = range(0, len(operation.data), SECTOR)
    return [
        Write(operation.name, operation.offset + edge, operation.data[edge : edge + SECTOR])
        for edge in edges
    ]


def apply(files: dict[str, bytearray], operation: Operation) -> None:
    """Do something to the files."""
    if isinstance(operation, Delete):
        files.pop(operation.name, None)
        return
    content = files.setdefault(operation.name, bytearray())
    if isinstance(operation, Truncate):
        del content[operation.size :]
        content.extend(bytes(operation.size - len(content)))
    elif isinstance(operation, Write):
        end = operation.offset + len(operation.data)
        content.extend(bytes(max(0, end - len(content))))
        content[operation.offset : end] = operation.data
