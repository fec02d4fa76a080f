"""Events, results and tables as lines for people."""

from collections.abc import Sequence
from typing import assert_never

from skat_client._cards import cards_text
from skat_client._events import (
    AuctionWon,
    BidHeld,
    BidMade,
    BidPassed,
    CardPlayed,
    ContractAnnounced,
    DealEnded,
    DealStarted,
    Event,
    HandChosen,
    HandExposed,
    ProposalDeclined,
    SeatLeft,
    SeatTaken,
    SeriesEnded,
    ShorteningProposed,
    SkatTaken,
    TableClosed,
    TrickTaken,
    UnknownEvent,
    VoteCast,
)
from skat_client._results import DealResult
from skat_client._tables import Table


def result_text(result: DealResult, names: Sequence[str] = ()) -> str:
    """What a deal came to, in one line.

    The declarer, by seat and, where there are names, by name; game, card points and score. Or
    that nobody bid.
    """
    game = result.game
    if game is None:
        return "passed in"
    outcome = "won" if game.value.won else "lost"
    overbid = ", overbid" if game.value.overbid else ""
    declarer = f"{names[game.seat]} (seat {game.seat})" if names else f"seat {game.seat}"
    return (
        f"{declarer} {outcome} {game.contract} at {game.bid} with "
        f"{game.declarer_points} card points: {game.value.score:+d}{overbid}"
    )


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


def table_text(table: Table) -> str:
    """A table in one line: id, state, rules, progress, who sits there."""
    names = ", ".join(seat.player_name if seat.taken else "-" for seat in table.seats)
    progress = f"{table.deals_done}/{table.deals}"
    name = f"  {table.display_name}" if table.display_name else ""
    return f"{table.table_id}  {table.state}  {table.rule_set.preset}  {progress}  [{names}]{name}"


def event_text(event: Event) -> str:  # noqa: C901, PLR0911, PLR0912 - a line a case
    """One event in one line."""
    match event:
        case SeatTaken(seat, name):
            return f"seat {seat} is taken by {name}"
        case SeatLeft(seat):
            return f"seat {seat} is left"
        case DealStarted(number, dealer, active, _, hand):
            held = f", hand {cards_text(hand)}" if hand else ""
            return f"deal {number}: seat {dealer} deals, seat {active[0]} is forehand{held}"
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
        case TableClosed(reason):
            return f"table closed: {reason}"
        case UnknownEvent():
            return "something that this client cannot read"
        case _:
            assert_never(event)
