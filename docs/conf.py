"""Settings of the site: `make site` builds it from the pages of this folder, warnings are errors.

The pages are plain Markdown that also reads well where the repository is browsed, so the order of
pages is kept here and not in them.
"""

import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

HERE: Final = Path(__file__).parent

project = "Skat server"
author = "The Skat Server authors"
project_copyright = author
release = re.findall(
    r"^## (\d\S+)", (HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
)[0]

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
nitpicky = True
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"Skat server {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False

_PARTS: Final = {
    "Play": ("quickstart", "write-a-bot", "python-client", "bare-protos", "tournaments", "arena"),
    "Run it": (
        *("deploying", "operating", "runbook", "metrics", "logs", "load", "performance"),
        *("reliability", "threat-model"),
    ),
    "Reference": (
        *("protocol/index", "rules/presets", "rules/options", "phases", "records", "shuffle"),
        *("engine", "glossary"),
    ),
    "Project": ("changelog", "adr/README"),
}
"""Pages of the site by part; one that is not written yet is left out."""

_STANDS_FOR: Final = {"changelog": "CHANGELOG.md", "python-client": "clients/python/README.md"}
"""Pages that lie elsewhere in the repository: the site shows them, the page here links to them."""


_NAMES: Final = {
    "python-client": "The Python client",
    "bare-protos": "From the bare protos",
    "threat-model": "Threat model",
}
"""Shorter names of pages, where their titles are not made to stand in a list."""


def _tree(names: list[str], caption: str = "") -> str:
    head = ["", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    entries = (f"{_NAMES[name]} </{name}>" if name in _NAMES else f"/{name}" for name in names)
    return "\n".join([*head, *entries, "```", ""])


def _below(folder: str) -> list[str]:
    """The other pages of a folder, in order, services before what they carry."""
    pages = sorted((HERE / folder).glob("*.md"), key=lambda page: (_is_message(page), page.stem))
    return [f"{folder}/{page.stem}" for page in pages if page.stem not in {"index", "README"}]


def _is_message(page: Path) -> bool:
    return page.parent.name == "protocol" and not page.stem.endswith("_service")


def _links_from_here(text: str) -> str:
    """The text of a page from elsewhere, with links to pages and files of this folder."""
    return re.sub(r"\]\((?:\.\./)*docs/", "](", text)


def _diagram_as_table(diagram: re.Match[str]) -> str:
    """A diagram, which only some viewers draw, as what follows what."""
    following: dict[str, list[str]] = {}
    for one, other in re.findall(r"(\w+) --> (\w+)", diagram[0]):
        following.setdefault(one, []).append(f"`{other}`")
    rows = (f"| `{one}` | {', '.join(others)} |" for one, others in following.items())
    return "\n".join(["| from | to |", "|---|---|", *rows])


def _prepare(_app: Sphinx, name: str, text: list[str]) -> None:
    """Make of a page what the site shows."""
    if name in _STANDS_FOR:
        page = (HERE.parent / _STANDS_FOR[name]).read_text(encoding="utf-8")
        text[0] = _links_from_here(page)
    text[0] = re.sub(
        r"^```mermaid\n.*?^```", _diagram_as_table, text[0], flags=re.MULTILINE | re.DOTALL
    )
    if name == "index":
        for caption, pages in _PARTS.items():
            text[0] += _tree([page for page in pages if (HERE / f"{page}.md").exists()], caption)
    elif name in ("adr/README", "protocol/index"):
        text[0] += _tree(_below(name.partition("/")[0]))


def setup(app: Sphinx) -> None:
    """Have pages prepared as they are read."""
    app.connect("source-read", _prepare)
