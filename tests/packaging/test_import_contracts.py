"""Who may import what: the contracts of the root pyproject, and the engine's allow-list."""

import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]


def test_import_contracts_hold() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [linter, "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_engine_imports_the_standard_library_only() -> None:
    """The contract can name what is forbidden; this names what is allowed."""
    graph = grimp.build_graph("skat_engine", include_external_packages=True, cache_dir=None)
    outside = {name for name in graph.modules if name.partition(".")[0] != "skat_engine"}
    assert outside - sys.stdlib_module_names == set()
