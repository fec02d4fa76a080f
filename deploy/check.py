"""Checks everything in this folder with the programs that will read it.

    make deploy-check
    make deploy-check ARGS="kubernetes systemd"

Programs from the dependency group `deploy` are installed into `.deploy`; those of the machine are
named when they are missing. Exit code: 0 all well, 1 something is wrong, 3 something is missing.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deploy import checks, image
from deploy.tools import FailedError, MissingError

WRONG, MISSING = 1, 3


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its name, what it looks at, and how."""

    name: str
    about: str
    run: Callable[[], str]
    """Returns a remark.

    Raises:
        FailedError: something is wrong.
        MissingError: a program is not on this machine.
    """


CHECKS = (
    Check("packages", "two builds are equal byte by byte", checks.packages),
    Check("sbom", "bills of materials are made and valid", checks.bills),
    Check("dockerfile", "hadolint", checks.dockerfile),
    Check("compose", "compose file", checks.compose),
    Check("systemd", "unit, and how exposed it is", checks.systemd),
    Check("kubernetes", "manifests against the schemas of Kubernetes", checks.kubernetes),
    Check("kustomize", "what kubectl makes of the folder", checks.kustomize),
    Check("monitor", "ServiceMonitor against the schema of the operator", checks.monitor),
    Check("alerts", "rules, their tests, and who hears of them", checks.alerts),
    Check("haproxy", "configuration", checks.haproxy),
    Check("proxy", "a deal over TLS through HAProxy", checks.proxy),
    Check("image", "the image, built and run read-only as uid 10001", image.check),
)


def outcome(check: Check) -> int:
    """Run a check and say how it went."""
    print(f"{check.name:<12}", end="", flush=True)
    try:
        print(f"ok       {check.run() or check.about}")
    except FailedError as error:
        print(f"FAILED   {check.about}\n{error}")
        return WRONG
    except MissingError as error:
        print(f"missing  {error}")
        return MISSING
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks that are named, or all."""
    parser = argparse.ArgumentParser(description="Check everything in deploy/.")
    names = [check.name for check in CHECKS]
    parser.add_argument("names", nargs="*", metavar="CHECK", help=f"of {', '.join(names)}")
    wanted = parser.parse_args(arguments).names
    if unknown := set(wanted) - set(names):
        parser.error(f"no such check: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    codes = {outcome(check) for check in CHECKS if not wanted or check.name in wanted}
    return WRONG if WRONG in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
