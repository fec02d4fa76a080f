"""The code of the README runs."""

import asyncio
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skat_client import AsyncClient, errors
from skat_client._parser import new_parser
from skat_client.testing import ScriptedServer, passed_deal

FOLDER = Path(__file__).parent.parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
BOT, TEST = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.mark.asyncio
async def test_the_bot_plays(seated: ScriptedServer) -> None:
    seated.play(*passed_deal("t"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", BOT, "t"),
        env={"SKAT_SERVER": seated.address},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert (process.returncode, output.strip()) == (0, b"deal 1: (0, 0, 0)")


def test_the_bot_is_the_one_of_the_examples() -> None:
    example = FOLDER / "examples" / "first_option_bot.py"
    assert example.read_text(encoding="utf-8") == BOT


def test_the_test_passes() -> None:
    names: dict[str, Callable[[], None]] = {}
    exec(TEST, names)
    names["test_a_careful_bot_passes"]()


def test_every_exception_is_explained() -> None:
    public = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.SkatError)
    }
    explained = set(re.findall(r"`(\w+Error)`", README))
    assert public - explained == {"SkatError"}


def test_every_call_is_named() -> None:
    public = {name for name in dir(AsyncClient) if not name.startswith("_")} - {"server"}
    section = README.partition("## Calls")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)\(", section, re.MULTILINE)) == public


def test_every_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        new_parser().parse_args(["--help"])
    commands = re.findall(r"^    (\w+)(?: |$)", capsys.readouterr().out, re.MULTILINE)
    named = re.findall(r"skat-client (\w+) ", README)
    assert set(named) == set(commands)


@pytest.mark.parametrize("path", sorted((FOLDER / "examples").glob("*.py")), ids=lambda p: p.name)
def test_every_example_is_named(path: Path) -> None:
    assert f"`examples/{path.name}`" in README
