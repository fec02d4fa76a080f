"""Text of actions and deals, both ways."""

import pytest
from hypothesis import given

from skat_engine import Action, Dealt, NotationError, dealt_text, parse_action, parse_dealt
from tests.strategies import actions, deals_dealt

DEAL = dealt_text(Dealt((0x3FF, 0xFFC00, 0x3FF00000), 0xC0000000))  # type: ignore[arg-type]


@given(actions)
def test_an_action_is_read_back_from_its_text(action: Action) -> None:
    assert parse_action(str(action)) == action


@given(deals_dealt)
def test_a_deal_is_read_back_from_its_text(dealt: Dealt) -> None:
    assert parse_dealt(dealt_text(dealt)) == dealt


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("C7", "C7"),
        ("C.S7.H7", "C.H7.S7"),
        ("GO", "GHSZO"),
        ("N", "N"),
        ("018", "18"),
        ("open:schwarz", "open:schwarz"),
    ],
)
def test_an_action_is_printed_in_one_way(text: str, printed: str) -> None:
    assert str(parse_action(text)) == printed


@pytest.mark.parametrize(
    "text",
    ["", "HOLD", "1234", "9" * 5000, "٣", "-18", "X7", "C.", "C.H7.XX", "open:", "open:high", "CC"],
)
def test_what_is_no_action_is_not_read(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)


@pytest.mark.parametrize(
    "text",
    ["", "|||", DEAL[3:], DEAL.replace("D7", "D8"), DEAL + "|", DEAL.replace("D7", "D1")],
    ids=["empty", "no-cards", "too-few", "one-twice", "five-parts", "no-card"],
)
def test_what_is_no_deal_is_not_read(text: str) -> None:
    with pytest.raises(NotationError):
        parse_dealt(text)
