"""From a token to the player who presents it (T1, T2)."""

import hashlib

import pytest

from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import LONGEST_TOKEN, SHORTEST_TOKEN, player_of

TOKEN = "a-random-token-of-some-length"


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer ",
        TOKEN,
        f"Basic {TOKEN}",
        f"bearer{TOKEN}",
        "Bearer " + "x" * (SHORTEST_TOKEN - 1),
        "Bearer " + "x" * (LONGEST_TOKEN + 1),
    ],
)
def test_without_a_usable_token_nobody_is_known(authorization: str) -> None:
    with pytest.raises(RefusedError) as caught:
        player_of(authorization)
    assert caught.value.reason is Reason.UNAUTHENTICATED


@pytest.mark.parametrize("length", [SHORTEST_TOKEN, LONGEST_TOKEN])
def test_tokens_of_16_to_200_characters_are_usable(length: int) -> None:
    assert (SHORTEST_TOKEN, LONGEST_TOKEN) == (16, 200)
    assert player_of("Bearer " + "x" * length).player_id


def test_the_same_token_is_the_same_player() -> None:
    assert player_of(f"Bearer {TOKEN}") == player_of(f"Bearer {TOKEN}")


def test_another_token_is_another_player() -> None:
    assert player_of(f"Bearer {TOKEN}") != player_of(f"Bearer {TOKEN}2")


def test_only_a_hash_of_the_token_is_kept() -> None:
    """T1: what is kept and shown does not give the token back."""
    player = player_of(f"Bearer {TOKEN}")
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    assert player.player_id == f"player-{digest[:16]}"
    assert TOKEN not in repr(player)


def test_a_refusal_does_not_repeat_the_token() -> None:
    with pytest.raises(RefusedError) as caught:
        player_of("Bearer secret")
    assert "secret" not in str(caught.value)
