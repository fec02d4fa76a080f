"""Fixtures that more than one folder of tests needs."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# How long an example takes says more of the machine than of the code.
settings.register_profile("tests", deadline=None)
settings.load_profile("tests")


@pytest.fixture(autouse=True)
def _quiet_logging() -> Iterator[None]:
    """Log lines of a test go where the test before has not told them to go, and only what matters.

    A command that was run in the test may have logged to a stream of its own, which is closed now.
    """
    structlog.reset_defaults()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def conformance() -> Path:
    """The folder of recorded games with known results, which lies outside of the repository.

    Without it the test is skipped, or fails where ``SKAT_REQUIRE_CONFORMANCE=1`` insists.
    """
    folder = ROOT / os.environ.get("SKAT_CONFORMANCE", "../shared/conformance")
    if folder.is_dir():
        return folder
    reason = f"no recorded games in {folder}; set SKAT_CONFORMANCE to the folder that has them"
    if os.environ.get("SKAT_REQUIRE_CONFORMANCE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
