"""Whole deals, event by event; `regenerate.py` writes them anew."""

from pathlib import Path

import pytest

from tests.golden.playthrough import render

FILES = sorted(Path(__file__).parent.glob("*.skat"))


def test_there_are_playthroughs() -> None:
    assert len(FILES) >= 4


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_playthrough(file: Path) -> None:
    assert render(file.read_text()) == file.read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_playthrough_goes_to_the_end(file: Path) -> None:
    assert "\n    DealEnded\n" in file.read_text()
