"""A tournament on tables in memory, with players of all kinds and a clock that the test moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import Enum, auto

from skat_engine import Action, PlayCard, parse_card
from skat_server.clock import ManualClock
from skat_server.errors import RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.tables.outbox import Delivery
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import Session, Sessions
from skat_server.tables.state import OpenDecision
from skat_server.tables.table import Table
from skat_server.tournaments.directory import Tournaments
from skat_server.tournaments.runner import Runner
from skat_server.tournaments.state import Change, Entrant, Opened, Registered, Started
from skat_server.tournaments.tournament import Tournament
from tests.loop_turns import turns

SEED = bytes(range(32))
LIMITS = TableLimits(running=1_000, ended=10_000, per_owner=1_000, seats_per_player=100)
CARDS = [PlayCard(parse_card(suit + rank)) for suit in "CSHD" for rank in "789TJQKA"]


class Conduct(Enum):
    """How a player behaves."""

    PLAYS = auto()
    """Answers whatever it is asked."""
    ABSENT = auto()
    """Never comes."""
    STALLS = auto()
    """Comes, and answers nothing."""
    CHEATS = auto()
    """Answers what it may not."""
    DROPS = auto()
    """Loses its connection every now and then, and is slow to come back."""
    COMES_LATE = auto()
    """Comes when others have long begun."""


CUP = """
name = "Cup"
rated = false
tables_at_once = 2
[format]
kind = "round_robin"
boards = 2
"""
"""Two matches of two boards; in each everybody sits everywhere once."""
PLAYERS = dict.fromkeys(("ann", "ben", "cem"), Conduct.PLAYS)


class Actor:
    """A player.

    Attributes:
        player_id: its id.
        conduct: how it behaves.
        seed: of its chance.
    """

    def __init__(self, house: House, player_id: str, conduct: Conduct, seed: int) -> None:
        """It acts in a house."""
        self.player_id = player_id
        self.conduct = conduct
        self._house = house
        self.seed = seed
        self._chance = random.Random(f"{seed} {player_id}")
        self._session: Session | None = None
        self._away = 40 if conduct is Conduct.COMES_LATE else 0

    def appear(self) -> None:
        """Come, go and come back, as the conduct has it; called now and then."""
        if self.conduct is Conduct.ABSENT:
            return
        if self._session is not None:
            if self.conduct is Conduct.DROPS and self._chance.random() < 0.02:
                self.leave()
                self._away = self._chance.randrange(200)
        elif self._away:
            self._away -= 1
        else:
            self._session = self._house.sessions.open(
                self.player_id, Delivery.LIVE, {}, lambda: None
            )

    def leave(self) -> None:
        """Lose the connection."""
        assert self._session is not None
        self._house.sessions.close(self._session)
        self._session = None

    def act(self, table: Table, decision: OpenDecision) -> bool:
        """Answer a decision; whether anything was answered."""
        if self._session is None or self.conduct is Conduct.STALLS:
            return False
        action = self._answer(table, decision)
        table.answer(decision.seat, decision.turn_id, action, lambda refusal: None)
        return True

    def _answer(self, table: Table, decision: OpenDecision) -> Action:
        """By a chance that is the same after a restart."""
        options = list(decision.options)
        if self.conduct is Conduct.CHEATS and self._chance.random() < 0.7:
            return next(card for card in CARDS if card not in options)
        chance = random.Random(f"{self.seed} {table.table_id} {decision.turn_id}")
        return options[chance.randrange(min(len(options), 4))]


class House:
    """A server without a wire."""

    def __init__(
        self,
        store: MemoryStore | None = None,
        limits: TableLimits = LIMITS,
        clock: ManualClock | None = None,
    ) -> None:
        """Open it; with the store of another house it goes on where that one has stopped."""
        self.store = store or MemoryStore()
        self.clock = clock or ManualClock()
        self.actors: dict[str, Actor] = {}
        self.most_seats: dict[str, int] = {}
        self.tables = Tables(self.store, self.clock, limits, random.Random(1).randbytes)
        self.sessions = Sessions(self.tables, self.clock)
        self.tournaments = Tournaments(self.tables, self.sessions, self.store, self.clock)

    async def open(self, text: str, conducts: dict[str, Conduct], seed: int = 0) -> Tournament:
        """A tournament that these have entered."""
        tournament = await self.tournaments.create("tournament-1", "organiser", text, SEED, "")
        await tournament.change(Opened())
        self.invite(conducts, seed)
        for name in conducts:
            entrant = Entrant(name, (f"player-{name}",), nonce=name.encode())
            await tournament.change(Registered(entrant))
        return tournament

    async def open_with_file(
        self, text: str, conducts: dict[str, Conduct], seed: int = 0
    ) -> Tournament:
        """A tournament whose file names these players."""
        self.invite(conducts, seed)
        return await self.tournaments.create("tournament-1", "organiser", text, SEED, "")

    def invite(self, conducts: dict[str, Conduct], seed: int) -> None:
        """Let these players come, by name."""
        for name, conduct in conducts.items():
            player_id = f"player-{name}"
            self.actors[player_id] = Actor(self, player_id, conduct, seed)

    async def start(self, text: str, conducts: dict[str, Conduct], seed: int = 0) -> Tournament:
        """A tournament that is being played."""
        tournament = await self.open(text, conducts, seed)
        await tournament.change(Started())
        return tournament

    async def play(
        self,
        tournament: Tournament,
        until: Callable[[], bool] | None = None,
        most_rounds: int = 200_000,
    ) -> None:
        """Let everybody act, and time pass when nobody does, until the tournament is over."""
        over = until or (lambda: tournament.is_over and not self.tables.deals_under_way)
        for _ in range(most_rounds):
            await turns()
            if over():
                return
            if not self.act():
                self.clock.advance(10.0)
        raise AssertionError(f"not over: {tournament.state}, {self.tables.deals_under_way} deals")

    def act(self) -> bool:
        """Everybody acts once; whether anybody has."""
        for actor in self.actors.values():
            actor.appear()
            seats = self.tables.count_seats(actor.player_id)
            most = self.most_seats.get(actor.player_id, 0)
            self.most_seats[actor.player_id] = max(seats, most)
        acted = [self._act_at(table) for table in self.tables.playing()]
        return any(acted)

    def _act_at(self, table: Table) -> bool:
        decision = table.decision
        if decision is None or table.state.house_bot(decision.seat) is not None:
            return False
        occupant = table.state.occupants[decision.seat]
        assert occupant is not None
        return self.actors[occupant.player_id].act(table, decision)

    async def change(self, tournament: Tournament, change: Change) -> RefusedError | None:
        """Make a change; why it was refused."""
        try:
            await tournament.change(change)
        except RefusedError as refusal:
            return refusal
        return None

    def runner(self, tournament: Tournament) -> Runner:
        """The runner of a tournament."""
        return self.tournaments.runner(tournament)

    async def again(self) -> House:
        """The house that goes on with what this one has kept, as after a crash."""
        await self.tournaments.stop()
        house = House(self.store, self.tables.limits, self.clock)
        logs = await self.store.load(10_000)
        house.tables.recover(log for log in logs if not log.table_id.startswith("tournament-"))
        house.tournaments.recover(log for log in logs if log.table_id.startswith("tournament-"))
        for player_id, actor in self.actors.items():
            house.actors[player_id] = Actor(house, player_id, actor.conduct, actor.seed)
        house.tournaments.start_running()
        return house
