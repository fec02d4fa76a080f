"""Counted lines of play: the data files, by the engine and by the second implementation."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from skat_engine import Deal, Phase, card_text, cards_in, parse_dealt, perft, preset
from skat_engine.ruleset_text import parse_option
from tests.builders import play
from tests.engine.slow_count import count_auction, count_play

FILES = sorted((Path(__file__).parent / "perft").glob("*.perft"))
CONFIRMED = 100_000
"""Counts up to here are confirmed by the slow implementation."""


@dataclass
class Counted:
    """One data file."""

    deal: Deal
    jumps: bool
    counts: dict[int, int] = field(default_factory=dict)


def read(file: Path) -> Counted:
    """The position of a file and its counts."""
    entries = [line.split(maxsplit=1) for line in file.read_text().splitlines() if line[:1] != "#"]
    cards = next(value for word, value in entries if word == "deal")
    options = dict(value.split("=") for word, value in entries if word == "option")
    rules = preset("isko", {name: parse_option(name, text) for name, text in options.items()})
    found = Counted(Deal(rules, parse_dealt(cards)), rules.jump_bids)
    for word, value in entries:
        if word == "play":
            play(found.deal, value)
        if word == "count":
            depth, lines = map(int, value.split())
            found.counts[depth] = lines
    return found


CASES = [(file, depth) for file in FILES for depth in read(file).counts]
IDS = [f"{file.stem}-{depth}" for file, depth in CASES]


def slow(counted: Counted, depth: int) -> int:
    """The count of the second implementation, from the words of the deal."""
    deal = counted.deal
    if deal.phase is Phase.BIDDING:
        return count_auction(depth, jumps=counted.jumps)
    assert deal.declarer is not None
    words = [frozenset(card_text(card) for card in cards_in(hand)) for hand in deal.hands]
    table = [card_text(card) for card in deal.table]
    kind = str(deal.contract)[0]
    return count_play(dict(enumerate(words)), table, deal.leader, kind, deal.declarer, depth)


@pytest.mark.parametrize(("file", "depth"), CASES, ids=IDS)
def test_count(file: Path, depth: int) -> None:
    """R-PLAY-1 to R-PLAY-3, R-NULL-1, R-BID-1 to R-BID-4."""
    counted = read(file)
    assert perft(counted.deal, depth) == counted.counts[depth]


@pytest.mark.parametrize(("file", "depth"), CASES, ids=IDS)
def test_count_is_confirmed(file: Path, depth: int) -> None:
    counted = read(file)
    if counted.counts[depth] <= CONFIRMED:
        assert slow(counted, depth) == counted.counts[depth]


def test_there_are_files_of_every_kind() -> None:
    assert {file.stem.split("-")[0] for file in FILES} == {"auction", "grand", "null", "suit"}


def test_a_position_is_not_changed_by_counting() -> None:
    counted = read(FILES[-1])
    hands = list(counted.deal.hands)
    perft(counted.deal, 2)
    assert counted.deal.hands == hands


def test_interventions_can_be_counted_as_well() -> None:
    counted = read(next(file for file in FILES if file.stem == "suit-hearts"))
    assert perft(counted.deal, 1, cards_only=False) == counted.counts[1] + 4
