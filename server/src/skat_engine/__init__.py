"""The rules of Skat as a library: deals, legality, values, series. Standard library only.

A deal takes actions and gives back what followed from them; nothing else changes it:

>>> from skat_engine import Deal, deal_from_seed, parse_action, preset
>>> deal = Deal(preset("isko"), deal_from_seed(bytes(32)))
>>> for position, text in [(1, "18"), (0, "pass"), (2, "pass"), (1, "hand"), (1, "CH")]:
...     events = deal.apply(position, parse_action(text))
>>> deal.phase, deal.to_act
(<Phase.PLAY: 'play'>, 0)
>>> while not deal.is_over:
...     events = deal.apply(deal.to_act, deal.legal(deal.to_act)[0])
>>> deal.result.ending, deal.result.scores
(<Ending.PLAYED_OUT: 'played_out'>, (0, 60, 0))

The modules are read from the bottom up: cards, seats and options; ruleset and contracts;
tricks and bidding; actions, results and events; state and legality; deal; views, scoring
and series; notation and shuffling. `skat_engine.records` stands on top and is imported by
its own name.
"""

from skat_engine.actions import (
    Action,
    Announce,
    Bid,
    GiveUp,
    Hold,
    LayOpen,
    Pass,
    PlayCard,
    PlayHand,
    TakeSkat,
    Vote,
)
from skat_engine.bidding import BID_VALUES
from skat_engine.cards import (
    CARD_POINTS,
    DECK,
    Card,
    CardSet,
    Rank,
    Suit,
    card_set,
    card_text,
    cards_in,
    cards_text,
    hand_text,
    new_card,
    parse_card,
    parse_cards,
    points_in,
    rank_of,
    suit_of,
)
from skat_engine.contracts import (
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    Contract,
    ContractKind,
    Level,
    legal_cards,
    new_contract,
    order_of,
    parse_contract,
)
from skat_engine.deal import Deal
from skat_engine.errors import (
    IllegalActionError,
    NotationError,
    Refusal,
    RuleSetError,
    SkatEngineError,
)
from skat_engine.events import (
    AuctionWon,
    BidHeld,
    BidMade,
    CardPlayed,
    CardsDealt,
    ContractAnnounced,
    DealEnded,
    Event,
    HandChosen,
    HandDealt,
    HandExposed,
    Passed,
    ProposalDeclined,
    ProposalKind,
    ShorteningProposed,
    SkatTaken,
    TrickTaken,
    VoteCast,
)
from skat_engine.legality import Announcements
from skat_engine.notation import dealt_text, parse_action, parse_dealt
from skat_engine.options import OptionValue, Scoring, option_text
from skat_engine.perft import perft
from skat_engine.phases import Phase
from skat_engine.presets import PRESETS, preset
from skat_engine.results import DealResult, Dealt, DeclarerGame, Ending
from skat_engine.ruleset import RuleSet, require_playable
from skat_engine.ruleset_text import (
    OptionInfo,
    option_table,
    parse_option,
    parse_rule_set,
    rule_set_options,
)
from skat_engine.scoring import Booking, ScoreSheet, SeatScore
from skat_engine.seats import (
    FOREHAND,
    MIDDLEHAND,
    POSITIONS,
    REARHAND,
    Position,
    Seat,
    Seating,
    seating,
)
from skat_engine.series import Series
from skat_engine.shuffling import deal_cards, deal_from_seed, deal_seed, shuffled_deck
from skat_engine.tricks import Trick
from skat_engine.valuation import GameValue, Standing, matadors, played_out, settle
from skat_engine.views import Viewer, project

__all__ = [
    "BID_VALUES",
    "CARD_POINTS",
    "DECK",
    "FOREHAND",
    "HAND_CONTRACTS",
    "MIDDLEHAND",
    "POSITIONS",
    "PRESETS",
    "REARHAND",
    "SKAT_CONTRACTS",
    "Action",
    "Announce",
    "Announcements",
    "AuctionWon",
    "Bid",
    "BidHeld",
    "BidMade",
    "Booking",
    "Card",
    "CardPlayed",
    "CardSet",
    "CardsDealt",
    "Contract",
    "ContractAnnounced",
    "ContractKind",
    "Deal",
    "DealEnded",
    "DealResult",
    "Dealt",
    "DeclarerGame",
    "Ending",
    "Event",
    "GameValue",
    "GiveUp",
    "HandChosen",
    "HandDealt",
    "HandExposed",
    "Hold",
    "IllegalActionError",
    "LayOpen",
    "Level",
    "NotationError",
    "OptionInfo",
    "OptionValue",
    "Pass",
    "Passed",
    "Phase",
    "PlayCard",
    "PlayHand",
    "Position",
    "ProposalDeclined",
    "ProposalKind",
    "Rank",
    "Refusal",
    "RuleSet",
    "RuleSetError",
    "ScoreSheet",
    "Scoring",
    "Seat",
    "SeatScore",
    "Seating",
    "Series",
    "ShorteningProposed",
    "SkatEngineError",
    "SkatTaken",
    "Standing",
    "Suit",
    "TakeSkat",
    "Trick",
    "TrickTaken",
    "Viewer",
    "Vote",
    "VoteCast",
    "card_set",
    "card_text",
    "cards_in",
    "cards_text",
    "deal_cards",
    "deal_from_seed",
    "deal_seed",
    "dealt_text",
    "hand_text",
    "legal_cards",
    "matadors",
    "new_card",
    "new_contract",
    "option_table",
    "option_text",
    "order_of",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_contract",
    "parse_dealt",
    "parse_option",
    "parse_rule_set",
    "perft",
    "played_out",
    "points_in",
    "preset",
    "project",
    "rank_of",
    "require_playable",
    "rule_set_options",
    "seating",
    "settle",
    "shuffled_deck",
    "suit_of",
]
