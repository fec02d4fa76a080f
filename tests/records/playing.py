"""Random deals played to their end, for tests that need many different records."""

from random import Random

from skat_engine.actions import Action
from skat_engine.deal import Deal
from skat_engine.occasions import ORDINARY, Occasion
from skat_engine.presets import preset
from skat_engine.records import (
    ClockPolicy,
    Fault,
    FaultCause,
    Record,
    Timekeeping,
    new_record,
)
from skat_engine.records.model import OwnOrigin, TableShare
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_rule_set
from skat_engine.seats import Position, seating
from skat_engine.shuffling import deal_from_seed, table_commitment

RULE_SETS: tuple[RuleSet, ...] = tuple(
    parse_rule_set(options)
    for options in (
        {},
        {"seats": "4", "scoring": "seeger_fabian"},
        {"loss_rule": "hand_single", "own_schneider_raises_loss": "false"},
        {"null_ends_at_first_trick": "false", "jump_bids": "false"},
        {"forehand_last_option": "eighteen_or_more", "give_up_declarer_may_play_on": "false"},
    )
) + tuple(map(preset, ("proskat_pub", "bga_skat", "terse_english_ramsch", "xskat_extras")))

OCCASIONS: tuple[Occasion, ...] = (
    ORDINARY,
    Occasion(bock=True),
    Occasion(ramsch_round=True),
    Occasion(ramsch_round=True, grand_hand_offered=False),
)


def random_record(seed: int, *, bare: bool = False) -> Record:
    """The record of a deal played at random, interventions included; bare without the extras."""
    random = Random(seed)
    rules = random.choice(RULE_SETS)
    occasion = random.choice(OCCASIONS) if rules.bock else ORDINARY
    secret = random.randbytes(32)
    deal = Deal(rules, deal_from_seed(secret), occasion)
    actions = _play(deal, random)
    assert deal.result is not None
    return new_record(
        f"random-{seed}",
        rules,
        [f"player {seat}" for seat in range(rules.seats)],
        seating(random.randrange(rules.seats), rules.seats),
        random.randint(1, 48),
        deal.dealt,
        actions,
        deal.result,
        occasion,
        think_ms=() if bare else [random.randrange(100_000) for _ in actions],
        seed=None if bare else secret,
        share=None if bare else _share(seed, rules.seats),
        timekeeping=None if bare else _timekeeping(seed, len(actions), rules.seats),
    )


def _timekeeping(seed: int, actions: int, seats: int) -> Timekeeping:
    """Some graces, faults and stand-ins, all at the first and the last action."""
    random = Random(seed)
    ends = sorted({0, actions - 1})
    policy = ClockPolicy(30_000, 120_000, random.randrange(2), 30_000)
    causes = list(FaultCause)
    return Timekeeping(
        policy,
        tuple((index, random.randint(1, 99)) for index in ends),
        tuple(Fault(index, random.randrange(seats), random.choice(causes)) for index in ends),
        tuple(ends),
    )


def _share(seed: int, seats: int) -> TableShare:
    """What the players of a table gave to the chance of a deal; the table's seed is all zeros."""
    random = Random(seed)
    nonces = tuple(random.randbytes(random.randrange(33)) for _ in range(seats))
    return TableShare(table_commitment(bytes(32), "random"), nonces, random.randint(1, 99))


def deal_number(record: Record) -> int:
    """The deal number of one of our own records."""
    assert isinstance(record.origin, OwnOrigin)
    return record.origin.deal_number


def _play(deal: Deal, random: Random) -> list[tuple[Position, Action]]:
    actions: list[tuple[Position, Action]] = []
    while not deal.is_over:
        position = _next_position(deal, random)
        action = random.choice(deal.legal(position))
        deal.apply(position, action)
        actions.append((position, action))
    return actions


def _next_position(deal: Deal, random: Random) -> Position:
    """Who is to act, and now and then somebody with an intervention."""
    assert deal.to_act is not None
    other = random.randrange(3)
    return other if random.random() < 0.05 and deal.legal(other) else deal.to_act
