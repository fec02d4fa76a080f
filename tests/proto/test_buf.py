"""Style and compatibility of the contract; and the rules of buf.yaml refuse what they should."""

import pytest

from proto import generate
from tests.proto.small_contract import CARD, SERVICE, Contract, buf

NAME = "  // Its name.\n  string name = 2;\n"


def test_contract_follows_the_style() -> None:
    done = buf("lint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_contract_is_formatted() -> None:
    done = buf("format", "--diff", "--exit-code")
    assert done.returncode == 0, done.stdout + done.stderr


def test_contract_breaks_no_client_of_the_last_release() -> None:
    done = buf("breaking", "--against", str(generate.BASELINE))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def released(contract: Contract) -> Contract:
    """The small contract with its own baseline."""
    generate.write_baseline(contract.proto, contract.proto / "baseline.binpb")
    return contract


def is_compatible(contract: Contract) -> bool:
    """Whether buf lets the small contract pass as it is now."""
    done = buf("breaking", "--against", "proto/baseline.binpb", cwd=contract.root)
    return done.returncode == 0


def test_an_unchanged_contract_is_compatible(released: Contract) -> None:
    assert is_compatible(released)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        pytest.param(CARD, "SUIT_CLUBS = 1", "SUIT_CLUBS = 2", id="renumbered enum value"),
        pytest.param(CARD, "string name = 2", "int32 name = 2", id="changed type"),
        pytest.param(CARD, "string name = 2", "string title = 2", id="renamed field"),
        pytest.param(CARD, NAME, "", id="deleted field without reservation"),
        pytest.param(SERVICE, "PlayCard(", "PutCard(", id="renamed method"),
        pytest.param(SERVICE, "TableService", "DeskService", id="renamed service"),
    ],
)
def test_a_breaking_change_is_refused(released: Contract, file: str, old: str, new: str) -> None:
    released.edit(file, old, new)
    assert not is_compatible(released)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        pytest.param(CARD, NAME, NAME + "  // Its age.\n  int32 age = 3;\n", id="new field"),
        pytest.param(
            CARD, NAME, '  // Gone in 0.2.\n  reserved 2;\n  reserved "name";\n', id="reserved"
        ),
    ],
)
def test_a_compatible_change_passes(released: Contract, file: str, old: str, new: str) -> None:
    released.edit(file, old, new)
    assert is_compatible(released)


def test_a_field_without_comment_is_refused(contract: Contract) -> None:
    contract.edit(CARD, "  // Its name.\n", "")
    done = buf("lint", cwd=contract.root)
    assert 'Field "name" should have a non-empty comment' in done.stdout
