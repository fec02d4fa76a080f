"""Two builds of one checkout, at two places and from files of two ages, are the same bytes."""

import pytest

from deploy.checks import packages


@pytest.mark.packaging
@pytest.mark.timeout(300)
def test_two_builds_are_equal() -> None:
    assert packages() == "two builds of 6 archives are equal byte by byte"
