"""Deals and standings from notation, so that a test shows the cards it is about."""

import csv
from pathlib import Path

from skat_engine import (
    DECK,
    FOREHAND,
    MIDDLEHAND,
    CardSet,
    ContractKind,
    Deal,
    Dealt,
    Event,
    OptionValue,
    Phase,
    Position,
    RuleSet,
    Standing,
    card_set,
    cards_in,
    cards_text,
    parse_action,
    parse_cards,
    parse_contract,
    preset,
)

TABLES = Path(__file__).parent / "engine" / "tables"


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table of worked examples, by column."""
    with (TABLES / f"{name}.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def isko(**options: OptionValue) -> RuleSet:
    """The preset ``isko`` with these options."""
    return preset("isko", options)


def hand(text: str) -> CardSet:
    """The set of the cards named."""
    return card_set(parse_cards(text))


def dealt(forehand: str = "", middlehand: str = "", rearhand: str = "", skat: str = "") -> Dealt:
    """A deal with these cards in these places, filled up with the rest of the deck."""
    parts = [list(parse_cards(text)) for text in (forehand, middlehand, rearhand, skat)]
    rest = [card for card in DECK if not any(card in part for part in parts)]
    for part, size in zip(parts, (10, 10, 10, 2), strict=True):
        while len(part) < size:
            part.append(rest.pop(0))
    first, second, third, fourth = map(card_set, parts)
    return Dealt((first, second, third), fourth)


def play(deal: Deal, script: str) -> list[Event]:
    """Take actions such as ``1:18 0:pass C7``; without a number whoever is to act takes it."""
    events: list[Event] = []
    for step in script.split():
        spoken = step[1:2] == ":"
        position = int(step[0]) if spoken else deal.to_act
        assert position is not None
        events += deal.apply(position, parse_action(step[2:] if spoken else step))
    return events


def auction(declarer: Position, bid: int) -> str:
    """A bidding that makes this position declarer at this bid."""
    if declarer == FOREHAND:
        return f"1:{bid} 0:hold 1:pass 2:pass"
    if declarer == MIDDLEHAND:
        return f"1:{bid} 0:pass 2:pass"
    return f"1:pass 2:{bid} 0:pass"


def announced(  # noqa: PLR0913  # what differs from case to case, by name
    contract: str,
    cards: Dealt,
    *,
    declarer: Position = FOREHAND,
    bid: int = 18,
    discards: str = "",
    rules: RuleSet | None = None,
) -> Deal:
    """A deal in which forehand is about to lead to this contract.

    With discards the skat is taken; without, a contract that is no Hand game puts the two
    cards of the skat down again. Nobody says Kontra.
    """
    deal = Deal(rules or isko(), cards)
    play(deal, auction(declarer, bid))
    if parse_contract(contract).hand:
        play(deal, f"hand {contract}")
    else:
        down = discards or cards_text(cards_in(cards.skat))
        play(deal, f"take {contract}.{down}")
    while deal.phase is Phase.KONTRA:
        play(deal, "decline")
    return deal


def standing(
    contract: str,
    matadors: int = 1,
    bid: int = 18,
    points: tuple[int, int] = (0, 0),
    tricks: tuple[int, int] = (1, 1),
) -> Standing:
    """A standing: contract, signed matadors, bid, and what declarer and defenders have."""
    game = parse_contract(contract)
    return Standing(
        contract=game,
        bid=bid,
        matadors=0 if game.kind is ContractKind.NULL else matadors,
        declarer_points=points[0],
        defender_points=points[1],
        declarer_tricks=tricks[0],
        defender_tricks=tricks[1],
    )
