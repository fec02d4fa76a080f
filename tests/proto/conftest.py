"""A small contract in a folder of its own."""

from pathlib import Path

import pytest

from tests.proto.small_contract import Contract


@pytest.fixture
def contract(tmp_path: Path) -> Contract:
    """The small contract, as if committed."""
    return Contract.write(tmp_path / "checkout")
