"""A deal of ours in the words of the International Skat Server.

Bids, skat, declaration and cards are the same there. Of what ends a deal early the server knows
three things: the declarer shows his cards (``SC``), somebody resigns (``RE``), and a failed
announcement stops the play. So a claim is said as ``SC`` and every defender's consent as ``RE``,
and a concession as ``RE`` of the side that made it. The server books by its own rules; a deal
that it would book with another score is refused rather than given another result.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from skat_engine.actions import (
    AcceptGrandHand,
    Action,
    Announce,
    Decline,
    GiveUp,
    Knock,
    LayOpen,
    PassOn,
    PickUp,
    PutDown,
    Rearrange,
    SayKontra,
    SayRe,
    Vote,
)
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError
from skat_engine.events import ProposalKind
from skat_engine.occasions import ORDINARY
from skat_engine.records.iss import results
from skat_engine.records.iss.house import IssTable
from skat_engine.records.iss.reading import DEALER, RULES
from skat_engine.records.model import Expected, IssOrigin, OwnOrigin, Record
from skat_engine.records.moves import RESIGN, Move, ShowCards
from skat_engine.records.outcomes import Identical
from skat_engine.records.replay import replay
from skat_engine.records.unsayable import Unsayable, UnsayableError
from skat_engine.results import DealResult, Ending
from skat_engine.seats import POSITIONS, Position

SERVER: Final = "skat-server"
"""What stands in ``PC``: the deal was not played on the server whose notation it is in."""

_NO_WORDS: Final[dict[type[Action], Unsayable]] = {
    **dict.fromkeys((AcceptGrandHand, PickUp, PassOn, PutDown, Knock), Unsayable.RAMSCH),
    **dict.fromkeys((SayKontra, SayRe), Unsayable.KONTRA),
    Rearrange: Unsayable.REVOLUTION,
}
_CLAIMS: Final = frozenset({ProposalKind.CLAIM, ProposalKind.ALL_TRICKS})


def in_words_of_iss(record: Record) -> Record:
    """The same deal as a record of that server; one that is one already stays as it is.

    Seat 0 is forehand there, so the names of the three who played come in that order, and
    whoever sat out is not named.

    Raises:
        UnsayableError: what the server has no words for, or what it would book otherwise.
    """
    if isinstance(record.origin, IssOrigin):
        return record
    _check(record)
    deal, moves = _spoken(record)
    assert deal.result is not None
    said = Record(
        record.id,
        IssOrigin(SERVER, "", "", "", ("", "", "")),
        RULES,
        tuple(record.seats[seat] for seat in record.seating.active),
        DEALER,
        record.dealt,
        tuple(moves),
        (),
    )
    return _booked(said, deal.result)


def _check(record: Record) -> None:
    """Refuse what says of itself that it cannot be said."""
    outcome = replay(record)
    if not isinstance(outcome, Identical):
        raise UnsayableError(Unsayable.CONTRADICTION, str(outcome))
    occasion = record.origin.occasion if isinstance(record.origin, OwnOrigin) else ORDINARY
    if occasion.bock:
        raise UnsayableError(Unsayable.BOCK, "the server knows no deals that count double")
    if occasion.ramsch_round:
        raise UnsayableError(Unsayable.RAMSCH, "the server knows no Ramsch rounds")


def _spoken(record: Record) -> tuple[Deal, list[Move]]:
    """The finished deal and its moves in the server's words."""
    deal, moves = Deal(record.rules, record.dealt), list[Move]()
    for position, action in record.moves:
        assert isinstance(action, Action)
        moves += _said(deal, position, action)
        deal.apply(position, action)
    if deal.result is None:
        raise UnsayableError(Unsayable.ENDING, "the deal has not ended")
    if deal.result.ramsch is not None:
        raise UnsayableError(Unsayable.RAMSCH, "the server knows no Ramsch")
    said = frozenset(moves)
    return deal, [*moves, *(move for move in _concession(deal.result) if move not in said)]


def _said(deal: Deal, position: Position, action: Action) -> Iterator[Move]:
    """What the server calls this action; concessions are said once they were accepted."""
    if type(action) in _NO_WORDS:
        raise UnsayableError(_NO_WORDS[type(action)], f"the server has no word for {action}")
    match action:
        case Announce(contract) if contract.spitze:
            raise UnsayableError(Unsayable.SPITZE, "the server knows no Spitze")
        case Announce(contract) if contract.revolution:
            raise UnsayableError(Unsayable.REVOLUTION, "the server knows no Revolution")
        case GiveUp() | Decline():
            pass
        case LayOpen():
            yield position, ShowCards()
        case Vote(accept):
            assert deal.proposal is not None
            yield from _voted(position, deal.proposal.kind, accept=accept)
        case _:
            yield position, action


def _voted(position: Position, kind: ProposalKind, *, accept: bool) -> Iterator[Move]:
    """Consent to a claim is to resign, and to say nothing is to play on."""
    if kind in _CLAIMS:
        if accept:
            yield position, RESIGN
    elif not accept:
        raise UnsayableError(Unsayable.VOTE, "the server knows no concession that is turned down")


def _concession(result: DealResult) -> Iterable[Move]:
    """Who resigned, where a concession ended the deal."""
    if result.game is None:
        return ()
    declarer = result.game.declarer
    if result.ending is Ending.DECLARER_GAVE_UP:
        return ((declarer, RESIGN),)
    if result.ending is Ending.DEFENDERS_GAVE_UP:
        return tuple((who, RESIGN) for who in POSITIONS if who != declarer)
    return ()


def _booked(said: Record, result: DealResult) -> Record:
    """The record as far as the server plays, with what the server books."""
    table, taken = IssTable(said), list[Move]()
    for move in said.moves:
        if table.is_over:
            break
        _take(table, move)
        taken.append(move)
    if not table.is_over:
        how = result.ending.value
        raise UnsayableError(Unsayable.ENDING, f"the server knows no end like {how}")
    facts = table.facts()
    score = None if result.game is None else result.game.value.score
    if facts.get("v") != score:
        raise UnsayableError(
            Unsayable.BOOKING, f"the score is {score}; the server books {facts.get('v')}"
        )
    outcome = Expected(results.OUTCOME, facts.pop(results.OUTCOME))
    expected = (outcome, *(Expected(name, fact) for name, fact in facts.items()))
    return replace(said, moves=tuple(taken), expected=expected)


def _take(table: IssTable, move: Move) -> None:
    try:
        table.take(move)
    except IllegalActionError as error:
        what = f"the server refuses {move[0]} {move[1]}: {error}"
        raise UnsayableError(Unsayable.MOVE, what) from None
