"""Names of accounts and bots."""

from typing import Final

from skat_server.errors import Reason, RefusedError

LONGEST_NAME: Final = 40


def check_name(name: str) -> None:
    """Refuse a name that cannot be shown or told from another one.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    is_long_enough = 1 <= len(name) <= LONGEST_NAME
    if not is_long_enough or not name.isprintable() or name != name.strip():
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"name needs 1 to {LONGEST_NAME} printable characters, no blanks around them",
            field="name",
        )
