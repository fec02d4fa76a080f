"""The text of an issued token, and how it is compared with what is kept of it (ADR 0017).

A secret is 256 random bits, so one SHA-256 is enough: nobody can try them all, and a slow hash
would only let strangers use up the server's time.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

Entropy = Callable[[int], bytes]
"""Gives so many bytes that nobody can predict."""

SECRET_BYTES: Final = 32
_ID_BYTES: Final = 8
_TEXT: Final = re.compile(r"skat_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
_NOBODYS_SHA256: Final = bytes(32)
"""Compared with when there is no such token, so that a stranger learns nothing from the time."""


@dataclass(frozen=True, slots=True)
class TokenText:
    """The two parts of a token's text."""

    token_id: str
    """Public."""
    secret: str = field(repr=False)
    """43 characters; never kept, never logged."""

    @property
    def text(self) -> str:
        """What the client sends."""
        return f"skat_{self.token_id}_{self.secret}"

    @property
    def secret_sha256(self) -> bytes:
        """What is kept of the secret."""
        return hashlib.sha256(self.secret.encode()).digest()


def new_token_text(entropy: Entropy) -> TokenText:
    """A token that was never issued.

    >>> new_token_text(bytes).text
    'skat_0000000000000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    secret = base64.urlsafe_b64encode(entropy(SECRET_BYTES)).rstrip(b"=").decode()
    return TokenText(entropy(_ID_BYTES).hex(), secret)


def parse_token_text(text: str) -> TokenText | None:
    """The parts of a token's text, None for what no server has issued."""
    found = _TEXT.fullmatch(text)
    return None if found is None else TokenText(found[1], found[2])


def is_secret_of(text: TokenText, secret_sha256: bytes | None) -> bool:
    """Whether the secret is the one that was kept, in the same time whatever the answer.

    Args:
        text: what was presented.
        secret_sha256: what is kept of the token; None when there is none of this id.
    """
    expected = _NOBODYS_SHA256 if secret_sha256 is None else secret_sha256
    return hmac.compare_digest(text.secret_sha256, expected) and secret_sha256 is not None
