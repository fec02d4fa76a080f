"""The text of issued tokens: made, read, compared (T1, T2)."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_server.clock import secret_bytes
from skat_server.players.tokens import (
    SECRET_BYTES,
    TokenText,
    is_secret_of,
    new_token_text,
    parse_token_text,
)

TEXT = "skat_0123456789abcdef_" + "x" * 42 + "_"


def test_a_secret_has_256_bits() -> None:
    """T2, T8."""
    asked: list[int] = []

    def entropy(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    new_token_text(entropy)
    assert SECRET_BYTES == 32
    assert SECRET_BYTES in asked


@given(st.binary(min_size=32, max_size=32))
def test_a_text_can_be_read_back(drawn: bytes) -> None:
    made = new_token_text(lambda count: drawn[:count])
    assert parse_token_text(made.text) == made
    assert len(made.secret) == 43


def test_two_tokens_have_nothing_in_common() -> None:
    one, other = new_token_text(secret_bytes), new_token_text(secret_bytes)
    assert one.token_id != other.token_id
    assert one.secret != other.secret


@pytest.mark.parametrize(
    "text",
    [
        "",
        "skat_",
        TEXT[:-1],
        TEXT + "x",
        TEXT.replace("skat", "SKAT"),
        TEXT.replace("0123", "012G"),
        TEXT[:-1] + "=",
        TEXT + "\n",
        TEXT[:-1] + "é",
        "a-random-token-of-some-length",
    ],
)
def test_no_other_text_is_a_token(text: str) -> None:
    assert parse_token_text(text) is None


def test_only_the_hash_of_the_secret_can_be_kept() -> None:
    """T1: neither what is kept nor what is printed gives the secret back."""
    text = parse_token_text(TEXT)
    assert text is not None
    assert text.secret_sha256 == hashlib.sha256(text.secret.encode()).digest()
    assert text.secret not in repr(text)


def test_the_right_secret_is_known_again() -> None:
    text = TokenText("0123456789abcdef", "x" * 43)
    assert is_secret_of(text, text.secret_sha256)
    assert not is_secret_of(TokenText(text.token_id, "y" * 43), text.secret_sha256)


@pytest.mark.parametrize("kept", [None, bytes(32), b"\x01" * 32])
def test_unknown_and_wrong_take_the_same_work(
    kept: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T2: one hash and one comparison in constant time, whatever is there to compare with."""
    compared: list[tuple[bytes, bytes]] = []
    compare = hmac.compare_digest

    def counted(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    assert not is_secret_of(TokenText("0123456789abcdef", "x" * 43), kept)
    assert [len(other) for _, other in compared] == [32]
