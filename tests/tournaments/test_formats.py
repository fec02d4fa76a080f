"""The formats: who meets whom, and when an event is over (R4, R10, R11, R13, R14)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_server.statistics.sprt import Hypotheses
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.all_play_all import (
    AllTriples,
    Gauntlet,
    Lists,
    RoundRobin,
    entries_with_house,
)
from skat_server.tournaments.formats.knock_out import KnockOut
from skat_server.tournaments.formats.ladder import Ladder
from skat_server.tournaments.formats.once import Once
from skat_server.tournaments.formats.plan import EndReason, Format, Plan
from skat_server.tournaments.formats.swiss import Swiss
from skat_server.tournaments.matches import Lineup, MatchResult, TableResult
from tests.tournaments.results import by_strength, finished, play_out

EVENTS: dict[str, tuple[Format, int]] = {
    "round robin": (RoundRobin(2, 3), 7),
    "round robin with house bots": (RoundRobin(1, 2), 5),
    "all triples": (AllTriples(2, 2), 5),
    "gauntlet": (Gauntlet(2, 2, 3), 4),
    "lists of three": (Lists(3, 4, 36), 9),
    "lists of four": (Lists(4, 3, 48), 8),
    "pairs of boards": (Lists(4, 3, 48, pairs=True), 8),
    "swiss": (Swiss(5, 2), 10),
    "once": (Once(6, 2), 12),
    "knock-out": (KnockOut(3), 11),
    "ladder": (Ladder(12, 2, (30.0,)), 8),
    "a/b test": (AbTest(Hypotheses(0, 40, most_blocks=80), 10), 2),
}


def lineups_of(plan: Plan) -> list[Lineup]:
    """All lineups, once for every board."""
    return [
        lineup for match in plan.matches for lineup in match.lineups for _ in range(match.boards)
    ]


def test_in_pairs_whoever_sits_out_plays_the_board_at_the_other_table() -> None:
    for match in Lists(4, 3, 48, pairs=True).plan(8, {}).matches:
        first, second = match.lineups
        assert second == (*first[2:], *first[:2])
        tables = [TableResult(((0,) * 4,) * 48) for _ in match.lineups]
        for place in range(4):
            orders = [table.order(place) for table in tables]
            out, other = (
                [lineup[s] for s in order]
                for lineup, order in zip(match.lineups, orders, strict=True)
            )
            assert out[3] != other[3]
            assert out[3] in other[:3]


@pytest.mark.parametrize("name", list(EVENTS))
def test_an_event_ends_in_whatever_order_its_matches_finish(name: str) -> None:
    """R10; and R4: the same results give the same plan."""
    event, entries = EVENTS[name]
    points = by_strength(range(0, 500, 17), noise=60)
    plans = [play_out(event, entries, points, random.Random(seed))[0] for seed in range(3)]
    assert plans[0].end is not None
    counted = [plan.matches[: plan.counted] for plan in plans]
    assert counted[0] == counted[1] == counted[2]


@pytest.mark.parametrize("name", list(EVENTS))
def test_keys_are_unique_and_boards_are_not_dealt_twice_to_one_entry(name: str) -> None:
    """Nobody meets a board from more seats than its exposure allows."""
    event, entries = EVENTS[name]
    plan, _ = play_out(event, entries, by_strength(range(500)), random.Random(0))
    keys = [match.key for match in plan.matches]
    assert len(set(keys)) == len(keys)
    met: Counter[tuple[int, int]] = Counter()
    for match in plan.matches:
        for board in range(match.first_board, match.first_board + match.boards):
            met.update((entry, board) for entry in match.entries)
    assert set(met.values()) == {1}


def test_a_round_robin_balances_pairs_seats_and_neighbours() -> None:
    lineups = lineups_of(RoundRobin(1, 1).plan(9, {}))
    pairs = Counter(p for lineup in lineups for p in permutations(lineup, 2))
    before = Counter((lineup[i], lineup[(i + 1) % 3]) for lineup in lineups for i in range(3))
    seats = Counter((entry, seat) for lineup in lineups for seat, entry in enumerate(lineup))
    assert set(pairs.values()) == {6}
    assert set(before.values()) == {3}
    assert set(seats.values()) == {8}


@settings(deadline=None)
@given(st.integers(2, 40))
def test_a_round_robin_takes_any_number_of_entries(entries: int) -> None:
    plan = RoundRobin(1, 1).plan(entries, {})
    everybody = set().union(*(match.entries for match in plan.matches))
    assert everybody == set(range(entries_with_house(entries)))


def test_all_triples_meet() -> None:
    plan = AllTriples(1, 1).plan(6, {})
    assert {match.entries for match in plan.matches} == {
        frozenset(three) for three in combinations(range(6), 3)
    }


def test_the_cyclic_order_changes_with_the_round() -> None:
    first, second = AllTriples(2, 1).plan(3, {}).matches
    assert (first.lineups[0], second.lineups[0]) == ((0, 1, 2), (0, 2, 1))


def test_a_gauntlet_lets_nobody_but_references_meet_challengers() -> None:
    """R13: it is no round robin."""
    plan = Gauntlet(references=2, rounds=2, boards=5).plan(5, {})
    assert all(len(match.entries & {2, 3, 4}) == 1 for match in plan.matches)


@pytest.mark.parametrize("seats", [3, 4])
def test_lists_are_played_by_everybody_on_cards_of_their_own(seats: int) -> None:
    plan = Lists(seats, 3, 36).plan(seats * 4, {})
    rounds = Counter((match.round, entry) for match in plan.matches for entry in match.entries)
    assert set(rounds.values()) == {1}
    assert len({match.first_board for match in plan.matches}) == len(plan.matches)


def test_swiss_pairs_seldom_repeat() -> None:
    """Squared costs: nobody meets a third time while others have not met (R14)."""
    plan, _ = play_out(Swiss(4, 1), 12, by_strength(range(0, 120, 10)), random.Random(1))
    met = Counter(pair for match in plan.matches for pair in combinations(sorted(match.entries), 2))
    assert max(met.values()) <= 2


def test_swiss_rounds_play_the_same_boards_everywhere() -> None:
    plan, _ = play_out(Swiss(3, 2), 9, by_strength(range(9)), random.Random(1))
    boards: dict[frozenset[int], list[int]] = {}
    for match in plan.matches:
        boards.setdefault(match.entries | {-match.round}, []).append(match.first_board)
    assert {tuple(found) for found in boards.values()} == {(0, 1), (2, 3), (4, 5)}
    assert len(boards) == 9  # three pods in three rounds


@pytest.mark.parametrize("event", [Swiss(1, 5), KnockOut(5)])
def test_half_of_a_pods_boards_have_the_other_cyclic_order(event: Format) -> None:
    """Neighbours drop out like seats (competition guide 3.2)."""
    one, other = event.plan(4, {}).matches[:2]
    assert one.entries == other.entries
    assert (one.boards, other.boards, other.first_board) == (3, 2, 3)
    before = [
        {(lineup[i], lineup[(i + 1) % 3]) for lineup in match.lineups for i in range(3)}
        for match in (one, other)
    ]
    assert before[0].isdisjoint(before[1])


def test_swiss_leaders_meet() -> None:
    points = by_strength([500, 400, 300, 0, 0, 0, 0, 0, 0])
    first = Swiss(2, 1).plan(9, {})
    results = {match.key: finished(match, points) for match in first.matches}
    top = Swiss(2, 1).plan(9, results).matches[3]
    assert 0 in top.entries


def test_once_everybody_sits_everywhere_about_equally_often() -> None:
    plan = Once(9, 1).plan(12, {})
    seats = Counter((e, s) for lineup in lineups_of(plan) for s, e in enumerate(lineup))
    assert set(seats.values()) <= {2, 3, 4}


def test_the_best_wins_a_knock_out() -> None:
    plan, results = play_out(
        KnockOut(2), 10, by_strength([*range(0, 80, 10), 300]), random.Random(2)
    )
    assert (plan.end, plan.winner) == (EndReason.WON, 8)
    final = plan.matches[-1]
    assert 8 in final.entries
    assert final.key in results


def test_a_level_pod_plays_on_and_then_the_seeding_decides() -> None:
    plan, _ = play_out(KnockOut(2, replays=2), 4, by_strength([7, 7, 7, 0]), random.Random(2))
    assert [match.key for match in plan.matches] == [
        f"r1.m0{replay}{turned}"
        for replay in ("", ".replay1", ".replay2")
        for turned in ("", ".turned")
    ]
    assert plan.end is EndReason.WON


def test_in_a_ladder_everybody_plays_about_equally_often() -> None:
    """The least-played comes first, so that nobody waits for ever."""
    plan, _ = play_out(Ladder(15, 1), 8, by_strength(range(0, 160, 20), 30), random.Random(1))
    games = Counter(entry for match in plan.matches for entry in match.entries)
    assert max(games.values()) - min(games.values()) <= 1


def test_in_a_ladder_those_of_about_one_strength_meet() -> None:
    strengths = [0, 0, 0, 0, 400, 400, 400, 400]
    plan, _ = play_out(Ladder(40, 1), 8, by_strength(strengths, 50), random.Random(1))
    late = [match for match in plan.matches if match.round > 20]
    pairs = [pair for match in late for pair in combinations(match.entries, 2)]
    alike = sum(strengths[one] == strengths[other] for one, other in pairs)
    assert alike / len(pairs) > 0.6  # chance alone gives 3 of 7


def test_anchors_keep_their_ratings_and_others_learn_theirs() -> None:
    event, points = Ladder(20, 1, (32.0, 18.0)), by_strength([0, 0, 400, 0, -400], 20)
    _, results = play_out(event, 5, points, random.Random(1))
    high, low, best, middle, worst = (mu for mu, _ in event.ratings(5, results))
    assert (high, low) == (32.0, 18.0)
    assert best > middle > worst


def test_the_matches_of_a_ladder_begin_when_the_round_before_is_over() -> None:
    event = Ladder(3, 1)
    first = event.plan(6, {})
    assert {match.round for match in first.matches} == {1}
    half = {first.matches[0].key: finished(first.matches[0], by_strength(range(6)))}
    assert event.plan(6, half).matches == first.matches


def test_a_match_without_a_block_teaches_a_ladder_nothing() -> None:
    first = Ladder(2, 1).plan(3, {}).matches[0]
    empty = MatchResult(first, (TableResult(()),) * 3)
    plan = Ladder(2, 1).plan(3, {first.key: empty})
    assert len(plan.matches) == 2


AB = AbTest(Hypotheses(0.0, 40.0), 10, ahead=3)


def test_a_test_ends_with_its_reason() -> None:
    """R11: the reason can be read by a machine."""
    plan, _ = play_out(AB, 2, by_strength([90, 0], noise=5), random.Random(1))
    assert plan.end is EndReason.ACCEPT_H1
    plan, _ = play_out(AB, 2, by_strength([0, 0], noise=5), random.Random(1))
    assert plan.end is EndReason.ACCEPT_H0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000))
def test_who_finishes_first_does_not_matter(seed: int) -> None:
    """Blocks are looked at in schedule order (competition guide 3.6)."""
    points = by_strength([20, 0], noise=120)
    in_order, _ = play_out(AB, 2, points, random.Random(0))
    shuffled, _ = play_out(AB, 2, points, random.Random(seed))
    assert (in_order.end, in_order.counted) == (shuffled.end, shuffled.counted)


def test_what_was_played_ahead_does_not_count() -> None:
    plan, results = play_out(AB, 2, by_strength([90, 0]), random.Random(4))
    assert plan.counted is not None
    assert len(plan.counting(results)) == plan.counted


def test_a_test_stands_where_its_last_match_has_left_it() -> None:
    _, results = play_out(AB, 2, by_strength([90, 0], noise=5), random.Random(1))
    assert AB.test_after(results) == list(AB.course(results))[-1]
    assert AB.test_after({}).seen.count == 0


def test_nothing_is_planned_far_ahead() -> None:
    assert len(AB.plan(2, {}).matches) == 3


@pytest.mark.parametrize(
    ("event", "entries"),
    [
        (RoundRobin(1, 1), 1),
        (AllTriples(1, 1), 2),
        (Gauntlet(2, 1, 1), 2),
        (Lists(4, 1, 48), 6),
        (Swiss(1, 1), 1),
        (Once(1, 1), 3),
        (KnockOut(1), 2),
        (Ladder(1, 1), 2),
        (Ladder(1, 1, (25.0,) * 5), 4),
        (AB, 3),
    ],
)
def test_too_few_entries_are_refused(event: Format, entries: int) -> None:
    with pytest.raises(ValueError, match=str(entries)):
        event.plan(entries, {})


@pytest.mark.parametrize(
    ("event", "entries"),
    [
        (RoundRobin(1_000, 1), 100),
        (RoundRobin(1, 1_000_000), 3),
        (AllTriples(1, 1), 200),
        (Gauntlet(100, 10, 1), 200),
        (Lists(3, 10_000, 36), 198),
        (Swiss(10_000, 1), 198),
        (Once(10_000, 1), 198),
        (KnockOut(1_000_000), 4),
        (Ladder(100_000, 1), 6),
        (AbTest(Hypotheses(), 1_000_001), 2),
    ],
)
def test_too_large_an_event_is_refused_before_it_is_planned(event: Format, entries: int) -> None:
    """T15: a small file does not make the server plan for ever."""
    with pytest.raises(ValueError, match="are the most"):
        event.plan(entries, {})


@pytest.mark.parametrize(
    ("event", "entries"),
    [
        (RoundRobin(1, 1), 121),
        (AllTriples(1, 1), 60),
        (Lists(3, 300, 1), 198),
        (Ladder(100, 1), 198),
    ],
)
def test_an_event_whose_standings_do_not_fit_into_memory_is_refused(
    event: Format, entries: int
) -> None:
    """T15: nor does it make the server compute what it cannot hold."""
    with pytest.raises(ValueError, match="a swiss event has fewer matches"):
        event.plan(entries, {})
    assert Swiss(20, 1).plan(entries, {}).matches
