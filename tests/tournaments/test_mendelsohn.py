"""Mendelsohn systems: existence and balance for every size (competition guide 3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from skat_server.tournaments.mendelsohn import Triple, exists, mendelsohn

SIZES = [size for size in range(3, 61) if exists(size)]
LARGE = [142, 178, 186, 199, 201]
"""Sizes near the largest event, one for each way in which systems are made."""


def neighbours(system: Sequence[Triple]) -> Iterator[tuple[int, int]]:
    """Every point with the one after it."""
    for a, b, c in system:
        yield from ((a, b), (b, c), (c, a))


@pytest.mark.parametrize("size", SIZES + LARGE)
def test_everybody_sits_once_before_everybody_else(size: int) -> None:
    pairs = Counter(neighbours(mendelsohn(size)))
    assert pairs == Counter((a, b) for a in range(size) for b in range(size) if a != b)


@pytest.mark.parametrize("size", SIZES)
def test_rotated_triples_balance_the_seats(size: int) -> None:
    seats = Counter(
        (point, (place + turn) % 3)
        for triple in mendelsohn(size)
        for turn in range(3)
        for place, point in enumerate(triple)
    )
    assert set(seats.values()) == {size - 1}


@pytest.mark.parametrize(
    ("size", "tables"), [(7, 14), (9, 24), (13, 52), (15, 70), (21, 140), (31, 310)]
)
def test_the_number_of_tables(size: int, tables: int) -> None:
    assert len(mendelsohn(size)) == tables


@pytest.mark.parametrize("size", [0, 1, 2, 5, 6, 8, 11])
def test_sizes_without_a_system_are_refused(size: int) -> None:
    assert not exists(size)
    with pytest.raises(ValueError, match=f"on {size} points"):
        mendelsohn(size)


def has_system(size: int) -> bool:
    """Whether a depth-first search over all systems finds one."""
    open_pairs = {(a, b) for a in range(size) for b in range(size) if a != b}

    def search() -> bool:
        if not open_pairs:
            return True
        a, b = min(open_pairs)
        for c in range(size):
            triple = {(a, b), (b, c), (c, a)}
            if c not in (a, b) and triple <= open_pairs:
                open_pairs.difference_update(triple)
                if search():
                    return True
                open_pairs.update(triple)
        return False

    return search()


@pytest.mark.parametrize("size", range(3, 8))
def test_an_exhaustive_search_agrees(size: int) -> None:
    assert has_system(size) == exists(size)
