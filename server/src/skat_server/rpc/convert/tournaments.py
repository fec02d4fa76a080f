"""Tournaments, standings and pairings."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from skat.v1 import table_pb2, tournament_pb2, tournament_service_pb2
from skat_server.rpc.convert.facts import timestamp
from skat_server.statistics.sprt import Sprt
from skat_server.statistics.standings import Standings
from skat_server.statistics.stopped import median_unbiased
from skat_server.tournaments.boards import tournament_commitment
from skat_server.tournaments.event import boards_root
from skat_server.tournaments.matches import Match
from skat_server.tournaments.preview import Preview
from skat_server.tournaments.runner import Runner
from skat_server.tournaments.state import Entrant, Stage
from skat_server.tournaments.summary import Summary
from skat_server.tournaments.tournament import Tournament

IsConnected = Callable[[str], bool]

MOST_ROOTED: Final = 100_000
"""Boards over which a root is computed."""


def tournament_to_proto(
    tournament: Tournament, runner: Runner | None, is_connected: IsConnected
) -> tournament_pb2.Tournament:
    """A tournament as everybody may see it; without its progress where there is no runner."""
    fixed, state = tournament.fixed, tournament.state
    message = tournament_pb2.Tournament(
        tournament_id=fixed.tournament_id,
        name=fixed.config.name,
        state=tournament_pb2.TournamentState.Value(f"TOURNAMENT_STATE_{state.stage.name}"),
        end=_end(tournament),
        config=fixed.text,
        entries=[
            entry_to_proto(number, entrant, is_connected)
            for number, entrant in enumerate(state.entrants)
        ],
        seed_commitment=tournament_commitment(fixed.tournament_id, fixed.seed),
        seed=fixed.seed if tournament.is_over else b"",
        created_at=timestamp(fixed.created_at),
        reason=state.reason,
    )
    if runner is not None and state.stage not in {Stage.DRAFT, Stage.OPEN}:
        _add_progress(message, runner)
    return message


def _end(tournament: Tournament) -> tournament_pb2.TournamentEnd.ValueType:
    state = tournament.state
    if state.stage is Stage.CANCELLED:
        return tournament_pb2.TOURNAMENT_END_CANCELLED
    if state.end is None:
        return tournament_pb2.TOURNAMENT_END_UNSPECIFIED
    return tournament_pb2.TournamentEnd.Value(f"TOURNAMENT_END_{state.end.name}")


def _add_progress(message: tournament_pb2.Tournament, runner: Runner) -> None:
    event, plan = runner.standing.event, runner.standing.plan
    boards = max((match.first_board + match.boards for match in plan.matches), default=0)
    message.matches_planned = len(plan.matches)
    message.matches_done = sum(match.key in event.matches for match in plan.matches)
    message.games_planned = sum(match.games for match in plan.matches)
    message.games_done = runner.games_done
    if plan.winner is not None:
        message.winner = event.entrants[plan.winner].name
    if plan.end is not None and 0 < boards <= MOST_ROOTED:
        message.boards_root = boards_root(event, boards)


def entry_to_proto(
    number: int, entrant: Entrant, is_connected: IsConnected
) -> tournament_pb2.Entry:
    """Somebody who takes part."""
    house = entrant.house
    message = tournament_pb2.Entry(
        number=number,
        name=entrant.name,
        house=house is not None,
        connected=house is not None or any(map(is_connected, entrant.players)),
        client_nonce=entrant.nonce,
    )
    if house is not None:
        message.house_bot = table_pb2.HouseBot.Value(f"HOUSE_BOT_{house.name}")
    return message


def preview_to_proto(preview: Preview) -> tournament_service_pb2.PreviewScheduleResponse:
    """What an event costs and what it can find out."""
    return tournament_service_pb2.PreviewScheduleResponse(
        entries=preview.entries,
        house_bots=preview.house_bots,
        matches=preview.matches,
        boards=preview.boards,
        games=preview.games,
        blocks_of_a_pair=preview.blocks_of_a_pair,
        smallest_difference=preview.smallest_difference or 0.0,
        seconds=preview.seconds,
        seconds_of_slow_bots=preview.seconds_of_slow_bots,
    )


def standings_to_proto(
    names: Sequence[str], figures: Summary, table: Standings | None
) -> tournament_pb2.Standings:
    """A table with its intervals; empty while there is none."""
    message = tournament_pb2.Standings(
        blocks=figures.blocks,
        games=figures.games,
        watched_margin=figures.watched_margin,
    )
    if table is None:
        return message
    message.confidence = table.confidence
    message.seat_effects.extend(table.seat_effects.tolist())
    for row in table.rows:
        total = figures.totals[row.bot]
        message.rows.add(
            entry=row.bot,
            name=names[row.bot],
            place=row.place,
            strength=row.strength,
            low=row.low,
            high=row.high,
            best_place=row.best_place,
            worst_place=row.worst_place,
            games=total.games,
            points_per_36=total.per_list,
            faults=total.faulty,
        )
    return message


def cross_table_to_proto(
    names: Sequence[str], figures: Summary
) -> Iterator[tournament_service_pb2.CrossTableRow]:
    """One row for each entry."""
    table = figures.standings
    for number, (name, cells) in enumerate(zip(names, figures.cells, strict=True)):
        row = tournament_service_pb2.CrossTableRow(entry=number, name=name)
        for column, cell in enumerate(cells):
            superiority = 0.5 if table is None else float(table.superiority[number][column])
            row.cells.add(blocks=cell.blocks, difference=cell.difference, superiority=superiority)
        yield row


def sprt_to_proto(test: Sprt, end: str) -> tournament_pb2.TestStatus:
    """Where a sequential test stands.

    Args:
        test: after the blocks looked at so far.
        end: name of the reason why it has ended; empty while it runs.
    """
    hypotheses, seen = test.hypotheses, test.seen
    spread = seen.variance**0.5
    message = tournament_pb2.TestStatus(
        llr=test.llr,
        lower=hypotheses.lower,
        upper=hypotheses.upper,
        blocks=seen.count,
        mean=seen.mean,
        normalised=seen.mean / spread if spread else 0.0,
        delta0=hypotheses.delta0,
        delta1=hypotheses.delta1,
        normalised_delta0=hypotheses.delta0 / spread if spread else 0.0,
        normalised_delta1=hypotheses.delta1 / spread if spread else 0.0,
    )
    if end:
        message.end = tournament_pb2.TournamentEnd.Value(f"TOURNAMENT_END_{end}")
        message.median_unbiased = median_unbiased(test)
    return message


def pairing_to_proto(match: Match, number: int, runner: Runner) -> tournament_pb2.Pairing:
    """One table of the schedule."""
    done = runner.boards_done(match, number)
    return tournament_pb2.Pairing(
        key=match.table_key(number),
        round=match.round,
        lineup=match.lineups[number],
        first_board=match.first_board,
        boards=match.boards,
        boards_done=done or 0,
        table_id="" if done is None else runner.table_id(match, number),
    )
