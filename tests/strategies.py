"""Hypothesis strategies: cards, contracts, actions, rule sets, deals and whole playthroughs."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from skat_engine import (
    BID_VALUES,
    DECK,
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    Action,
    Announce,
    Bid,
    Card,
    CardSet,
    Contract,
    Deal,
    Dealt,
    GiveUp,
    Hold,
    LayOpen,
    Level,
    Pass,
    PlayCard,
    PlayHand,
    Position,
    RuleSet,
    TakeSkat,
    Vote,
    deal_from_seed,
    preset,
)
from skat_engine.options import (
    DeclarerGiveUp,
    DefenderGiveUp,
    ForehandLastOption,
    LayOpenRule,
    LossRule,
    MatadorLimit,
)

INTERVENTIONS = (GiveUp, LayOpen)

cards: st.SearchStrategy[Card] = st.sampled_from(DECK)
card_sets: st.SearchStrategy[CardSet] = st.integers(0, 0xFFFF_FFFF).map(CardSet)
contracts: st.SearchStrategy[Contract] = st.sampled_from(SKAT_CONTRACTS + HAND_CONTRACTS)
deals_dealt: st.SearchStrategy[Dealt] = st.binary(min_size=32, max_size=32).map(deal_from_seed)

announcements: st.SearchStrategy[Action] = st.one_of(
    st.builds(Announce, st.sampled_from(HAND_CONTRACTS)),
    st.builds(Announce, st.sampled_from(SKAT_CONTRACTS), st.tuples(cards, cards)),
)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Bid, st.sampled_from(BID_VALUES)),
    st.builds(PlayCard, cards),
    announcements,
    st.sampled_from((Hold(), Pass(), TakeSkat(), PlayHand(), GiveUp())),
    st.sampled_from((*map(LayOpen, Level), Vote(accept=True), Vote(accept=False))),
)

playable_rules: st.SearchStrategy[RuleSet] = st.fixed_dictionaries(
    {
        "jump_bids": st.booleans(),
        "forehand_last_option": st.sampled_from(ForehandLastOption),
        "matador_limit": st.sampled_from(MatadorLimit),
        "loss_rule": st.sampled_from(LossRule),
        "own_schneider_raises_loss": st.booleans(),
        "null_ends_at_first_trick": st.booleans(),
        "declarer_give_up": st.sampled_from(DeclarerGiveUp),
        "defender_give_up": st.sampled_from((DefenderGiveUp.OFF, DefenderGiveUp.ONE_BINDS_BOTH)),
        "give_up_declarer_may_play_on": st.booleans(),
        "lay_open": st.sampled_from((LayOpenRule.OFF, LayOpenRule.ISKO_2018)),
    }
).map(lambda options: preset("isko", options))


@dataclass(frozen=True)
class Playthrough:
    """A deal played to its end by chance."""

    rules: RuleSet
    dealt: Dealt
    moves: tuple[tuple[Position, Action], ...]

    def states(self) -> Iterator[Deal]:
        """The deal before the first action and after each; every state is its own object."""
        deal = Deal(self.rules, self.dealt)
        yield deal.copy()
        for position, action in self.moves:
            deal.apply(position, action)
            yield deal.copy()

    def final(self) -> Deal:
        """The finished deal."""
        deal = Deal(self.rules, self.dealt)
        for position, action in self.moves:
            deal.apply(position, action)
        return deal


def _pick(options: Sequence[Action], chance: random.Random) -> Action:
    return options[chance.randrange(len(options))]


def _plain_pick(options: Sequence[Action], chance: random.Random) -> Action:
    """One that does not end the deal early."""
    action = _pick(options, chance)
    return _plain_pick(options, chance) if isinstance(action, INTERVENTIONS) else action


def _low_bid(options: Sequence[Action], chance: random.Random) -> Action:
    """Pass often and bid low: forehand shall have its option, and Null be above the bid."""
    if chance.random() < 0.3:
        return Pass()
    return _pick([a for a in options if not isinstance(a, Bid) or a.value < 60], chance)


def play_randomly(
    rules: RuleSet, dealt: Dealt, chance: random.Random, *, interventions: bool
) -> Playthrough:
    """Play by chance; with interventions somebody proposes to stop now and then."""
    deal = Deal(rules, dealt)
    moves: list[tuple[Position, Action]] = []
    while deal.to_act is not None:
        position, options = deal.to_act, deal.legal(deal.to_act)
        action = _plain_pick(options, chance) if deal.bid else _low_bid(options, chance)
        if interventions and chance.random() < 0.1:
            speaker = chance.randrange(3)
            offers = [a for a in deal.legal(speaker) if isinstance(a, INTERVENTIONS)]
            if offers:
                position, action = speaker, _pick(offers, chance)
        deal.apply(position, action)
        moves.append((position, action))
    return Playthrough(rules, dealt, tuple(moves))


def playthroughs(
    *, interventions: bool = False, rules: st.SearchStrategy[RuleSet] | None = None
) -> st.SearchStrategy[Playthrough]:
    """Whole deals, with the preset ``isko`` unless other rules are given."""
    return st.builds(
        lambda rules, dealt, seed: play_randomly(
            rules, dealt, random.Random(seed), interventions=interventions
        ),
        st.just(preset("isko")) if rules is None else rules,
        deals_dealt,
        st.integers(0, 2**32),
    )
