"""The public names of the engine: a new one is a decision, and none goes away unnoticed."""

import skat_engine

NAMES = """
    Action Announce Announcements AuctionWon BID_VALUES Bid BidHeld BidMade Booking CARD_POINTS Card
    CardPlayed CardSet CardsDealt Contract ContractAnnounced ContractKind DECK Deal DealEnded
    DealResult Dealt DeclarerGame Ending Event FOREHAND GameValue GiveUp HAND_CONTRACTS
    HandChosen HandDealt HandExposed Hold IllegalActionError LayOpen Level MIDDLEHAND
    NotationError OptionInfo OptionValue POSITIONS PRESETS Pass Passed Phase PlayCard PlayHand
    Position ProposalDeclined ProposalKind REARHAND Rank Refusal RuleSet RuleSetError
    SKAT_CONTRACTS ScoreSheet Scoring Seat SeatScore Seating Series ShorteningProposed
    SkatEngineError SkatTaken Standing Suit TakeSkat Trick TrickTaken Viewer Vote VoteCast
    card_set card_text cards_in cards_text deal_cards deal_from_seed deal_seed dealt_text
    hand_text legal_cards matadors new_card new_contract option_table option_text order_of
    parse_action parse_card parse_cards parse_contract parse_dealt parse_option parse_rule_set
    perft played_out points_in preset project rank_of require_playable rule_set_options seating
    settle shuffled_deck suit_of
"""


def test_public_names() -> None:
    assert sorted(skat_engine.__all__) == sorted(NAMES.split())


def test_every_public_name_is_there() -> None:
    assert all(hasattr(skat_engine, name) for name in skat_engine.__all__)
