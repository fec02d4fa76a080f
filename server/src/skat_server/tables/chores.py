"""What a table does by itself: players return, house bots answer, times run out."""

from collections.abc import Callable
from typing import Final

from skat_server.clock import Clock
from skat_server.tables import steps
from skat_server.tables.asking import Asking
from skat_server.tables.clocks import AT_ONCE
from skat_server.tables.house import Chance, house_answer
from skat_server.tables.state import ENDED, TableConfig, TableState
from skat_server.tables.steps import Step
from skat_server.tables.timing import Timing

RETRY_AFTER: Final = 1.0
"""Seconds after which a table tries again what the store could not take from itself."""


class Chores:
    """Finds what is to be done next, and says when to look again."""

    __slots__ = (
        "_asking",
        "_chance",
        "_clock",
        "_config",
        "_retry_at",
        "_returning",
        "_timing",
    )

    def __init__(
        self, config: TableConfig, asking: Asking, timing: Timing, clock: Clock, chance: Chance
    ) -> None:
        """Start with nothing to do.

        Args:
            config: what is fixed.
            asking: knows what is asked, and of whom.
            timing: knows whose time is up, and rings.
            clock: tells when to try again.
            chance: of house bots that play by it.
        """
        self._config = config
        self._asking = asking
        self._timing = timing
        self._clock = clock
        self._chance = chance
        self._returning: dict[str, None] = {}
        """Players who have come back to a seat that a house bot plays for."""
        self._retry_at = 0.0

    def came(self, state: TableState, player_id: str) -> None:
        """A player is here: he gets his seat back, if a house bot has taken it over."""
        seat = state.seat_of(player_id)
        if seat is not None and state.taken_over[seat] is not None:
            self._returning[player_id] = None

    def put_off(self) -> None:
        """The store has failed: try nothing for a while."""
        self._retry_at = self._clock.monotonic() + RETRY_AFTER

    def put_off_no_more(self) -> None:
        """The store works."""
        self._retry_at = 0.0

    def next(self, state: TableState) -> Callable[[TableState], Step] | None:
        """What is to be done now; if nothing, there will be a ring when there may be something."""
        if self._asking.bot is None and not self._returning:
            decision = self._asking.decision
            if decision is not None:  # a player is asked
                self._timing.ring_after(decision.seat, self._retry_at)
            elif state.stage in ENDED:
                self._timing.stop()
            return None
        if self._timing.is_halted:
            return None
        if self._retry_at > self._clock.monotonic():
            self._timing.ring_at(self._retry_at)
            return None
        return self._give_back if self._returning else self._answer_for_the_house

    def is_up(self) -> bool:
        """Whether the time of a player for the open decision is up."""
        asking = self._asking
        if asking.decision is None or asking.bot is not None:
            return False
        return self._timing.is_up(asking.decision.seat)

    def run_out(self, state: TableState) -> Step:
        """The time of a player for the open decision is up, unless he has answered meanwhile."""
        decision = self._asking.decision
        if decision is None or not self.is_up():
            return Step((), (), state)
        seat = decision.seat
        spent = self._timing.run_out(seat)
        cause = self._timing.cause(seat, state.occupants[seat])
        return steps.default(self._config, state, cause, spent)

    def _give_back(self, state: TableState) -> Step:
        player_id = next(iter(self._returning))
        seat = state.seat_of(player_id)
        if seat is None or state.stage in ENDED:
            del self._returning[player_id]
            return Step((), (), state)
        step = steps.give_back(state, seat)
        if not step.entries:
            del self._returning[player_id]
        return step

    def _answer_for_the_house(self, state: TableState) -> Step:
        decision, bot = self._asking.decision, self._asking.bot
        assert decision is not None
        assert bot is not None
        action = house_answer(bot, decision.phase, decision.options, self._chance)
        return steps.act_as_house(self._config, state, decision.position, action, AT_ONCE)
