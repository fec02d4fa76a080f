"""Writes the pages about options and presets from their declaration in the engine.

Run by ``make docs``; a test holds that the pages are fresh.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from skat_engine.options import option_text
from skat_engine.presets import PRESET_MEANINGS, PRESETS, SEALED, preset_seats
from skat_engine.ruleset_text import option_table

HERE: Final = Path(__file__).parent
_NOTE: Final = "<!-- Written by `make docs` from the engine's declaration; edit that instead. -->"


def pages() -> Mapping[str, str]:
    """The text of each page by its file name."""
    return {"options.md": options_page(), "presets.md": presets_page()}


def options_page() -> str:
    """Every option with its meaning, values and default."""
    rows = [
        (
            f"`{option.name}`",
            option.meaning,
            ", ".join(_code(value) for value in option.values),
            f"`{option.default}`",
            option.source,
        )
        for option in option_table()
    ]
    return _page(
        "Options of the rules",
        "A rule set is one value for each of these options. The last column names the rule that "
        "defines the option. Mixes that are impossible are refused, with the option at fault.",
        _table(("option", "meaning", "values", "default", "rule"), rows),
    )


def presets_page() -> str:
    """What each preset sets differently from the defaults."""
    sections = (_preset_section(name, meaning) for name, meaning in PRESET_MEANINGS.items())
    return _page(
        "Presets",
        "A preset is a name for a rule set. Each sets the options below; all others keep their "
        "default, and single options can be overridden. `skat-server rules show PRESET` prints the "
        "whole set.",
        "\n".join(sections).rstrip() + "\n",
    )


def _preset_section(name: str, meaning: str) -> str:
    defaults = {option.name: option.default for option in option_table()}
    rows = [
        (f"`{option}`", f"`{option_text(value)}`", f"`{defaults[option]}`")
        for option, value in PRESETS[name].items()
    ]
    seats = " or ".join(map(str, preset_seats(name)))
    about = f"{meaning[0].upper()}{meaning[1:]}. For {seats} seats."
    return f"## {name}\n\n{about}{_sealed(name)}\n\n" + _table(("option", "value", "default"), rows)


def _sealed(name: str) -> str:
    """Which options of a tournament preset nobody may override."""
    if name not in SEALED:
        return ""
    options = ", ".join(f"`{option}`" for option in sorted(SEALED[name]))
    return f" A table cannot override {options}."


def _page(title: str, introduction: str, body: str) -> str:
    return f"# {title}\n\n{_NOTE}\n\n{introduction}\n\n{body}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _code(value: str) -> str:
    """A value as code, unless it is a description of values."""
    return value if " " in value else f"`{value}`"


if __name__ == "__main__":
    for file_name, text in pages().items():
        (HERE / file_name).write_text(text, encoding="utf-8")
