"""Reader of the deals that XSkat 4.0 logged against itself, one JSON object a line.

The log has the last bid but not the auction. A record is a way through the rules from the
first word to the last card, so an auction is made that ends where the log begins: middlehand
names the last bid at once (R-BID-2), and who shall not be declarer passes. A Ramsch follows
when all pass.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from skat_engine.actions import (
    HOLD,
    PASS,
    PLAY_CARDS,
    PLAY_HAND,
    TAKE_SKAT,
    Action,
    Announce,
    Bid,
)
from skat_engine.bidding import BID_VALUES
from skat_engine.cards import Card, CardSet, card_set, parse_card
from skat_engine.contracts import Contract, ContractKind, new_contract
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, NotationError
from skat_engine.options import AllPass
from skat_engine.records.model import Expected, Fact, Record, XskatOrigin
from skat_engine.records.moves import Move
from skat_engine.records.rows import Row
from skat_engine.results import DealResult, Dealt, DeclarerGame, RamschGame
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_rule_set
from skat_engine.seats import FOREHAND, MIDDLEHAND, REARHAND, Position, Seating

RULES: Final[RuleSet] = parse_rule_set(
    {
        "null_ends_at_first_trick": "false",
        "declarer_give_up": "off",
        "defender_give_up": "off",
        "lay_open": "off",
    }
)
"""All ten tricks are played, in Null too, and nobody gives up."""

RAMSCH_RULES: Final[RuleSet] = replace(RULES, all_pass=AllPass.RAMSCH)
"""When all pass, a Ramsch is played, and its skat goes to the last trick (R-RAM-2)."""

_SEATS: Final = ("0", "1", "2")
_KINDS: Final = {kind.name.lower(): kind for kind in ContractKind}
_HIGHEST_SCORE: Final = 1_000
_ALL_PASS: Final[tuple[Move, ...]] = ((MIDDLEHAND, PASS), (REARHAND, PASS), (FOREHAND, PASS))


def record_of_row(row: Row) -> Record:
    """The record in a JSON object of the log.

    Raises:
        NotationError: a field is missing, of the wrong kind or impossible.
    """
    is_ramsch = "declarer" not in row and "card_points" in row
    forehand = row.number("forehand", least=0, most=2)
    tricks = row.rows("tricks")
    opening = _ALL_PASS if is_ramsch else _auction(row, forehand) + _announcement(row, forehand)
    expected = _expected_ramsch(row) if is_ramsch else _expected_game(row)
    return Record(
        row.name("id"),
        XskatOrigin(),
        RAMSCH_RULES if is_ramsch else RULES,
        _SEATS,
        (forehand - 1) % 3,
        _dealt(row, forehand),
        (*opening, *_cards(tricks, forehand)),
        (
            Expected("ending", "ramsch_played" if is_ramsch else "played_out"),
            *_expected_winners(tricks),
            *expected,
        ),
    )


def _dealt(row: Row, forehand: int) -> Dealt:
    hands = [_different(cards) for cards in row.text_lists("hands")]
    skat = _different(row.texts("skat"))
    if len(hands) != len(_SEATS):
        raise NotationError(f"{len(hands)} hands instead of three")
    first, second, third = hands[forehand:] + hands[:forehand]
    try:
        return Dealt((first, second, third), skat)
    except ValueError as error:
        raise NotationError(str(error)) from None


def _different(names: tuple[str, ...]) -> CardSet:
    cards = card_set(parse_card(name) for name in names)
    if cards.bit_count() != len(names):
        raise NotationError("a card is there twice")
    return cards


def _position(row: Row, name: str, forehand: int) -> Position:
    """The position of the seat that a field names."""
    return (row.number(name, least=0, most=2) - forehand) % 3


def _auction(row: Row, forehand: int) -> tuple[Move, ...]:
    """An auction that ends with the logged declarer at the logged bid."""
    value = row.number("bid", least=BID_VALUES[0], most=BID_VALUES[-1])
    if value not in BID_VALUES:
        raise NotationError(f"{value} is not a bid")
    bid = Bid(value)
    declarer = _position(row, "declarer", forehand)
    if declarer == FOREHAND:
        return ((MIDDLEHAND, bid), (FOREHAND, HOLD), (MIDDLEHAND, PASS), (REARHAND, PASS))
    if declarer == MIDDLEHAND:
        return ((MIDDLEHAND, bid), (FOREHAND, PASS), (REARHAND, PASS))
    return ((MIDDLEHAND, PASS), (REARHAND, bid), (FOREHAND, PASS))


def _announcement(row: Row, forehand: int) -> tuple[Move, ...]:
    declarer = _position(row, "declarer", forehand)
    contract = _contract(row)
    discards = tuple(parse_card(name) for name in row.texts("discards"))
    skat: Action = PLAY_HAND if contract.hand else TAKE_SKAT
    return ((declarer, skat), (declarer, Announce(contract, discards)))


def _contract(row: Row) -> Contract:
    kind = _KINDS.get(row.text("contract"))
    if kind is None:
        raise NotationError(f"contract {row.text('contract')!r} is unknown")
    try:
        return new_contract(kind, hand=row.flag("hand"), ouvert=row.flag("ouvert"))
    except IllegalActionError as error:
        raise NotationError(str(error)) from None


def _cards(tricks: tuple[Row, ...], forehand: int) -> Iterator[Move]:
    for trick in tricks:
        leader = _position(trick, "leader", forehand)
        for place, card in enumerate(_three(trick)):
            yield (leader + place) % 3, PLAY_CARDS[card]


def _three(trick: Row) -> tuple[Card, ...]:
    cards = tuple(parse_card(name) for name in trick.texts("cards"))
    if len(cards) != len(_SEATS):
        raise NotationError(f"{len(cards)} cards in a trick")
    return cards


def _winner_field(number: int) -> str:
    return f"winner of trick {number}"


def _expected_winners(tricks: tuple[Row, ...]) -> Iterator[Expected]:
    for number, trick in enumerate(tricks, 1):
        yield Expected(_winner_field(number), trick.number("winner", least=0, most=2))


def _expected_ramsch(row: Row) -> tuple[Expected, ...]:
    return (
        Expected("card_points", row.numbers("card_points", least=0, most=120)),
        Expected("trick_counts", row.numbers("trick_counts", least=0, most=10)),
        Expected("scores", row.numbers("scores", least=-_HIGHEST_SCORE, most=_HIGHEST_SCORE)),
    )


def _expected_game(row: Row) -> tuple[Expected, ...]:
    return (
        Expected("declarer", row.number("declarer", least=0, most=2)),
        Expected("bid", row.number("bid", least=0, most=BID_VALUES[-1])),
        Expected("declarer_points", row.number("declarer_points", least=0, most=120)),
        Expected("declarer_tricks", row.number("declarer_tricks", least=0, most=10)),
        Expected("won", row.flag("won")),
        Expected("score", row.number("score", least=-_HIGHEST_SCORE, most=_HIGHEST_SCORE)),
    )


def deal_facts(record: Record, deal: Deal) -> dict[str, Fact]:
    """What became of a replayed deal, in the names and seats of the log."""
    result = deal.result
    if result is None:
        return {"ending": "unfinished"}
    seats = record.seating.active
    facts: dict[str, Fact] = {"ending": result.ending.value}
    for number, trick in enumerate(deal.tricks, 1):
        facts[_winner_field(number)] = seats[trick.winner]
    if result.ramsch is not None:
        facts |= _ramsch_facts(result, result.ramsch, record.seating)
    if result.game is not None:
        facts |= _game_facts(result, result.game, record.seating)
    return facts


def _ramsch_facts(result: DealResult, ramsch: RamschGame, seating: Seating) -> dict[str, Fact]:
    return {
        "card_points": _by_seat(ramsch.points, seating),
        "trick_counts": _by_seat(result.tricks, seating),
        "scores": _by_seat(result.scores, seating),
    }


def _game_facts(result: DealResult, game: DeclarerGame, seating: Seating) -> dict[str, Fact]:
    return {
        "declarer": seating.active[game.declarer],
        "bid": game.bid,
        "declarer_points": game.declarer_points,
        "declarer_tricks": result.tricks[game.declarer],
        "won": game.value.won,
        "score": game.value.score,
    }


def _by_seat(numbers: tuple[int, int, int], seating: Seating) -> tuple[int, ...]:
    """Numbers of positions in the order of the seats."""
    return tuple(numbers[seating.active.index(seat)] for seat in range(len(_SEATS)))
