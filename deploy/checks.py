"""The checks of the files in this folder, each by the program that will read them."""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from deploy import release
from deploy.tools import (
    ROOT,
    FailedError,
    MissingError,
    machine_tool,
    node_package,
    python_tool,
    run,
)

HERE: Final = ROOT / "deploy"
MANIFESTS: Final = HERE / "kubernetes"
UNIT: Final = HERE / "systemd" / "skat-server.service"
PROMETHEUS: Final = HERE / "prometheus"
PROXY: Final = HERE / "haproxy" / "haproxy.cfg"
EXPOSURE: Final = 2.0
"""How exposed the unit may be, of 10."""
OPERATOR: Final = "@kubernetes-models/prometheus-operator"
OPERATOR_VERSION: Final = "6.0.0"
OWN_KINDS: Final = {"kustomization.yaml", "servicemonitor.yaml"}
"""Manifests that are no part of Kubernetes itself; they have checks of their own."""


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that goes away."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def packages() -> str:
    """Build twice, from two copies of the checkout at two places, and compare."""
    with scratch() as folder:
        builds = []
        for name in ("one", "another-place"):
            copy = folder / name
            copy_of_checkout(copy)
            target = folder / f"{name}-dist"
            builds.append(
                {f.name: f.read_bytes() for f in release.build(copy, target, "1700000000")}
            )
    one, other = builds
    if one != other:
        different = [name for name in one if one[name] != other.get(name)]
        raise FailedError(f"two builds differ: {', '.join(different)}")
    return f"two builds of {len(one)} archives are equal byte by byte"


def copy_of_checkout(target: Path) -> None:
    """Copy what the three distributions are built from."""
    for folder in release.FOLDERS:
        shutil.copytree(
            ROOT / folder,
            target / folder,
            copy_function=shutil.copy,  # with times of its own
            ignore=shutil.ignore_patterns("__pycache__", "dist", "*.egg-info"),
        )


def bills() -> str:
    """Make the bills of materials from fresh wheels; the tool validates them."""
    with scratch() as folder:
        wheels = [f for f in release.build(ROOT, folder, "1700000000") if f.suffix == ".whl"]
        counts = []
        for name in ("skat_server", "skat_client"):
            text = release.bill_of_materials(name, wheels, folder).read_text(encoding="utf-8")
            if "file:" in text:
                raise FailedError(f"the bill of {name} names places on this machine")
            bill = json.loads(text)
            counts.append(f"{name} {len(bill['components'])}")
    return f"components: {', '.join(counts)}"


def dockerfile() -> str:
    """Lint the Dockerfile."""
    run(python_tool("hadolint"), HERE / "docker" / "Dockerfile")
    return ""


def compose() -> str:
    """Have Docker's own reader read the compose file."""
    command: tuple[str, ...] = ("docker", "compose")
    try:
        machine_tool("docker", "docker.io")
        run(*command, "version")
    except (FailedError, MissingError):
        command = (str(machine_tool("docker-compose", "docker-compose")),)
    run(
        *command, "-f", HERE / "docker" / "compose.yaml", "--profile", "single", "config", "--quiet"
    )
    return f"read by {' '.join(command)}"


def systemd() -> str:
    """Verify the unit with the program of this environment in it, and look at its exposure."""
    analyze = machine_tool("systemd-analyze", "systemd")
    with scratch() as folder:
        unit = folder / UNIT.name
        text = UNIT.read_text(encoding="utf-8")
        unit.write_text(text.replace("/opt/skat/bin", str(Path(sys.executable).parent)))
        complaints = run(analyze, "verify", "--man=no", unit)
        if complaints.strip():
            raise FailedError(complaints)
        said = run(analyze, "security", "--offline=true", f"--threshold={EXPOSURE * 10:.0f}", unit)
    return said.strip().splitlines()[-1].lstrip("→ ")


def kubernetes() -> str:
    """Validate the manifests against the schemas of Kubernetes, unknown fields included."""
    files = [path for path in sorted(MANIFESTS.glob("*.yaml")) if path.name not in OWN_KINDS]
    run(python_tool("kubernetes-validate"), "--strict", *files)
    return f"{len(files)} files"


def kustomize() -> str:
    """Have kubectl put the folder together."""
    made = run(machine_tool("kubectl", "kubernetes-client"), "kustomize", MANIFESTS)
    kinds = re.findall(r"^kind: (\w+)$", made, re.MULTILINE)
    return ", ".join(kinds)


def monitor() -> str:
    """Validate the ServiceMonitor against the schema of the Prometheus operator."""
    node = machine_tool("node", "nodejs")
    folder = node_package(OPERATOR, OPERATOR_VERSION)
    as_json = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    found = run(python_tool("python"), "-c", as_json, MANIFESTS / "servicemonitor.yaml")
    # Modules are looked for beside the script.
    script = Path(shutil.copy(MANIFESTS / "monitor.mjs", folder))
    run(node, script, given=found)
    return ""


def alerts() -> str:
    """Have Prometheus and Alertmanager read their files, and try the alerts."""
    promtool = machine_tool("promtool", "prometheus")
    amtool = machine_tool("amtool", "prometheus-alertmanager")
    run(promtool, "check", "config", PROMETHEUS / "prometheus.yml")
    run(promtool, "test", "rules", PROMETHEUS / "rules_test.yml")
    run(amtool, "check-config", PROMETHEUS / "alertmanager.yml")
    return ""


def haproxy() -> str:
    """Have HAProxy read its configuration, with a certificate made for this."""
    program = machine_tool("haproxy", "haproxy")
    with scratch() as folder:
        pem = folder / "skat.pem"
        made = ("-keyout", folder / "key", "-out", folder / "cert")
        request = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost")
        run(machine_tool("openssl", "openssl"), *request, *made)
        pem.write_bytes((folder / "cert").read_bytes() + (folder / "key").read_bytes())
        run(program, "-c", "-f", PROXY, env={**os.environ, "SKAT_PEM": str(pem)})
    return run(program, "-v").partition(" - ")[0].splitlines()[0]


def proxy() -> str:
    """Play through the proxy: the tests that are skipped elsewhere where HAProxy is missing."""
    machine_tool("haproxy", "haproxy")
    said = run(
        sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "tests/deploy/test_haproxy.py"
    )
    return said.strip().splitlines()[-1]
