"""Builds what a release consists of, with the same bytes wherever and whenever it is built.

    make dist

writes wheels and source archives of the three distributions, a bill of materials for server and
client, the pins, and the sums of all of them into `dist`.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from deploy.tools import ROOT, FailedError, python_tool, run

FOLDERS: Final = ("proto", "server", "clients/python")
"""The distributions, each after those that it needs."""
TARGET: Final = ROOT / "dist"


def moment() -> str:
    """Seconds since 1970 that stand in the archives: SOURCE_DATE_EPOCH, else the last commit."""
    return os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct").strip()


def build(root: Path, target: Path, seconds: str) -> list[Path]:
    """Build wheels and source archives of all distributions.

    Args:
        root: a checkout.
        target: the folder they are written to.
        seconds: the time that stands in the archives.

    Returns:
        The files, in order of their names.
    """
    env = {**os.environ, "SOURCE_DATE_EPOCH": seconds}
    for folder in FOLDERS:
        command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", target)
        run(*command, root / folder, env=env)
    return sorted(target.iterdir())


def bill_of_materials(name: str, wheels: Sequence[Path], target: Path) -> Path:
    """Write a CycloneDX bill of everything that comes with a distribution.

    It is read off an environment into which the distribution was installed with the pins.
    """
    own = [wheel for wheel in wheels if wheel.name.startswith((name, "skat_proto"))]
    (named,) = (wheel for wheel in own if wheel.name.startswith(name))
    bill = target / f"{named.name.removesuffix('-py3-none-any.whl')}.cdx.json"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "environment"
        venv.create(folder, with_pip=False, symlinks=True)
        python = folder / "bin" / "python"
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
        run(*pip, "install", "--quiet", "--no-compile", "-c", "constraints.txt", *own)
        # Where our own wheels lay on this machine is nobody's business, and differs elsewhere.
        for origin in folder.glob("lib/*/site-packages/skat_*/direct_url.json"):
            origin.unlink()
        form = ("--output-format", "JSON", "--output-reproducible", "--output-file", bill)
        run(python_tool("cyclonedx-py"), "environment", *form, python)
    return bill


def sums(target: Path) -> Path:
    """Write SHA256SUMS over all files, in the form that `sha256sum --check` reads."""
    file = target / "SHA256SUMS"
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(target.iterdir())
        if path != file
    ]
    file.write_text("".join(lines), encoding="utf-8")
    return file


def main() -> int:
    """Build all into an empty folder."""
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir()
    try:
        files = build(ROOT, TARGET, moment())
        wheels = [file for file in files if file.suffix == ".whl"]
        for name in ("skat_server", "skat_client"):
            bill_of_materials(name, wheels, TARGET)
    except FailedError as error:
        print(error, file=sys.stderr)
        return 1
    shutil.copy(ROOT / "constraints.txt", TARGET)
    print(sums(TARGET).read_text(encoding="utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
