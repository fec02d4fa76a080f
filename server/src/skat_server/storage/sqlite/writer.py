"""The thread that writes: it takes all that waits, keeps it in one transaction, and tells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any, Final

from skat_server.clock import SystemClock
from skat_server.storage.protocols import StoreError, StoreFailure
from skat_server.storage.sqlite.chores import Chores
from skat_server.storage.sqlite.failures import is_outage, store_error
from skat_server.storage.sqlite.inbox import Append, Group, Inbox, Job, Run, grouped
from skat_server.storage.sqlite.ledger import Ledger
from skat_server.storage.sqlite.place import Place

_FATAL: Final = (StoreFailure.FENCED, StoreFailure.BROKEN)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the thread waits, in seconds."""

    probe: float = 1.0
    """Between two attempts to write while the disk is full."""
    wait_per_batch: float = 0.000_1
    """From the start of a transaction until jobs are taken again, for every batch in it: the loop
    needs about that long to bring another one. What is taken earlier is less (ADR 0048)."""
    longest_wait: float = 0.005
    """What `wait_per_batch` comes to at most."""
    quiet: float = 0.1
    """After the last batch, before it does its chores."""
    look: float = 1.0
    """Between two looks whether the database is still in its place, also while nobody plays."""
    stopwatch: Callable[[], float] = SystemClock().monotonic
    """Seconds that never jump, to see how long the disk takes."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One transaction with entries of the log."""

    entries: int
    seconds: float
    """Until it was on the disk."""


Outcome = tuple[Callable[[Any], None], Exception | None]
"""What somebody waits for: a call, and what went wrong, None for nothing."""


@dataclass(frozen=True, slots=True)
class Report:
    """What has happened, for the loop."""

    outcomes: Sequence[Outcome]
    """Whoever waits is told these."""
    outage: StoreError | None
    """Why nothing can be kept now; it may pass."""
    fatal: StoreError | None
    """Why nothing can be kept any more."""
    kept: Sequence[Kept] = ()
    """The transactions since the last report."""


class Writer:
    """Group commit: a batch alone is kept at once; after many in one, the next waits for more."""

    def __init__(
        self, ledger: Ledger, place: Place, report: Callable[[Report], None], pace: Pace
    ) -> None:
        """Get ready; `start` begins.

        Args:
            ledger: used by the thread alone from then on.
            place: where its database is.
            report: called in the thread, once per transaction.
            pace: how long to wait for what.
        """
        self._ledger = ledger
        self._place = place
        self._chores = Chores(ledger)
        self._report = report
        self._pace = pace
        self._inbox = Inbox()
        self._outage: StoreError | None = None
        self._fatal: StoreError | None = None
        self._kept: list[Kept] = []
        self._next_after = 0.0
        """When jobs are taken again, by the stopwatch."""
        self._next_look = 0.0
        """When the place of the database is looked at again, by the stopwatch."""
        self._thread = Thread(target=self._main, name="skat-store-writer", daemon=True)

    @property
    def fatal(self) -> StoreError | None:
        """Why nothing can be kept any more; for others once the thread has ended."""
        return self._fatal

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def put(self, job: Job) -> None:
        """Ask for something; from any thread."""
        self._inbox.put(job)

    def close(self) -> None:
        """Keep what was asked for and end; blocks until then."""
        self._inbox.close()
        self._thread.join()

    def _main(self) -> None:
        while (jobs := self._next_jobs()) is not None:
            self._look_if_due()
            for one in grouped(jobs):
                self._work(one)
            if self._is_well:
                self._do_chores(is_quiet=not jobs)
        # Without it a server that is told to stop would end as if all was kept.
        self._look()
        if self._is_well and self._attempt(self._ledger.file_all) is not None:
            self._tell(())

    def _next_jobs(self) -> list[Job] | None:
        """Wait for something to do; in an outage, until the disk has been tried once more."""
        if self._outage is not None and self._fatal is None:
            self._inbox.pause(self._pace.probe)
            self._look_for_space()
            return self._inbox.take(0.0)
        jobs = self._inbox.take(self._patience)
        return self._with_more(jobs) if jobs else jobs

    @property
    def _patience(self) -> float | None:
        """How many seconds to wait for a job before there is something else to do."""
        if self._fatal is not None:
            return None
        return self._pace.quiet if self._chores.are_due else self._pace.look

    def _with_more(self, jobs: list[Job]) -> list[Job]:
        """These, and what comes while the next transaction is to wait for more."""
        left = self._next_after - self._pace.stopwatch()
        if left > 0.0:
            self._inbox.pause(left)
            jobs += self._inbox.take(0.0) or ()
        return jobs

    def _work(self, one: Group | Run) -> None:
        failed = self._fatal or self._outage
        if isinstance(one, Run):
            self._tell([(one.done, failed or self._run(one))])
        elif failed is not None:
            self._tell([(append.done, failed) for append in one.appends])
        else:
            self._tell(self._keep(one.appends, one.retired))

    def _keep(self, appends: Sequence[Append], retired: Sequence[str]) -> list[Outcome]:
        error = self._attempt(lambda: self._write(appends, retired))
        if error is None:
            return [(append.done, None) for append in appends]
        failed = store_error(error)
        outcomes: list[Outcome] = [
            (append.done, self._outcome(append, failed)) for append in appends
        ]
        if self._is_well and len(appends) > 1:
            # One of them cannot be kept; the others shall not suffer for it.
            return [one for append in appends for one in self._keep([append], ())]
        return outcomes

    def _write(self, appends: Sequence[Append], retired: Sequence[str]) -> None:
        began = self._pace.stopwatch()
        wait = min(self._pace.wait_per_batch * len(appends), self._pace.longest_wait)
        self._next_after = began + wait
        added = self._ledger.keep([append.batch for append in appends], retired)
        entries = len(added.events)
        self._kept.append(Kept(entries, self._pace.stopwatch() - began))
        self._chores.note(entries, added.trims)

    def _outcome(self, append: Append, failed: StoreError) -> StoreError | None:
        """What became of a batch whose group has failed (F12)."""
        if self._fatal is not None:
            return self._fatal
        try:
            return None if self._ledger.has(append.batch) else failed
        except Exception as error:  # whatever it was: nobody can know now
            self._fatal = StoreError(f"the outcome is unknown: {error}", StoreFailure.BROKEN)
            return self._fatal

    def _run(self, one: Run) -> Exception | None:
        error = self._attempt(lambda: self._ledger.run(one.call))
        is_ours = error is not None and (is_outage(error) or not self._is_well)
        return store_error(error) if error is not None and is_ours else error

    def _look_if_due(self) -> None:
        now = self._pace.stopwatch()
        if now >= self._next_look:
            self._next_look = now + self._pace.look
            self._look()

    def _look(self) -> None:
        """See whether what is kept is kept where the next start will look for it."""
        if self._fatal is None and self._attempt(self._place.look) is not None:
            self._tell(())

    def _look_for_space(self) -> None:
        if self._attempt(self._ledger.probe) is None:
            self._outage = None
            self._tell(())
        elif self._fatal is not None:
            self._tell(())

    def _do_chores(self, *, is_quiet: bool) -> None:
        if self._chores.are_overdue or (is_quiet and self._chores.are_due):
            self._attempt(partial(self._chores.step, is_quiet=is_quiet))
            if not self._is_well:
                self._tell(())

    def _attempt(self, call: Callable[[], object]) -> Exception | None:
        """Make a call that concerns the database and take note of what an error means."""
        try:
            call()
        except Exception as error:  # an error that ends the thread ends all play
            failed = store_error(error)
            if failed.failure in _FATAL:
                self._fatal = failed
            elif failed.failure is StoreFailure.FULL or is_outage(error):
                self._outage = failed
            return error
        return None

    @property
    def _is_well(self) -> bool:
        return self._fatal is None and self._outage is None

    def _tell(self, outcomes: Sequence[Outcome]) -> None:
        kept, self._kept = self._kept, []
        self._report(Report(outcomes, self._outage, self._fatal, kept))
