"""What formats that go round by round share: totals so far, earlier meetings, pods of three."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from skat_server.tournaments.matches import SEATS, Entry, Match, Results, games_of, rotations

Met = Counter[frozenset[Entry]]
"""How often every two entries were drawn together."""


@dataclass
class Drawn:
    """The matches that were drawn so far, and what the next draw has to know of them."""

    matches: list[Match] = field(default_factory=list)
    met: Met = field(default_factory=Counter)
    before: Counter[tuple[Entry, Entry]] = field(default_factory=Counter)
    """How often each entry was drawn directly before each other one."""
    played: Counter[Entry] = field(default_factory=Counter)
    """Matches of every entry."""

    def add(self, matches: Iterable[Match]) -> None:
        """These were drawn as well."""
        for match in matches:
            self.matches.append(match)
            self.met.update(map(frozenset, combinations(sorted(match.entries), 2)))
            self.played.update(match.entries)
            first, second, third = match.lineups[0]
            self.before.update(_neighbours((first, second, third)))


def both_orders(
    key: str, way: tuple[Entry, Entry, Entry], first_board: int, boards: int, round_: int
) -> list[Match]:
    """The boards of a pod in rotations, half of them in each cyclic order.

    Neighbours drop out then as well (competition guide, section 3.2). The longer half comes first,
    in the order that is given.
    """
    first, second, third = way
    half = -(-boards // 2)
    found = [Match(key, rotations(first, second, third), first_board, half, round_)]
    if boards > half:
        turned = rotations(first, third, second)
        found.append(Match(f"{key}.turned", turned, first_board + half, boards - half, round_))
    return found


def with_house(entries: int) -> int:
    """The next multiple of three.

    >>> with_house(7), with_house(9)
    (9, 9)

    Raises:
        ValueError: fewer than two entries.
    """
    if entries < 2:  # noqa: PLR2004
        raise ValueError(f"2 entries are needed at least, not {entries}")
    return -(-entries // SEATS) * SEATS


def block_totals(
    entries: Iterable[Entry], matches: Iterable[Match], results: Results
) -> Counter[Entry]:
    """Points of everybody, against the average of each board, over finished matches.

    Points relative to the table are comparable between tables; raw ones are not (competition
    guide, section 3.1).
    """
    totals: Counter[Entry] = Counter(dict.fromkeys(entries, 0))
    for match in matches:
        if match.key not in results:
            continue
        for game in games_of(results[match.key]):
            average = sum(game.points) / len(game.points)
            for entry, points in zip(game.bots, game.points, strict=True):
                totals[entry] += round((points - average) * 3)
    return totals


def pods(order: Sequence[Entry], met: Met) -> list[tuple[Entry, ...]]:
    """Cut a ranking into pods of three, so that those who met before seldom meet again.

    Earlier meetings cost their square: linear costs let one pair meet three times. Neighbours in
    the ranking are tried in windows of six, from the top.
    """
    left, found = list(order), []
    while len(left) > 3:  # noqa: PLR2004
        window = left[:6]
        first = window[0]
        chosen = min(
            combinations(window[1:], 2),
            key=lambda pair: (_cost((first, *pair), met), [window.index(e) for e in pair]),
        )
        pod = (first, *chosen)
        found.append(pod)
        left = [entry for entry in left if entry not in pod]
    return [*found, tuple(left)]


def _cost(pod: Sequence[Entry], met: Met) -> int:
    return sum(met[frozenset(pair)] ** 2 for pair in combinations(pod, 2))


def cyclic_order(
    pod: Sequence[Entry], before: Counter[tuple[Entry, Entry]]
) -> tuple[Entry, Entry, Entry]:
    """The one of the two cyclic orders in which fewer have sat before the same neighbour."""
    first, second, third = pod
    ways = ((first, second, third), (first, third, second))
    return min(ways, key=lambda way: sum(before[pair] ** 2 for pair in _neighbours(way)))


def _neighbours(way: tuple[Entry, Entry, Entry]) -> list[tuple[Entry, Entry]]:
    a, b, c = way
    return [(a, b), (b, c), (c, a)]
