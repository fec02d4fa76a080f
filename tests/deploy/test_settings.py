"""Files for deployment name settings, ports and paths that the server has."""

import re
import tomllib
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from typer.main import get_command

from skat_server.cli import app
from skat_server.config import Settings
from skat_server.observability.web import PATHS

ROOT: Final = Path(__file__).parents[2]
FILES: Final = sorted(
    path
    for path in (ROOT / "deploy").rglob("*")
    if path.is_file() and path.suffix not in {".py", ".pyc", ".json"}
)
OF_THE_PROXY: Final = {
    "SKAT_LISTEN",
    "SKAT_PEM",
    "SKAT_BACKEND",
    "SKAT_READY_PORT",
    "SKAT_PROXY_USER",
}
"""Variables that HAProxy reads, and sets where nobody has."""
SETTING: Final = re.compile(r"\bSKAT_[A-Z_]+\b")
PATH: Final = re.compile(r"\b(?:path:|uri) (/\w+)")
PORT: Final = re.compile(r"(?:\b(?:port|containerPort): |EXPOSE )(\d+)")


def variables() -> set[str]:
    """The variables that `skat-server serve` reads."""
    serve = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    found: set[str] = set()
    for parameter in serve.params:
        names = parameter.envvar or ()
        found.update([names] if isinstance(names, str) else names)
    return found


def named(what: re.Pattern[str], path: Path) -> set[str]:
    """What a file names."""
    return set(what.findall(path.read_text(encoding="utf-8")))


def ports() -> set[str]:
    """The port of the players, and the usual one of metrics and health."""
    (url,) = get_command(app).commands["healthcheck"].params[:1]  # type: ignore[attr-defined]
    return {str(Settings().port), str(urlsplit(url.default).port)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_settings_are_those_of_the_server(path: Path) -> None:
    own = OF_THE_PROXY if path.suffix == ".cfg" else set()
    assert named(SETTING, path) - own - variables() == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_paths_are_those_of_the_server(path: Path) -> None:
    assert named(PATH, path) - set(PATHS) == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_ports_are_those_of_the_server(path: Path) -> None:
    assert named(PORT, path) - ports() == set()


@pytest.mark.parametrize("what", [SETTING, PATH, PORT])
def test_the_search_finds_what_is_there(what: re.Pattern[str]) -> None:
    assert len({path for path in FILES if named(what, path)}) >= 3


def test_images_have_the_version_of_the_server() -> None:
    text = (ROOT / "server" / "pyproject.toml").read_text(encoding="utf-8")
    version = tomllib.loads(text)["project"]["version"]
    pages = [*FILES, ROOT / "docs" / "deploying.md"]
    tagged = re.compile(r"(?:skat-server:|newTag: )(\d[\w.]*)")
    tags = [tag for path in pages for tag in tagged.findall(path.read_text(encoding="utf-8"))]
    assert len(tags) >= 4
    assert set(tags) == {version}
