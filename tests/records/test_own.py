"""Our own records: written, read back and replayed."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_engine.deal import Deal
from skat_engine.errors import NotationError
from skat_engine.notation import parse_action, parse_dealt
from skat_engine.options import AllPass
from skat_engine.records import (
    Differs,
    Identical,
    Record,
    Unreadable,
    from_json_line,
    new_record,
    replay,
    to_json_line,
)
from skat_engine.records.facts import result_facts, result_of
from skat_engine.records.iss import read_record
from skat_engine.records.model import OwnOrigin, TableShare
from skat_engine.records.moves import RESIGN, HouseMove
from skat_engine.records.rows import Row
from skat_engine.results import DealResult
from skat_engine.ruleset import RuleSet
from skat_engine.seats import Seating, seating
from skat_engine.shuffling import commitment
from tests.records.playing import deal_number, random_record
from tests.records.samples import (
    FOREHAND,
    MIDDLEHAND,
    REARHAND,
    SKAT,
    iss_line,
    json_outcome,
    without,
)

seeds = st.integers(min_value=0, max_value=2**32)


@given(seeds, st.booleans())
def test_record_survives_its_line(seed: int, bare: bool) -> None:
    record = random_record(seed, bare=bare)
    assert from_json_line(to_json_line(record)) == record


@given(seeds)
def test_record_of_any_deal_replays_identically(seed: int) -> None:
    record = random_record(seed)
    assert replay(from_json_line(to_json_line(record))) == Identical(record.id)


@given(seeds)
def test_line_is_one_line_of_ascii(seed: int) -> None:
    line = to_json_line(random_record(seed))
    assert line.isascii()
    assert "\n" not in line


DEALT = parse_dealt("|".join((FOREHAND, MIDDLEHAND, REARHAND, SKAT)))
GIVEN_UP = (("1", "18"), ("0", "pass"), ("2", "pass"), ("1", "take"), ("1", "S.C7.D7"))


def given_up_deal() -> tuple[list[tuple[int, Any]], DealResult]:
    """Middlehand names Spades without 4 and gives up at once: 55 doubled."""
    deal = Deal(RuleSet(seats=4), DEALT)
    actions = [(int(who), parse_action(what)) for who, what in (*GIVEN_UP, ("1", "give-up"))]
    for position, action in actions:
        deal.apply(position, action)
    assert deal.result is not None
    return actions, deal.result


FOUR_SEATS = seating(dealer=3, seats=4)


def given_up_record(
    seat_names: tuple[str, ...] = ("ann", "bob", "cy", "dé"), seated: Seating = FOUR_SEATS
) -> Record:
    actions, result = given_up_deal()
    return new_record("t1/7", RuleSet(seats=4), seat_names, seated, 7, DEALT, actions, result)


ROW: dict[str, Any] = json.loads(to_json_line(given_up_record()))


def test_line_says_everything() -> None:
    assert {
        "format": "skat-deal",
        "version": 1,
        "id": "t1/7",
        "rules": {"seats": "4"},
        "seats": ["ann", "bob", "cy", "dé"],
        "dealer": 3,
        "deal_number": 7,
        "dealt": ROW["dealt"],
        "actions": ["1 18", "0 pass", "2 pass", "1 take", "1 S.D7.C7", "1 give-up"],
        "result": {
            "ending": "declarer_gave_up",
            "declarer": 1,
            "bid": 18,
            "contract": "S",
            "discards": "D7.C7",
            "declarer_points": 0,
            "defender_points": 0,
            "base": 11,
            "matadors": -4,
            "level": "simple",
            "multiplier": 5,
            "raw": 55,
            "overbid": False,
            "won": False,
            "value": 55,
            "score": -110,
            "scores": [0, -110, 0],
            "tricks": [0, 0, 0],
        },
    } == ROW
    assert parse_dealt(ROW["dealt"]) == DEALT


def test_record_knows_who_played() -> None:
    record = from_json_line(json.dumps(ROW))
    assert record.seating == Seating(dealer=3, active=(0, 1, 2), sitting_out=(3,))
    assert deal_number(record) == 7


def test_passed_deal_is_recorded_too() -> None:
    deal = Deal(RuleSet(), DEALT)
    actions = [(position, parse_action("pass")) for position in (1, 2, 0)]
    for position, action in actions:
        deal.apply(position, action)
    assert deal.result is not None
    names = ("a", "b", "c")
    record = new_record("p", RuleSet(), names, seating(0, 3), 1, DEALT, actions, deal.result)
    assert json.loads(to_json_line(record))["result"] == {
        "ending": "passed_in",
        "scores": [0, 0, 0],
        "tricks": [0, 0, 0],
    }
    assert replay(record) == Identical("p")


def test_names_must_fit_the_seats() -> None:
    with pytest.raises(ValueError, match="3 names for 4 seats"):
        given_up_record(seat_names=("ann", "bob", "cy"))


def test_seating_must_be_the_one_that_the_dealer_implies() -> None:
    with pytest.raises(ValueError, match="R-TAB-1"):
        given_up_record(seated=Seating(dealer=3, active=(1, 0, 2), sitting_out=(3,)))


def test_only_our_own_records_are_written_in_this_form() -> None:
    with pytest.raises(TypeError, match="our own records"):
        to_json_line(read_record(iss_line("1 p 2 p 0 p", "passed")))


def test_unknown_fields_are_passed_over() -> None:
    assert json_outcome(json.dumps(ROW | {"weather": "00"})) == Identical("t1/7")


@pytest.mark.parametrize("field", list(ROW["result"]))
def test_every_fact_of_the_result_is_compared(field: str) -> None:
    result = ROW["result"] | {field: "other"}
    outcome = json_outcome(json.dumps(ROW | {"result": result}))
    assert isinstance(outcome, Differs)
    assert (outcome.field, outcome.expected) == (field, "other")


def test_number_is_no_truth_value() -> None:
    result = ROW["result"] | {"won": 0}
    outcome = json_outcome(json.dumps(ROW | {"result": result}))
    assert outcome == Differs("t1/7", "won", "0", "false")


def test_fact_that_is_unknown_differs() -> None:
    result = ROW["result"] | {"beauty": None}
    outcome = json_outcome(json.dumps(ROW | {"result": result}))
    assert outcome == Differs("t1/7", "beauty", "none", "nothing")


@pytest.mark.parametrize(
    ("actions", "field"),
    [
        (ROW["actions"][:-1], "ending"),
        ([*ROW["actions"], "0 CJ"], "move 7"),
        (["2 18"], "move 1"),
        (["1 19"], "move 1"),
        ([*ROW["actions"][:5], "0 SA"], "move 6"),
        ([*ROW["actions"][:5], "0 accept"], "move 6"),
        ([*ROW["actions"][:4], "1 S.C7"], "move 5"),
    ],
    ids=["unfinished", "after the end", "turn", "bid", "card not held", "no vote", "one discard"],
)
def test_actions_that_do_not_fit_differ(actions: list[str], field: str) -> None:
    outcome = json_outcome(json.dumps(ROW | {"actions": actions}))
    assert isinstance(outcome, Differs)
    assert outcome.field == field


@pytest.mark.parametrize("field", [name for name in ROW if name not in {"format", "id"}])
def test_missing_field_makes_the_record_unreadable(field: str) -> None:
    outcome = json_outcome(json.dumps(without(ROW, field)))
    assert outcome == Unreadable("t1/7", f"field {field} is missing")


@pytest.mark.parametrize("field", [name for name in ROW if name != "id"])
@pytest.mark.parametrize("junk", [None, {}, [], [[]], [1], "x", 1.5, -7, True, 10**30], ids=repr)
def test_field_of_another_kind_never_raises(field: str, junk: object) -> None:
    outcome = json_outcome(json.dumps(ROW | {field: junk}))
    assert not isinstance(outcome, Identical)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"format": "skat-list"}, "the format is not skat-deal"),
        ({"version": 3}, "version 3 of skat-deal is unknown; known are 1 and 2"),
        ({"rules": {"sets": "4"}}, "rules: sets: is not an option of the rules"),
        ({"rules": {"seats": "6"}}, "rules: seats: 6 is not possible"),
        ({"rules": {"seats": 4}}, "field rules is not an object of strings"),
        ({"rules": {}}, "4 names for 3 seats"),
        ({"occasion": ["birthday"]}, "field occasion has an unknown word"),
        ({"occasion": "bock"}, "field occasion is not a list of strings"),
        ({"dealer": 4}, "field dealer is not a whole number from 0 to 3"),
        ({"deal_number": 0}, "field deal_number is not a whole number from 1"),
        ({"dealt": ROW["dealt"].replace("D7", "C7")}, "names a card twice"),
        ({"dealt": ROW["dealt"] + "|"}, "is not a deal"),
        ({"dealt": ROW["dealt"].replace("D7", "??")}, "'??' is not a card"),
        ({"actions": ["3 18"]}, "does not begin with a position"),
        ({"actions": ["1 sing"]}, "'sing' is not an action"),
        ({"actions": ["1 " + "9" * 5000]}, "…"),
        ({"actions": [5]}, "field actions is not a list of strings"),
        ({"result": {}}, "field ending of the result is missing"),
        ({"result": {"ending": 1.5}}, "field ending of the result is no number"),
        ({"result": {"ending": ["a"]}}, "field ending of the result is no number"),
    ],
)
def test_record_that_cannot_be_read(changes: dict[str, Any], why: str) -> None:
    outcome = str(json_outcome(json.dumps(ROW | changes)))
    assert outcome.startswith("t1/7 unreadable: ")
    assert why in outcome
    assert len(outcome) < 300


def test_house_move_is_refused_outside_of_its_house() -> None:
    record = replace(given_up_record(), moves=((1, RESIGN),))
    assert replay(record) == Differs("t1/7", "move 1", "legal 1 RE", "the rules know no such move")


def bock_row(**changes: Any) -> dict[str, Any]:
    """Middlehand gives Spades up in a Bock deal, under a rule set that has Bock."""
    rules = {"seats": "4", "bock": "true", "kontra": "any_defender"}
    result = ROW["result"] | {"score": -220, "scores": [0, -220, 0]}
    result |= {"kontra": False, "re": False, "bock": True, "replaces_ramsch": False}
    row = ROW | {"version": 2, "rules": rules, "occasion": ["bock"], "result": result}
    no_kontra = ["0 decline", "2 decline"]
    return row | {"actions": [*row["actions"][:-1], *no_kontra, row["actions"][-1]]} | changes


def test_a_bock_deal_is_played_as_one() -> None:
    """R-BOCK-1."""
    assert json_outcome(json.dumps(bock_row())) == Identical("t1/7")


def test_without_its_occasion_it_differs() -> None:
    row = without(bock_row(), "occasion")
    assert json_outcome(json.dumps(row)) == Differs("t1/7", "score", "-220", "-110")


@pytest.mark.parametrize(
    "words", [[], ["bock"], ["ramsch_round"], ["ramsch_round", "no_grand_hand"]]
)
def test_an_occasion_survives_its_line(words: list[str]) -> None:
    record = from_json_line(json.dumps(bock_row(occasion=words)))
    assert json.loads(to_json_line(record)).get("occasion", []) == words


def test_a_record_is_of_the_lowest_version_that_holds_it() -> None:
    """A line that needs nothing of version 2 can be read by whoever knows version 1."""
    for row in (ROW, bock_row()):
        assert json.loads(to_json_line(from_json_line(json.dumps(row)))) == row


def test_the_facts_of_a_ramsch() -> None:
    """R-RAM-2, R-RAM-7: forehand takes everything, and the skat."""
    rules = RuleSet(all_pass=AllPass.RAMSCH)
    deal = Deal(rules, DEALT)
    for who in (1, 2, 0):
        deal.apply(who, parse_action("pass"))
    while deal.to_act is not None:
        deal.apply(deal.to_act, deal.legal(deal.to_act)[-1])
    assert deal.result is not None
    facts = result_facts(deal.result)
    assert facts == {
        "ending": "ramsch_played",
        "card_points": (120, 0, 0),
        "looked": (),
        "untouched": 0,
        "knocked": False,
        "durchmarsch": 0,
        "skat": "D7.C7",
        "scores": (120, 0, 0),
        "tricks": (10, 0, 0),
    }


SEEDED: dict[str, Any] = json.loads(to_json_line(random_record(5)))
SECRET = bytes.fromhex(SEEDED["seed"])
CHANCE: dict[str, Any] = SEEDED["chance"]
TIMEKEEPING = {"clock", "grace_ms", "faults", "stand_ins"}
EXTRAS = {"think_ms", "seed", "commitment", "chance", *TIMEKEEPING}


def test_times_seed_and_commitment_are_written_where_they_are_known() -> None:
    record = random_record(5)
    assert isinstance(record.origin, OwnOrigin)
    assert SEEDED["think_ms"] == list(record.origin.think_ms)
    assert SEEDED["seed"] == (record.origin.seed or b"").hex()
    assert SEEDED["commitment"] == sha256(b"skat-deal-v1random-5" + SECRET).hexdigest()
    share = record.origin.share
    assert share is not None
    assert {
        "table_commitment": sha256(b"skat-table-v1random" + bytes(32)).hexdigest(),
        "nonces": [nonce.hex() for nonce in share.nonces],
        "dealing": share.dealing,
    } == CHANCE
    assert not EXTRAS & json.loads(to_json_line(random_record(5, bare=True))).keys()


@pytest.mark.parametrize(
    "names",
    [{"think_ms"}, TIMEKEEPING, {"chance"}, {"seed", "commitment", "chance"}, EXTRAS],
)
def test_they_are_needed_by_nobody(names: set[str]) -> None:
    row = {name: value for name, value in SEEDED.items() if name not in names}
    record = from_json_line(json.dumps(row))
    assert json.loads(to_json_line(record)) == row
    assert replay(record) == Identical("random-5")


def test_a_commitment_may_be_in_capitals() -> None:
    row = SEEDED | {name: SEEDED[name].upper() for name in ("seed", "commitment")}
    assert json_outcome(json.dumps(row)) == Identical("random-5")


OTHER = bytes(32)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"think_ms": SEEDED["think_ms"][1:]}, "field think_ms has "),
        ({"think_ms": [*SEEDED["think_ms"], 0]}, "field think_ms has "),
        ({"think_ms": []}, "field think_ms has 0 times"),
        ({"think_ms": [-1, *SEEDED["think_ms"][1:]]}, "field think_ms is not a list of whole"),
        ({"think_ms": [1.5, *SEEDED["think_ms"][1:]]}, "field think_ms is not a list of whole"),
        ({"think_ms": [True, *SEEDED["think_ms"][1:]]}, "field think_ms is not a list of whole"),
        ({"think_ms": 7}, "field think_ms is not a list"),
        ({"seed": None}, "field seed is not a string"),
        ({"seed": "0" * 63}, "field seed is not 64 hexadecimal digits"),
        ({"seed": "0" * 64 + "\n"}, "field seed is not 64 hexadecimal digits"),
        ({"seed": "g" * 64}, "field seed is not 64 hexadecimal digits"),
        ({"commitment": "0" * 66}, "field commitment is not 64 hexadecimal digits"),
        ({"commitment": "0" * 64}, "field commitment is not that of seed and id"),
        ({"seed": OTHER.hex()}, "field commitment is not that of seed and id"),
        (
            {"seed": OTHER.hex(), "commitment": commitment(OTHER, "random-5").hex()},
            "field dealt has not the cards of the seed",
        ),
        ({"dealt": ROW["dealt"]}, "field dealt has not the cards of the seed"),
        ({"chance": 1}, "field chance is not an object"),
        ({"chance": without(CHANCE, "dealing")}, "field dealing is missing"),
        ({"chance": CHANCE | {"dealing": 0}}, "field dealing is not a whole number from 1"),
        ({"chance": CHANCE | {"table_commitment": "00"}}, "field table_commitment is not 64"),
        ({"chance": CHANCE | {"nonces": ["", ""]}}, "field nonces has 2 nonces for 3 seats"),
        ({"chance": CHANCE | {"nonces": ["", "", "0"]}}, "field nonces is not bytes in hex"),
        ({"chance": CHANCE | {"nonces": ["", "", "00" * 33]}}, "field nonces is not bytes in hex"),
        ({"chance": CHANCE | {"nonces": ["", "", " 00"]}}, "field nonces is not bytes in hex"),
        ({"chance": CHANCE | {"nonces": ["", "", None]}}, "field nonces is not a list of strings"),
    ],
)
def test_times_and_seed_that_do_not_fit(changes: dict[str, Any], why: str) -> None:
    outcome = str(json_outcome(json.dumps(SEEDED | changes)))
    assert outcome.startswith("random-5 unreadable: ")
    assert why in outcome


@pytest.mark.parametrize("name", ["seed", "commitment"])
def test_seed_and_commitment_come_together(name: str) -> None:
    outcome = json_outcome(json.dumps(without(SEEDED, name)))
    assert outcome == Unreadable("random-5", f"field {name} is missing")


def test_the_share_of_a_table_needs_a_seed() -> None:
    row = without(without(SEEDED, "seed"), "commitment")
    assert json_outcome(json.dumps(row)) == Unreadable("random-5", "field chance needs a seed")


def test_a_commitment_is_to_one_id() -> None:
    for name, why in (("random-6", "that of seed and id"), ("\ud800", "text that UTF-8 can hold")):
        assert why in str(json_outcome(json.dumps(SEEDED | {"id": name})))


@pytest.mark.parametrize(
    ("extras", "why"),
    [
        ({"think_ms": (1,)}, "1 times for 6 actions"),
        ({"think_ms": (1, 2, 3, 4, 5, -6)}, "a time is below 0"),
        ({"seed": OTHER}, "not those of the seed"),
        ({"seed": b"short"}, "32 bytes"),
        ({"share": TableShare(OTHER, (b"",) * 4, 1)}, "a share in the chance needs a seed"),
    ],
)
def test_a_new_record_is_made_of_what_fits(extras: dict[str, Any], why: str) -> None:
    actions, result = given_up_deal()
    names, rules = ("ann", "bob", "cy", "dé"), RuleSet(seats=4)
    with pytest.raises(ValueError, match=why):
        new_record("t1/7", rules, names, FOUR_SEATS, 7, DEALT, actions, result, **extras)


@given(seeds)
def test_a_result_comes_back_from_its_facts(seed: int) -> None:
    """Whatever a deal came to is in its facts, but for the cards."""
    record = random_record(seed)
    assert isinstance(record.origin, OwnOrigin)
    deal = Deal(record.rules, record.dealt, record.origin.occasion)
    for position, action in record.moves:
        assert not isinstance(action, HouseMove)
        deal.apply(position, action)
    assert deal.result is not None
    facts = json.loads(json.dumps(result_facts(deal.result)))
    assert result_of(Row(facts), deal.dealt) == deal.result


FACTS: dict[str, Any] = SEEDED["result"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ending": "luck"}, "field ending is none that we know"),
        ({"scores": [1, 2]}, "field scores is not three numbers"),
        ({"tricks": [1, 2, "3"]}, "field tricks is not a list of whole numbers"),
        ({"declarer": 3}, "field declarer is not a whole number from 0 to 2"),
        ({"level": "great"}, "field level is none that we know"),
        ({"kontra": False, "re": True, "bock": False}, "Re without Kontra"),
        ({"won": 1}, "field won is not true or false"),
    ],
)
def test_facts_that_are_no_result(changes: dict[str, Any], why: str) -> None:
    actions, result = given_up_deal()
    del actions
    facts = json.loads(json.dumps(result_facts(result))) | changes
    with pytest.raises(NotationError, match=why):
        result_of(Row(facts), DEALT)
