"""Lists of deals under every preset, over gRPC, by bots that prefer what is rare."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

import pytest

from skat_client import (
    Action,
    AsyncClient,
    CardsPutDown,
    ConcessionOffered,
    ConcessionRefused,
    ContractAnnounced,
    DealEnded,
    DealResult,
    DealSight,
    DealStarted,
    Decision,
    DeclarerGame,
    DefendersCompared,
    Ending,
    EndRequested,
    Event,
    GameScore,
    GameSummary,
    GameValue,
    GrandHandAccepted,
    GrandHandDeclined,
    HandsRearranged,
    Knocked,
    KontraAnswered,
    Level,
    ProposalDeclined,
    ProposalKind,
    RamschGame,
    RamschScore,
    RamschStarted,
    RamschSummary,
    ReAnswered,
    RearrangeOptions,
    RuleSet,
    SeatCard,
    SeededDeals,
    ShorteningProposed,
    SkatPassedOn,
    SkatPickedUp,
    SpitzeRevealed,
    TableEvent,
    TableSight,
    TableState,
    VoteCast,
    run,
)
from skat_client.bots import ChaosBot
from skat_engine.presets import PRESETS
from skat_engine.records import Identical, from_json_line, replay
from skat_server.app import App
from skat_server.config import Settings

DEALS: Final = 36
SEATS: Final = 3
SEED: Final = 6
"""Deals and bots follow from it; under this one everything that a preset knows happens."""
ALL_POINTS: Final = 120

WORDS_OF_OPTION: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("kontra", "off"): frozenset({"kontra", "no kontra", "re", "no re"}),
    ("spitze", "off"): frozenset({"spitze", "spitze shown"}),
    ("bock", "false"): frozenset({"bock deal", "ramsch round", "forced ramsch"}),
    ("revolution", "false"): frozenset({"revolution", "compared", "rearranged"}),
    ("klopfen", "false"): frozenset({"knock", "no knock"}),
    ("lay_open", "off"): frozenset({"proposed: claim", "proposed: all tricks"}),
    ("declarer_give_up", "off"): frozenset({"proposed: declarer gives up"}),
    ("ramsch_skat_exchange", "none"): frozenset({"picked up", "passed on", "put down"}),
    ("session_end", "fixed_deals"): frozenset({"end asked for"}),
}
"""What an option that is off keeps from happening."""

SOMEWHERE: Final = frozenset(
    {
        "accepted",
        "bock deal",
        "compared",
        "concession offered",
        "concession refused",
        "end asked for",
        "forced ramsch",
        "grand hand",
        "hand",
        "knock",
        "kontra",
        "level",
        "no grand hand",
        "no knock",
        "no kontra",
        "no re",
        "ouvert",
        "passed on",
        "picked up",
        "proposed: all tricks",
        "proposed: claim",
        "proposed: declarer gives up",
        "proposed: defenders give up",
        "proposed: schenken",
        "put down",
        "ramsch",
        "ramsch round",
        "re",
        "rearranged",
        "rejected",
        "revolution",
        "spitze",
        "spitze shown",
    }
)
"""What has to happen under one preset or another."""

SELDOM: Final = frozenset({Ending.CLAIM_RIGHT, Ending.CLAIM_WRONG, Ending.NULL_UNDERBID})
"""Endings that need an option which no preset sets."""


class Checker(ChaosBot):
    """A chaos bot that keeps what it is told and compares it with what it is asked."""

    def __init__(self, seed: int, last_deal: asyncio.Event) -> None:
        super().__init__(seed)
        self.events: list[Event] = []
        self.games: list[tuple[GameSummary, GameValue]] = []
        self.ramsches: list[tuple[RamschSummary, tuple[int, ...]]] = []
        self._last_deal = last_deal
        self._schenken_refused = False

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        self.events.append(event.event)
        if sight.deal.number >= DEALS:
            self._last_deal.set()
        match event.event:
            case DealStarted():
                self._schenken_refused = False
            case ProposalDeclined(ProposalKind.SCHENKEN):
                self._schenken_refused = True
            case DealEnded(result, _, _):
                check_points(sight)
                if result.ramsch is not None:
                    self.ramsches.append(ramsch_of(sight.deal, result.ramsch, result))
                elif result.game is not None and result.ending in TO_THE_END:
                    refused = self._schenken_refused
                    self.games.append(game_of(sight.deal, result.game, result, refused=refused))
            case _:
                pass

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        options = decision.options
        asked = set(getattr(options, "cards", ())) | set(getattr(options, "discardable", ()))
        known = set(sight.deal.hand)
        if isinstance(options, RearrangeOptions):
            assert asked == known | set(sight.deal.partner_hand)
        assert asked <= known | set(sight.deal.partner_hand)
        return super().decide(decision, sight)


def check_points(sight: TableSight) -> None:
    """Compare the points that a viewer has counted with those of the result."""
    deal, result = sight.deal, sight.deal.result
    assert result is not None
    assert deal.is_ramsch == (result.ramsch is not None)
    if result.ramsch is not None:
        counted = dict(deal.points)
        counted[deal.tricks[-1].winner] += sum(card.points for card in result.ramsch.skat)
        assert tuple(counted[seat] for seat in deal.active_seats) == result.ramsch.points
        assert sum(result.ramsch.points) == ALL_POINTS
        assert deal.declarer_points == deal.defender_points == 0
    if result.ending is Ending.PLAYED_OUT:
        assert result.game is not None
        counted_points = deal.declarer_points + deal.known_discard_points
        assert counted_points == result.game.declarer_points
        assert deal.defender_points == result.game.defender_points
        flags = (deal.kontra is not None, deal.re, deal.is_bock)
        assert flags == (result.game.kontra, result.game.re, result.game.bock)


TO_THE_END: Final = frozenset({Ending.PLAYED_OUT, Ending.NULL_LOST})
"""Endings of declarer games that a summary of card points and tricks describes."""


def game_of(
    deal: DealSight, game: DeclarerGame, result: DealResult, *, refused: bool
) -> tuple[GameSummary, GameValue]:
    """A declarer game as it is asked about, and what it came to at the table."""
    position = deal.active_seats.index(game.seat)
    dealt = result.dealt
    hand = set((dealt.forehand, dealt.middlehand, dealt.rearhand)[position])
    if not game.contract.hand:
        hand |= set(dealt.skat)
    last = deal.tricks[-1]
    lowest = SeatCard(game.seat, game.contract.spitze_card) if game.contract.spitze_card else None
    summary = GameSummary(
        contract=game.contract,
        playing_hand=tuple(sorted(hand - set(game.discards))),
        skat=game.discards,
        bid=game.bid,
        declarer_points=game.declarer_points,
        declarer_tricks=result.tricks[position],
        defender_tricks=sum(result.tricks) - result.tricks[position],
        kontra=game.kontra,
        re=game.re,
        bock=game.bock,
        spitze_made=game.contract.spitze and last.winner == game.seat and lowest in last.cards,
        schenken_refused=refused,
    )
    return summary, game.value


def ramsch_of(
    deal: DealSight, game: RamschGame, result: DealResult
) -> tuple[RamschSummary, tuple[int, ...]]:
    """A Ramsch as it is asked about, and what it brought at the table, by position."""
    positions = {seat: position for position, seat in enumerate(deal.active_seats)}
    summary = RamschSummary(
        points=game.points,
        tricks=result.tricks,
        looked=tuple(sorted(positions[seat] for seat in game.looked)),
        untouched=game.untouched,
        bock=deal.is_bock,
        knocked=game.knocked,
        last_trick_winner=positions[deal.tricks[-1].winner],
    )
    return summary, tuple(result.scores[seat] for seat in deal.active_seats)


@dataclass(frozen=True)
class Played:
    """What a list of deals came to."""

    events: tuple[tuple[Event, ...], ...]
    """As each seat was told them."""
    sight: TableSight
    """What seat 0 knew in the end."""
    has_length: bool
    differing: tuple[object, ...]
    """Outcomes of replaying the records, but for the identical ones."""
    records: int
    options: Mapping[str, str]
    """The preset's options as the server lists them."""
    scored: tuple[tuple[object, GameScore, GameValue], ...]
    """Declarer games: the summary, what the rules service says, what was booked."""
    ramsches: tuple[tuple[object, RamschScore, tuple[int, ...]], ...]
    """The same for every Ramsch."""


@cache
def played(preset: str) -> Played:
    """A list under a preset, played once."""
    return asyncio.run(_play(preset, SEED))


async def _play(preset: str, seed: int) -> Played:
    last_deal, random = asyncio.Event(), Random(seed)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(App(Settings(port=0, grace=0.0)))
        clients = [await stack.enter_async_context(AsyncClient(app.address)) for _ in range(SEATS)]
        owner = clients[0]
        deals = SeededDeals(hashlib.sha256(f"{preset} {seed}".encode()).digest())
        table = await owner.create_table(RuleSet(preset), deal_source=deals)
        bots = [Checker(random.getrandbits(32), last_deal) for _ in range(SEATS)]
        async with asyncio.TaskGroup() as tasks:
            runs = [
                tasks.create_task(run(bot, client, [table.table_id], seat=seat))
                for seat, (bot, client) in enumerate(zip(bots, clients, strict=True))
            ]
            if not table.deals:
                await last_deal.wait()
                await owner.end_series(table.table_id)
        records = [record async for record in owner.list_deal_records(table.table_id)]
        outcomes = [replay(from_json_line(record.json)) for record in records]
        book = await owner.list_rule_sets()
        games, ramsches = bots[0].games, bots[0].ramsches
        scored = [(each, await owner.score_deal(preset, each), value) for each, value in games]
        brought = [(each, await owner.score_ramsch(preset, each), won) for each, won in ramsches]
    return Played(
        events=tuple(tuple(bot.events) for bot in bots),
        sight=runs[0].result()[table.table_id],
        has_length=table.deals > 0,
        differing=tuple(each for each in outcomes if not isinstance(each, Identical)),
        records=len(records),
        options=next(info.options for info in book.rule_sets if info.preset == preset),
        scored=tuple(scored),
        ramsches=tuple(brought),
    )


def words_of(events: Iterable[Event]) -> Counter[str]:
    """How often each special thing happened."""
    return Counter(word for event in events for word in _words(event))


_WORD_OF_TYPE: Final[Mapping[type[Event], str]] = {
    ConcessionOffered: "concession offered",
    ConcessionRefused: "concession refused",
    GrandHandAccepted: "grand hand",
    GrandHandDeclined: "no grand hand",
    RamschStarted: "ramsch",
    SkatPickedUp: "picked up",
    SkatPassedOn: "passed on",
    CardsPutDown: "put down",
    SpitzeRevealed: "spitze shown",
    DefendersCompared: "compared",
    HandsRearranged: "rearranged",
    EndRequested: "end asked for",
}


def _words(event: Event) -> tuple[str, ...]:
    match event:
        case DealStarted(bock=True):
            return ("bock deal",)
        case DealStarted(ramsch_round=True, grand_hand_offered=offered):
            return ("ramsch round" if offered else "forced ramsch",)
        case ContractAnnounced(_, contract, _):
            flags = ("hand", "ouvert", "spitze", "revolution")
            level = ("level",) if contract.announced > Level.SIMPLE else ()
            return (*level, *(flag for flag in flags if getattr(contract, flag)))
        case KontraAnswered(_, said):
            return ("kontra" if said else "no kontra",)
        case ReAnswered(_, said):
            return ("re" if said else "no re",)
        case Knocked(_, said):
            return ("knock" if said else "no knock",)
        case VoteCast(_, accept):
            return ("accepted" if accept else "rejected",)
        case ShorteningProposed(_, kind, _):
            return (f"proposed: {kind}",)
        case _:
            word = _WORD_OF_TYPE.get(type(event))
            return (word,) if word else ()


# ------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("preset", PRESETS)
def test_a_list_ends(preset: str) -> None:
    game = played(preset)
    assert game.sight.table.state is TableState.FINISHED
    assert len(game.sight.places) == SEATS
    done = game.sight.table.deals_done
    assert done == DEALS if game.has_length else done >= DEALS


@pytest.mark.parametrize("preset", PRESETS)
def test_circuits_are_completed(preset: str) -> None:
    game = played(preset)
    if game.options["session_end"] == "full_circuits":
        assert game.sight.table.deals_done % SEATS == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_every_record_replays(preset: str) -> None:
    game = played(preset)
    assert game.differing == ()
    assert game.records == game.sight.table.deals_done


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_service_scores_games_as_the_table_did(preset: str) -> None:
    game = played(preset)
    assert game.scored
    assert [(summary, score.value) for summary, score, _ in game.scored] == [
        (summary, value) for summary, _, value in game.scored
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_service_scores_a_ramsch_as_the_table_did(preset: str) -> None:
    game = played(preset)
    assert [(summary, score.scores) for summary, score, _ in game.ramsches] == [
        (summary, scores) for summary, _, scores in game.ramsches
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_changes_add_up_to_the_totals(preset: str) -> None:
    game = played(preset)
    for events in game.events:
        changes = [event.changes for event in events if isinstance(event, DealEnded)]
        assert tuple(map(sum, zip(*changes, strict=True))) == game.sight.totals


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_happens_that_the_preset_does_not_have(preset: str) -> None:
    game = played(preset)
    happened = set(words_of(game.events[0]))
    for (option, value), words in WORDS_OF_OPTION.items():
        if game.options[option] == value:
            assert not happened & words, option


def test_everything_happens_under_one_preset_or_another() -> None:
    happened = {
        word for preset in PRESETS for events in played(preset).events for word in words_of(events)
    }
    assert happened >= SOMEWHERE


def test_deals_end_in_every_way_that_a_preset_knows() -> None:
    endings = {
        event.result.ending
        for preset in PRESETS
        for event in played(preset).events[0]
        if isinstance(event, DealEnded)
    }
    assert endings >= set(Ending) - SELDOM


@pytest.mark.asyncio
async def test_the_server_lists_these_presets() -> None:
    async with App(Settings(port=0, grace=0.0)) as app, AsyncClient(app.address) as client:
        book = await client.list_rule_sets()
    assert [info.preset for info in book.rule_sets] == list(PRESETS)
