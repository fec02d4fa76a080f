"""What is counted of tournaments when somebody looks."""

from collections import Counter
from collections.abc import Sequence

from skat_server.clock import Clock
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.room import Room
from skat_server.tournaments.directory import Tournaments
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.build import format_of
from skat_server.tournaments.progress import Standing
from skat_server.tournaments.runner import Backlog, Runner
from skat_server.watching.census import set_all


class EventsWatch:
    """Looks at the tournaments that are played."""

    def __init__(self, room: Room, tournaments: Tournaments, clock: Clock) -> None:
        """Look at these."""
        self._room = room
        self._tournaments = tournaments
        self._clock = clock
        self._stuck_since: dict[str, float] = {}
        """Since when tournaments have had tables that are ready, and none under way."""
        self._tested: Standing | None = None
        """The standing whose test is shown; nothing is computed twice."""

    def look(self) -> None:
        """Bring everything up to date."""
        states = Counter(one.state.stage.value for one in self._tournaments.known)
        set_all(self._room, declared.TOURNAMENTS, states)
        runners = self._tournaments.at_play
        backlogs = {runner.tournament_id: runner.backlog for runner in runners}
        self._count(list(backlogs.values()))
        self._look_for_stuck(backlogs)
        self._show_test(runners)
        self._show_interval(runners)

    def _count(self, backlogs: list[Backlog]) -> None:
        queue = {
            "ready": sum(one.ready for one in backlogs),
            "delayed": sum(one.delayed for one in backlogs),
        }
        boards = {
            "complete": sum(one.boards_done for one in backlogs),
            "open": sum(one.boards_open for one in backlogs),
        }
        set_all(self._room, declared.QUEUE, queue)
        set_all(self._room, declared.BLOCKS, boards)

    def _look_for_stuck(self, backlogs: dict[str, Backlog]) -> None:
        now = self._clock.monotonic()
        self._stuck_since = {
            tournament_id: self._stuck_since.get(tournament_id, now)
            for tournament_id, one in backlogs.items()
            if one.ready and not one.under_way
        }
        oldest = min(self._stuck_since.values(), default=now)
        self._room.gauge(declared.QUEUE_OLDEST).set(now - oldest)

    def _show_test(self, runners: Sequence[Runner]) -> None:
        """The newest sequential test; the newest runner comes first."""
        for runner in runners:
            event = format_of(runner.config)
            if isinstance(event, AbTest):
                self._show_course(event, runner.standing)
                return

    def _show_course(self, event: AbTest, standing: Standing) -> None:
        if standing is self._tested:
            return
        self._tested = standing
        test = event.test_after(standing.event.results)
        self._room.gauge(declared.SPRT_LLR).set(test.llr)
        self._room.gauge(declared.SPRT_LOWER).set(event.hypotheses.lower)
        self._room.gauge(declared.SPRT_UPPER).set(event.hypotheses.upper)

    def _show_interval(self, runners: Sequence[Runner]) -> None:
        """That of the newest event whose standings somebody has asked for."""
        for runner in runners:
            figures = runner.latest_figures
            if figures is not None and figures.standings is not None:
                leader = figures.standings.rows[0]
                self._room.gauge(declared.INTERVAL_WIDTH).set(leader.high - leader.low)
                return
