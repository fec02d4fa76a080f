"""What the writing thread is asked to do, and where it waits for it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event

from skat_server.storage.protocols import Batch, Done
from skat_server.storage.sqlite.connections import Connection
from skat_server.values import value


@value
class Append:
    """A batch to keep."""

    batch: Batch
    done: Done


@dataclass(frozen=True, slots=True)
class Retire:
    """A table that nobody carries any more."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Run:
    """A transaction of its own."""

    call: Callable[[Connection], None]
    """What happens inside the transaction."""
    done: Callable[[Exception | None], None]
    """Told what went wrong, also when the call itself has raised it."""


Job = Append | Retire | Run


@dataclass(slots=True)
class Group:
    """Jobs for one transaction."""

    appends: list[Append] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    tables: set[str] = field(default_factory=set)


def grouped(jobs: Sequence[Job]) -> Iterator[Group | Run]:
    """The jobs in transactions, as few as their order allows."""
    group = Group()
    for job in jobs:
        is_apart = isinstance(job, Run) or _table_of(job) in group.tables
        if is_apart and group.tables:
            yield group
            group = Group()
        if isinstance(job, Run):
            yield job
            continue
        group.tables.add(_table_of(job))
        if isinstance(job, Append):
            group.appends.append(job)
        else:
            group.retired.append(job.table_id)
    if group.tables:
        yield group


def _table_of(job: Append | Retire) -> str:
    return job.batch.table_id if isinstance(job, Append) else job.table_id


class Inbox:
    """Jobs on their way to the thread, in the order of their coming."""

    def __init__(self) -> None:
        """Start empty and open."""
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        """None is the last."""
        self._closed = Event()

    def put(self, job: Job) -> None:
        """Hand one over; from any thread."""
        self._jobs.put(job)

    def close(self) -> None:
        """Let the thread end after what is there."""
        self._closed.set()
        self._jobs.put(None)

    def pause(self, seconds: float) -> None:
        """Wait, whatever comes in meanwhile; no longer once the inbox is closed."""
        self._closed.wait(seconds)

    def take(self, seconds: float | None) -> list[Job] | None:
        """Everything that waits: what comes together is kept together.

        The end of a closed inbox stays to be seen: whoever has taken it with the last jobs, or to
        add to others that he has, meets it again the next time.

        Args:
            seconds: how long to wait for the first; None waits as long as it takes.

        Returns:
            Nothing when the time is over; None once the inbox is closed and empty.
        """
        jobs: list[Job] = []
        try:
            job = self._jobs.get(timeout=seconds)
            while job is not None:
                jobs.append(job)
                job = self._jobs.get_nowait()
        except Empty:
            return jobs
        self._jobs.put(None)  # for the next time
        return jobs or None
