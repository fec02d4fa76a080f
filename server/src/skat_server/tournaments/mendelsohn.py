"""Mendelsohn triple systems: every entry sits once before every other one.

A system on `n` points is a set of cyclic triples (a, b, c), read a before b before c before a, in
which every ordered pair of different points is a pair of neighbours exactly once. They exist
for n ≡ 0 or 1 (mod 3) except for n = 6 (Bennett and Shen; competition guide, section 3.4).

They are made here in four ways, the first that fits:

- a prime power that is a power of 3, or 1 (mod 3): x, y and cx + (1 - c)y over the field, with
  c² - c + 1 = 0;
- an odd n: both orientations of the triples of a Steiner system (Bose, Skolem);
- a product of two sizes that have systems: the product of their quasigroups;
- an even n beside that: a cyclic group with one or three fixed points, whose differences are cut
  into zero-sum triples by a short search.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Final

from skat_server.tournaments.fields import Field, prime_power

Triple = tuple[int, int, int]
"""A cyclic triple of points."""

SMALLEST: Final = 3
_EXCEPTION: Final = 6
_NINE: Final = 9
MOST_STEPS: Final = 2_000
"""Steps after which a search for differences is begun anew."""


def exists(points: int) -> bool:
    """Whether there is a system on so many points.

    >>> [n for n in range(3, 16) if exists(n)]
    [3, 4, 7, 9, 10, 12, 13, 15]
    """
    return points >= SMALLEST and points % 3 != 2 and points != _EXCEPTION  # noqa: PLR2004


@lru_cache(maxsize=64)
def mendelsohn(points: int) -> tuple[Triple, ...]:
    """A system on the points 0 to `points` - 1, the same at every call.

    >>> mendelsohn(3)
    ((0, 1, 2), (0, 2, 1))

    Raises:
        ValueError: there is none.
    """
    if not exists(points):
        raise ValueError(f"there is no Mendelsohn system on {points} points")
    if points == SMALLEST:
        return ((0, 1, 2), (0, 2, 1))
    for construct in (_over_a_field, _from_steiner, _product, _rotated):
        found = construct(points)
        if found is not None:
            return tuple(sorted(_smallest_first(triple) for triple in found))
    raise AssertionError(f"no construction reaches {points} points")


def _smallest_first(triple: Triple) -> Triple:
    turn = triple.index(min(triple))
    first, second, third = triple[turn:] + triple[:turn]
    return first, second, third


def _of_quasigroup(points: int, third: Callable[[int, int], int]) -> Iterator[Triple]:
    """The cyclic triples (x, y, third(x, y)), each once."""
    for x in range(points):
        for y in range(points):
            z = third(x, y)
            if x != y and x < y and x < z:
                yield x, y, z


def _third_of(system: Sequence[Triple]) -> dict[tuple[int, int], int]:
    """The third point of every ordered pair of neighbours."""
    third: dict[tuple[int, int], int] = {}
    for a, b, c in system:
        third.update({(a, b): c, (b, c): a, (c, a): b})
    return third


def _over_a_field(points: int) -> list[Triple] | None:
    factors = prime_power(points)
    if factors is None:
        return None
    field = Field(*factors)
    for c in range(2, points):
        square_less_c = field.subtract(field.multiply(c, c), c)
        if field.add(square_less_c, field.one) == 0:
            return list(_of_quasigroup(points, _mixture(field, c)))
    return None


def _mixture(field: Field, c: int) -> Callable[[int, int], int]:
    rest, points = field.subtract(field.one, c), range(field.size)
    ours = [field.multiply(c, x) for x in points]
    theirs = [field.multiply(rest, y) for y in points]
    return lambda x, y: field.add(ours[x], theirs[y])


def _from_steiner(points: int) -> list[Triple] | None:
    if points % 6 == 3:  # noqa: PLR2004
        triples = _bose(points)
    elif points % 6 == 1:
        triples = _skolem(points)
    else:
        return None
    return [way for a, b, c in triples for way in ((a, b, c), (a, c, b))]


def _bose(points: int) -> list[Triple]:
    """A Steiner system on 6t + 3 points, (i, k) being point i + k(2t + 1)."""
    size = points // 3
    half = (size + 1) // 2
    triples = [(i, i + size, i + 2 * size) for i in range(size)]
    for level in range(3):
        up = (level + 1) % 3 * size
        for i in range(size):
            for j in range(i + 1, size):
                middle = (i + j) * half % size
                triples.append((i + level * size, j + level * size, middle + up))
    return triples


def _skolem(points: int) -> list[Triple]:
    """A Steiner system on 6t + 1 points, the last one being the fixed point."""
    size = points // 3
    half, fixed = size // 2, points - 1

    def product(i: int, j: int) -> int:
        total = (i + j) % size
        return total // 2 if total % 2 == 0 else (total + size - 1) // 2 % size

    triples = [(i, i + size, i + 2 * size) for i in range(half)]
    for level in range(3):
        here, up = level * size, (level + 1) % 3 * size
        triples += [(fixed, i + half + here, i + up) for i in range(half)]
        for i in range(size):
            for j in range(i + 1, size):
                triples.append((i + here, j + here, product(i, j) + up))
    return triples


def _product(points: int) -> list[Triple] | None:
    for left in range(SMALLEST, int(points**0.5) + 1):
        right = points // left
        if points % left == 0 and exists(left) and exists(right):
            return list(_of_quasigroup(points, _product_third(left, right)))
    return None


def _product_third(left: int, right: int) -> Callable[[int, int], int]:
    lefts, rights = _third_of(mendelsohn(left)), _third_of(mendelsohn(right))

    def third(x: int, y: int) -> int:
        (i, j), (k, m) = divmod(x, right), divmod(y, right)
        first = i if i == k else lefts[i, k]
        second = j if j == m else rights[j, m]
        return first * right + second

    return third


def _rotated(points: int) -> list[Triple] | None:
    """A group that turns the system, with one fixed point (n ≡ 4 mod 6) or three (n ≡ 0 mod 6).

    The differences of neighbours have to be all elements but zero, once each: those of an
    element of order three come from a short orbit, those of a fixed point's triple from the
    two others in it, all others from triples that sum to zero.
    """
    fixed = 1 if points % 6 == 4 else 3  # noqa: PLR2004
    order = points - fixed
    add, third = _group(order)
    two_thirds = add(third, third)
    others = [d for d in range(1, order) if d not in (third, two_thirds)]
    cuts = _zero_sums(others, add) if order == _NINE else _signed(_differences(order), order)
    if cuts is None:
        return None
    if fixed == 1:
        differences, orbits, frame = [two_thirds], [third], []
    else:
        differences, cuts = list(cuts[0]), cuts[1:]
        orbits, frame = [third, two_thirds], [(0, 1, 2), (0, 2, 1)]
    triples = [(order + a, order + b, order + c) for a, b, c in frame]
    for x in range(order):
        triples += [(order + k, x, add(x, d)) for k, d in enumerate(differences)]
        triples += [(x, add(x, a), add(add(x, a), b)) for a, b, _ in cuts]
        for step in orbits:
            orbit = (x, add(x, step), add(add(x, step), step))
            if x == min(orbit):
                triples.append(orbit)
    return triples


def _group(order: int) -> tuple[Callable[[int, int], int], int]:
    """Addition in a group of this order and an element of order three.

    It is cyclic but for nine elements, where only the other group has what is needed.
    """
    if order == _NINE:
        return Field(3, 2).add, 1
    return lambda x, y: (x + y) % order, order // 3


def _differences(order: int) -> list[Triple]:
    """Cut half of the differences into triples (Heffter's second problem).

    They are 1 to (order - 1) / 2 without a third of the order; in every triple a, b, c is
    a + b = c or a + b + c = order. The largest number goes first, its partners are drawn, and a
    search that does not get on soon is begun anew with the next seed; the seeds are fixed, so the
    cut is.
    """
    half = [d for d in range(1, (order + 1) // 2) if d != order // 3]
    for seed in count():
        found = _Cut(order, set(half), random.Random(seed)).search()  # noqa: S311  # repeats
        if found is not None:
            return found
    raise AssertionError("seeds do not end")


class _Cut:
    """One search for difference triples."""

    def __init__(self, order: int, left: set[int], chance: random.Random) -> None:
        self._order = order
        self._left = left
        self._chance = chance
        self._steps = 0

    def search(self) -> list[Triple] | None:
        """Triples of what is left; None when there are none or it takes too long."""
        if not self._left:
            return []
        self._steps += 1
        largest = max(self._left)
        for a, b in self._partners(largest):
            if self._steps > MOST_STEPS:
                return None
            self._left -= {a, b, largest}
            rest = self.search()
            if rest is not None:
                return [(a, b, largest), *rest]
            self._left |= {a, b, largest}
        return None

    def _partners(self, largest: int) -> list[tuple[int, int]]:
        left = self._left - {largest}
        pairs = [
            (a, total - a)
            for total in (largest, self._order - largest)
            for a in sorted(left)
            if a < total - a and total - a in left
        ]
        self._chance.shuffle(pairs)
        return pairs


def _signed(triples: Sequence[Triple], order: int) -> list[Triple]:
    """Each triple as two that sum to zero, with one sign and with the other."""
    signed: list[Triple] = []
    for a, b, c in triples:
        last = c if a + b + c == order else order - c
        signed += [(a, b, last), (order - a, order - b, order - last)]
    return signed


def _zero_sums(numbers: list[int], add: Callable[[int, int], int]) -> list[Triple] | None:
    """Cut elements of a group into triples that sum to zero, by depth-first search."""
    if not numbers:
        return []
    first, *others = numbers
    for at, second in enumerate(others):
        both = add(first, second)
        for third in others[at + 1 :]:
            if add(both, third) == 0:
                rest = [number for number in others if number not in (second, third)]
                cuts = _zero_sums(rest, add)
                if cuts is not None:
                    return [(first, second, third), *cuts]
    return None
