"""Programs that only this folder needs, from an environment of their own or from the machine."""

import hashlib
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CACHE: Final = ROOT / ".deploy"
"""Everything that checks install or build; may be deleted at any time."""

OF_ROOT: Final = "/usr/local/sbin:/usr/sbin:/sbin"
"""Where programs are that the path of others than root does not lead to, and that all may run."""


class MissingError(Exception):
    """Something is not on this machine; the text says how to get it."""


class FailedError(Exception):
    """A program has complained; the text is what it said."""


def run(
    *command: str | Path,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    given: str = "",
    limit: float = 600,
) -> str:
    """Run a program and return what it prints.

    Args:
        command: the program and its arguments.
        cwd: where to run it.
        env: its environment; that of this process when not given.
        given: what it reads from standard input.
        limit: seconds after which it is ended.

    Raises:
        FailedError: it returned another code than 0, or ran too long.
    """
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=env,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FailedError(f"{Path(command[0]).name} ran for more than {limit:.0f} s") from error
    if done.returncode:
        raise FailedError(
            f"{Path(command[0]).name} returned {done.returncode}\n{done.stdout}".rstrip()
        )
    return done.stdout


def machine_tool(name: str, package: str) -> Path:
    """A program of the machine.

    Raises:
        MissingError: it is not there.
    """
    found = shutil.which(name) or shutil.which(name, path=OF_ROOT)
    if found is None:
        raise MissingError(f"{name} is not installed: Debian has it in the package {package}")
    return Path(found)


def python_tool(name: str) -> Path:
    """A program of the dependency group `deploy`, installed into an environment of its own."""
    return _environment() / "bin" / name


def node_package(name: str, version: str) -> Path:
    """The folder below which a package of Node.js is installed.

    Raises:
        MissingError: npm is not there.
    """
    folder = CACHE / "node"
    if not (folder / "node_modules" / name).exists():
        npm = machine_tool("npm", "npm")
        folder.mkdir(parents=True, exist_ok=True)
        flags = ("--prefix", folder, "--no-save", "--no-package-lock", "--no-audit", "--no-fund")
        run(npm, "install", *flags, f"{name}@{version}")
    return folder


def _environment() -> Path:
    """The environment, made anew when group or pins have changed."""
    folder = CACHE / "tools"
    stamp = folder / ".made-from"
    made_from = hashlib.sha256(
        b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    ).hexdigest()
    if not stamp.exists() or stamp.read_text() != made_from:
        venv.create(folder, clear=True, with_pip=False, symlinks=True)
        python = folder / "bin" / "python"
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
        run(*pip, "install", "--quiet", "-c", "constraints.txt", "--group", "deploy")
        stamp.write_text(made_from)
    return folder
