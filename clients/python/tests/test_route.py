"""Where the next connection goes, as servers send their clients on."""

import pytest

from skat_client._route import Route

HOME, AWAY, FURTHER = "home:1", "away:2", "further:3"


@pytest.fixture
def route() -> Route:
    return Route(HOME)


def sent(route: Route, endpoint: str) -> str:
    """The server names another one, and ends the connection."""
    route.told(endpoint)
    route.lost()
    return route.target


def lost(route: Route) -> str:
    route.lost()
    return route.target


def test_a_lost_connection_is_sought_where_it_was(route: Route) -> None:
    route.lost()
    assert route.target == HOME


def test_who_is_sent_on_goes_there_once_the_connection_ends(route: Route) -> None:
    route.told(AWAY)
    assert route.target == HOME
    route.lost()
    assert route.target == AWAY


def test_who_is_sent_nowhere_stays(route: Route) -> None:
    assert sent(route, "") == HOME


@pytest.mark.parametrize("endpoint", ["nonsense", "http://away:2", "away:99999", ":1", "a b:"])
def test_who_is_sent_to_no_address_stays(endpoint: str, route: Route) -> None:
    assert sent(route, endpoint) == HOME


def test_the_last_word_counts(route: Route) -> None:
    route.told(AWAY)
    assert sent(route, "") == HOME


def test_one_may_be_sent_further(route: Route) -> None:
    assert [sent(route, endpoint) for endpoint in (AWAY, FURTHER)] == [AWAY, FURTHER]


def test_a_server_that_cannot_be_reached_is_left_for_home(route: Route) -> None:
    sent(route, AWAY)
    assert [lost(route) for _ in range(3)] == [AWAY, AWAY, HOME]


def test_one_that_was_not_there_yet_is_tried_again(route: Route) -> None:
    """The server that takes over may need a while, and the old one never comes back."""
    sent(route, AWAY)
    assert [lost(route) for _ in range(9)] == [*[AWAY] * 2, *[HOME] * 3, *[AWAY] * 3, HOME]


def test_one_that_was_of_use_is_tried_anew(route: Route) -> None:
    sent(route, AWAY)
    route.lost()
    route.lost()
    route.progressed()
    route.lost()
    assert route.target == AWAY


def test_nobody_is_sent_round_for_ever(route: Route) -> None:
    targets = [sent(route, endpoint) for endpoint in (AWAY, HOME) * 4]
    assert targets == [AWAY, HOME, AWAY, HOME, AWAY, HOME, HOME, HOME]


def test_a_connection_of_use_starts_the_count_anew(route: Route) -> None:
    for _ in range(5):
        sent(route, AWAY)
        route.progressed()
    assert sent(route, FURTHER) == FURTHER
