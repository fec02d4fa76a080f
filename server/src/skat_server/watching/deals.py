"""What a step says of the deal that it ends."""

from collections.abc import Iterator

from skat_engine.contracts import ContractKind
from skat_engine.results import DealResult
from skat_server.tables.facts import DealBooked, DecisionDefaulted, Fact
from skat_server.tables.state import TableState
from skat_server.tables.steps import Step

_GAMES = {ContractKind.GRAND: "grand", ContractKind.NULL: "null"}


def has_result(step: Step) -> bool:
    """Whether a deal is booked with a step."""
    return any(isinstance(fact, DealBooked) for fact in _facts(step))


def game_in(step: Step) -> str:
    """What was played in the deal that a step books."""
    results = (fact.booking.result for fact in _facts(step) if isinstance(fact, DealBooked))
    return _game_of(next(results))


def first_fault(before: TableState, step: Step) -> str:
    """The cause of the first safe answer in the deal that a step ends, `normal` without any.

    Args:
        before: the state in which the step was made.
        step: the one that ends the deal.
    """
    causes = [fault.cause for fault in before.conduct.faults]
    causes += [fact.cause for fact in _facts(step) if isinstance(fact, DecisionDefaulted)]
    return causes[0].value if causes else "normal"


def _facts(step: Step) -> Iterator[Fact]:
    return (fact for told in step.told for fact in told.facts)


def _game_of(result: DealResult) -> str:
    if result.game is not None:
        return _GAMES.get(result.game.contract.kind, "suit")
    return "passed" if result.ramsch is None else "ramsch"
