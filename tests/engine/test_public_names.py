"""The public names of the engine: a new one is a decision, and none goes away unnoticed."""

import skat_engine

NAMES = """
    AcceptGrandHand Action Announce Announcements Arrangements AuctionWon BID_VALUES Bid BidHeld
    BidMade Booking CARD_POINTS Card CardPlayed CardSet CardsDealt CardsPutDown
    ConcessionOffered ConcessionRefused Contract ContractAnnounced ContractKind DECK Deal
    DealEnded DealResult Dealt DeclarerGame DeclarerSummary Decline DefendersCompared Doubling
    Ending Event FOREHAND GameValue GiveUp GrandHandAccepted GrandHandDeclined HAND_CONTRACTS
    HandChosen HandDealt HandExposed HandsRearranged Hold IllegalActionError Knock Knocked
    KontraAnswered LayOpen Level MIDDLEHAND NotationError Occasion OptionInfo OptionValue
    POSITIONS PRESETS Pass PassOn Passed Phase PickUp PlayCard PlayHand Position
    ProposalDeclined ProposalKind PutDown REARHAND RamschGame RamschStarted RamschSummary Rank
    ReAnswered Rearrange Refusal RuleSet RuleSetError SKAT_CONTRACTS SayKontra SayRe ScoreSheet
    Scoring Seat SeatScore Seating Series ShorteningProposed SkatEngineError SkatPassedOn
    SkatPickedUp SkatTaken SpitzeRevealed Standing Suit SummaryError SummaryRefusal TakeSkat
    Trick TrickTaken Unseen Viewer Vote VoteCast card_set card_text cards_in cards_text
    commitment deal_cards deal_from_seed deal_seed dealt_text hand_text legal_cards matadors
    new_card
    new_contract nonces_hash option_table option_text order_of parse_action parse_card parse_cards
    parse_contract parse_dealt parse_option parse_rule_set perft played_out points_in preset
    project rank_of rule_set_options score_deal score_ramsch score_ramsch_deal
    seating settle shuffled_deck board_seed suit_of table_commitment table_deal_seed
"""


def test_public_names() -> None:
    assert sorted(skat_engine.__all__) == sorted(NAMES.split())


def test_every_public_name_is_there() -> None:
    assert all(hasattr(skat_engine, name) for name in skat_engine.__all__)
