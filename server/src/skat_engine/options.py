"""What the options of the rules may be set to, and an option's value as text (section 21)."""

from enum import StrEnum


class FirstDealer(StrEnum):
    """Who deals first (R-TAB-3)."""

    SEAT_0 = "seat_0"
    RANDOM = "random"
    FIRST_JACK = "first_jack"


class SessionEnd(StrEnum):
    """When a series may end (R-TAB-4)."""

    FIXED_DEALS = "fixed_deals"
    FULL_CIRCUITS = "full_circuits"
    BIERLACHS = "bierlachs"
    OPEN = "open"


class ForehandLastOption(StrEnum):
    """What forehand may bid when nobody named a number (R-BID-4)."""

    EIGHTEEN = "eighteen"
    EIGHTEEN_OR_MORE = "eighteen_or_more"


class AllPass(StrEnum):
    """What happens when everybody passed (section 5)."""

    PASS_IN = "pass_in"
    REDEAL_SAME_DEALER = "redeal_same_dealer"
    FOREHAND_MUST_PLAY = "forehand_must_play"
    RAMSCH = "ramsch"


class NullUnderbid(StrEnum):
    """What a Null below the bid is (R-ANN-6)."""

    REJECT = "reject"
    LOSE_AS_TRUMP_GAME = "lose_as_trump_game"


class UnreachableDeclaration(StrEnum):
    """What a trump game that cannot reach the bid is (R-ANN-7)."""

    ALLOW = "allow"
    REJECT = "reject"


class MatadorLimit(StrEnum):
    """How far matadors are counted in suit games (R-MAT-3)."""

    FULL = "full"
    JACKS_ONLY = "jacks_only"


class LossRule(StrEnum):
    """What a lost game costs (R-LOSS-1, R-LOSS-2)."""

    DOUBLE_ALWAYS = "double_always"
    HAND_SINGLE = "hand_single"


class SchwarzDefinition(StrEnum):
    """What Schwarz means (R-VAL-3)."""

    NO_TRICK = "no_trick"
    NO_POINTS = "no_points"


class Kontra(StrEnum):
    """Which defender may say Kontra (R-KON-2)."""

    OFF = "off"
    ANY_DEFENDER = "any_defender"
    SAID_18 = "said_18"
    SAID_18_OR_PRICED_OUT = "said_18_or_priced_out"


class KontraTiming(StrEnum):
    """When Kontra may be said (R-KON-3)."""

    BEFORE_FIRST_LEAD = "before_first_lead"
    BEFORE_OWN_FIRST_CARD = "before_own_first_card"


class KontraInRamschGrandHand(StrEnum):
    """Kontra in a Grand Hand that replaces a Ramsch (R-KON-5)."""

    OFF = "off"
    ELIGIBILITY_WAIVED = "eligibility_waived"


class Switch(StrEnum):
    """An option that is on or off."""

    OFF = "off"
    ON = "on"


class Permission(StrEnum):
    """An option that allows or forbids."""

    ALLOW = "allow"
    FORBID = "forbid"


class DeclarerGiveUp(StrEnum):
    """How the declarer may give up (section 15.1)."""

    OFF = "off"
    ISKO = "isko"


class DefenderGiveUp(StrEnum):
    """How defenders may give up (section 15.2)."""

    OFF = "off"
    ONE_BINDS_BOTH = "one_binds_both"
    BOTH_ONCE = "both_once"


class LayOpenRule(StrEnum):
    """How the declarer may lay his cards open (section 15.3)."""

    OFF = "off"
    ISKO_2018 = "isko_2018"
    PROSKAT = "proskat"
    ISKO_2007 = "isko_2007"


class RamschSkatExchange(StrEnum):
    """What happens to the skat before a Ramsch (section 16.2)."""

    NONE = "none"
    PASS_ALONG = "pass_along"


class RamschScoring(StrEnum):
    """Who scores in a Ramsch (section 16.3)."""

    LOSER_POINTS = "loser_points"
    ALL_POINTS = "all_points"
    FIXED = "fixed"


class RamschSkatTo(StrEnum):
    """Who gets the skat of a Ramsch (R-RAM-2)."""

    LAST_TRICK = "last_trick"
    LOSER = "loser"
    NOBODY = "nobody"


class RamschJungfrau(StrEnum):
    """What a player without a trick does to a Ramsch (R-RAM-8)."""

    OFF = "off"
    DOUBLE = "double"


class RamschDurchmarsch(StrEnum):
    """What all ten tricks in a Ramsch are worth (R-RAM-7)."""

    OFF = "off"
    PLUS_120 = "plus_120"


class RamschTie(StrEnum):
    """Who loses when several hold the most points (R-RAM-9)."""

    ALL_LOSE = "all_lose"
    THREE_WAY_ZERO = "three_way_zero"
    LAST_TRICK_TAKER_LOSES = "last_trick_taker_loses"


class RamschGrandHand(StrEnum):
    """Who may play Grand Hand instead of an all-pass Ramsch (R-RAM-11)."""

    OFF = "off"
    FOREHAND_ONLY = "forehand_only"
    ALL_PLAYERS = "all_players"


class GrandHandOrder(StrEnum):
    """In which order Grand Hand is offered (R-RAM-11)."""

    FOREHAND_FIRST = "forehand_first"
    DEALER_FIRST = "dealer_first"


class BockTrigger(StrEnum):
    """What starts a Bock block (R-BOCK-2)."""

    KONTRA_LOST = "kontra_lost"
    RE_ANNOUNCED = "re_announced"
    LOST_WITH_60 = "lost_with_60"
    WON_WITH_120 = "won_with_120"
    GRAND_HAND_WON = "grand_hand_won"
    VALUE_72 = "value_72"
    VALUE_96 = "value_96"
    SCORE_MULTIPLE_OF_100 = "score_multiple_of_100"
    SCORE_THREE_EQUAL_DIGITS = "score_three_equal_digits"


class BockLength(StrEnum):
    """How many deals each half of a Bock block has (R-BOCK-5)."""

    THREE = "three"
    ONE_PER_SEAT = "one_per_seat"


class BockStacking(StrEnum):
    """How many blocks one deal may start (R-BOCK-4)."""

    ONE_BLOCK_PER_DEAL = "one_block_per_deal"
    ONE_BLOCK_PER_EVENT = "one_block_per_event"


class RamschRoundGrandHand(StrEnum):
    """Who may play Grand Hand in a Ramsch round (R-BOCK-6)."""

    OFF = "off"
    ALL_PLAYERS = "all_players"


class Scoring(StrEnum):
    """The score sheet of a series (section 19)."""

    CLASSIC = "classic"
    SEEGER_FABIAN = "seeger_fabian"
    BIERLACHS = "bierlachs"


OptionValue = bool | int | None | StrEnum | frozenset[BockTrigger]
"""What an option may hold."""


def option_text(value: OptionValue) -> str:
    """An option's value as text: ``true``, ``pass_in``, ``36``, ``unset``, ``a,b``."""
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, frozenset):
        return ",".join(sorted(value))
    return str(value)
