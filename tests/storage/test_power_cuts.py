"""F3: the power goes at any operation, writes are torn or dropped, and nothing promised is lost."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from skat_server.storage import revisions
from skat_server.storage.protocols import Durability
from skat_server.storage.sqlite.connections import open_writer
from skat_server.storage.sqlite.database import raised_epoch
from skat_server.storage.sqlite.ledger import Ledger
from tests.storage.powercut import Disk, Operation, RecordingDisk, apply
from tests.storage.workload import Story, Workload, look

IMAGES: Final = int(os.environ.get("SKAT_POWER_CUTS", "250"))
"""Disks that are looked at for each durability; nights have more."""
SEED: Final = int(os.environ.get("SKAT_SEED", "20"))
"""Shown in the names of the tests."""
GROUPS: Final = 60


@dataclass(frozen=True)
class Recording:
    """A run, and the disk under it."""

    workload: Workload
    before: dict[str, bytes]
    """The files before it."""
    operations: list[Operation]
    told: list[int]
    """How many operations there had been when each group was reported as kept."""
    ends: list[bool]
    """Which groups end a deal."""


def recorded(folder: Path, durability: Durability, seed: int) -> Recording:
    """Play into a fresh database."""
    path = folder / "skat.db"
    revisions.create(path)
    open_writer(path).close()
    before = {"skat.db": path.read_bytes()}
    disk = RecordingDisk()
    connection = disk.connect(path)
    ledger = Ledger(connection, raised_epoch(connection), durability)
    chance = random.Random(seed)
    workload = Workload(ledger, chance, [Story(f"table-{number}") for number in range(6)])
    told: list[int] = []
    ends: list[bool] = []
    for ends_deal in workload.play(GROUPS):
        told.append(len(disk.operations))
        ends.append(ends_deal)
    connection.close()
    disk.unregister()
    return Recording(workload, before, disk.operations, told, ends)


def images(recording: Recording, chance: random.Random) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Disks after a cut: the number of operations before it, and the files."""
    disk = Disk({name: bytearray(content) for name, content in recording.before.items()})
    last = len(recording.operations)
    taken = 0
    for cut in sorted(chance.randint(0, last) for _ in range(IMAGES)):
        disk.take(recording.operations[taken:cut])
        taken = cut
        yield cut, disk.after_cut(chance)


def losses(recording: Recording, folder: Path, seed: int) -> list[int]:
    """For every image: how many groups were reported as kept and are not there.

    Whatever else is wrong with an image fails here.
    """
    found: list[int] = []
    chance = random.Random(seed)
    for number, (cut, files) in enumerate(images(recording, chance)):
        place = folder / f"image-{number}"
        place.mkdir()
        for name, content in files.items():
            (place / name).write_bytes(content)
        try:
            there = look(place / "skat.db", recording.workload).groups
        except Exception as error:
            error.add_note(f"seed {seed}, image {number}, cut after operation {cut}")
            raise
        found.append(max(0, promised(recording, cut) - there))
        shutil.rmtree(place)
    return found


def promised(recording: Recording, cut: int) -> int:
    """How many groups had been reported as kept."""
    return sum(told <= cut for told in recording.told)


@pytest.mark.parametrize("seed", [SEED])
def test_no_acknowledged_batch_is_lost(tmp_path: Path, seed: int) -> None:
    """Section 4, durability ACTION: commit before emit holds on power loss."""
    recording = recorded(tmp_path, Durability.ACTION, seed)
    lost = losses(recording, tmp_path, seed)
    assert len(lost) == IMAGES
    assert not any(lost), f"seed {seed}: {lost}"


@pytest.mark.parametrize("seed", [SEED])
def test_no_finished_deal_is_lost(tmp_path: Path, seed: int) -> None:
    """Section 4, durability DEAL: what came after the last end of a deal may be lost, as a whole.

    That something is lost here shows that the disk of the test can lose things.
    """
    recording = recorded(tmp_path, Durability.DEAL, seed)
    chance = random.Random(seed)
    cuts = [cut for cut, _ in images(recording, chance)]
    lost = losses(recording, tmp_path, seed)
    for cut, missing in zip(cuts, lost, strict=True):
        kept = promised(recording, cut)
        since = recording.ends[:kept][::-1].index(True) if any(recording.ends[:kept]) else kept
        assert missing <= since, f"seed {seed}, cut after operation {cut}"
    assert any(lost)


@pytest.mark.parametrize("seed", range(3))
def test_the_disk_keeps_everything_when_the_power_stays(tmp_path: Path, seed: int) -> None:
    """The model of the disk is that of the real one."""
    recording = recorded(tmp_path, Durability.ACTION, seed)
    disk = Disk({name: bytearray(content) for name, content in recording.before.items()})
    disk.take(recording.operations)
    files = {name: bytearray(content) for name, content in disk.files.items()}
    for operation in disk.pending:
        apply(files, operation)
    assert bytes(files["skat.db"]) == (tmp_path / "skat.db").read_bytes()
    assert look(tmp_path / "skat.db", recording.workload).groups == GROUPS
