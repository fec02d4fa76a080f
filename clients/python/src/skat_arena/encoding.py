"""What a seat knows of a deal as one array, and what it may do as another; needs numpy.

An observation is made of what is named below, never by leaving something out, so that nothing
hidden can get into it. Seats are told from the viewer's own: he is 0, the next one to act 1,
the one after that 2. `LAYOUT` says what stands where; all numbers are from 0 to 1, but points
of a Ramsch or a game already played may be read as shares of 120.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from skat_arena.codes import ACTION_COUNT, Speller
from skat_arena.table import ArenaTable
from skat_engine import (
    CardSet,
    Contract,
    ContractKind,
    Deal,
    Phase,
    Position,
    ProposalKind,
    PutDown,
    card_set,
)

Observation = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]

_CARDS: Final = 32
_POINTS: Final = 120
_TRICKS: Final = 10
_HIGHEST_BID: Final = 264
_HIGHEST_LEVEL: Final = 2

PLANES: Final = (
    "own hand",
    "put down by the viewer as declarer, while he knows it alone",
    "put down by the viewer in a Ramsch",
    "named so far of the action that is being spelt",
    "played by the viewer in earlier tricks",
    "played by the next seat in earlier tricks",
    "played by the seat after that in earlier tricks",
    "on the table from the viewer",
    "on the table from the next seat",
    "on the table from the seat after that",
    "the declarer's cards that lie open",
    "the other defender's cards that a Revolution has shown",
)
"""Sets of cards, each 32 numbers."""

_PHASES: Final = {phase: place for place, phase in enumerate(Phase)}
_KINDS: Final = tuple(ContractKind)
_PROPOSALS: Final = tuple(ProposalKind)

SCALARS: Final = (
    *(f"phase is {phase.value}" for phase in Phase),
    *(f"seat {seat} is asked" for seat in range(3)),
    *(f"the viewer is {name}" for name in ("forehand", "middlehand", "rearhand")),
    *(f"seat {seat} is the declarer" for seat in range(3)),
    *(f"seat {seat} has led, or leads" for seat in range(3)),
    *(f"seat {seat} names numbers" for seat in range(3)),
    *(f"seat {seat} hears them" for seat in range(3)),
    *(f"seat {seat} has named or held one" for seat in range(3)),
    "number that waits, was last held, or has to be reached, of 264",
    "a number waits for its answer",
    *(f"contract is {kind.name.lower()}" for kind in _KINDS),
    "hand",
    "announced level, of 2",
    "ouvert",
    "spitze",
    "revolution",
    "the contract is only being spelt",
    "a Ramsch is played",
    "instead of a Ramsch",
    "kontra",
    "re",
    "bock",
    "knocked",
    *(f"seat {seat} has looked into the skat of a Ramsch" for seat in range(3)),
    *(f"card points of seat {seat}, of 120" for seat in range(3)),
    *(f"tricks of seat {seat}, of 10" for seat in range(3)),
    *(f"asked to agree to {kind.value}" for kind in _PROPOSALS),
    *(f"seat {seat} has proposed it" for seat in range(3)),
    "level claimed, of 2",
)
"""Single numbers, after the planes."""

OBSERVATION_SIZE: Final = _CARDS * len(PLANES) + len(SCALARS)
"""Numbers of an observation."""

LAYOUT: Final[tuple[tuple[int, int, str], ...]] = (
    *((_CARDS * place, _CARDS, name) for place, name in enumerate(PLANES)),
    *((_CARDS * len(PLANES) + place, 1, name) for place, name in enumerate(SCALARS)),
)
"""First place, number of places, meaning."""


def observe(table: ArenaTable, seat: int, speller: Speller | None = None) -> Observation:
    """What a seat knows of the deal under way.

    Args:
        table: where it sits.
        seat: the viewer.
        speller: what he has spelt of his action so far; None for nothing.

    Returns:
        `OBSERVATION_SIZE` numbers from 0 to 1; zeros between deals, and for who sits out.
    """
    observation = np.zeros(OBSERVATION_SIZE, dtype=np.float32)
    position = table.seating.position_of(seat)
    if table.deal is None or position is None:
        return observation
    known = table.deal.known_to(position)
    cut = _CARDS * len(PLANES)
    observation[:cut] = _bits(_planes(known, table, position, speller))
    observation[cut:] = _scalars(known, position, speller)
    return observation


def mask_of(codes: Sequence[int]) -> Mask:
    """`ACTION_COUNT` numbers, 1 for each of these."""
    mask = np.zeros(ACTION_COUNT, dtype=np.int8)
    mask[list(codes)] = 1
    return mask


def _bits(planes: Sequence[int]) -> npt.NDArray[np.uint8]:
    """One number for every card of every set."""
    return np.unpackbits(np.array(planes, dtype="<u4").view(np.uint8), bitorder="little")


def _planes(
    deal: Deal, table: ArenaTable, viewer: Position, speller: Speller | None
) -> Sequence[int]:
    played, on_table = [0, 0, 0], [0, 0, 0]
    for trick in deal.tricks:
        for step, card in enumerate(trick.cards):
            played[(trick.leader + step - viewer) % 3] |= 1 << card
    for step, card in enumerate(deal.table):
        on_table[(deal.leader + step - viewer) % 3] |= 1 << card
    is_declarer = deal.declarer == viewer
    own_discards = is_declarer and deal.contract is not None and not deal.contract.hand
    return (
        deal.hands[viewer],
        deal.skat if own_discards else 0,
        _passed_on(table, viewer) if deal.looked else 0,
        0 if speller is None else speller.cards,
        *played,
        *on_table,
        deal.hands[deal.declarer] if deal.exposed and deal.declarer is not None else 0,
        _partner_hand(deal, viewer),
    )


def _passed_on(table: ArenaTable, viewer: Position) -> CardSet:
    """What the viewer has put down for the next player of a Ramsch."""
    return card_set(
        card
        for position, action in table.actions
        if position == viewer and isinstance(action, PutDown)
        for card in action.cards
    )


def _partner_hand(deal: Deal, viewer: Position) -> CardSet:
    """The other defender's cards, which a Revolution shows before play (section 21)."""
    contract = deal.contract
    if contract is None or not contract.revolution or not deal.exposed:
        return CardSet(0)
    if deal.declarer is None or viewer == deal.declarer:
        return CardSet(0)
    return deal.hands[3 - viewer - deal.declarer]


def _scalars(deal: Deal, viewer: Position, speller: Speller | None) -> Sequence[float]:
    auction, proposal = deal.auction, deal.proposal
    spelt = None if speller is None else speller.contract
    number = deal.bid or auction.offer or auction.high
    return (
        *_one_of(len(_PHASES), _PHASES[deal.phase]),
        *_relative(deal.to_act, viewer),
        *_one_of(3, viewer),
        *_relative(deal.declarer, viewer),
        *_relative(deal.leader if deal.order is not None else None, viewer),
        *_relative(auction.bidder, viewer),
        *_relative(auction.listener, viewer),
        *(float(auction.named >> (viewer + step) % 3 & 1) for step in range(3)),
        number / _HIGHEST_BID,
        float(auction.offer > 0),
        *_contract(spelt or deal.contract),
        float(spelt is not None),
        float(deal.order is not None and deal.contract is None),
        float(deal.replaces_ramsch),
        float(deal.doubling.kontra),
        float(deal.doubling.re),
        float(deal.doubling.bock),
        float(deal.knocked),
        *(float((viewer + step) % 3 in deal.looked) for step in range(3)),
        *(deal.points[(viewer + step) % 3] / _POINTS for step in range(3)),
        *(deal.tricks_won[(viewer + step) % 3] / _TRICKS for step in range(3)),
        *_one_of(len(_PROPOSALS), None if proposal is None else _PROPOSALS.index(proposal.kind)),
        *_relative(None if proposal is None else proposal.proposer, viewer),
        0.0 if proposal is None else proposal.level / _HIGHEST_LEVEL,
    )


def _contract(contract: Contract | None) -> Sequence[float]:
    if contract is None:
        return (0.0,) * (len(_KINDS) + 5)
    return (
        *_one_of(len(_KINDS), contract.kind),
        float(contract.hand),
        contract.announced / _HIGHEST_LEVEL,
        float(contract.ouvert),
        float(contract.spitze),
        float(contract.revolution),
    )


def _relative(position: Position | None, viewer: Position) -> Sequence[float]:
    return _one_of(3, None if position is None else (position - viewer) % 3)


def _one_of(count: int, which: int | None) -> Sequence[float]:
    return _ROWS[count][count if which is None else which]


_ROWS: Final = {
    count: [tuple(float(place == which) for place in range(count)) for which in range(count + 1)]
    for count in {3, len(_PHASES), len(_KINDS), len(_PROPOSALS)}
}
"""Rows with a one in one place, and one row of zeros."""
