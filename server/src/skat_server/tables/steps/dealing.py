"""Steps that deal cards."""

from skat_engine.deal import Deal
from skat_server.errors import Reason, RefusedError
from skat_server.tables import entries
from skat_server.tables.chance import bound, deal_id
from skat_server.tables.conduct import Conduct
from skat_server.tables.facts import DealStarted, DealVoided, numbers_after
from skat_server.tables.state import Stage, TableConfig, TableState
from skat_server.tables.steps.step import Step, Told, require_running, tell, without_deal


def deal(config: TableConfig, state: TableState) -> Step:
    """Deal the next cards; a void deal is followed by others under its number.

    Args:
        config: what is fixed.
        state: the state before; no deal is under way in it.
    """
    number, count = state.deal_number, state.dealt + 1
    seating, occasion = state.series.next_seating(), state.series.next_occasion()
    nonces = tuple(occupant.nonce if occupant else b"" for occupant in state.occupants)
    dealing = config.source.dealt(count, nonces)
    name, commitment = deal_id(config, number), bound(config, number, dealing)
    started = DealStarted(number, dealing.dealt, occasion, name, commitment)
    after = TableState(
        state.occupants,
        state.series,
        seating,
        Stage.PLAYING,
        Deal(config.rules, dealing.dealt, occasion),
        dealt=count,
        end_requested=state.end_requested,
        seed=dealing.seed,
        nonces=dealing.nonces,
        told=numbers_after(state.told, (started,), seating),
        seated_at=state.seated_at,
        conduct=Conduct.at_the_start(config.clock),
        taken_over=state.taken_over,
        idle=state.idle,
    )
    entry = entries.deal_started(state, seating, dealing)
    return Step((entry,), (Told((started,), seating),), after)


def void_deal(config: TableConfig, state: TableState, reason: str) -> Step:
    """Drop the deal under way and deal its number anew.

    Raises:
        RefusedError: TABLE_OVER; WRONG_PHASE when no deal is under way; NOT_ALLOWED in a
            tournament.
    """
    require_running(state)
    if config.tournament_id:
        # Other cards would not be those of the board that other tables play.
        raise RefusedError(
            Reason.NOT_ALLOWED,
            "a board of a tournament is not dealt anew; close the table, and its block does not "
            "count",
        )
    if state.deal is None:
        raise RefusedError(Reason.WRONG_PHASE, "no deal is under way at this table")
    voided, between = tell(without_deal(state), DealVoided(reason))
    dealing = deal(config, between)
    return Step(
        (entries.deal_voided(reason), *dealing.entries), (voided, *dealing.told), dealing.after
    )
