"""The diagram of phases in the docs is the engine's table."""

from pathlib import Path

from skat_engine.phases import NEXT_PHASES

PAGE = Path(__file__).parents[2] / "docs" / "phases.md"


def test_the_diagram_is_the_table_of_the_engine() -> None:
    drawn = {
        tuple(line.split(" --> "))
        for line in map(str.strip, PAGE.read_text().splitlines())
        if " --> " in line
    }
    assert drawn == {
        (phase.name, following.name) for phase in NEXT_PHASES for following in NEXT_PHASES[phase]
    }
