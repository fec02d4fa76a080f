"""How many wrong tokens an address may present (T2)."""

from skat_server.players.patience import MOST_ADDRESSES, FailureLimiter, Patience

PATIENCE = Patience(burst=3, seconds_each=8.0)


def tired(at: float = 0.0) -> FailureLimiter:
    """A limiter that has seen all that `here` may do wrong."""
    limiter = FailureLimiter(PATIENCE)
    for _ in range(PATIENCE.burst):
        limiter.charge("here", at)
    return limiter


def test_an_address_may_be_wrong_so_often() -> None:
    limiter = FailureLimiter(PATIENCE)
    waits = []
    for _ in range(4):
        waits.append(limiter.wait("here", 5.0))
        limiter.charge("here", 5.0)
    assert waits == [0.0, 0.0, 0.0, 8.0]


def test_one_more_is_allowed_after_a_while() -> None:
    limiter = tired()
    assert limiter.wait("here", 7.0) == 1.0
    assert limiter.wait("here", 8.0) == 0.0
    limiter.charge("here", 8.0)
    assert limiter.wait("here", 8.0) == 8.0


def test_all_is_forgotten_in_the_end() -> None:
    limiter = tired()
    for _ in range(PATIENCE.burst):
        assert limiter.wait("here", 24.0) == 0.0
        limiter.charge("here", 24.0)
    assert limiter.wait("here", 24.0) == 8.0


def test_a_good_try_costs_nothing() -> None:
    limiter = tired()
    limiter.refund("here", 0.0)
    assert limiter.wait("here", 0.0) == 0.0
    limiter.refund("elsewhere", 0.0)
    assert limiter.wait("elsewhere", 0.0) == 0.0


def test_addresses_do_not_answer_for_each_other() -> None:
    assert tired().wait("there", 0.0) == 0.0


def test_memory_is_bounded() -> None:
    """T13: a stranger with many addresses makes the server remember no more than this."""
    limiter = tired()
    for number in range(MOST_ADDRESSES):
        limiter.charge(f"address {number}", 0.0)
    assert len(limiter._failures) == MOST_ADDRESSES
    assert limiter.wait("here", 0.0) == 0.0
