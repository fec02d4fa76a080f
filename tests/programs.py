"""Programs of the machine that some tests need."""

import os
import shutil

import pytest

_PACKAGES = {"haproxy": "haproxy", "prometheus": "prometheus", "promtool": "prometheus"}
"""In which of Debian's packages they are."""


def program(name: str) -> str:
    """Where a program is.

    Without it the test is skipped, or fails where ``SKAT_REQUIRE_PROGRAMS=1`` insists.
    """
    found = shutil.which(name)
    if found is None:
        reason = f"no {name} on the path; Debian's package {_PACKAGES[name]} has it"
        if os.environ.get("SKAT_REQUIRE_PROGRAMS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return found
