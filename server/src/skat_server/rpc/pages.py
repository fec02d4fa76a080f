"""Lists in pages."""

from collections.abc import Sequence
from typing import Final, TypeVar

from skat_server.errors import Reason, RefusedError

DEFAULT_PAGE: Final = 50
LARGEST_PAGE: Final = 200
LONGEST_TOKEN: Final = 12

_Row = TypeVar("_Row")


def page(rows: Sequence[_Row], page_size: int, page_token: str) -> tuple[Sequence[_Row], str]:
    """One page of a list and the token of the next one, empty on the last page.

    Raises:
        RefusedError: INVALID_FIELD for a token that no page gave.
    """
    start = page_start(page_token)
    end = start + size_of(page_size)
    return rows[start:end], str(end) if end < len(rows) else ""


def size_of(page_size: int) -> int:
    """How many rows a page has when so many are asked for."""
    return min(page_size or DEFAULT_PAGE, LARGEST_PAGE)


def page_start(page_token: str) -> int:
    """The number in the token of a page, 0 for the first page.

    Raises:
        RefusedError: INVALID_FIELD for a token that no page gave.
    """
    readable = page_token.isascii() and page_token.isdigit() and len(page_token) <= LONGEST_TOKEN
    if page_token and not readable:
        raise unreadable_page_token()
    return int(page_token or "0")


def unreadable_page_token() -> RefusedError:
    """Why a token that no page gave is refused."""
    return RefusedError(
        Reason.INVALID_FIELD,
        "page_token is not one that a page gave; leave it empty for the first page",
        field="page_token",
    )
