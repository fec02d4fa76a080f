"""The page about tournaments is complete: keys, formats, commands, requirements and their tests."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel
from typer.main import get_command

from skat_server.cli.tournament import app
from skat_server.tournaments.config import EXAMPLE, TournamentConfig, parse_config
from skat_server.tournaments.format_sections import FormatSection
from skat_server.tournaments.formats.plan import EndReason
from skat_server.tournaments.state import Stage

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
SECTIONS = get_args(get_args(FormatSection)[0])


def part(heading: str) -> str:
    """The prose under a heading."""
    text = PAGE.partition(f"## {heading}")[2].partition("\n## ")[0]
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def quoted(text: str) -> set[str]:
    """Everything that is shown as code."""
    return set(re.findall(r"`([^`]+)`", text))


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Every key of the file, with its table; those of the formats are another table."""
    for name, field in model.model_fields.items():
        inner = [a for a in (field.annotation, *get_args(field.annotation)) if is_section(a)]
        if name == "format":
            yield "format.kind"
        elif inner:
            yield from keys(inner[0], f"{name}.")
        else:
            yield prefix + name


def is_section(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def test_every_key_of_the_file_is_explained() -> None:
    assert set(keys(TournamentConfig)) - quoted(part("The file")) == set()


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__name__)
def test_every_format_is_explained_with_its_keys(section: type[BaseModel]) -> None:
    kind = get_args(section.model_fields["kind"].annotation)[0]
    (row,) = re.findall(rf"^\| `{kind}` .*$", part("Formats"), re.MULTILINE)
    named = set(re.findall(r"`(\w+)`", row))
    assert named >= set(section.model_fields) - {"kind"}


def test_every_command_is_named() -> None:
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    named = set(re.findall(r"skat-server tournament (\w+)", PAGE)) | quoted(part("Run one"))
    assert commands <= named


def test_every_state_and_every_end_is_named() -> None:
    assert {stage.value for stage in Stage} <= quoted(part("Run one"))
    ends = {reason.value for reason in EndReason} - {"schedule_done"}
    assert ends <= quoted(part("Formats"))


def test_every_test_that_is_named_is_there() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", PAGE)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_requirement_of_the_table_is_named_by_its_tests() -> None:
    """R-numbers lead from the page to a test and back."""
    rows = re.findall(r"^\| (R\d[^|]*) \|[^|]*\| (`tests.*`) \|$", PAGE, re.MULTILINE)
    assert len(rows) >= 8
    for numbers, files in rows:
        texts = "".join((ROOT / name).read_text() for name in re.findall(r"`([^`]+)`", files))
        missing = [
            one for one in re.findall(r"R\d+", numbers) if not re.search(rf"\b{one}\b", texts)
        ]
        assert missing == [], files


def test_the_example_is_a_file() -> None:
    assert parse_config(EXAMPLE).name == "Spring cup"
