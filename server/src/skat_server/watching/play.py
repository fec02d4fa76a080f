"""Counts and logs what happens at tables and in sessions."""

from collections import OrderedDict
from typing import Final

import structlog

from skat_engine.phases import Phase
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.room import Room
from skat_server.storage.protocols import EntryKind
from skat_server.tables.observing import Told
from skat_server.tables.sources import FreshDeals
from skat_server.tables.state import ENDED, TableConfig, TableState
from skat_server.tables.steps import Step
from skat_server.watching.deals import first_fault, game_in, has_result

MOST_SEEDS: Final = 10_000
"""Seeds of tables that are remembered, to see one that comes again."""

PHASES: Final = {
    Phase.BIDDING: "bid",
    Phase.FOREHAND_OPTION: "bid",
    Phase.GRAND_HAND_OFFER: "skat",
    Phase.RAMSCH_EXCHANGE: "skat",
    Phase.KNOCKING: "skat",
    Phase.SKAT_DECISION: "skat",
    Phase.ANNOUNCE: "skat",
    Phase.KONTRA: "skat",
    Phase.REARRANGEMENT: "skat",
    Phase.PLAY: "card",
    Phase.SHORTENING_VOTE: "card",
    Phase.DEAL_OVER: "card",
}
"""In which part of a deal each decision falls."""

OUTCOMES: Final = {
    Reason.STALE_TURN: "late",
    Reason.STALE_SEQUENCE: "late",
    Reason.NOT_YOUR_TURN: "late",
    Reason.WRONG_PHASE: "late",
    Reason.DEAL_OVER: "late",
    Reason.TABLE_OVER: "late",
    Reason.NOT_SEATED: "late",
    Reason.ILLEGAL_BID: "illegal",
    Reason.CARD_NOT_HELD: "illegal",
    Reason.MUST_FOLLOW: "illegal",
    Reason.BAD_DISCARD: "illegal",
    Reason.CONTRADICTORY_ANNOUNCEMENT: "illegal",
    Reason.NULL_BELOW_BID: "illegal",
    Reason.NOT_OFFERED: "illegal",
    Reason.TOO_MANY_ILLEGAL: "illegal",
}
"""What became of a submission that was refused; `failed` for all other reasons."""

_log = structlog.get_logger()


class PlayWatch:
    """Keeps the numbers of play up to date, and logs the marks of a table."""

    def __init__(self, room: Room, clock: Clock) -> None:
        """Find the instruments that are used for every action.

        Args:
            room: has them.
            clock: measures how long submissions take.
        """
        self._room = room
        self._clock = clock
        self._actions = {
            outcome: room.counter(declared.ACTIONS, outcome=outcome)
            for outcome in declared.ACTIONS.labels[0].values
        }
        self._accepted = self._actions["accepted"]
        self._seconds = room.histogram(declared.ACTION_SECONDS)
        self._think = {
            phase: room.histogram(declared.THINK, phase=part) for phase, part in PHASES.items()
        }
        self._grace = room.counter(declared.GRACE)
        self._gap = room.histogram(declared.RESUME_GAP)
        self._seeds: OrderedDict[int, None] = OrderedDict()

    def submitted(self, done: Told) -> Told:
        """Measure from here until everybody was told, and count what became of it."""
        began = self._clock.monotonic()

        def told(refusal: RefusedError | None, /) -> None:
            done(refusal)
            if refusal is None:
                self._accepted.value += 1.0
                self._seconds.observe(self._clock.monotonic() - began)
            else:
                self._actions[OUTCOMES.get(refusal.reason, "failed")].add()

        return told

    def repeated(self) -> None:
        """Count it."""
        self._actions["duplicate"].add()

    def stepped(self, config: TableConfig, before: TableState, step: Step) -> None:
        """Count an answer; look closer when there is more in the step."""
        settles = step.settles
        if settles is not None and settles.spent is not None and before.deal is not None:
            self._think[before.deal.phase].observe(settles.spent.think_ms / 1_000)
            if settles.spent.grace_ms:
                self._grace.add(settles.spent.grace_ms / 1_000)
        if settles is None or len(step.entries) > 1:
            self._look_closer(config, before, step)

    def session_opened(self, *, is_resumed: bool, supersedes: bool) -> None:
        """Count it."""
        self._room.counter(declared.SESSION_OPENS).add()
        if is_resumed:
            self._room.counter(declared.SESSION_RESUMES).add()
        if supersedes:
            self._room.counter(declared.SESSION_SUPERSEDES).add()

    def table_resumed(self, missed: int | None) -> None:
        """Count it by what was missed."""
        if missed is None:
            self._room.counter(declared.RESUME_COMPACTIONS).add()
        else:
            self._gap.observe(missed)

    def _look_closer(self, config: TableConfig, before: TableState, step: Step) -> None:
        for entry in step.entries:
            match entry.kind:
                case EntryKind.ACTION if step.settles is None:
                    self._actions["house"].add()
                case EntryKind.DECISION_DEFAULTED:
                    self._defaulted(before)
                case EntryKind.TABLE_OPENED:
                    self._opened(config, step.after)
                case EntryKind.DEAL_ENDED:
                    self._deal_ended(config, before, step)
                case EntryKind.DEAL_VOIDED:
                    self._count_end("voided")
                case EntryKind.TABLE_CLOSED if before.deal is not None and not has_result(step):
                    self._count_end("closed")
                case _:
                    pass
        if step.after.stage in ENDED and before.stage not in ENDED:
            _log.info(
                "table.ended",
                table_id=config.table_id,
                tournament_id=config.tournament_id,
                state=step.after.stage.value,
                deals=step.after.series.deals_done,
            )

    def _defaulted(self, before: TableState) -> None:
        self._actions["defaulted"].add()
        if before.deal is not None:
            part = PHASES[before.deal.phase]
            self._room.counter(declared.TIMEOUTS, phase=part).add()

    def _opened(self, config: TableConfig, state: TableState) -> None:
        if isinstance(config.source, FreshDeals):
            self._note_seed(hash(config.source.table_seed))
        _log.info(
            "table.opened",
            table_id=config.table_id,
            tournament_id=config.tournament_id,
            preset=config.preset,
            seats=len(state.occupants),
        )

    def _note_seed(self, seed: int) -> None:
        """Remember a seed for a while; one that comes twice means that chance is broken."""
        if seed in self._seeds:
            self._room.counter(declared.SEED_REUSE).add()
            _log.critical("seed.reused")
        self._seeds[seed] = None
        if len(self._seeds) > MOST_SEEDS:
            self._seeds.popitem(last=False)

    def _deal_ended(self, config: TableConfig, before: TableState, step: Step) -> None:
        game, cause = game_in(step), first_fault(before, step)
        self._room.counter(declared.DEALS, game=game).add()
        self._count_end(cause)
        _log.debug(
            "deal.ended", table_id=config.table_id, deal=before.deal_number, game=game, cause=cause
        )

    def _count_end(self, cause: str) -> None:
        self._room.counter(declared.TERMINATIONS, cause=cause).add()
