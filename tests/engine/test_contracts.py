"""Contracts and how cards rank and follow: R-CARD-3 to R-CARD-5, R-ANN-1 to R-ANN-5, R-PLAY-2."""

import pytest
from hypothesis import given

from skat_engine import (
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    CardSet,
    Contract,
    ContractKind,
    IllegalActionError,
    Level,
    NotationError,
    Refusal,
    card_text,
    cards_in,
    cards_text,
    legal_cards,
    new_contract,
    order_of,
    parse_card,
    parse_contract,
)
from tests.builders import hand, table
from tests.strategies import contracts

FOLLOWING = table("following")


@pytest.mark.parametrize("row", FOLLOWING, ids=[row["id"] for row in FOLLOWING])
def test_following_suit(row: dict[str, str]) -> None:
    """R-PLAY-2."""
    order = order_of(parse_contract(row["contract"]).kind)
    legal = legal_cards(hand(row["hand"]), parse_card(row["led"]), order)
    assert legal == hand(row["legal"])


def test_the_leader_may_play_any_card() -> None:
    held = hand("CJ HA H7")
    assert legal_cards(held, None, order_of(ContractKind.HEARTS)) == held


@pytest.mark.parametrize(
    ("letter", "trumps"),
    [
        ("D", "CJ.SJ.HJ.DJ.DA.DT.DK.DQ.D9.D8.D7"),
        ("C", "CJ.SJ.HJ.DJ.CA.CT.CK.CQ.C9.C8.C7"),
        ("G", "CJ.SJ.HJ.DJ"),
        ("N", ""),
    ],
)
def test_trumps_from_the_top(letter: str, trumps: str) -> None:
    """R-CARD-3, R-CARD-4, R-CARD-5."""
    assert cards_text(order_of(parse_contract(letter).kind).trumps_from_top) == trumps


@pytest.mark.parametrize(
    ("letter", "suit"), [("D", "CA.CT.CK.CQ.C9.C8.C7"), ("N", "CA.CK.CQ.CJ.CT.C9.C8.C7")]
)
def test_a_plain_suit_from_the_top(letter: str, suit: str) -> None:
    """R-CARD-3, R-CARD-5."""
    led = parse_card("C7")
    order = order_of(parse_contract(letter).kind)
    in_suit = cards_in(order.follow[led])
    strength = order.strength[led]
    ranked = sorted(in_suit, key=lambda card: strength[card], reverse=True)
    assert cards_text(ranked) == suit


@given(contracts)
def test_a_contract_is_read_back_from_its_text(contract: Contract) -> None:
    assert parse_contract(str(contract)) == contract


@given(contracts)
def test_flags_are_read_in_any_order(contract: Contract) -> None:
    text = str(contract)
    assert parse_contract(text[0] + text[:0:-1]) == contract


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("GO", "GHSZO"),
        ("CZ", "CHSZ"),
        ("DS", "DHS"),
        ("NO", "NO"),
        ("NOH", "NHO"),
        ("SOH", "SHSZO"),
        ("HP", "HP"),
        ("GPO", "GHSZOP"),
        ("NR", "NOR"),
        ("NRH", "NHOR"),
    ],
)
def test_implied_flags_may_be_left_out(text: str, full: str) -> None:
    """R-ANN-3, R-ANN-5, R-SPI-4; Revolution is played ouvert."""
    assert str(parse_contract(text)) == full


@pytest.mark.parametrize(
    "text", ["", "X", "h", "CHH", "CX", "NS", "NHZ", "H7", "NP", "CR", "GHR", "HPP"]
)
def test_what_is_no_contract_is_not_read(text: str) -> None:
    """R-SPI-1: no Spitze in Null; section 21: Revolution in Null only."""
    with pytest.raises(NotationError):
        parse_contract(text)


def refusal(kind: ContractKind, level: Level = Level.SIMPLE, *, ouvert: bool = False) -> Refusal:
    with pytest.raises(IllegalActionError) as refused:
        new_contract(kind, announced=level, ouvert=ouvert)
    return refused.value.reason


def test_null_knows_no_levels() -> None:
    """R-ANN-4."""
    assert refusal(ContractKind.NULL, Level.SCHNEIDER) is (Refusal.CONTRADICTORY_ANNOUNCEMENT)


def test_a_level_needs_hand() -> None:
    """R-ANN-2; X28: everywhere, though some pubs play it otherwise."""
    assert refusal(ContractKind.GRAND, Level.SCHWARZ) is (Refusal.CONTRADICTORY_ANNOUNCEMENT)


def test_trump_ouvert_needs_hand() -> None:
    """R-ANN-3."""
    assert refusal(ContractKind.CLUBS, ouvert=True) is Refusal.CONTRADICTORY_ANNOUNCEMENT


def test_null_ouvert_needs_no_hand() -> None:
    """R-ANN-4."""
    assert new_contract(ContractKind.NULL, ouvert=True) in SKAT_CONTRACTS


def test_trump_ouvert_announces_schwarz() -> None:
    """R-ANN-3."""
    assert new_contract(ContractKind.CLUBS, hand=True, ouvert=True).announced is Level.SCHWARZ


def test_contracts_after_taking_the_skat() -> None:
    """R-ANN-1, R-VAL-6."""
    assert [str(contract) for contract in SKAT_CONTRACTS] == ["D", "H", "S", "C", "G", "N", "NO"]


def test_contracts_of_hand_games() -> None:
    """R-ANN-1 to R-ANN-4, R-VAL-6: seven steps, of which ouvert includes Schwarz announced."""
    trump_games = {kind + flags for kind in "DHSCG" for flags in ("H", "HS", "HSZ", "HSZO")}
    assert {str(contract) for contract in HAND_CONTRACTS} == trump_games | {"NH", "NHO"}


def test_no_trump_follows_its_printed_suit() -> None:
    order = order_of(ContractKind.HEARTS)
    assert [card_text(c) for c in cards_in(CardSet(order.follow[parse_card("SA")]))] == (
        ["S7", "S8", "S9", "SQ", "SK", "ST", "SA"]
    )
