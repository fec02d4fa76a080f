"""Hypothesis strategies: cards, contracts, actions, rule sets, deals and whole playthroughs."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hypothesis import strategies as st

from skat_engine import (
    BID_VALUES,
    DECK,
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    AcceptGrandHand,
    Action,
    Announce,
    Bid,
    Card,
    CardSet,
    Contract,
    Deal,
    Dealt,
    Decline,
    GiveUp,
    Hold,
    Knock,
    LayOpen,
    Level,
    Occasion,
    Pass,
    PassOn,
    Phase,
    PickUp,
    PlayCard,
    PlayHand,
    Position,
    PutDown,
    Rearrange,
    RuleSet,
    SayKontra,
    SayRe,
    TakeSkat,
    Vote,
    deal_from_seed,
    parse_contract,
    preset,
)
from skat_engine.options import (
    Kontra,
    OptionValue,
    RamschSkatExchange,
    Scoring,
    SessionEnd,
)
from skat_engine.ruleset import DEFAULTS, OPTION_TYPES

INTERVENTIONS = (GiveUp, LayOpen, SayKontra)
AUCTION = (Phase.BIDDING, Phase.FOREHAND_OPTION)
ORDINARY = Occasion()

EXTRA_CONTRACTS = tuple(
    [
        parse_contract(f"{contract}P")
        for contract in SKAT_CONTRACTS + HAND_CONTRACTS
        if not contract.is_null
    ]
    + [parse_contract("NOR"), parse_contract("NHOR")]
)
"""The contracts with Spitze and the two of Revolution."""

cards: st.SearchStrategy[Card] = st.sampled_from(DECK)
card_sets: st.SearchStrategy[CardSet] = st.integers(0, 0xFFFF_FFFF).map(CardSet)
contracts: st.SearchStrategy[Contract] = st.sampled_from(
    SKAT_CONTRACTS + HAND_CONTRACTS + EXTRA_CONTRACTS
)
deals_dealt: st.SearchStrategy[Dealt] = st.binary(min_size=32, max_size=32).map(deal_from_seed)

announcements: st.SearchStrategy[Action] = st.one_of(
    st.builds(Announce, st.sampled_from(HAND_CONTRACTS)),
    st.builds(Announce, contracts, st.tuples(cards, cards)),
)
WORDS: tuple[Action, ...] = (
    *(Hold(), Pass(), TakeSkat(), PlayHand(), GiveUp()),
    *map(LayOpen, Level),
    *(Vote(accept=True), Vote(accept=False)),
    *(Decline(), AcceptGrandHand(), PickUp(), PassOn(), Knock(), SayKontra(), SayRe()),
)
"""The actions without a number or cards."""
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Bid, st.sampled_from(BID_VALUES)),
    st.builds(PlayCard, cards),
    announcements,
    st.sampled_from(WORDS),
    st.builds(PutDown, st.tuples(cards, cards)),
    st.builds(Rearrange, card_sets),
)


def _values(name: str) -> st.SearchStrategy[OptionValue]:
    """The values of an option that a deal can be about; any valid one for the rest."""
    kind = OPTION_TYPES[name]
    if kind is bool:
        return st.booleans()
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return st.sampled_from(tuple(kind))
    return st.sampled_from(_NUMBERS.get(name, (DEFAULTS[name],)))


_NUMBERS: dict[str, tuple[OptionValue, ...]] = {
    "seats": (3, 4, 5),
    "spitze_factor": (1, 2),
    "ramsch_fixed_amount": (1, 10, 15),
    "forced_ramsch_after_grand_hands": (0, 3),
    "seeger_other_bonus": (25,),
}
_NEED_EXCHANGE = (
    "ramsch_untouched_doubles",
    "ramsch_looker_doubles",
    "ramsch_jacks_may_be_passed",
)


def _valid(options: dict[str, OptionValue]) -> RuleSet:
    """The rule set of these options, mended where they exclude one another."""
    options = dict(options)
    if options["ramsch_skat_exchange"] is not RamschSkatExchange.PASS_ALONG:
        options |= dict.fromkeys(_NEED_EXCHANGE, False)
    if options["scoring"] is Scoring.BIERLACHS:
        options["session_end"] = SessionEnd.BIERLACHS
    elif options["session_end"] is SessionEnd.BIERLACHS:
        options["session_end"] = SessionEnd.OPEN
    if options["kontra"] is Kontra.OFF:
        options["re"] = DEFAULTS["re"]
    return RuleSet(**options)  # type: ignore[arg-type]  # names and types of the declaration


any_rules: st.SearchStrategy[RuleSet] = st.fixed_dictionaries(
    {name: _values(name) for name in OPTION_TYPES}
).map(_valid)
"""Any valid mix of options, Ramsch at every second table."""

occasions: st.SearchStrategy[Occasion] = st.builds(
    Occasion, bock=st.booleans(), ramsch_round=st.booleans(), grand_hand_offered=st.booleans()
)


@dataclass(frozen=True)
class Playthrough:
    """A deal played to its end by chance."""

    rules: RuleSet
    dealt: Dealt
    moves: tuple[tuple[Position, Action], ...]
    occasion: Occasion = ORDINARY

    def start(self) -> Deal:
        """The deal before the first action."""
        return Deal(self.rules, self.dealt, self.occasion)

    def states(self) -> Iterator[Deal]:
        """The deal before the first action and after each; every state is its own object."""
        deal = self.start()
        yield deal.copy()
        for position, action in self.moves:
            deal.apply(position, action)
            yield deal.copy()

    def final(self) -> Deal:
        """The finished deal."""
        deal = self.start()
        for position, action in self.moves:
            deal.apply(position, action)
        return deal


def _pick(options: Sequence[Action], chance: random.Random) -> Action:
    return options[chance.randrange(len(options))]


def _card(options: Sequence[Action], chance: random.Random) -> Action:
    """A card to play, and nothing that ends the deal early."""
    action = _pick(options, chance)
    return action if isinstance(action, PlayCard) else _card(options, chance)


def _low_bid(options: Sequence[Action], chance: random.Random) -> Action:
    """Pass often and bid low: forehand shall have its option, and Null be above the bid."""
    if chance.random() < 0.3:
        return Pass()
    return _pick([a for a in options if not isinstance(a, Bid) or a.value < 60], chance)


def _next(deal: Deal, position: Position, chance: random.Random) -> Action:
    options = deal.legal(position)
    if deal.phase in AUCTION:
        return _low_bid(options, chance)
    if deal.phase is Phase.PLAY:
        return _card(options, chance)
    return options[0] if chance.random() < 0.2 else _pick(options, chance)


def play_randomly(
    rules: RuleSet,
    dealt: Dealt,
    chance: random.Random,
    *,
    interventions: bool,
    occasion: Occasion = ORDINARY,
) -> Playthrough:
    """Play by chance; with interventions somebody proposes to stop now and then."""
    deal = Deal(rules, dealt, occasion)
    moves: list[tuple[Position, Action]] = []
    while deal.to_act is not None:
        position, action = deal.to_act, _next(deal, deal.to_act, chance)
        if interventions and deal.phase is Phase.PLAY and chance.random() < 0.1:
            speaker = chance.randrange(3)
            offers = [a for a in deal.legal(speaker) if isinstance(a, INTERVENTIONS)]
            if offers:
                position, action = speaker, _pick(offers, chance)
        deal.apply(position, action)
        moves.append((position, action))
    return Playthrough(rules, dealt, tuple(moves), occasion)


def playthroughs(
    *,
    interventions: bool = False,
    rules: st.SearchStrategy[RuleSet] | None = None,
    occasion: st.SearchStrategy[Occasion] | None = None,
) -> st.SearchStrategy[Playthrough]:
    """Whole deals, with the preset ``isko`` unless other rules are given."""
    return st.builds(
        lambda rules, dealt, seed, occasion: play_randomly(
            rules, dealt, random.Random(seed), interventions=interventions, occasion=occasion
        ),
        st.just(preset("isko")) if rules is None else rules,
        deals_dealt,
        st.integers(0, 2**32),
        st.just(ORDINARY) if occasion is None else occasion,
    )


def all_games() -> st.SearchStrategy[Playthrough]:
    """Deals under any rules on any occasion, with proposals, Kontra and claims."""
    return playthroughs(interventions=True, rules=any_rules, occasion=occasions)
