"""What the pages have their readers type works, from the top of each page to its end."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs.typing_commands import ROOT, commands, is_elsewhere, typed

PAGES: Final = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "clients").rglob("README.md"),
        *(ROOT / "deploy").rglob("*.md"),
    ]
}
WITH_COMMANDS: Final = sorted(name for name, page in PAGES.items() if commands(page))
RUN_HERE: Final = [
    name
    for name in WITH_COMMANDS
    if not all(is_elsewhere(command) for command in commands(PAGES[name]))
]
TESTS: Final = "".join(
    path.read_text(encoding="utf-8")
    for path in (ROOT / "tests" / "docs").glob("test_*.py")
    if path != Path(__file__)
)
UNTESTED: Final = sorted(name for name in PAGES if f'"{Path(name).name}"' not in TESTS)
"""Pages without a test of their own."""
MAKEFILE: Final = (ROOT / "Makefile").read_text(encoding="utf-8")
COMMAND: Final = re.compile(
    r"^ *(?:\$ )?"
    r"(?:make|skat-server|skat-client|docker|kubectl|openssl|grpcurl|systemctl|python docs) .*$",
    re.MULTILINE,
)


@pytest.mark.timeout(200)
@pytest.mark.parametrize("name", RUN_HERE)
def test_the_commands_of_a_page_run(name: str, tmp_path: Path) -> None:
    done = typed(PAGES[name], tmp_path)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("name", UNTESTED)
def test_commands_are_in_console_blocks(name: str) -> None:
    """Anywhere else one could be wrong without anybody seeing it."""
    others = re.findall(r"^```(?!console)\w*\n(.*?)^```", PAGES[name], re.MULTILINE | re.DOTALL)
    assert [line for block in others for line in COMMAND.findall(block)] == []


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_files_and_targets_that_are_named_are_there(name: str) -> None:
    text = "\n".join(commands(PAGES[name]))
    files = re.findall(r"(?<![\w/])(?:deploy|docs|proto|clients|bench|tests)/[\w./-]+\w", text)
    targets = re.findall(r"^make ([a-z-]+)", text, re.MULTILINE)
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert [one for one in targets if not re.search(rf"^{one}:", MAKEFILE, re.MULTILINE)] == []
