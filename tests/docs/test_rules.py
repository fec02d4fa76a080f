"""The pages about options and presets say what the engine declares."""

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
PAGES = runpy.run_path(str(FOLDER / "generate.py"))["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh(name: str) -> None:
    """After a change of options: ``make docs``."""
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name]
