"""Measures the bundled bots: duplicate deals on the rules engine, without a server.

A block is one deal played three times, each bot once in every seat. Prints a table: list
points per 36 deals (Seeger-Fabian) and how far each bot is above the mean of the other two,
with standard errors over blocks; how many games were declared and won; the time of a decision.

    python bench/bots.py [--deals 100] [--seed 1] [--bots rules random random]
"""

import argparse
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import sqrt
from typing import Final, cast

import skat_client as client
import skat_engine as engine
from skat_client import Bot, TableSight
from skat_client.bots import BOTS
from skat_engine.announcements import Announcements

DEALS_OF_A_LIST: Final = 36
DEALER: Final = 2
"""Rearhand deals, so that seats and positions have the same numbers."""

# ------------------------------------------------- the engine's values as the client knows them


def cards_of(cards: Iterable[engine.Card] | None) -> tuple[client.Card, ...]:
    """Cards; none where they are hidden."""
    return tuple(client.Card(card + 1) for card in cards or ())


def contract_of(contract: engine.Contract) -> client.Contract:
    """An announced game."""
    return client.Contract(
        client.ContractKind(contract.kind + 1),
        hand=contract.hand,
        announced=level_of(contract.announced),
        ouvert=contract.ouvert,
    )


def level_of(level: engine.Level) -> client.Level:
    """A level."""
    return client.Level(level + 1)


def event_of(event: engine.Event) -> client.Event:  # noqa: C901, PLR0911 - a case each
    """An event as projected for a viewer. What no bundled bot looks at stays unknown."""
    match event:
        case engine.HandDealt(hand):
            assert hand is not None
            return client.DealStarted(1, DEALER, (0, 1, 2), (), cards_of(engine.cards_in(hand)))
        case engine.BidMade(seat, value):
            return client.BidMade(seat, value)
        case engine.BidHeld(seat, value):
            return client.BidHeld(seat, value)
        case engine.Passed(seat):
            return client.BidPassed(seat)
        case engine.AuctionWon(seat, bid):
            return client.AuctionWon(seat, bid)
        case engine.SkatTaken(seat, skat):
            return client.SkatTaken(seat, cards_of(skat))
        case engine.HandChosen(seat):
            return client.HandChosen(seat)
        case engine.ContractAnnounced(seat, contract, discards):
            return client.ContractAnnounced(seat, contract_of(contract), cards_of(discards))
        case engine.HandExposed(seat, cards):
            return client.HandExposed(seat, cards_of(engine.cards_in(cards)))
        case engine.CardPlayed(seat, card):
            return client.CardPlayed(seat, client.Card(card + 1))
        case engine.TrickTaken(trick):
            return client.TrickTaken(trick.winner, cards_of(trick.cards), trick.points)
        case _:
            return client.UnknownEvent()


_PLAINEST: Final[dict[type[engine.Action], client.Action]] = {
    engine.Pass: client.Pass(),
    engine.TakeSkat: client.TakeSkat(),
}


def decision_of(deal: engine.Deal) -> client.Decision:
    """The open decision of a deal; nobody here proposes to end it early."""
    seat = deal.to_act
    assert seat is not None
    legal = deal.legal(seat)
    options = _options_of(deal, legal)
    first = legal[0]
    match first:
        case engine.PlayCard(card):
            plainest: client.Action = client.PlayCard(client.Card(card + 1))
        case engine.Announce(contract, discards):
            plainest = client.Announce(contract_of(contract), cards_of(discards))
        case _:
            plainest = _PLAINEST[type(first)]
    phase = client.Phase[deal.phase.name]
    return client.Decision("bench", "turn", seat, phase, plainest, options)


def _options_of(deal: engine.Deal, legal: Sequence[engine.Action]) -> client.Options:
    bids = tuple(action.value for action in legal if isinstance(action, engine.Bid))
    match deal.phase:
        case engine.Phase.BIDDING:
            auction = deal.auction
            return client.BiddingOptions(bool(auction.offer), auction.offer or auction.high, bids)
        case engine.Phase.FOREHAND_OPTION:
            return client.ForehandOptions(bids)
        case engine.Phase.SKAT_DECISION:
            return client.SkatOptions(deal.bid)
        case engine.Phase.ANNOUNCE:
            assert isinstance(legal, Announcements)
            contracts = tuple(contract_of(contract) for contract in legal.contracts)
            discardable = cards_of(engine.cards_in(legal.hand))
            return client.AnnounceOptions(contracts, 2 if discardable else 0, discardable)
        case _:
            plays = (action.card for action in legal if isinstance(action, engine.PlayCard))
            return client.CardOptions(cards_of(plays))


def action_of(action: client.Action) -> engine.Action:
    """What a bot answered."""
    match action:
        case client.Bid(value):
            return engine.Bid(value)
        case client.Announce(contract, discards):
            announced = engine.new_contract(
                engine.ContractKind(contract.kind.value - 1),
                hand=contract.hand,
                announced=engine.Level(contract.announced - 1),
                ouvert=contract.ouvert,
            )
            return engine.Announce(announced, tuple(engine.Card(card - 1) for card in discards))
        case client.PlayCard(card):
            return engine.PlayCard(engine.Card(card - 1))
        case _:
            return cast(engine.Action, getattr(engine, type(action).__name__)())


# ---------------------------------------------------------------------------------------- playing


@dataclass(slots=True)
class Thinking:
    """How long bots thought."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """One more decision."""
        self.decisions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


def new_sight(seat: int) -> TableSight:
    """What a seat knows before the deal."""
    seats = tuple(client.SeatInfo(i, True, "", True) for i in range(3))
    table = client.Table(
        table_id="bench",
        display_name="",
        state=client.TableState.PLAYING,
        rule_set=client.RuleSet("isko"),
        visibility=client.Visibility.PRIVATE,
        seats=seats,
        deals_done=0,
        deals=1,
        totals=(0, 0, 0),
        created_at=datetime(2000, 1, 1, tzinfo=UTC),
    )
    return TableSight.from_view(client.TableView(table, seat, 0))


def play_deal(
    dealt: engine.Dealt,
    bots: Sequence[Bot],
    *,
    rules: engine.RuleSet,
    thinking: Sequence[Thinking] | None = None,
) -> engine.DealResult:
    """Play a deal to its end, each bot seeing what its seat may see."""
    deal = engine.Deal(rules, dealt)
    sights = [new_sight(seat) for seat in engine.POSITIONS]
    _tell(sights, [deal.opening()])
    while (seat := deal.to_act) is not None:
        decision = decision_of(deal)
        start = time.perf_counter()
        answer = bots[seat].decide(decision, sights[seat])
        if thinking is not None:
            thinking[seat].add(time.perf_counter() - start)
        _tell(sights, deal.apply(seat, action_of(cast(client.Action, answer))))
    assert deal.result is not None
    return deal.result


def _tell(sights: Sequence[TableSight], events: Iterable[engine.Event]) -> None:
    for event in events:
        for seat, sight in enumerate(sights):
            seen = event_of(engine.project(event, seat))
            moment = sight.table.created_at
            sight.apply(client.TableEvent(sight.sequence + 1, moment, seen))


# ---------------------------------------------------------------------------------------- blocks


@dataclass(slots=True)
class Tally:
    """What one bot did in a run.

    Attributes:
        blocks: list points a deal, one number a block.
        leads: how far that was above the mean of the two others.
    """

    name: str
    blocks: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    declared: int = 0
    won: int = 0
    thinking: Thinking = field(default_factory=Thinking)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, scaled to a list of 36 deals."""

    mean: float
    error: float


def per_list(blocks: Sequence[float]) -> Estimate:
    """Points per 36 deals; blocks are independent, deals within one are not."""
    error = statistics.stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else 0.0
    return Estimate(DEALS_OF_A_LIST * statistics.fmean(blocks), DEALS_OF_A_LIST * error)


def play_blocks(names: Sequence[str], deals: int, seed: int = 1) -> tuple[Tally, ...]:
    """Play duplicate blocks among three bots, named as in `BOTS`."""
    rules = engine.preset("isko")
    tallies = tuple(Tally(name) for name in names)
    series = seed.to_bytes(32, "big")
    for number in range(deals):
        dealt = engine.deal_from_seed(engine.deal_seed(series, number + 1))
        points = [0, 0, 0]
        for shift in range(3):
            seated = [(seat + shift) % 3 for seat in range(3)]
            changes = _play_seated(dealt, [tallies[player] for player in seated], rules, number)
            for player, change in zip(seated, changes, strict=True):
                points[player] += change
        for player, tally in enumerate(tallies):
            others = (sum(points) - points[player]) / 2
            tally.blocks.append(points[player] / 3)
            tally.leads.append((points[player] - others) / 3)
    return tallies


def _play_seated(
    dealt: engine.Dealt, seated: Sequence[Tally], rules: engine.RuleSet, number: int
) -> tuple[int, ...]:
    bots = [BOTS[tally.name](3 * number + seat) for seat, tally in enumerate(seated)]
    thinking = [tally.thinking for tally in seated]
    result = play_deal(dealt, bots, rules=rules, thinking=thinking)
    if result.game is not None:
        tally = seated[result.game.declarer]
        tally.declared += 1
        tally.won += result.game.value.won
    _, booking = engine.ScoreSheet.empty(rules).book(engine.seating(DEALER, 3), result)
    return booking.changes


# ---------------------------------------------------------------------------------------- printing


def table(tallies: Sequence[Tally], deals: int) -> str:
    """The figures of a run as text."""
    head = f"{'bot':<14}{'points/36':>10}{'±':>6}{'lead/36':>10}{'±':>6}"
    head += f"{'declared':>10}{'won':>6}{'us/decision':>13}{'slowest us':>12}"
    lines = [_line(tally, 3 * deals) for tally in tallies]
    return "\n".join([f"{deals} deals, each in 3 rotations", head, *lines])


def _line(tally: Tally, played: int) -> str:
    own, lead, thinking = per_list(tally.blocks), per_list(tally.leads), tally.thinking
    won = f"{tally.won / tally.declared:.0%}" if tally.declared else "-"
    mean = 1e6 * thinking.seconds / max(1, thinking.decisions)
    return (
        f"{tally.name:<14}{own.mean:>10.0f}{own.error:>6.0f}{lead.mean:>10.0f}{lead.error:>6.0f}"
        f"{tally.declared / played:>10.0%}{won:>6}{mean:>13.0f}{1e6 * thinking.longest:>12.0f}"
    )


def main() -> None:
    """Read the options, play, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=100, help="blocks of three (100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals (1)")
    parser.add_argument(
        "--bots", nargs=3, choices=sorted(BOTS), default=["rules", "random", "random"]
    )
    options = parser.parse_args()
    print(table(play_blocks(options.bots, options.deals, options.seed), options.deals))


if __name__ == "__main__":
    main()
