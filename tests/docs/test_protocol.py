"""The reference of the protocol says what the .proto files say, all of it."""

import runpy
from pathlib import Path
from typing import Final

import pytest

FOLDER: Final = Path(__file__).parents[2] / "docs" / "protocol"
MADE: Final = runpy.run_path(str(FOLDER / "generate.py"))
PAGES: Final = MADE["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh(name: str) -> None:
    """After a change of the .proto files: ``make proto``."""
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name]


def test_no_page_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.md")} == set(PAGES)


def test_every_type_and_every_field_is_described() -> None:
    text = "\n".join(PAGES.values())
    for source in MADE["sources"]():
        for message in source.file.message_type:
            assert f"### {message.name}\n" in text
            assert all(f"`{field.name}` = {field.number} |" in text for field in message.field)
        for enum in source.file.enum_type:
            assert all(f"`{value.name}` = {value.number} |" in text for value in enum.value)
        for service in source.file.service:
            assert all(f"### {method.name}\n" in text for method in service.method)
