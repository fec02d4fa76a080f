"""What is read as an action, and what is none."""

from typing import Any

import pytest

from skat_client import (
    Announce,
    Bid,
    Card,
    Contract,
    ContractKind,
    Hold,
    LayOpen,
    Level,
    PlayCard,
    PutDown,
    Rearrange,
    Vote,
)
from skat_client._answers import action_in


class Numeral:
    """A number that is no int, as those of arrays are."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number

    def __repr__(self) -> str:
        return f"Numeral({self._number})"


GRAND = Contract(ContractKind.GRAND)
READ: list[tuple[Any, Any]] = [
    (Hold(), Hold()),
    (PlayCard(Card.CJ), PlayCard(Card.CJ)),
    (PlayCard(32), PlayCard(Card.CJ)),  # type: ignore[arg-type]
    (PlayCard(Numeral(32)), PlayCard(Card.CJ)),  # type: ignore[arg-type]
    (Bid(Numeral(18)), Bid(18)),  # type: ignore[arg-type]
    (LayOpen(2), LayOpen(Level.SCHNEIDER)),  # type: ignore[arg-type]
    (Vote(1), Vote(accept=True)),  # type: ignore[arg-type]
    (PutDown([1, Numeral(2)]), PutDown((Card.D7, Card.H7))),  # type: ignore[arg-type]
    (Rearrange([1]), Rearrange((Card.D7,))),  # type: ignore[arg-type]
    (Announce(GRAND, [1, 32]), Announce(GRAND, (Card.D7, Card.CJ))),  # type: ignore[arg-type]
]
NONE: list[Any] = [
    None,
    "pass",
    Card.CJ,
    PlayCard("CJ"),  # type: ignore[arg-type]
    PlayCard(0),  # type: ignore[arg-type]
    PlayCard(33),  # type: ignore[arg-type]
    PlayCard(1.0),  # type: ignore[arg-type]
    Bid("18"),  # type: ignore[arg-type]
    Vote("no"),  # type: ignore[arg-type]
    LayOpen(4),  # type: ignore[arg-type]
    Announce("grand"),  # type: ignore[arg-type]
    Announce(Contract("grand")),  # type: ignore[arg-type]
    Announce(Contract(ContractKind.GRAND, hand="no")),  # type: ignore[arg-type]
    PutDown(7),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("answer", "action"), READ, ids=repr)
def test_numbers_are_read_as_our_values(answer: object, action: object) -> None:
    assert repr(action_in(answer)) == repr(action)


@pytest.mark.parametrize("answer", NONE, ids=repr)
def test_what_is_no_action_is_said(answer: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        action_in(answer)
