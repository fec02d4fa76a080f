"""The state of a table between two steps, and the decision that is open in it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from skat_engine.actions import Action
from skat_engine.cards import Card
from skat_engine.contracts import Level
from skat_engine.deal import Deal
from skat_engine.events import ProposalKind
from skat_engine.phases import Phase
from skat_engine.ruleset import RuleSet
from skat_engine.seats import POSITIONS, Position, Seat, Seating
from skat_engine.series import Series
from skat_engine.state import Proposal
from skat_server.tables.clocks import DEFAULT_CLOCK, ClockPolicy
from skat_server.tables.conduct import Conduct
from skat_server.tables.facts import Numbers
from skat_server.tables.faults import DEFAULT_FAULTS, FaultCause, FaultPolicy
from skat_server.tables.house import HouseBot
from skat_server.tables.sources import DealSource
from skat_server.values import value


class Visibility(Enum):
    """Who may find and watch a table."""

    PUBLIC = "public"
    PRIVATE = "private"


class Stage(Enum):
    """Where a table stands."""

    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    CLOSED = "closed"


NO_TURNS: Final = (0, 0, 0)
NO_CONDUCT: Final = Conduct()

ENDED: Final = (Stage.FINISHED, Stage.CLOSED)
"""Stages after which nothing happens at a table."""

# An enum member costs more to look up than the comparison it is for.
_PLAYING: Final = Stage.PLAYING


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What is fixed when a table is made."""

    table_id: str
    owner_id: str
    """The player who made it and may close it."""
    display_name: str
    preset: str
    overrides: tuple[tuple[str, str], ...]
    """The options the owner changed, as text."""
    rules: RuleSet
    """Preset and overrides as one value."""
    visibility: Visibility
    source: DealSource
    draw: tuple[Card, ...]
    """A shuffled deck of its own, which finds the first dealer where chance does (R-TAB-3)."""
    created_at: float
    """Seconds since 1970."""
    clock: ClockPolicy = DEFAULT_CLOCK
    """How long the seats may think."""
    faults: FaultPolicy = DEFAULT_FAULTS
    """What happens to those that do not."""
    seated: tuple["Occupant | None", ...] = ()
    """Who sits there from the start, by seat: house bots, and everybody in a tournament; empty
    for nobody."""
    tournament_id: str = ""
    """The tournament that the table belongs to; empty for none."""
    request_id: str = ""
    """The owner's own id of the request that made it; empty for none."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits on a seat."""

    player_id: str
    name: str
    house: HouseBot | None = None
    """The bot of the server's own that it is; None for a player."""
    nonce: bytes = field(default=b"", repr=False)
    """The player's share in the chance of the deals, 0 to 32 bytes."""


def house_occupant(bot: HouseBot) -> Occupant:
    """A house bot as it sits at a table; all of a kind are one player."""
    name = f"house-{bot.value.replace('_', '-')}"
    return Occupant(name, name, bot)


def house_on_top(bots: Sequence[HouseBot], seats: int) -> tuple[Occupant | None, ...]:
    """House bots on the highest seats of a table, the last one on the highest, nobody elsewhere."""
    return ((None,) * (seats - len(bots))) + tuple(map(house_occupant, bots))


@value
class TableState:
    """Everything that changes at a table. A step makes a new one; nobody edits it.

    The deal and the series inside are mutable, so a step works on copies of them.
    """

    occupants: tuple[Occupant | None, ...]
    series: Series
    seating: Seating
    """Of the deal under way, of the next one between deals, of the last one at the end."""
    stage: Stage = Stage.OPEN
    deal: Deal | None = None
    """The deal under way; None before the first and after the last."""
    actions: tuple[tuple[Position, Action], ...] = ()
    """The accepted actions of the deal under way."""
    turns: tuple[int, int, int] = NO_TURNS
    """How many of them each position knows of."""
    dealt: int = 0
    """How often cards were dealt, void deals included."""
    end_requested: bool = False
    """Somebody has asked for the end of a series that has no other."""
    left: tuple[tuple[str, Seat], ...] = ()
    """Players who got up during the deal under way, with the seat whose hand they saw."""
    thinks: tuple[int, ...] = ()
    """Milliseconds that each of the accepted actions took, 0 for those out of turn."""
    seed: bytes | None = field(default=None, repr=False)
    """What the deal under way was shuffled with: never for a viewer before its end."""
    nonces: tuple[bytes, ...] | None = field(default=None, repr=False)
    """The players' shares in that seed; None where they have none."""
    told: Numbers = ()
    """What everybody has been told."""
    seated_at: tuple[int, ...] = ()
    """Number of its own at which each seat was taken last; 0 before."""
    conduct: Conduct = NO_CONDUCT
    """How the positions have behaved in the deal under way."""
    taken_over: tuple[FaultCause | None, ...] = ()
    """Why a house bot plays for each seat; None for a seat that plays itself."""
    idle: int = 0
    """How many dealings in a row have ended without an action of a player's own."""

    @property
    def deal_number(self) -> int:
        """Number of the deal under way or next, counted from 1."""
        return self.series.deals_done + 1

    def turn_id(self, position: Position) -> str:
        """Names the open decision of a position.

        It is new after every action that the position knows of, and the same after a crash.
        Actions it may not know of leave no trace in it.
        """
        return f"{self.dealt}.{self.turns[position]}"

    def house_bot(self, seat: Seat) -> HouseBot | None:
        """The house bot that plays for a seat now; None when the seat plays itself."""
        if self.taken_over[seat] is not None:
            return HouseBot.FIRST_OPTION
        occupant = self.occupants[seat]
        return None if occupant is None else occupant.house

    def seat_of(self, player_id: str) -> Seat | None:
        """The seat of a player, None when he has none."""
        for seat, occupant in enumerate(self.occupants):
            if occupant is not None and occupant.player_id == player_id:
                return seat
        return None


@value
class OpenDecision:
    """The open question at a table."""

    turn_id: str
    position: Position
    seat: Seat
    """Where the position sits."""
    phase: Phase
    options: Sequence[Action]
    """What may be answered, the plainest first, interventions last."""
    bid: int
    """The number that waits, was last held, or has to be reached."""
    proposal: tuple[ProposalKind, Seat, Level] | None
    """What is voted on and who proposed it."""


def open_decision(state: TableState) -> OpenDecision | None:
    """The decision that waits for an answer, None between deals and at the end."""
    deal = state.deal
    if deal is None or deal.to_act is None or state.stage is not _PLAYING:
        return None
    return decision_of_deal(deal, state.seating, state.turn_id(deal.to_act))


def decision_of_deal(deal: Deal, seating: Seating, turn_id: str) -> OpenDecision | None:
    """The decision that is open in a deal, None when it is over."""
    position, seats = deal.to_act, seating.active
    if position is None:
        return None
    return OpenDecision(
        turn_id,
        position,
        seats[position],
        deal.phase,
        deal.legal(position),
        deal.bid or deal.auction.offer or deal.auction.high,
        None if deal.proposal is None else _proposed(deal.proposal, seats),
    )


def is_secret(deal: Deal) -> bool:
    """Whether something is asked now of which not everybody may know (R-END-5)."""
    proposal = deal.proposal
    return proposal is not None and any(map(proposal.is_hidden_from, POSITIONS))


def _proposed(
    proposal: Proposal, seats: tuple[Seat, Seat, Seat]
) -> tuple[ProposalKind, Seat, Level]:
    return proposal.kind, seats[proposal.proposer], proposal.level
