"""Builds the image and runs it as it is meant to be run, without a Docker engine.

buildah builds it in a chroot. Its base is made from Debian's packages, since a registry of images
may be out of reach: the same Debian and the same minor version of Python as the image that the
Dockerfile names. Then it runs as uid 10001 on a root that cannot be written to.
"""

import os
import re
from pathlib import Path
from typing import Final

from deploy.tools import CACHE, FailedError, MissingError, machine_tool, run

SUITE: Final = "bookworm"
PACKAGES: Final = "ca-certificates,python3,python3-venv"
BASE: Final = "localhost/skat-base"
IMAGE: Final = "localhost/skat-server"
FOLDER: Final = CACHE / "images"
OF_THIS_MACHINE: Final = ("/etc/pip.conf", "/etc/ssl/certs")
"""How packages are reached from here; seen while the image is built, and not part of it."""

_SOURCE: Final = re.compile(r"^(?:deb (?:\[.*?\] )?|URIs: )(\S+/debian/?)(?:\s|$)", re.MULTILINE)

TRIAL: Final = r"""
set -eu
root=$1
mount --bind "$root" "$root"
mount -t tmpfs -o mode=0700,uid=10001,gid=10001 none "$root/data"
mount -t proc none "$root/proc"
mount -o remount,bind,ro "$root"
place="PATH=/opt/skat/bin:/usr/bin:/bin SKAT_DATA=/data SKAT_METRICS_PORT=9464 SKAT_GRACE=0"
nobody="chroot --userspec=10001:10001 $root /usr/bin/env -i $place"
if $nobody touch /opt/skat/written 2>/dev/null; then echo "the root can be written to"; exit 1; fi
exec 3< <(exec $nobody skat-server serve --port 0)
server=$!
read -r -u 3 line
echo "$line"
$nobody skat-server healthcheck
kill "$server"
wait "$server"
"""
"""Run by bash with the folder of the image, in mounts of its own."""


def check() -> str:
    """Build the image and try it.

    Raises:
        FailedError: it cannot be built, or does not run.
        MissingError: a program is not on this machine.
    """
    if os.geteuid():
        raise MissingError("building the image here takes root; elsewhere: docker build")
    if not _has_image(BASE):
        make_base()
    mounts = [f"--volume={path}:{path}:ro" for path in OF_THIS_MACHINE if Path(path).exists()]
    named = ("--file", "deploy/docker/Dockerfile", "--tag", IMAGE, "--build-arg", f"BASE={BASE}")
    buildah("build", "--pull-never", "--layers", "--format", "docker", *mounts, *named, ".")
    return trial()


def buildah(*arguments: str | Path) -> str:
    """Run buildah with its storage in a folder of ours, in a chroot instead of a container."""
    program = machine_tool("buildah", "buildah")
    places = ("--root", FOLDER / "root", "--runroot", FOLDER / "run")
    env = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
    return run(program, *places, *arguments, env=env, limit=900)


def _has_image(name: str) -> bool:
    return name in buildah("images", "--format", "{{.Name}}").split()


def make_base() -> None:
    """Make an image with Debian's Python, which is kept for the next time."""
    debootstrap = machine_tool("debootstrap", "debootstrap")
    tree = FOLDER / "base"
    flags = ("--variant=minbase", f"--include={PACKAGES}")
    run(debootstrap, *flags, SUITE, tree, _mirror(), limit=900)
    container = buildah("from", "scratch").strip()
    buildah("add", "--quiet", container, tree, "/")
    buildah("commit", "--quiet", "--rm", container, BASE)


def _mirror() -> str:
    """Where this machine gets Debian's packages from."""
    places = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    for place in places:
        text = place.read_text(encoding="utf-8") if place.is_file() else ""
        if found := _SOURCE.search(text):
            return found[1]
    raise MissingError("no source of Debian's packages in /etc/apt")


def trial() -> str:
    """Run the image as nobody in particular, on a root that cannot be written to."""
    container = buildah("from", "--pull-never", IMAGE).strip()
    try:
        root = buildah("mount", container).strip()
        said = run("unshare", "--mount", "bash", "-c", TRIAL, "trial", root, limit=120)
    finally:
        buildah("rm", container)
    if "listening on" not in said:
        raise FailedError(said)
    return "built by buildah, served and stopped as uid 10001 on a read-only root"
