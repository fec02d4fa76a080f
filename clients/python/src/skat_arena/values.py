"""Cards, contracts and words of the engine as `skat_client` knows them."""

from collections.abc import Iterable
from typing import Final

import skat_client as client
import skat_engine as engine

CARDS: Final = tuple(client.Card)
LEVELS: Final = {level: client.Level[level.name] for level in engine.Level}
_KINDS: Final = {kind: client.ContractKind[kind.name] for kind in engine.ContractKind}
PROPOSALS: Final = {kind: client.ProposalKind[kind.name] for kind in engine.ProposalKind}
ENDINGS: Final = {ending: client.Ending[ending.name] for ending in engine.Ending}
PHASES: Final = {phase: client.Phase[phase.name] for phase in engine.Phase}

Cards = tuple[client.Card, ...]


def cards_of(cards: Iterable[engine.Card] | None) -> Cards:
    """Cards; none where they are hidden."""
    return tuple([CARDS[card] for card in cards or ()])


def held(cards: engine.CardSet | None) -> Cards:
    """A set of cards in rising order; none where it is hidden."""
    return cards_of(engine.cards_in(engine.CardSet(cards or 0)))


def contract_of(contract: engine.Contract) -> client.Contract:
    """An announced game."""
    return client.Contract(
        _KINDS[contract.kind],
        hand=contract.hand,
        announced=LEVELS[contract.announced],
        ouvert=contract.ouvert,
        spitze=contract.spitze,
        revolution=contract.revolution,
    )
