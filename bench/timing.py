"""How long work takes in this process."""

import statistics
import time
from collections.abc import Callable


def median_us(work: Callable[[], object], items: int, rounds: int) -> float:
    """Microseconds that one item takes, the median of some rounds.

    Processor time, because nothing here waits and other programs may share the cores.
    """
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return round(statistics.median(taken) / items * 1e6, 1)
