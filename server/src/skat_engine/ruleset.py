"""Every option of the rules as one frozen, validated value.

The declaration below is the only one: validation, documentation and the wire read the
meaning, values, default and source of an option from the field's metadata.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, get_type_hints

from skat_engine.errors import RuleSetError
from skat_engine.options import (
    AllPass,
    BockLength,
    BockStacking,
    BockTrigger,
    DeclarerGiveUp,
    DefenderGiveUp,
    FirstDealer,
    ForehandLastOption,
    GrandHandOrder,
    Kontra,
    KontraInRamschGrandHand,
    KontraTiming,
    LayOpenRule,
    LossRule,
    MatadorLimit,
    NullUnderbid,
    Permission,
    RamschDurchmarsch,
    RamschGrandHand,
    RamschJungfrau,
    RamschRoundGrandHand,
    RamschScoring,
    RamschSkatExchange,
    RamschSkatTo,
    RamschTie,
    SchwarzDefinition,
    Scoring,
    SessionEnd,
    Switch,
    UnreachableDeclaration,
)

_STANDARD_TRIGGERS: Final = frozenset(
    {
        BockTrigger.KONTRA_LOST,
        BockTrigger.RE_ANNOUNCED,
        BockTrigger.LOST_WITH_60,
        BockTrigger.WON_WITH_120,
    }
)


def _option(default: Any, source: str, meaning: str, values: str = "") -> Any:
    """A field with its documentation; `values` only where the type does not say them."""
    return field(default=default, metadata={"source": source, "meaning": meaning, "values": values})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One valid choice of every option of the rules (section 21).

    The defaults are the table's. Make variants with `dataclasses.replace` or `preset`;
    impossible mixes raise `RuleSetError` with the option's name.
    """

    seats: int = _option(3, "R-TAB-1", "places at the table", "3, 4, 5")
    first_dealer: FirstDealer = _option(FirstDealer.SEAT_0, "R-TAB-3", "who deals first")
    session_end: SessionEnd = _option(SessionEnd.FIXED_DEALS, "R-TAB-4", "when the series ends")
    session_deals: int | None = _option(
        None, "R-TAB-4", "deals of the series; unset: 12 full rounds", "unset, 1 to 10000"
    )
    jump_bids: bool = _option(True, "R-BID-2", "bids may skip game values")
    forehand_last_option: ForehandLastOption = _option(
        ForehandLastOption.EIGHTEEN, "R-BID-4", "what forehand may bid after two passes"
    )
    all_pass: AllPass = _option(AllPass.PASS_IN, "section 5", "what happens when all pass")
    null_underbid: NullUnderbid = _option(
        NullUnderbid.REJECT, "R-ANN-6", "what a Null below the bid is"
    )
    unreachable_declaration: UnreachableDeclaration = _option(
        UnreachableDeclaration.ALLOW, "R-ANN-7", "a trump game that cannot reach the bid"
    )
    matador_limit: MatadorLimit = _option(
        MatadorLimit.FULL, "R-MAT-3", "how far matadors count in suit games"
    )
    loss_rule: LossRule = _option(LossRule.DOUBLE_ALWAYS, "R-LOSS-1", "what a lost game costs")
    own_schneider_raises_loss: bool = _option(
        True, "R-VAL-4", "the declarer's own Schneider or Schwarz raises the loss"
    )
    schwarz_definition: SchwarzDefinition = _option(
        SchwarzDefinition.NO_TRICK, "R-VAL-3", "no trick, or no card points"
    )
    null_ends_at_first_trick: bool = _option(
        True, "R-NULL-1", "a Null stops at the declarer's first trick"
    )
    kontra: Kontra = _option(Kontra.OFF, "R-KON-2", "which defender may say Kontra")
    re: bool = _option(True, "R-KON-1", "the declarer may answer Kontra with Re")
    kontra_timing: KontraTiming = _option(
        KontraTiming.BEFORE_FIRST_LEAD, "R-KON-3", "when Kontra may be said"
    )
    kontra_in_ramsch_grand_hand: KontraInRamschGrandHand = _option(
        KontraInRamschGrandHand.ELIGIBILITY_WAIVED, "R-KON-5", "Kontra in a Ramsch's Grand Hand"
    )
    spitze: Switch = _option(Switch.OFF, "R-SPI-1", "the declarer may announce Spitze")
    spitze_factor: int = _option(2, "R-SPI-2", "levels that Spitze adds", "1, 2")
    grand_spitze_with_four_jacks: Permission = _option(
        Permission.ALLOW, "R-SPI-3", "Grand Spitze while holding all four jacks"
    )
    spitze_card_revealed: bool = _option(True, "R-SPI-3", "the Spitze card is shown")
    declarer_give_up: DeclarerGiveUp = _option(
        DeclarerGiveUp.ISKO, "R-END-1", "how the declarer may give up"
    )
    defender_give_up: DefenderGiveUp = _option(
        DefenderGiveUp.ONE_BINDS_BOTH, "R-END-4", "how defenders may give up"
    )
    give_up_declarer_may_play_on: bool = _option(
        True, "R-END-4", "the declarer may demand that play goes on"
    )
    lay_open: LayOpenRule = _option(
        LayOpenRule.ISKO_2018, "R-END-7", "how the declarer may lay his cards open"
    )
    ramsch_skat_exchange: RamschSkatExchange = _option(
        RamschSkatExchange.NONE, "R-RAM-4", "what happens to the skat before a Ramsch"
    )
    ramsch_jacks_may_be_passed: bool = _option(
        False, "R-RAM-5", "jacks may be put into the passed skat"
    )
    ramsch_untouched_doubles: bool = _option(
        False, "R-RAM-6", "each player who does not pick up doubles for all"
    )
    ramsch_looker_doubles: bool = _option(False, "R-RAM-6", "a loser who looked pays double")
    ramsch_scoring: RamschScoring = _option(
        RamschScoring.LOSER_POINTS, "section 16.3", "who scores in a Ramsch"
    )
    ramsch_fixed_amount: int = _option(
        10, "section 16.3", "what the loser pays under fixed scoring", "1 to 1000"
    )
    ramsch_skat_to: RamschSkatTo = _option(
        RamschSkatTo.LAST_TRICK, "R-RAM-2", "who gets the skat of a Ramsch"
    )
    ramsch_jungfrau: RamschJungfrau = _option(
        RamschJungfrau.DOUBLE, "R-RAM-8", "one player without a trick"
    )
    ramsch_durchmarsch: RamschDurchmarsch = _option(
        RamschDurchmarsch.PLUS_120, "R-RAM-7", "all ten tricks for one player"
    )
    ramsch_durchmarsch_times_untouched: bool = _option(
        False, "X9", "Durchmarsch counts times the untouched factor"
    )
    ramsch_tie: RamschTie = _option(RamschTie.ALL_LOSE, "R-RAM-9", "several hold the most points")
    ramsch_grand_hand: RamschGrandHand = _option(
        RamschGrandHand.OFF, "R-RAM-11", "Grand Hand instead of an all-pass Ramsch"
    )
    ramsch_grand_hand_order: GrandHandOrder = _option(
        GrandHandOrder.FOREHAND_FIRST, "R-RAM-11", "order of the Grand Hand offers"
    )
    bock: bool = _option(False, "R-BOCK-1", "trigger events start Bock blocks")
    bock_triggers: frozenset[BockTrigger] = _option(
        _STANDARD_TRIGGERS, "R-BOCK-2", "the events that start a block"
    )
    bock_length: BockLength = _option(BockLength.THREE, "R-BOCK-5", "deals per half of a block")
    bock_then_ramsch: bool = _option(True, "R-BOCK-1", "Ramsch deals follow the Bock deals")
    bock_stacking: BockStacking = _option(
        BockStacking.ONE_BLOCK_PER_DEAL, "R-BOCK-4", "blocks that one deal may start"
    )
    ramsch_round_grand_hand: RamschRoundGrandHand = _option(
        RamschRoundGrandHand.ALL_PLAYERS, "R-BOCK-6", "Grand Hand in a Ramsch round"
    )
    grand_hand_extends_ramsch_round: bool = _option(
        True, "R-BOCK-6", "a Grand Hand does not use up a Ramsch deal"
    )
    forced_ramsch_after_grand_hands: int = _option(
        3, "R-BOCK-7", "Grand Hands in a row before a forced Ramsch", "0 (never) to 1000"
    )
    grand_hand_keeps_dealer: bool = _option(
        False, "R-BOCK-6", "after a Grand Hand the same dealer deals"
    )
    scoring: Scoring = _option(Scoring.CLASSIC, "R-BOOK-1", "the score sheet")
    seeger_own_bonus: int = _option(
        50, "R-BOOK-2", "bonus and malus of the declarer", "-1000 to 1000"
    )
    seeger_other_bonus: int | None = _option(
        None,
        "R-BOOK-2",
        "bonus of the others for a lost game; unset: 40 or 30",
        "unset, 1000 at most",
    )
    bierlachs_limit: int = _option(
        500, "R-BIER-4", "a total below minus this ends it", "1 to 10**6"
    )
    bierlachs_charge_sitters: bool = _option(False, "R-BIER-2", "who sits out pays as well")
    revolution: bool = _option(False, "section 21", "Null ouvert against rearranged hands")
    klopfen: bool = _option(False, "section 21", "a knock doubles a Ramsch")
    schenken_first_trick: bool = _option(
        False, "section 21", "defenders may give up during the first trick"
    )

    def __post_init__(self) -> None:
        """Refuse values of another type, impossible values, and impossible mixes."""
        _check_types(self)
        _check_numbers(self)
        _check_mixes(self)

    @property
    def deals(self) -> int:
        """Deals of a series with a fixed length: as set, or 12 full rounds (R-TAB-4)."""
        return self.session_deals or 12 * self.seats

    @property
    def other_bonus(self) -> int:
        """Seeger-Fabian bonus of the others, as set or official (R-BOOK-2)."""
        if self.seeger_other_bonus is not None:
            return self.seeger_other_bonus
        return _OTHER_BONUS[self.seats]


OPTION_TYPES: Final[Mapping[str, Any]] = get_type_hints(RuleSet)
"""The Python type of every option, by name, in the order of declaration."""

DEFAULTS: Final[Mapping[str, Any]] = {f.name: f.default for f in fields(RuleSet)}
"""The default of every option, by name."""

_OTHER_BONUS: Final = {3: 40, 4: 30}
"""Seeger-Fabian bonus of the others, by seats; five have none (R-BOOK-2)."""


def _check_types(rules: RuleSet) -> None:
    """Refuse look-alikes: the text ``off`` equals the value `Kontra.OFF`, but is not it."""
    for name, kind in OPTION_TYPES.items():
        value = getattr(rules, name)
        if not _fits(kind, value):
            raise RuleSetError(name, f"{value!r} has the wrong type; read text with parse_option")


def _fits(kind: Any, value: object) -> bool:
    if kind == frozenset[BockTrigger]:
        return isinstance(value, frozenset) and all(type(v) is BockTrigger for v in value)
    return type(value) is kind or (kind == int | None and (value is None or type(value) is int))


_LARGEST: Final = {
    "session_deals": 10_000,
    "seeger_own_bonus": 1_000,
    "seeger_other_bonus": 1_000,
    "ramsch_fixed_amount": 1_000,
    "bierlachs_limit": 1_000_000,
    "forced_ramsch_after_grand_hands": 1_000,
}
"""Bounds that no table needs to pass; they keep every total within 32 bits."""


def _check_numbers(rules: RuleSet) -> None:
    least = {
        "session_deals": 1,
        "ramsch_fixed_amount": 1,
        "bierlachs_limit": 1,
        "forced_ramsch_after_grand_hands": 0,
    }
    if rules.seats not in (3, 4, 5):
        raise RuleSetError("seats", f"{rules.seats} is not possible; use 3, 4 or 5")
    if rules.spitze_factor not in (1, 2):
        raise RuleSetError("spitze_factor", f"{rules.spitze_factor} is not possible; use 1 or 2")
    for name, smallest in least.items():
        value = getattr(rules, name)
        if value is not None and value < smallest:
            raise RuleSetError(name, f"{value} is too small; use {smallest} or more")
    for name, largest in _LARGEST.items():
        value = getattr(rules, name)
        if value is not None and abs(value) > largest:
            raise RuleSetError(name, f"{value} is too large; use {largest} at most")


def _check_mixes(rules: RuleSet) -> None:
    """The validity checks between options at the end of section 21."""
    exchange = rules.ramsch_skat_exchange is RamschSkatExchange.PASS_ALONG
    for name in ("ramsch_untouched_doubles", "ramsch_looker_doubles", "ramsch_jacks_may_be_passed"):
        if getattr(rules, name) and not exchange:
            raise RuleSetError(name, "needs ramsch_skat_exchange=pass_along")
    if (rules.session_end is SessionEnd.BIERLACHS) != (rules.scoring is Scoring.BIERLACHS):
        raise RuleSetError("session_end", "bierlachs needs scoring=bierlachs, and the reverse")
    official = rules.seats in _OTHER_BONUS or rules.seeger_other_bonus is not None
    if rules.scoring is Scoring.SEEGER_FABIAN and not official:
        raise RuleSetError("seeger_other_bonus", "has no official value at 5 seats; set it")
