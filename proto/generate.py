"""Make the Python stubs of the wire contract. This is the only way they are made.

Usage::

    python proto/generate.py             # write proto/gen from proto/skat
    python proto/generate.py --check     # regenerate aside and compare, write nothing
    python proto/generate.py --baseline  # at a release: write proto/baseline.binpb

The output is byte-identical from run to run, so a stale stub is a failed check. The import root of
the .proto files is this folder, which is why the stubs import as ``skat.v1.card_pb2`` just as they
come out of the compiler.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

PROTO_ROOT = Path(__file__).resolve().parent
GENERATED = PROTO_ROOT / "gen"
BASELINE = PROTO_ROOT / "baseline.binpb"

PACKAGE_DOCSTRING = '"""Generated from the .proto files by proto/generate.py. Do not edit."""\n'


class GenerateError(Exception):
    """Stubs could not be made; the text says what to do."""


def proto_files(root: Path) -> list[Path]:
    """The .proto files below ``root``, relative to it, in a fixed order."""
    files = sorted(path.relative_to(root) for path in (root / "skat").rglob("*.proto"))
    if not files:
        raise GenerateError(f"No .proto file below {root / 'skat'}. Is the checkout complete?")
    return files


def tool(name: str) -> str:
    """Path of a program that is installed beside the running interpreter."""
    # Not resolved: the interpreter of an environment is a link to one outside of it.
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        raise GenerateError(
            f"{name} is not installed beside {sys.executable}. "
            "Run `make proto`, which uses the project's environment."
        )
    return found


def run(command: Sequence[str], cwd: Path) -> None:
    """Run a compiler; what it complains about becomes the error."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GenerateError(f"{Path(command[0]).name} failed:\n{done.stdout}{done.stderr}".rstrip())


def protoc_command(files: Sequence[Path], descriptors: Path, out: Path) -> list[str]:
    """The one call of the compiler: messages, services and the types of both."""
    if find_spec("grpc_tools") is None:
        raise GenerateError("grpcio-tools is not installed. Run `make proto`.")
    return [
        sys.executable,
        "-m",
        "grpc_tools.protoc",
        "--proto_path=.",
        f"--plugin=protoc-gen-mypy={tool('protoc-gen-mypy')}",
        f"--plugin=protoc-gen-mypy_grpc={tool('protoc-gen-mypy_grpc')}",
        f"--descriptor_set_out={descriptors}",
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        # By default comments come along, and services are typed for blocking and asyncio use.
        f"--mypy_out=quiet:{out}",
        f"--mypy_grpc_out=quiet:{out}",
        *(path.as_posix() for path in files),
    ]


def message_only(descriptors: Path) -> list[Path]:
    """The .proto files that declare no service."""
    # Imported here: without protobuf the compiler call has failed already and said what to do.
    from google.protobuf.descriptor_pb2 import FileDescriptorSet  # noqa: PLC0415

    files = FileDescriptorSet.FromString(descriptors.read_bytes()).file
    return [Path(file.name) for file in files if not file.service]


def delete_empty_service_stubs(out: Path, without_service: Sequence[Path]) -> None:
    """Remove the service modules of files that have no service; they would only cost an import."""
    for path in without_service:
        for suffix in (".py", ".pyi"):
            (out / path.parent / f"{path.stem}_pb2_grpc{suffix}").unlink(missing_ok=True)


def write_package_files(out: Path, files: Sequence[Path]) -> None:
    """Make every folder of stubs a package, and the topmost one a typed package."""
    for folder in {parent for path in files for parent in path.parents} - {Path()}:
        (out / folder / "__init__.py").write_text(PACKAGE_DOCSTRING, encoding="utf-8")
    for top in {path.parts[0] for path in files}:
        (out / top / "py.typed").touch()


def generate(root: Path, out: Path) -> None:
    """Make all stubs of the .proto files below ``root`` in the empty folder ``out``."""
    files = proto_files(root)
    with tempfile.TemporaryDirectory() as scratch:
        descriptors = Path(scratch) / "descriptors.binpb"
        run(protoc_command(files, descriptors, out), cwd=root)
        delete_empty_service_stubs(out, message_only(descriptors))
    write_package_files(out, files)


@contextmanager
def generated_aside(root: Path) -> Iterator[Path]:
    """A temporary folder with fresh stubs; a failing compiler leaves the committed ones alone."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "gen"
        out.mkdir()
        generate(root, out)
        yield out


def content(folder: Path) -> dict[Path, bytes]:
    """Every file below ``folder`` by its relative path, leaving out the interpreter's caches."""
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def differences(fresh: dict[Path, bytes], committed: dict[Path, bytes]) -> list[str]:
    """A line for each file in which two sets of stubs differ, ordered by path."""
    lines = []
    for path in sorted(fresh.keys() | committed.keys()):
        if path not in committed:
            lines.append(f"missing    {path}")
        elif path not in fresh:
            lines.append(f"left over  {path}")
        elif fresh[path] != committed[path]:
            lines.append(f"stale      {path}")
    return lines


def write_stubs(root: Path, target: Path) -> list[str]:
    """Bring ``target`` up to date, touching only files that change, and say which those were."""
    with generated_aside(root) as out:
        fresh, committed = content(out), content(target)
    changed = differences(fresh, committed)
    for path in committed.keys() - fresh.keys():
        (target / path).unlink()
    for path, data in fresh.items():
        if committed.get(path) != data:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
    return changed


def check_stubs(root: Path, target: Path) -> None:
    """Compare committed stubs with fresh ones.

    Raises:
        GenerateError: They differ; the text names each file.
    """
    with generated_aside(root) as out:
        changed = differences(content(out), content(target))
    if changed:
        advice = "Stubs differ from the .proto files. Run `make proto`."
        raise GenerateError("\n".join([*changed, advice]))


def write_baseline(root: Path, baseline: Path) -> None:
    """Write the descriptor image that later changes are judged against."""
    run([tool("buf"), "build", "--exclude-source-info", "-o", str(baseline)], cwd=root.parent)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line; without a flag the stubs are written."""
    parser = argparse.ArgumentParser(description="Make the Python stubs of the wire contract.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="compare, write nothing")
    mode.add_argument("--baseline", action="store_true", help=f"write {BASELINE.name}")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit code."""
    options = parse_arguments(arguments)
    try:
        if options.check:
            check_stubs(PROTO_ROOT, GENERATED)
        elif options.baseline:
            write_baseline(PROTO_ROOT, BASELINE)
        else:
            changed = write_stubs(PROTO_ROOT, GENERATED)
            print("\n".join([*changed, f"{len(changed)} files changed"]))
    except GenerateError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
