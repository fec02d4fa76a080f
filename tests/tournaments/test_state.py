"""The states of a tournament, and its log (R1, R3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skat_server.errors import Reason, RefusedError
from skat_server.tables.house import HouseBot
from skat_server.tournaments import entries
from skat_server.tournaments.config import parse_config
from skat_server.tournaments.formats.plan import EndReason
from skat_server.tournaments.state import (
    BEFORE_PLAY,
    ENDED,
    Change,
    Ended,
    Entrant,
    Fixed,
    Opened,
    Paused,
    Registered,
    Resumed,
    Stage,
    Started,
    TournamentState,
    Withdrawn,
    changed,
    first_state,
)

FILE = """
name = "Cup"
[format]
kind = "round_robin"
[[entries]]
name = "ref"
house = "random"
"""

ANN = Entrant("ann", ("player-a",), "alice", nonce=b"\x01\x02")
BEN = Entrant("ben", ("player-b",), "bob")


def fixed(text: str = FILE) -> Fixed:
    return Fixed("tournament-1", "organiser", text, parse_config(text), bytes(32), 12.5, "req")


def after(*changes: Change, text: str = FILE) -> TournamentState:
    """The state after these changes."""
    state = first_state(fixed(text))
    for change in changes:
        state = changed(fixed(text), state, change)
    return state


def refusal(*changes: Change, text: str = FILE) -> Reason:
    """Why the last of these changes is refused."""
    state = after(*changes[:-1], text=text)
    with pytest.raises(RefusedError) as caught:
        changed(fixed(text), state, changes[-1])
    return caught.value.reason


REACHED: dict[Stage, tuple[Change, ...]] = {
    Stage.DRAFT: (),
    Stage.OPEN: (Opened(),),
    Stage.RUNNING: (Opened(), Registered(ANN), Started()),
    Stage.PAUSED: (Opened(), Registered(ANN), Started(), Paused()),
    Stage.FINISHED: (Opened(), Registered(ANN), Started(), Ended(EndReason.SCHEDULE_DONE)),
    Stage.CANCELLED: (Ended(None, "rain"),),
}

ALLOWED: dict[Change, set[Stage]] = {
    Opened(): {Stage.DRAFT},
    Registered(BEN): {Stage.OPEN},
    Withdrawn("ref"): set(BEFORE_PLAY),
    Paused(): {Stage.RUNNING},
    Resumed(): {Stage.PAUSED},
    Ended(None): set(Stage) - ENDED,
}


@pytest.mark.parametrize("stage", list(Stage))
@pytest.mark.parametrize("change", list(ALLOWED), ids=lambda change: type(change).__name__)
def test_every_change_has_its_states(stage: Stage, change: Change) -> None:
    state = after(*REACHED[stage])
    assert state.stage is stage
    if stage in ALLOWED[change]:
        assert changed(fixed(), state, change) != state
    else:
        assert refusal(*REACHED[stage], change) is Reason.TOURNAMENT_STATE


def test_house_bots_fill_up_at_the_start() -> None:
    state = after(Opened(), Registered(ANN), Started())
    assert [entrant.name for entrant in state.entrants] == ["ref", "ann", "house-1"]
    assert state.entrants[2].house is HouseBot.FIRST_OPTION


def test_too_few_entries_cannot_start() -> None:
    assert refusal(Started()) is Reason.BAD_TOURNAMENT


def test_an_entry_of_the_file_waits_for_its_player() -> None:
    text = FILE + '[[entries]]\nname = "ann"\n'
    assert refusal(Opened(), Started(), text=text) is Reason.BAD_TOURNAMENT
    state = after(Opened(), Registered(ANN), text=text)
    assert [entrant.players for entrant in state.entrants] == [(), ("player-a",)]


def test_who_withdraws_leaves_a_place_of_the_file_open() -> None:
    """The organiser's entries keep their places, as the references of a gauntlet do."""
    text = FILE.replace("[[entries]]", '[[entries]]\nname = "ann"\n[[entries]]', 1)
    state = after(Opened(), Registered(ANN), Registered(BEN), Withdrawn("ann"), text=text)
    assert [(e.name, e.players) for e in state.entrants] == [
        ("ann", ()),
        ("ref", ()),
        ("ben", ("player-b",)),
    ]
    assert after(Opened(), Registered(BEN), Withdrawn("ben")).entrants == after().entrants


def test_a_name_is_given_once() -> None:
    assert refusal(Opened(), Registered(Entrant("ref", ("x",)))) is Reason.NAME_TAKEN


def test_a_player_enters_once() -> None:
    again = Registered(Entrant("other", ("player-a",)))
    assert refusal(Opened(), Registered(ANN), again) is Reason.ALREADY_SEATED


def test_entries_of_one_owner_do_not_meet() -> None:
    """T25: one owner's bots never meet unless that is declared."""
    second = Registered(Entrant("second", ("player-c",), "alice"))
    assert refusal(Opened(), Registered(ANN), second) is Reason.NOT_ALLOWED
    text = FILE.replace('name = "Cup"', 'name = "Cup"\nowners_may_meet = true', 1)
    assert len(after(Opened(), Registered(ANN), second, text=text).entrants) == 3


AB = """
name = "Test"
[format]
kind = "ab_test"
[[entries]]
name = "old"
house = "random"
"""
ANN_TOO = Registered(Entrant("ann", ("player-b",), "alice"))


def test_a_second_player_joins_an_entry_that_sits_twice() -> None:
    entrants = after(Opened(), Registered(ANN), ANN_TOO, Started(), text=AB).entrants
    assert entrants[1] == replace(ANN, players=("player-a", "player-b"))


def test_an_entry_that_sits_twice_needs_two_players() -> None:
    assert refusal(Opened(), Registered(ANN), Started(), text=AB) is Reason.BAD_TOURNAMENT


def test_a_third_player_cannot_join() -> None:
    third = Registered(Entrant("ann", ("player-c",), "alice"))
    assert refusal(Opened(), Registered(ANN), ANN_TOO, third, text=AB) is Reason.NAME_TAKEN


def test_nobody_joins_where_entries_sit_once() -> None:
    assert refusal(Opened(), Registered(ANN), ANN_TOO) is Reason.NAME_TAKEN


def test_no_stranger_joins_an_entry_where_owners_are_known() -> None:
    """T3: where the server keeps accounts, nobody plays for another's entry."""
    kept = replace(fixed(AB), account_id="account-1")
    state = changed(kept, changed(kept, first_state(kept), Opened()), Registered(ANN))
    stranger = Registered(Entrant("ann", ("player-b",), "bob"))
    with pytest.raises(RefusedError) as caught:
        changed(kept, state, stranger)
    assert caught.value.reason is Reason.NAME_TAKEN


def test_who_does_not_take_part_cannot_withdraw() -> None:
    assert refusal(Opened(), Withdrawn("ann")) is Reason.NOT_SEATED


CHANGES: tuple[Change, ...] = (
    Opened(),
    Registered(ANN),
    Registered(BEN),
    Withdrawn("ben"),
    Started(),
    Paused(),
    Resumed(),
    Ended(EndReason.WON),
    Ended(None, "rain"),
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_a_change_reads_back_as_it_was(change: Change) -> None:
    assert entries.change_from(entries.entry_of(change)) == change


def test_what_is_fixed_reads_back_as_it_was() -> None:
    assert entries.fixed_from("tournament-1", entries.created(fixed())) == fixed()


def test_the_seed_is_in_no_text() -> None:
    """T6: what is printed of a tournament tells no seed."""
    secret = Fixed("t", "o", FILE, parse_config(FILE), b"\xab" * 32, 0.0)
    assert "ab" * 4 not in repr(secret)
    assert "\\xab" not in repr(secret)
