"""The shim of `shim.c`: built where there is a compiler, preloaded into processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).with_name("shim.c")
ROOT: Final = Path(__file__).resolve().parents[2]


def built(folder: Path) -> Path:
    """The shim as a library; the test is skipped where it cannot be, and fails where it must be."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        reason = "faults of the disk need Linux and a C compiler (gcc) to be simulated"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    library = folder / "shim.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return library


def run_preloaded(library: Path, module: str, *arguments: str) -> str:
    """Run a module of the tests under the shim; what it prints."""
    result = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, "LD_PRELOAD": str(library), "SKAT_SHIM": str(library)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout
