"""The site is built without a warning, and its pages fetch nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FETCHING: Final = re.compile(
    r"""<(?:script|img|iframe|source)[^>]+src=["'](?:https?:)?//|<link[^>]+href=["'](?:https?:)?//"""
    r"""|@import|url\(["']?(?:https?:)?//"""
)
"""What makes a browser fetch from another place, unlike links, which a reader may follow."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, ROOT / "docs", target], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.timeout(200)
def test_every_page_is_there(site: Path) -> None:
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not (site / page.with_suffix(".html")).exists()] == []


@pytest.mark.timeout(200)
def test_pages_can_be_read_without_a_network(site: Path) -> None:
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert [file.name for file in files if FETCHING.search(file.read_text(encoding="utf-8"))] == []
