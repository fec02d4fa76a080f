"""Who wins a trick: R-PLAY-3."""

import pytest

from skat_engine import card_text, order_of, parse_cards, parse_contract
from skat_engine.tricks import complete_trick
from tests.builders import table

WINNERS = table("winners")


@pytest.mark.parametrize("row", WINNERS, ids=[row["id"] for row in WINNERS])
@pytest.mark.parametrize("leader", [0, 1, 2])
def test_winner(row: dict[str, str], leader: int) -> None:
    """R-PLAY-3."""
    first, second, third = parse_cards(row["trick"])
    trick = complete_trick(
        leader, (first, second, third), order_of(parse_contract(row["contract"]).kind)
    )
    winning = trick.cards[(trick.winner - leader) % 3]
    assert card_text(winning) == row["winner"]


def test_points_of_a_trick() -> None:
    first, second, third = parse_cards("CA ST CJ")
    trick = complete_trick(0, (first, second, third), order_of(parse_contract("G").kind))
    assert trick.points == 23
