"""From a record to one line, which `reading` makes the same record of."""

from collections.abc import Iterable, Iterator
from typing import Final

from skat_engine.actions import Action, Announce, Bid, Hold, Pass, PlayCard, PlayHand, TakeSkat
from skat_engine.cards import CardSet, cards_in, cards_text
from skat_engine.records.iss import results
from skat_engine.records.model import Expected, IssOrigin, Record, fact_text
from skat_engine.records.moves import (
    HouseMove,
    Leave,
    NameGame,
    Resign,
    ShowCards,
    TimeOut,
)
from skat_engine.records.unsayable import Unsayable, UnsayableError
from skat_engine.results import Dealt
from skat_engine.seats import POSITIONS

_LONE_WORDS: Final = frozenset({results.PASSED, results.UNKNOWN})


def write_record(record: Record) -> str:
    """The line without its line break; only for records of this server.

    Raises:
        UnsayableError: a move or a text that this notation has no room for.
        TypeError: the record comes from elsewhere; `skat_engine.records.into_iss` translates.
    """
    if not isinstance(record.origin, IssOrigin):
        raise TypeError("only records of the International Skat Server are written in this form")
    frame = "".join(f"{name}[{_escaped(text)}]" for name, text in _properties(record))
    return f"(;{frame} ;)"


def _properties(record: Record) -> Iterator[tuple[str, str]]:
    """Every property in the order in which the server writes them."""
    origin = record.origin
    assert isinstance(origin, IssOrigin)
    yield from (("GM", "Skat"), ("PC", origin.server))
    if origin.comment is not None:
        yield "CO", origin.comment
    yield from (("SE", origin.series), ("ID", record.id), ("DT", origin.played_at))
    yield from ((f"P{seat}", record.seats[seat]) for seat in POSITIONS)
    yield from ((f"R{seat}", origin.ratings[seat]) for seat in POSITIONS)
    yield "MV", f"w {_dealt(record.dealt)} {''.join(f'{move} ' for move in _moves(record))}"
    yield "R", _result(record.expected)


def _escaped(text: str) -> str:
    if "\n" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise UnsayableError(Unsayable.TEXT, f"{text!a} does not fit on a line of text")
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _dealt(dealt: Dealt) -> str:
    return ".".join(_dotted(cards) for cards in (*dealt.hands, dealt.skat))


def _dotted(cards: CardSet) -> str:
    return cards_text(cards_in(cards))


def _moves(record: Record) -> Iterator[str]:
    """The moves as pairs of who and what; Hand is said by the declaration alone."""
    skat, named = _dotted(record.dealt.skat), False
    for who, what in record.moves:
        match what:
            case PlayHand():
                continue
            case TakeSkat():
                yield f"{who} s w {skat}"
            case TimeOut() | Leave():
                yield f"w {what}.{who}"
            case Announce(_, discards) if named:
                yield f"{who} {cards_text(discards)}"
            case _:
                yield f"{who} {_word(what)}"
        named = isinstance(what, NameGame)


def _word(what: Action | HouseMove) -> str:
    match what:
        case Hold():
            return "y"
        case Pass():
            return "p"
        case Announce(contract) | NameGame(contract) if contract.spitze or contract.revolution:
            extra = Unsayable.SPITZE if contract.spitze else Unsayable.REVOLUTION
            raise UnsayableError(extra, f"{contract} has no letter in this notation")
        case Bid() | Announce() | NameGame() | PlayCard() | ShowCards() | Resign():
            return str(what)
        case _:
            raise UnsayableError(Unsayable.MOVE, f"this notation has no word for {what}")


def _result(expected: Iterable[Expected]) -> str:
    """The fields as they stand, with the outcome after the declarer."""
    outcome, *claims = expected
    if outcome.value in _LONE_WORDS:
        return str(outcome.value)
    words = []
    for claim in claims:
        named = claim.field == results.BID
        words.append(str(claim.value) if named else f"{claim.field}:{fact_text(claim.value)}")
        if claim.field == "d":
            words.append(str(outcome.value))
    return " ".join(words)
