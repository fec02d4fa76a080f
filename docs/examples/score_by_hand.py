"""Scores deals by hand: what was announced, what the declarer held, what was made.

    python docs/examples/score_by_hand.py

Needs `skat_engine` only.
"""

from skat_engine import (
    DeclarerSummary,
    Doubling,
    SummaryError,
    card_set,
    parse_cards,
    parse_contract,
    preset,
    score_deal,
)
from skat_engine.summary import reasoning_of


def summary(contract: str, bid: int, points: int, tricks: int, *, kontra: bool) -> DeclarerSummary:
    """A game with both black jacks, the ace and the ten of clubs, and a skat of low hearts."""
    return DeclarerSummary(
        rules=preset("proskat_pub" if kontra else "isko"),
        contract=parse_contract(contract),
        bid=bid,
        playing_hand=card_set(parse_cards("CJ.SJ.CA.CT.C9.C8.SA.ST.DA.D7")),
        skat=card_set(parse_cards("H7.H8")),
        declarer_points=points,
        declarer_tricks=tricks,
        defender_tricks=10 - tricks,
        doubling=Doubling(kontra=kontra),
    )


def explain(one: DeclarerSummary) -> str:
    """The score with everything that led to it."""
    try:
        value = score_deal(one)
    except SummaryError as error:
        return f"{one.contract}: no score, {error}"
    why = reasoning_of(one, value)
    levels = " + ".join(f"{name} {count}" for name, count in why.levels)
    text = f"{one.contract}: {value.base} x ({levels}) = {value.raw}"
    if why.rounded_up is not None:
        text += f", overbid at {one.bid}, so {why.rounded_up}"
    text += "".join(f", {name} x {factor}" for name, factor in why.factors)
    return f"{text}: {value.score:+d}"


def main() -> None:
    """Five deals with the same cards."""
    print(explain(summary("C", 18, 75, 7, kontra=False)))
    print(explain(summary("CHS", 18, 93, 8, kontra=False)))
    print(explain(summary("C", 40, 75, 6, kontra=False)))
    print(explain(summary("C", 18, 59, 6, kontra=True)))
    print(explain(summary("C", 18, 121, 7, kontra=False)))


if __name__ == "__main__":
    main()
