"""The generator, driven with a small contract of its own."""

from pathlib import Path

import pytest

from proto import generate
from tests.proto.small_contract import CARD, Contract


@pytest.fixture
def stubs(contract: Contract, tmp_path: Path) -> Path:
    """A folder with the stubs of the small contract."""
    target = tmp_path / "stubs"
    target.mkdir()
    generate.write_stubs(contract.proto, target)
    return target


def test_fresh_stubs_pass_the_check(contract: Contract, stubs: Path) -> None:
    generate.check_stubs(contract.proto, stubs)


def test_writing_twice_changes_nothing(contract: Contract, stubs: Path) -> None:
    assert generate.write_stubs(contract.proto, stubs) == []


def test_only_files_with_a_service_get_service_stubs(stubs: Path) -> None:
    services = sorted(path.name for path in stubs.rglob("*_pb2_grpc.*"))
    assert services == ["table_service_pb2_grpc.py", "table_service_pb2_grpc.pyi"]


def test_stubs_are_typed_packages(stubs: Path) -> None:
    for name in ("skat/__init__.py", "skat/py.typed", "skat/v1/__init__.py"):
        assert (stubs / name).is_file()


def test_comments_reach_the_stubs(stubs: Path) -> None:
    assert '"""Kreuz."""' in (stubs / "skat/v1/card_pb2.pyi").read_text()


def test_service_stubs_know_blocking_and_asyncio_channels(stubs: Path) -> None:
    text = (stubs / "skat/v1/table_service_pb2_grpc.pyi").read_text()
    assert "_grpc.UnaryUnaryMultiCallable" in text
    assert "_aio.UnaryUnaryMultiCallable" in text


def test_check_names_every_kind_of_difference(contract: Contract, stubs: Path) -> None:
    (stubs / "skat/v1/__init__.py").unlink()
    (stubs / "skat/v1/gone_pb2.py").touch()
    (stubs / "skat/v1/card_pb2.py").write_text("edited by hand")
    with pytest.raises(generate.GenerateError) as refusal:
        generate.check_stubs(contract.proto, stubs)
    assert str(refusal.value).splitlines() == [
        "missing    skat/v1/__init__.py",
        "stale      skat/v1/card_pb2.py",
        "left over  skat/v1/gone_pb2.py",
        "Stubs differ from the .proto files. Run `make proto`.",
    ]


def test_writing_removes_what_is_left_over(contract: Contract, stubs: Path) -> None:
    (stubs / "skat/v1/gone_pb2.py").touch()
    generate.write_stubs(contract.proto, stubs)
    generate.check_stubs(contract.proto, stubs)


def test_a_contract_that_does_not_compile_leaves_the_stubs_alone(
    contract: Contract, stubs: Path
) -> None:
    before = generate.content(stubs)
    contract.edit(CARD, "Suit suit = 1;", "Colour suit = 1;")
    with pytest.raises(generate.GenerateError, match='"Colour" is not defined'):
        generate.write_stubs(contract.proto, stubs)
    assert generate.content(stubs) == before


def test_a_folder_without_contract_is_refused(tmp_path: Path) -> None:
    with pytest.raises(generate.GenerateError, match="checkout complete"):
        generate.proto_files(tmp_path)
