"""Each wheel, built and installed alone into a clean environment, holds what it promises.

Install boundaries are the real boundaries: what a wheel drags in, its users have to carry.
"""

import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"skat-proto": "proto", "skat-server": "server", "skat-client": "clients/python"}
PACKAGES = {
    "skat-proto": {"skat"},
    "skat-server": {"skat_engine", "skat_server"},
    "skat-client": {"skat_arena", "skat_client"},
}

# Imports a package with all of its modules but those named; the command line has its own test.
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    if not name.endswith("__main__") and not name.startswith(tuple(sys.argv[2:])):
        importlib.import_module(name)
"""

OF_EXTRAS = ("skat_server.tournaments.report.", "skat_server.tournaments.export.parquet")
"""Modules that need what only the extras bring."""

DRAW = """
import importlib.resources as resources
from skat_server.tournaments.report import page
assert resources.files("skat_server.tournaments.report").joinpath("templates").is_dir()
"""

# Building and installing takes longer than the 60 seconds that a test has otherwise.
pytestmark = [pytest.mark.packaging, pytest.mark.timeout(300)]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a program and return what it prints; its complaints fail the test."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment outside of the checkout."""

    folder: Path

    @property
    def bin(self) -> Path:
        """Where its programs are."""
        return self.folder / "bin"

    def pip(self, *arguments: str | Path) -> None:
        """Run the pip of the tests on it, which saves putting one into each environment."""
        python = self.bin / "python"
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
        run(*pip, *arguments)

    def install(self, *wheels: Path | str) -> None:
        """Install wheels with the pinned versions of what they need."""
        self.pip("install", "--quiet", "--no-compile", "-c", ROOT / "constraints.txt", *wheels)
        self.pip("check")

    def python(self, code: str, *arguments: str) -> str:
        """Run code in isolation: neither the checkout nor the user's packages are on the path."""
        return run(self.bin / "python", "-I", "-c", code, *arguments, cwd=self.folder)

    def has(self, package: str) -> bool:
        """Whether a top-level package can be found."""
        code = "import sys, importlib.util as u; print(u.find_spec(sys.argv[1]) is not None)"
        return self.python(code, package).strip() == "True"


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The three wheels by distribution, built from the checkout."""
    out = tmp_path_factory.mktemp("wheels")
    for folder in FOLDERS.values():
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, folder)
    return {name: next(out.glob(f"{name.replace('-', '_')}-*.whl")) for name in FOLDERS}


@pytest.fixture(scope="session")
def new_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Environment]:
    """Makes clean environments."""

    def make() -> Environment:
        folder = tmp_path_factory.mktemp("environment")
        venv.create(folder, with_pip=False, symlinks=True)
        return Environment(folder)

    return make


@pytest.fixture(scope="session")
def proto_alone(wheels: dict[str, Path], new_environment: Callable[[], Environment]) -> Environment:
    """An environment with the wire package."""
    environment = new_environment()
    environment.install(wheels["skat-proto"])
    return environment


@pytest.fixture(scope="session")
def client_alone(
    wheels: dict[str, Path], new_environment: Callable[[], Environment]
) -> Environment:
    """The environment of a bot author."""
    environment = new_environment()
    environment.install(wheels["skat-proto"], wheels["skat-client"])
    return environment


@pytest.fixture(scope="session")
def server_alone(
    wheels: dict[str, Path], new_environment: Callable[[], Environment]
) -> Environment:
    """The environment of an organiser."""
    environment = new_environment()
    environment.install(wheels["skat-proto"], wheels["skat-server"])
    return environment


@pytest.mark.parametrize("name", FOLDERS)
def test_wheel_holds_its_packages_typed_and_nothing_else(
    name: str, wheels: dict[str, Path]
) -> None:
    with zipfile.ZipFile(wheels[name]) as archive:
        files = {Path(file) for file in archive.namelist()}
    tops = {file.parts[0] for file in files if not file.parts[0].endswith(".dist-info")}
    assert tops == PACKAGES[name]
    assert {Path(top, "py.typed") for top in tops} <= files


@pytest.mark.parametrize("name", FOLDERS)
def test_wheel_holds_the_licence(name: str, wheels: dict[str, Path]) -> None:
    with zipfile.ZipFile(wheels[name]) as archive:
        found = [file for file in archive.namelist() if file.endswith("/licenses/LICENSE")]
        held = [archive.read(file) for file in found]
    assert held == [(ROOT / "LICENSE").read_bytes()]


def test_engine_needs_nothing_else(
    wheels: dict[str, Path], new_environment: Callable[[], Environment]
) -> None:
    environment = new_environment()
    environment.pip("install", "--quiet", "--no-deps", "--no-index", wheels["skat-server"])
    environment.python(IMPORT_ALL, "skat_engine")


def test_wire_package_imports_alone(proto_alone: Environment) -> None:
    proto_alone.python(IMPORT_ALL, "skat")


def test_client_imports_alone(client_alone: Environment) -> None:
    client_alone.python(IMPORT_ALL, "skat_client")


@pytest.mark.parametrize("package", ["skat_engine", "skat_server", "numpy", "rich", "structlog"])
def test_client_does_not_bring(package: str, client_alone: Environment) -> None:
    assert not client_alone.has(package)


def test_server_imports_alone(server_alone: Environment) -> None:
    server_alone.python(IMPORT_ALL, "skat_server", *OF_EXTRAS)


@pytest.mark.parametrize("package", ["matplotlib", "jinja2", "pyarrow"])
def test_server_brings_no_extras(package: str, server_alone: Environment) -> None:
    assert not server_alone.has(package)


def test_server_with_its_report_imports(
    wheels: dict[str, Path], new_environment: Callable[[], Environment]
) -> None:
    environment = new_environment()
    environment.install(wheels["skat-proto"], f"{wheels['skat-server']}[report]")
    environment.python(IMPORT_ALL, "skat_server", OF_EXTRAS[1])
    environment.python(DRAW)


def test_server_makes_its_database(server_alone: Environment, tmp_path: Path) -> None:
    server_alone.python(
        "import pathlib, sys; from skat_server.storage.revisions import create, require_head; "
        "path = pathlib.Path(sys.argv[1]); create(path); require_head(path)",
        str(tmp_path / "skat.db"),
    )


def test_server_does_not_bring_the_client(server_alone: Environment) -> None:
    assert not server_alone.has("skat_client")


def test_server_command_explains_itself(server_alone: Environment) -> None:
    shown = run(server_alone.bin / "skat-server", "--help", cwd=server_alone.folder)
    assert "serve" in shown


def test_an_installed_server_says_where_its_benchmark_is(server_alone: Environment) -> None:
    done = subprocess.run(
        [server_alone.bin / "skat-server", "bench", "engine"],
        cwd=server_alone.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "make bench" in done.stderr
