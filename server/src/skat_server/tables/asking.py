"""What a table asks, of whom, and since when."""

from collections.abc import Set

from skat_engine.deal import Deal
from skat_engine.seats import Position, Seat
from skat_server.tables.clocks import NOTHING
from skat_server.tables.house import HouseBot
from skat_server.tables.state import (
    OpenDecision,
    TableConfig,
    TableState,
    decision_of_deal,
    is_secret,
    open_decision,
)
from skat_server.tables.timing import Timing


class Asking:
    """The open decision of a table, and what the seats have to believe about it.

    Attributes:
        decision: the open one; None while a step is being kept.
        bot: the house bot that is asked by it; None for a player.
        is_secret: whether not everybody may know of it (R-END-5).
    """

    __slots__ = ("_config", "_early", "_timing", "_withdrawn_at", "bot", "decision", "is_secret")

    def __init__(self, config: TableConfig, timing: Timing, early: Set[Seat]) -> None:
        """Ask nothing yet.

        Args:
            config: says how long the seats may think.
            timing: measures how long they do.
            early: seats whose answers wait until somebody else has answered.
        """
        self._config = config
        self._timing = timing
        self._early = early
        self._withdrawn_at = 0.0
        self.decision: OpenDecision | None = None
        self.bot: HouseBot | None = None
        self.is_secret = False

    def ask(self, state: TableState) -> None:
        """Ask what is to be asked now; the time to think counts from the first time."""
        self.decision = decision = open_decision(state)
        if decision is None or state.deal is None:
            self.bot, self.is_secret = None, False
            return
        self.bot = bot = state.house_bot(decision.seat)
        self.is_secret = secret = decision.proposal is not None and is_secret(state.deal)
        if secret:
            self._ask_believed(state, state.deal)
        if bot is None:
            self._let_time_run(state, decision, is_hidden=secret)

    def asked(self, seat: Seat, turn_id: str) -> Position | None:
        """The position of a seat whose turn is the open decision, which then is its own to answer.

        None where that cannot be told by one look: other questions are told to be open as well
        (`believed_by`), and which refusal an answer gets depends on what its seat knows.
        """
        decision = self.decision
        if decision is None or decision.seat != seat or decision.turn_id != turn_id:
            return None
        return decision.position if self.bot is None else None

    def withdraw(self) -> None:
        """Ask nothing while an answer is being kept."""
        self._withdrawn_at = self._timing.now()
        self.decision = None

    def ask_again(self, state: TableState) -> None:
        """Ask what was withdrawn; the attempt to keep the answer has cost nobody any time."""
        self._timing.forgive(self._timing.now() - self._withdrawn_at)
        self.ask(state)

    def believed_by(self, state: TableState, seat: Seat | None) -> OpenDecision | None:
        """What a seat has to believe it is asked, while another is asked in secret (R-END-5)."""
        deal = state.deal
        if self.decision is None or deal is None or seat is None or seat in self._early:
            return None
        position = state.seating.position_of(seat)
        if position is None or (known := deal.known_to(position)).to_act != position:
            return None
        if state.house_bot(seat) is not None:
            return None
        return decision_of_deal(known, state.seating, state.turn_id(position))

    def _ask_believed(self, state: TableState, deal: Deal) -> None:
        """Somebody may have to believe that he is asked himself: his time runs as well."""
        seat = state.seating.active[deal.turn()]
        if self.decision is None or self.decision.seat == seat:
            return
        believed = self.believed_by(state, seat)
        if believed is not None:
            self._let_time_run(state, believed, is_hidden=False)

    def _let_time_run(self, state: TableState, decision: OpenDecision, *, is_hidden: bool) -> None:
        """Let the time of a seat run, which no house bot plays."""
        policy, seat = self._config.clock, decision.seat
        account = state.conduct.accounts[decision.position]
        own_ms = policy.decision_ms
        if is_hidden:  # what others see later must not depend on it (R-END-5)
            account, own_ms = NOTHING, own_ms or account.bank_ms
        self._timing.ask(decision.turn_id, seat, own_ms, account, state.occupants[seat])
