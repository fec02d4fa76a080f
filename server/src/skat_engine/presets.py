"""The named rule sets, as what each sets differently from the defaults (section 21)."""

from collections.abc import Mapping
from typing import Final

from skat_engine.errors import RuleSetError
from skat_engine.options import (
    AllPass,
    BockStacking,
    DeclarerGiveUp,
    DefenderGiveUp,
    FirstDealer,
    ForehandLastOption,
    GrandHandOrder,
    Kontra,
    LayOpenRule,
    LossRule,
    OptionValue,
    Permission,
    RamschDurchmarsch,
    RamschGrandHand,
    RamschJungfrau,
    RamschScoring,
    RamschSkatExchange,
    RamschTie,
    Scoring,
    SessionEnd,
    Switch,
)
from skat_engine.ruleset import DEFAULTS, RuleSet

_BGA_SKAT: Final[Mapping[str, OptionValue]] = {
    "all_pass": AllPass.RAMSCH,
    "declarer_give_up": DeclarerGiveUp.OFF,
    "defender_give_up": DefenderGiveUp.OFF,
    "lay_open": LayOpenRule.OFF,
    "ramsch_skat_exchange": RamschSkatExchange.PASS_ALONG,
    "ramsch_untouched_doubles": True,
    "ramsch_scoring": RamschScoring.ALL_POINTS,
    "ramsch_durchmarsch_times_untouched": True,
    "ramsch_grand_hand": RamschGrandHand.ALL_PLAYERS,
}
_TERSE_ENGLISH: Final[Mapping[str, OptionValue]] = {
    "first_dealer": FirstDealer.FIRST_JACK,
    "session_end": SessionEnd.FULL_CIRCUITS,
    "all_pass": AllPass.REDEAL_SAME_DEALER,
    "loss_rule": LossRule.HAND_SINGLE,
    "own_schneider_raises_loss": False,
    "declarer_give_up": DeclarerGiveUp.OFF,
    "defender_give_up": DefenderGiveUp.OFF,
    "lay_open": LayOpenRule.OFF,
    "ramsch_skat_exchange": RamschSkatExchange.PASS_ALONG,
    "ramsch_jacks_may_be_passed": True,
    "ramsch_looker_doubles": True,
    "ramsch_jungfrau": RamschJungfrau.OFF,
    "ramsch_durchmarsch": RamschDurchmarsch.OFF,
    "ramsch_grand_hand": RamschGrandHand.FOREHAND_ONLY,
}
_SWEDISH_RAMSCH: Final[Mapping[str, OptionValue]] = {
    "forehand_last_option": ForehandLastOption.EIGHTEEN_OR_MORE,
    "all_pass": AllPass.RAMSCH,
    "declarer_give_up": DeclarerGiveUp.OFF,
    "defender_give_up": DefenderGiveUp.OFF,
    "lay_open": LayOpenRule.OFF,
    "bock_then_ramsch": False,
}

PRESETS: Final[Mapping[str, Mapping[str, OptionValue]]] = {
    "isko": {"scoring": Scoring.SEEGER_FABIAN},
    "proskat_pub": {
        "all_pass": AllPass.RAMSCH,
        "kontra": Kontra.SAID_18,
        "spitze": Switch.ON,
        "defender_give_up": DefenderGiveUp.BOTH_ONCE,
        "lay_open": LayOpenRule.PROSKAT,
        "ramsch_grand_hand_order": GrandHandOrder.DEALER_FIRST,
        "bock": True,
    },
    "terse_english": _TERSE_ENGLISH,
    "terse_english_ramsch": {**_TERSE_ENGLISH, "all_pass": AllPass.RAMSCH},
    "bga_skat": _BGA_SKAT,
    "bga_simple": {
        **_BGA_SKAT,
        "ramsch_skat_exchange": RamschSkatExchange.NONE,
        "ramsch_untouched_doubles": False,
        "ramsch_durchmarsch_times_untouched": False,
        "ramsch_grand_hand": RamschGrandHand.OFF,
    },
    "swedish_standard": {**_SWEDISH_RAMSCH, "all_pass": AllPass.FOREHAND_MUST_PLAY},
    "swedish_ramsch": _SWEDISH_RAMSCH,
    "xskat_extras": {
        "session_end": SessionEnd.OPEN,
        "all_pass": AllPass.RAMSCH,
        "kontra": Kontra.SAID_18,
        "spitze": Switch.ON,
        "spitze_factor": 1,
        "grand_spitze_with_four_jacks": Permission.FORBID,
        "ramsch_skat_exchange": RamschSkatExchange.PASS_ALONG,
        "ramsch_untouched_doubles": True,
        "ramsch_durchmarsch_times_untouched": True,
        "ramsch_tie": RamschTie.THREE_WAY_ZERO,
        "bock": True,
        "bock_stacking": BockStacking.ONE_BLOCK_PER_EVENT,
        "forced_ramsch_after_grand_hands": 0,
        "grand_hand_keeps_dealer": True,
        "revolution": True,
        "klopfen": True,
        "schenken_first_trick": True,
    },
}
"""What each named preset sets; everything else keeps its default (section 21)."""

PRESET_MEANINGS: Final[Mapping[str, str]] = {
    "isko": "the official rules, listed by Seeger-Fabian",
    "proskat_pub": "pub rules with Kontra, Spitze, Lay Open, Bock and Ramsch rounds",
    "terse_english": "old loss rule, a passed deal is dealt again, circuits without an end",
    "terse_english_ramsch": "terse_english with a Ramsch that may be looked into",
    "bga_skat": "Schieberamsch in which everybody pays, Grand Hand before it",
    "bga_simple": "bga_skat with a Ramsch that leaves the skat alone",
    "swedish_standard": "forehand must play when all pass",
    "swedish_ramsch": "a Ramsch is played when all pass",
    "xskat_extras": "everything XSkat adds: Schieberamsch, Revolution, Klopfen, Schenken, Bock",
}
"""What each preset is, in a line."""

SEALED: Final[Mapping[str, frozenset[str]]] = {
    "isko": frozenset(
        {"kontra", "bock", "spitze", "all_pass", "revolution", "klopfen", "schenken_first_trick"}
    )
}
"""Options that a tournament preset does not let anybody override (section 21)."""

_SEATS: Final[Mapping[str, tuple[int, ...]]] = {
    "terse_english": (3, 4, 5),
    "terse_english_ramsch": (3, 4, 5),
    "bga_skat": (3,),
    "bga_simple": (3,),
}
"""The table sizes of presets that are not for three or four (X20)."""


def preset_seats(name: str) -> tuple[int, ...]:
    """The table sizes that a preset is for (X20)."""
    return _SEATS.get(name, (3, 4))


def preset(name: str, overrides: Mapping[str, OptionValue] | None = None) -> RuleSet:
    """The rule set of a preset with single options overridden.

    >>> preset("isko", {"seats": 4}).other_bonus
    30

    Args:
        name: one of `PRESETS`.
        overrides: option name to value, of the option's own type.

    Raises:
        RuleSetError: unknown preset, unknown or sealed option, impossible value or mix.
    """
    base = PRESETS.get(name)
    if base is None:
        raise RuleSetError("preset", f"{name!r} is unknown; use one of {', '.join(PRESETS)}")
    wanted = dict(overrides or {})
    for option, value in wanted.items():
        if option not in DEFAULTS:
            raise RuleSetError(option, "is not an option of the rules")
        if option in SEALED.get(name, ()) and value != DEFAULTS[option]:
            raise RuleSetError(option, f"is sealed in preset {name}; choose another preset")
    rules = RuleSet(**{**base, **wanted})  # type: ignore[arg-type]  # names checked above
    seats = preset_seats(name)
    if rules.seats not in seats:
        allowed = ", ".join(map(str, seats))
        raise RuleSetError("seats", f"preset {name} is for tables of {allowed}")
    return rules
