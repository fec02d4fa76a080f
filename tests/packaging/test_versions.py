"""One version counts for all three distributions, and the changelog carries it."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DISTRIBUTIONS = {
    "skat-proto": "proto",
    "skat-server": "server",
    "skat-client": "clients/python",
}
RELEASE = re.compile(r"^## \[?(\d+\.\d+\.\d+)", re.MULTILINE)


def project(folder: str) -> dict[str, Any]:
    """The [project] table of the distribution in ``folder``."""
    table: dict[str, Any] = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    return table


def newest_release() -> str:
    """The version of the topmost release in the changelog."""
    found = RELEASE.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert found, "CHANGELOG.md has no heading of the form '## [1.2.3]'"
    return found[1]


@pytest.mark.parametrize(("name", "folder"), DISTRIBUTIONS.items(), ids=DISTRIBUTIONS)
def test_distribution_carries_the_version_of_the_changelog(name: str, folder: str) -> None:
    table = project(folder)
    assert (table["name"], table["version"]) == (name, newest_release())


@pytest.mark.parametrize("folder", DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_distribution_states_licence_and_python(folder: str) -> None:
    table = project(folder)
    assert (table["license"], table["requires-python"]) == ("Apache-2.0", ">=3.11")


@pytest.mark.parametrize("folder", DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_distribution_has_the_licence_of_the_repository(folder: str) -> None:
    assert (ROOT / folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize(
    ("folder", "other"), [("server", "skat-client"), ("clients/python", "skat-server")]
)
def test_server_and_client_do_not_depend_on_each_other(folder: str, other: str) -> None:
    assert not [line for line in project(folder)["dependencies"] if line.startswith(other)]


def test_constraints_are_names_and_exact_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pin = re.compile(r"(#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+)")
    assert [line for line in lines if not pin.fullmatch(line)] == []
