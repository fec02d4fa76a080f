"""A small contract to drive the generator and buf with, under the rules of the real one."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from proto import generate

ROOT = Path(__file__).resolve().parents[2]
CARD = "skat/v1/card.proto"
SERVICE = "skat/v1/table_service.proto"

CONTRACT = {
    CARD: """\
// Cards.
syntax = "proto3";

package skat.v1;

// A suit.
enum Suit {
  // Unset; refused.
  SUIT_UNSPECIFIED = 0;
  // Kreuz.
  SUIT_CLUBS = 1;
}

// A card.
message Card {
  // Its suit.
  Suit suit = 1;
  // Its name.
  string name = 2;
}
""",
    SERVICE: """\
// A table.
syntax = "proto3";

package skat.v1;

import "skat/v1/card.proto";

// Asks to play a card.
message PlayCardRequest {
  // The card.
  Card card = 1;
}

// Says that the card was played.
message PlayCardResponse {}

// A table.
service TableService {
  // Plays a card.
  rpc PlayCard(PlayCardRequest) returns (PlayCardResponse);
}
""",
}


def buf(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run buf and keep what it says."""
    command = [generate.tool("buf"), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract on disk, with the project's buf.yaml above it."""

    root: Path

    @classmethod
    def write(cls, root: Path) -> Self:
        """Write the small contract below ``root``."""
        made = cls(root)
        for file, text in CONTRACT.items():
            path = made.proto / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        shutil.copy(ROOT / "buf.yaml", root)
        return made

    @property
    def proto(self) -> Path:
        """The import root of its .proto files."""
        return self.root / "proto"

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text that must be there."""
        path = self.proto / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
