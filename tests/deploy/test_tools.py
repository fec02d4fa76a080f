"""Programs that the checks of deployment need are found where they are."""

from pathlib import Path

import pytest

from deploy import tools


def test_programs_of_root_are_found_without_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "a-proxy"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(tools, "OF_ROOT", str(tmp_path))
    assert tools.machine_tool("a-proxy", "a-package") == program


def test_what_is_missing_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(tools.MissingError, match=r"a-proxy .* package a-package"):
        tools.machine_tool("a-proxy", "a-package")
