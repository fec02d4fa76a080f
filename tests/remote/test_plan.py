"""What can be asked of a load, and what is refused."""

from collections.abc import Callable
from random import Random
from statistics import fmean, median

import pytest

from skat_server.remote.load.plan import LoadBot, LoadPlan, PlanError, Storms, parse_think_time

RANDOM, HOUSE = LoadBot.RANDOM, LoadBot.HOUSE_RANDOM


def samples(text: str) -> list[float]:
    think, chance = parse_think_time(text), Random(1)
    return [think.sample(chance) for _ in range(4000)]


def test_a_fixed_time_is_always_the_same() -> None:
    assert set(samples("fixed:50")) == {0.05}


def test_uniform_times_fill_their_range() -> None:
    found = samples("uniform:20-200")
    assert 0.02 <= min(found) < 0.03
    assert 0.19 < max(found) <= 0.2


def test_exponential_times_have_their_mean() -> None:
    assert fmean(samples("exp:100")) == pytest.approx(0.1, rel=0.1)


def test_lognormal_times_have_their_median() -> None:
    assert median(samples("lognormal:80,0.6")) == pytest.approx(0.08, rel=0.1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "fixed",
        "fixed:-1",
        "fixed:nan",
        "uniform:9-3",
        "exp:1e9",
        "exp:0",
        "lognormal:80",
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(PlanError, match="write 0, fixed:50"):
        parse_think_time(text)


def test_house_bots_sit_on_the_highest_seats() -> None:
    plan = LoadPlan(bots=(HOUSE, RANDOM))
    assert plan.seated == (RANDOM, HOUSE, HOUSE)


def test_every_table_has_players_of_its_own_where_there_are_enough() -> None:
    plan = LoadPlan(sessions=12, tables=4)
    seated = [player for table in range(4) for player in plan.players_of(table)]
    assert sorted(seated) == list(range(12))


@pytest.mark.parametrize("sessions", [3, 4, 5, 7])
def test_nobody_sits_twice_at_a_table(sessions: int) -> None:
    plan = LoadPlan(sessions=sessions, tables=20)
    assert all(len(set(plan.players_of(table))) == 3 for table in range(20))


def test_tables_are_made_by_all_in_turn() -> None:
    plan = LoadPlan(sessions=3, tables=6)
    assert [plan.players_of(table)[0] for table in range(6)] == [0, 1, 2, 0, 1, 2]


def test_the_same_text_gives_the_same_cards_and_every_series_others() -> None:
    one, other = LoadPlan(deal_source="a"), LoadPlan(deal_source="a")
    assert one.deals_seed(2, 1) == other.deals_seed(2, 1)
    seeds = {one.deals_seed(table, series) for table in range(3) for series in range(3)}
    assert len(seeds) == 9


def test_too_few_sessions_are_refused() -> None:
    with pytest.raises(PlanError, match="take 3 or more"):
        LoadPlan(sessions=2)


def test_a_table_of_house_bots_only_is_refused() -> None:
    with pytest.raises(PlanError, match="one must play from here"):
        LoadPlan(bots=(HOUSE,))


def test_too_few_tokens_are_refused() -> None:
    with pytest.raises(PlanError, match="1 tokens for 3 sessions"):
        LoadPlan(tokens=("one",))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
@pytest.mark.parametrize(
    ("option", "plan"),
    [
        ("--seconds", lambda number: LoadPlan(seconds=number)),
        ("--ramp-up", lambda number: LoadPlan(ramp_up=number)),
        ("--slow-pause", lambda number: LoadPlan(slow_seconds=number)),
        ("--storm-every", lambda number: LoadPlan(storms=Storms(number, 0.5))),
        ("--storm-share", lambda number: LoadPlan(storms=Storms(1.0, number))),
    ],
)
def test_numbers_that_are_none_are_refused(
    option: str, plan: Callable[[float], LoadPlan], number: float
) -> None:
    with pytest.raises(PlanError, match=f"{option} {number}"):
        plan(number)


def test_more_bots_than_seats_are_refused() -> None:
    with pytest.raises(PlanError, match="a table has 3 seats"):
        LoadPlan(bots=(RANDOM,) * 4)


@pytest.mark.parametrize(("sessions", "idle"), [(3, 0), (6, 0), (10, 4)])
def test_sessions_without_a_seat_are_counted(sessions: int, idle: int) -> None:
    assert LoadPlan(sessions=sessions, tables=2).idle_sessions == idle
