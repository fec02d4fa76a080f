"""The examples of the engine's guide run with the engine alone, and say what the guide says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
GUIDE = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
OUTPUTS = dict(
    re.findall(r"^\$ python (docs/examples/\w+\.py)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
)
SNIPPETS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)

GUARD = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))

class EngineOnly:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "skat_engine" and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"{name} is neither the engine nor Python")

sys.meta_path.insert(0, EngineOnly())
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run_alone(script: Path) -> str:
    command = [sys.executable, "-I", "-S", "-c", GUARD, str(ROOT / "server" / "src"), str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_guide_shows_every_example() -> None:
    assert set(OUTPUTS) == {f"docs/examples/{path.name}" for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("script", OUTPUTS)
def test_an_example_says_what_the_guide_says(script: str) -> None:
    assert run_alone(ROOT / script) == OUTPUTS[script]


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_a_snippet_runs_alone(number: int, tmp_path: Path) -> None:
    script = tmp_path / "snippet.py"
    script.write_text(SNIPPETS[number], encoding="utf-8")
    assert run_alone(script)


def test_the_guard_keeps_other_packages_out(tmp_path: Path) -> None:
    script = tmp_path / "greedy.py"
    script.write_text("import skat_server", encoding="utf-8")
    with pytest.raises(AssertionError, match="neither the engine nor Python"):
        run_alone(script)
