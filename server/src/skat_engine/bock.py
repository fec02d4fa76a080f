"""Bock and Ramsch rounds: what starts a block, and which deals the blocks still hold (section 17).

A block is some Bock deals followed by as many Ramsch deals. The queue is a frozen value; each
deal that counts gives the next one.
"""

from collections.abc import Collection, Set
from dataclasses import dataclass
from enum import Enum
from typing import Final

from skat_engine.contracts import ContractKind
from skat_engine.occasions import Occasion
from skat_engine.options import BockLength, BockStacking, BockTrigger, RamschRoundGrandHand
from skat_engine.results import DealResult, DeclarerGame
from skat_engine.ruleset import RuleSet

_THREE: Final = 3
_ALL_POINTS: Final = 120


class Mode(Enum):
    """What kind of deal comes next (R-BOCK-9)."""

    NORMAL = "normal"
    BOCK = "bock"
    RAMSCH = "ramsch"


def triggers(
    result: DealResult, rules: RuleSet, totals: Collection[int] = ()
) -> frozenset[BockTrigger]:
    """The events of a finished deal that start blocks; none in a Ramsch (R-BOCK-2).

    Args:
        result: the deal.
        rules: which events count at this table; none where there is no Bock.
        totals: the totals that this deal has changed, for events about the score sheet.
    """
    if not rules.bock or result.game is None:
        return frozenset()
    return (_game_events(result.game) | _total_events(totals, rules)) & rules.bock_triggers


def _game_events(game: DeclarerGame) -> frozenset[BockTrigger]:
    value, contract, doubling = game.value, game.contract, game.doubling
    by_points = not contract.is_null and game.declarer_points + game.defender_points == _ALL_POINTS
    happened = {
        BockTrigger.KONTRA_LOST: doubling.kontra and not value.won,
        BockTrigger.RE_ANNOUNCED: doubling.re,
        BockTrigger.LOST_WITH_60: by_points and game.declarer_points == 60 and not value.won,
        BockTrigger.WON_WITH_120: by_points and game.declarer_points == _ALL_POINTS and value.won,
        BockTrigger.GRAND_HAND_WON: (
            contract.kind is ContractKind.GRAND and contract.hand and value.won
        ),
        BockTrigger.VALUE_72: value.won and value.value >= 72,
        BockTrigger.VALUE_96: value.won and value.value >= 96,
    }
    return frozenset(event for event, has_happened in happened.items() if has_happened)


def _total_events(totals: Collection[int], rules: RuleSet) -> frozenset[BockTrigger]:
    """Totals that stand out; 0 is none of them, and a round thousand is one event, not two."""
    sizes = {abs(total) for total in totals if total}
    events = set()
    if any(size % 100 == 0 for size in sizes):
        events.add(BockTrigger.SCORE_MULTIPLE_OF_100)
    if BockTrigger.SCORE_MULTIPLE_OF_100 in rules.bock_triggers:
        sizes = {size for size in sizes if size % 1000}
    if any(size > 99 and size % 1000 % 111 == 0 for size in sizes):
        events.add(BockTrigger.SCORE_THREE_EQUAL_DIGITS)
    return frozenset(events)


def blocks(events: Set[BockTrigger], rules: RuleSet) -> int:
    """How many blocks these events of one deal start (R-BOCK-4)."""
    if rules.bock_stacking is BockStacking.ONE_BLOCK_PER_DEAL:
        return min(1, len(events))
    lost_with_re = {BockTrigger.KONTRA_LOST, BockTrigger.RE_ANNOUNCED} <= events
    return len(events) - lost_with_re


@dataclass(frozen=True, slots=True)
class BockQueue:
    """The Bock and Ramsch deals that are still owed (R-BOCK-9)."""

    bock_left: int = 0
    """Bock deals left of the running block."""
    ramsch_left: int = 0
    """Ramsch deals left of the running block."""
    pending: int = 0
    """Blocks that wait until the running one is finished."""
    grand_hands: int = 0
    """Grand Hands in a row in the running Ramsch round."""

    @property
    def mode(self) -> Mode:
        """What the next deal is."""
        if self.bock_left:
            return Mode.BOCK
        return Mode.RAMSCH if self.ramsch_left else Mode.NORMAL

    def occasion(self, rules: RuleSet) -> Occasion:
        """The circumstances of the next deal (R-BOCK-6 to R-BOCK-8)."""
        mode = self.mode
        if mode is not Mode.RAMSCH:
            return Occasion(bock=mode is Mode.BOCK)
        forced_after = rules.forced_ramsch_after_grand_hands
        offered = rules.ramsch_round_grand_hand is RamschRoundGrandHand.ALL_PLAYERS
        forced = bool(forced_after) and self.grand_hands >= forced_after
        return Occasion(ramsch_round=True, grand_hand_offered=offered and not forced)

    def after(self, *, grand_hand: bool, new_blocks: int, rules: RuleSet) -> "BockQueue":
        """The queue after a deal that counts (R-BOCK-3, R-BOCK-4, R-BOCK-9).

        Args:
            grand_hand: in a Ramsch round, a Grand Hand was played instead.
            new_blocks: how many blocks the deal has started.
            rules: length and order of the blocks.
        """
        if self is NOTHING_OWED and not new_blocks:
            return self
        played = self._played(grand_hand=grand_hand, rules=rules)
        pending = self.pending + new_blocks
        if pending and played.mode is Mode.NORMAL:
            return BockQueue(bock_left=_length(rules), pending=pending - 1)
        return BockQueue(played.bock_left, played.ramsch_left, pending, played.grand_hands)

    def _played(self, *, grand_hand: bool, rules: RuleSet) -> "BockQueue":
        """The running block with one deal less."""
        if self.mode is Mode.BOCK:
            left = self.bock_left - 1
            ramsch = _length(rules) if rules.bock_then_ramsch and not left else 0
            return BockQueue(left, ramsch)
        if self.mode is Mode.NORMAL:
            return NOTHING_OWED
        stays = grand_hand and rules.grand_hand_extends_ramsch_round
        left = self.ramsch_left if stays else self.ramsch_left - 1
        streak = self.grand_hands + 1 if grand_hand and left else 0
        return BockQueue(ramsch_left=left, grand_hands=streak)


NOTHING_OWED: Final = BockQueue()
"""The queue of most series most of the time."""


def _length(rules: RuleSet) -> int:
    """Deals of each half of a block (R-BOCK-5)."""
    return rules.seats if rules.bock_length is BockLength.ONE_PER_SEAT else _THREE
