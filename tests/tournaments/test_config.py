"""The organiser's file: what it may say, and how mistakes are told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

from skat_engine.options import FirstDealer
from skat_engine.presets import preset
from skat_engine.ruleset_text import parse_option
from skat_server.tournaments.config import EXAMPLE, ConfigError, TournamentConfig, parse_config
from skat_server.tournaments.sections import EntrySection

SMALL = """
name = "Cup"
[format]
kind = "round_robin"
"""


def mistakes(text: str) -> str:
    """What is said of a file that cannot be used."""
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    return str(caught.value)


def test_the_example_is_a_file_that_can_be_used() -> None:
    config = parse_config(EXAMPLE)
    assert [entry.name for entry in config.entries] == ["rules", "house"]


def test_a_file_needs_little() -> None:
    assert parse_config(SMALL).rules.preset == "isko"


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("nme = 1", "nme"),
        ("tables_at_once = 0", "tables_at_once"),
        ("[format]\nkind = 'round_robin'\nrouns = 2", "format.rouns"),
        ("[format]\nkind = 'chess'", "format"),
        ("[clock]\ndecision_ms = -1", "clock.decision_ms"),
        ("[faults]\nconsequence = 'shout'", "faults.consequence"),
        ("[stop]\nalpha = 0.7", "stop.alpha"),
        ("[seeds]\nseed = '00'", "seeds.seed"),
        ("[[entries]]\nname = ''", "entries.0.name"),
        ("[rules]\npreset = 'chess'", "rules"),
        ("[rules]\noptions = { seats = 'many' }", "rules"),
    ],
)
def test_a_mistake_is_named_with_its_place(line: str, place: str) -> None:
    tail = "" if "[format]" in line else "[format]\nkind = 'round_robin'\n"
    top = (
        f"name = 'Cup'\n{line}\n{tail}"
        if not line.startswith("[")
        else (f"name = 'Cup'\n{tail}{line}\n")
    )
    assert place in mistakes(top)


WHOLE = "a whole number from 1 to 1,000,000"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("boards = 'many'", f"format.boards: 'many' cannot be used; write {WHOLE}"),
        ("boards = 0", f"format.boards: 0 cannot be used; write {WHOLE}"),
        ("boards = 1.5", f"format.boards: 1.5 cannot be used; write {WHOLE}"),
        ("boards = 1979-05-27", f"format.boards: 1979-05-27 cannot be used; write {WHOLE}"),
        ("bords = 1", "format.bords: there is no such key; those here are kind, rounds, boards"),
        (
            r'"\u001b[2J" = 1',
            r"format.'\x1b[2J': there is no such key; those here are kind, rounds, boards",
        ),
        ("[stop]\nalpha = 1", "stop.alpha: 1 cannot be used; write a number above 0 and below 0.5"),
        (
            "[stop]\nmost_blocks = true",
            "stop.most_blocks: true cannot be used; write a whole number, 50 or more",
        ),
        ("[clock]\nbank_ms = {}", "clock.bank_ms: a table cannot be used; write a whole number"),
        ("[rules]\noptions = 3", "rules.options: 3 cannot be used; write a table"),
        (
            "[rules]\noptions = { seats = 4 }",
            "rules.options.seats: 4 cannot be used; write text in quotes",
        ),
        (
            "[faults]\nconsequence = 'shout'",
            "faults.consequence: 'shout' cannot be used; write 'house_plays', 'forfeit' or 'none'",
        ),
        (
            "[[entries]]\nplayers = 'a'",
            "entries.0.name: it is missing; write 1 to 40 letters, digits, spaces and any of "
            "_ . + @ -\n"
            "entries.0.players: 'a' cannot be used; write a list, each text in quotes",
        ),
    ],
)
def test_a_mistake_says_what_stands_there_and_what_is_allowed(lines: str, told: str) -> None:
    assert mistakes(SMALL + lines).startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = 'Cup'", "format: it is missing; write a table with kind = 'ab_test', "),
        ("name = 'Cup'\nformat = 3", "format: 3 cannot be used; write a table with kind = "),
        ("name = 'Cup'\n[format]\nrounds = 3", "format.kind: it is missing; write 'ab_test', "),
        ("name = 'Cup'\n[format]\nkind = 'chess'", "format.kind: 'chess' cannot be used; write "),
        (
            SMALL.replace("'", '"').replace('"Cup"', '""'),
            "name: '' cannot be used; write text of 1 to 80 characters, in quotes",
        ),
    ],
)
def test_what_the_file_needs_is_said(text: str, told: str) -> None:
    assert mistakes(text).startswith(told)


KINDS = ("ladder", "lists")
ODD = ("-1", "0.5", "true", "'x'", "[]", "[-1]", "{}", "{ x = 1 }", "[{}]", "1979-05-27", "nan")
OURS = re.compile(
    r"^\S+: (.* cannot be used; write |it is missing; write |there is no such key; those here are )"
)
CHECKED = re.compile(r"^the file: |^name: it has characters|^format: pairs need")
"""What spans several tables, or is no matter of one value, has sentences of its own."""


def places(kind: str) -> Iterator[str]:
    """Every key of a file with this format, as it is written on a line of its own."""
    whole = TournamentConfig.model_json_schema()
    (section,) = [
        part
        for part in whole["$defs"].values()
        if part["properties"].get("kind", {}).get("const") == kind
    ]
    for name, field in whole["properties"].items():
        yield name
        part = whole["$defs"].get(field.get("$ref", "").rpartition("/")[2])
        within = section if name == "format" else part
        yield from (f"{name}.{key}" for key in (within or {"properties": {}})["properties"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("odd", ODD)
def test_whatever_stands_at_a_place_is_told_in_our_words(kind: str, odd: str) -> None:
    """None of the library's sentences come through, and nothing else is raised."""
    for place in places(kind):
        others = ("name = 'Cup'", f"format.kind = '{kind}'")
        lines = [f"{place} = {odd}", *(line for line in others if not line.startswith(place))]
        for line in told_of("\n".join(lines)):
            assert OURS.search(line) or CHECKED.search(line), (lines, line)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("key", EntrySection.model_fields)
def test_whatever_stands_in_an_entry_is_told_in_our_words(key: str, odd: str) -> None:
    for line in told_of(f"{SMALL}[[entries]]\n{key} = {odd}"):
        assert OURS.search(line), line


def told_of(text: str) -> Sequence[str]:
    """The mistakes of a file, if it has any."""
    try:
        parse_config(text)
    except ConfigError as error:
        return str(error).splitlines()
    return ()


def test_a_name_that_a_terminal_would_obey_is_refused() -> None:
    """T20."""
    assert mistakes(SMALL.replace("Cup", "\\u001b[2J")).startswith("name: ")


def test_all_mistakes_are_named_at_once() -> None:
    told = mistakes("tables_at_once = 0\nready_within_s = -1\n[format]\nkind = 'swiss'")
    assert len(told.splitlines()) == 3


def test_what_is_no_toml_is_said_so() -> None:
    assert "no TOML" in mistakes("name = ")


def test_entries_have_names_of_their_own() -> None:
    assert "share a name: a" in mistakes(SMALL + "[[entries]]\nname='a'\n[[entries]]\nname='a'")


@pytest.mark.parametrize("kind", ["round_robin", "lists"])
def test_nothing_is_dealt_anew(kind: str) -> None:
    """Else the cards of one board would be those of the next."""
    text = SMALL.replace("round_robin", kind) + '[rules]\npreset = "terse_english"'
    assert "choose another all_pass" in mistakes(text)


@pytest.mark.parametrize("kind", ["round_robin", "lists"])
def test_seat_0_deals_first_whatever_the_preset_says(kind: str) -> None:
    """A board has the same seats at every table, and what a table says of its rules is all."""
    text = SMALL.replace("round_robin", kind) + '[rules]\npreset = "terse_english_ramsch"'
    config = parse_config(text)
    assert config.rule_set(5).first_dealer is FirstDealer.SEAT_0
    options = {name: parse_option(name, value) for name, value in config.table_options(5).items()}
    assert preset("terse_english_ramsch", options) == config.rule_set(5)


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("bound", ["delta0", "delta1"])
def test_a_bound_is_a_number(bound: str, number: str) -> None:
    assert mistakes(f"{SMALL}[stop]\n{bound} = {number}").startswith(f"stop.{bound}: ")


def test_pairs_of_boards_are_for_tables_of_four() -> None:
    text = "name = 'Cup'\n[format]\nkind = 'lists'\npairs = true\n"
    assert "pairs need seats = 4" in mistakes(text)
    bock = '[rules]\npreset = "xskat_extras"\noptions = { bock = "true" }'
    assert "Bock" in mistakes(f"{text}seats = 4\n{bock}")
    assert parse_config(f"{text}seats = 4\n").format.kind == "lists"


def test_a_seed_that_is_known_is_not_rated() -> None:
    """Whoever knows the seed knows the cards."""
    seed = f"[seeds]\nseed = '{'ab' * 32}'"
    assert "say rated = false" in mistakes(SMALL + seed)
    unrated = SMALL.replace('"Cup"', '"Cup"\nrated = false', 1)
    assert parse_config(unrated + seed).seeds.seed == "ab" * 32


@pytest.mark.parametrize(
    "rules",
    [
        'preset = "xskat_extras"\noptions = { bock = "true" }',
        'options = { seats = "4" }',
    ],
)
def test_duplicate_boards_need_deals_that_stand_for_themselves(rules: str) -> None:
    assert "duplicate boards" in mistakes(f"{SMALL}[rules]\n{rules}")


def test_lists_may_have_four_seats_and_rounds_of_their_own() -> None:
    text = "name='L'\n[format]\nkind='lists'\nseats=4\ndeals=48\n[rules]\npreset='proskat_pub'"
    assert parse_config(text).rule_set(48).seats == 4


ENTRY = '[[entries]]\nname = "{}"\nplayers = ["{}"]\nowner = "{}"\n'


def test_entries_of_one_owner_do_not_meet_unless_the_file_says_so() -> None:
    """T25: also those of the file."""
    entries = ENTRY.format("a", "player-1", "ann") + ENTRY.format("b", "player-2", "ann")
    assert "entries of one owner would meet: ann" in mistakes(SMALL + entries)
    allowed = SMALL.replace('"Cup"', '"Cup"\nowners_may_meet = true', 1)
    assert len(parse_config(allowed + entries).entries) == 2


def test_a_player_plays_for_one_entry() -> None:
    entries = ENTRY.format("a", "player-1", "ann") + ENTRY.format("b", "player-1", "ben")
    assert "a player is named twice: player-1" in mistakes(SMALL + entries)


def test_an_entry_has_different_players() -> None:
    """They sit at one table in a test of two."""
    entry = ENTRY.format("a", 'player-1", "player-1', "ann")
    assert "a player is named twice: player-1" in mistakes(SMALL + entry)


def test_there_are_not_too_many_entries() -> None:
    """T15."""
    entries = "".join(ENTRY.format(f"e{n}", f"p{n}", "") for n in range(201))
    assert "entries" in mistakes(SMALL + entries)
