"""Events, results and tables as lines for people."""

from collections.abc import Sequence
from typing import Final, assert_never

from skat_client._cards import cards_text
from skat_client._events import (
    AuctionWon,
    BidHeld,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    DealEnded,
    DealStarted,
    DealVoided,
    DecisionDefaulted,
    DefendersCompared,
    EndRequested,
    Event,
    GrandHandAccepted,
    GrandHandDeclined,
    HandChosen,
    HandExposed,
    HandsRearranged,
    Knocked,
    KontraAnswered,
    ProposalDeclined,
    RamschStarted,
    ReAnswered,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    SeatTakenOver,
    SeriesEnded,
    ShorteningProposed,
    SkatPassedOn,
    SkatPickedUp,
    SkatTaken,
    SpitzeRevealed,
    TableClosed,
    TrickTaken,
    UnknownEvent,
    VoteCast,
)
from skat_client._policies import FaultCause
from skat_client._results import (
    DealResult,
    DeclarerGame,
    Ending,
    RamschGame,
)
from skat_client._tables import SeatInfo, Table


def result_text(result: DealResult, names: Sequence[str] = ()) -> str:
    """What a deal came to, in one line.

    The declarer, by seat and, where there are names, by name; game, card points and score. Or
    that nobody bid.
    """
    game = result.game
    if result.ramsch is not None:
        return _ramsch_text(result.ramsch, result.scores)
    if game is None:
        return "dealt again" if result.ending is Ending.REDEALT else "passed in"
    outcome = "won" if game.value.won else "lost"
    at = "instead of a ramsch" if game.replaces_ramsch else f"at {game.bid}"
    declarer = f"{names[game.seat]} (seat {game.seat})" if names else f"seat {game.seat}"
    return (
        f"{declarer} {outcome} {game.contract} {at} with "
        f"{game.declarer_points} card points: {game.value.score:+d}{_remarks(game, result.ending)}"
    )


_ENDINGS: Final = {
    Ending.DECLARER_GAVE_UP: "given up",
    Ending.DEFENDERS_GAVE_UP: "defence given up",
    Ending.CLAIM_ACCEPTED: "laid open",
    Ending.CLAIM_RIGHT: "laid open",
    Ending.CLAIM_WRONG: "laid open wrongly",
    Ending.LAY_OPEN_FAILED: "laid open wrongly",
    Ending.NULL_UNDERBID: "null below the bid",
}
"""Endings that the rest of the line does not tell."""


def _remarks(game: DeclarerGame, ending: Ending) -> str:
    """What else made the score, each after a comma."""
    flags = {
        "overbid": game.value.overbid,
        "kontra": game.kontra,
        "re": game.re,
        "bock": game.bock,
        _ENDINGS.get(ending, ""): ending in _ENDINGS,
    }
    return "".join(f", {word}" for word, holds in flags.items() if holds)


def _ramsch_text(game: RamschGame, scores: tuple[int, ...]) -> str:
    forehand, middlehand, rearhand = game.points
    points = f"forehand {forehand}, middlehand {middlehand}, rearhand {rearhand}"
    march = f", durchmarsch by seat {game.durchmarsch}" if game.durchmarsch is not None else ""
    knocked = ", knocked" if game.knocked else ""
    return f"ramsch with card points of {points}: {totals_text(scores)}{march}{knocked}"


def deal_text(ended: DealEnded, names: Sequence[str] = ()) -> str:
    """A finished deal in one line: the result, what it adds to each total, the totals."""
    changes, totals = totals_text(ended.changes), totals_text(ended.totals)
    return f"{result_text(ended.result, names)}; changes {changes}; totals {totals}"


def seats_text(table: Table) -> str:
    """Who sits where, in one line."""
    names = (seat.player_name if seat.taken else "-" for seat in table.seats)
    return ", ".join(f"seat {number} {name}" for number, name in enumerate(names))


def totals_text(totals: tuple[int, ...]) -> str:
    """Totals by seat, joined by blanks."""
    return " ".join(f"{total:+d}" if total else "0" for total in totals)


def _occupant_text(seat: SeatInfo) -> str:
    if not seat.taken:
        return "-"
    return f"{seat.player_name} (the house plays)" if seat.taken_over else seat.player_name


def table_text(table: Table) -> str:
    """A table in one line: id, state, rules, progress, who sits there."""
    names = ", ".join(_occupant_text(seat) for seat in table.seats)
    progress = f"{table.deals_done}/{table.deals or '-'}"
    name = f"  {table.display_name}" if table.display_name else ""
    return f"{table.table_id}  {table.state}  {table.rule_set.preset}  {progress}  [{names}]{name}"


def _fault_text(cause: FaultCause | None, seat: int | None) -> str:
    """What closed a table, in brackets, where it was a fault."""
    who = "" if seat is None else f"seat {seat}, "
    return f" ({who}{cause})" if cause else ""


def event_text(event: Event) -> str:  # noqa: C901, PLR0911, PLR0912 - a line a case
    """One event in one line."""
    match event:
        case SeatTaken(seat, name):
            return f"seat {seat} is taken by {name}"
        case SeatLeft(seat):
            return f"seat {seat} is left"
        case DealStarted(number, dealer, active, _, hand, bock, ramsch_round, _):
            kind = ", bock" if bock else ", ramsch round" if ramsch_round else ""
            held = f", hand {cards_text(hand)}" if hand else ""
            return f"deal {number}: seat {dealer} deals, seat {active[0]} is forehand{kind}{held}"
        case BidMade(seat, value):
            return f"seat {seat} bids {value}"
        case BidHeld(seat, value):
            return f"seat {seat} holds {value}"
        case BidPassed(seat):
            return f"seat {seat} passes"
        case AuctionWon(seat, bid):
            return f"seat {seat} is the declarer at {bid}"
        case SkatTaken(seat, skat):
            return f"seat {seat} takes the skat{f' {cards_text(skat)}' if skat else ''}"
        case HandChosen(seat):
            return f"seat {seat} plays hand"
        case ContractAnnounced(seat, contract, _):
            return f"seat {seat} announces {contract}"
        case HandExposed(seat, cards):
            return f"seat {seat} shows {cards_text(cards)}"
        case CardPlayed(seat, card):
            return f"seat {seat} plays {card}"
        case TrickTaken(seat, _, points):
            return f"seat {seat} takes the trick, {points} card points"
        case ShorteningProposed(seat, kind, level):
            return f"seat {seat} proposes to end the deal: {kind}, {level}"
        case VoteCast(seat, accept):
            return f"seat {seat} {'accepts' if accept else 'declines'}"
        case ProposalDeclined(kind):
            return f"the proposal failed: {kind}"
        case DealEnded():
            return f"deal over: {deal_text(event)}"
        case SeriesEnded(totals, places):
            ranks = " ".join(str(place) for place in places)
            return f"series over: totals {totals_text(totals)}, places {ranks}"
        case TableClosed(reason, cause, seat):
            return f"table closed: {reason}{_fault_text(cause, seat)}"
        case DecisionDefaulted(seat, cause):
            return f"seat {seat} gets the safe answer: {cause or 'a fault'}"
        case SeatTakenOver(seat, cause):
            return f"the house plays for seat {seat}: {cause or 'a fault'}"
        case SeatReturned(seat):
            return f"seat {seat} plays again"
        case DealVoided(reason):
            return f"the deal is void and dealt anew: {reason}"
        case UnknownEvent():
            return "something that this client cannot read"
        case _:
            return _special_text(event)


_Special = (
    ConcessionOffered
    | ConcessionRefused
    | GrandHandDeclined
    | GrandHandAccepted
    | RamschStarted
    | SkatPickedUp
    | SkatPassedOn
    | CardsPutDown
    | Knocked
    | KontraAnswered
    | ReAnswered
    | SpitzeRevealed
    | DefendersCompared
    | HandsRearranged
    | EndRequested
)
"""What only some rules have."""


def _special_text(event: _Special) -> str:  # noqa: C901, PLR0911, PLR0912 - a line a case
    match event:
        case ConcessionOffered(seat, partner):
            return f"seat {seat} would give up and asks seat {partner}"
        case ConcessionRefused(seat, partner):
            return f"seat {seat} does not give up with seat {partner}"
        case GrandHandDeclined(seat):
            return f"seat {seat} does not want grand hand"
        case GrandHandAccepted(seat):
            return f"seat {seat} plays grand hand instead of the ramsch"
        case RamschStarted():
            return "a ramsch is played"
        case SkatPickedUp(seat, skat):
            return f"seat {seat} picks the skat up{f': {cards_text(skat)}' if skat else ''}"
        case SkatPassedOn(seat):
            return f"seat {seat} passes the skat on"
        case CardsPutDown(seat, cards):
            return f"seat {seat} puts down {cards_text(cards) if cards else 'two cards'}"
        case Knocked(seat, knock):
            return f"seat {seat} {'knocks' if knock else 'does not knock'}"
        case KontraAnswered(seat, kontra):
            return f"seat {seat} says {'kontra' if kontra else 'no kontra'}"
        case ReAnswered(seat, re):
            return f"seat {seat} says {'re' if re else 'no re'}"
        case SpitzeRevealed(seat, card):
            return f"seat {seat} shows {card} for spitze"
        case DefendersCompared(seat, partner, cards, others):
            shown = f": {cards_text(cards)} and {cards_text(others)}" if cards else ""
            return f"seats {seat} and {partner} see one another's cards{shown}"
        case HandsRearranged(seat, partner, cards, others):
            shown = f": {cards_text(cards)} and {cards_text(others)}" if cards else ""
            return f"seats {seat} and {partner} have their final cards{shown}"
        case EndRequested(seat):
            who = "the owner" if seat is None else f"seat {seat}"
            return f"{who} asks for the end of the series"
        case _:
            assert_never(event)
