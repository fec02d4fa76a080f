"""What a text in a request may look like."""

from skat_server.errors import Reason, RefusedError


def fits(text: str, longest: int) -> bool:
    """Whether a text is not too long, and can be printed."""
    return len(text) <= longest and text.isprintable()


def check_length(field: str, text: str, longest: int, *, shortest: int = 0) -> None:
    """Refuse a text that is too long, too short, or not printable.

    Raises:
        RefusedError: INVALID_FIELD.
    """
    if not shortest <= len(text) <= longest:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"{field} has {len(text)} characters; use {shortest} to {longest}",
            field=field,
        )
    if not text.isprintable():
        raise RefusedError(
            Reason.INVALID_FIELD, f"{field} has characters that cannot be printed", field=field
        )
