"""Files for deployment name settings, ports and paths that the server has."""

import re
from pathlib import Path
from typing import Final

import pytest
from typer.main import get_command

from skat_server.cli import app

ROOT: Final = Path(__file__).parents[2]
FILES: Final = sorted(
    path
    for path in (ROOT / "deploy").rglob("*")
    if path.is_file() and path.suffix not in {".py", ".pyc", ".json", ".cfg"}
)


def variables() -> set[str]:
    """The variables that `skat-server serve` reads."""
    serve = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    found: set[str] = set()
    for parameter in serve.params:
        names = parameter.envvar or ()
        found.update([names] if isinstance(names, str) else names)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_settings_are_those_of_the_server(path: Path) -> None:
    named = set(re.findall(r"\bSKAT_[A-Z_]+\b", path.read_text(encoding="utf-8")))
    assert named - variables() == set()
