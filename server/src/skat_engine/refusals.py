"""Why an action may not be taken: reasons for programs, sentences for people."""

from collections.abc import Iterable

from skat_engine.actions import Action, Announce, Bid, Hold, PlayCard, PutDown
from skat_engine.announcements import Announcements, announcements, can_reach, has_spitze
from skat_engine.cards import Card, CardSet, card_text
from skat_engine.contracts import Contract
from skat_engine.errors import IllegalActionError, Refusal
from skat_engine.legality import legal_actions
from skat_engine.options import NullUnderbid, Switch, UnreachableDeclaration
from skat_engine.phases import KNOWN_ACTIONS, Phase
from skat_engine.seats import POSITION_NAMES, Position
from skat_engine.state import DealState
from skat_engine.valuation import is_null_below_bid, null_value


def explain(deal: DealState, position: Position, action: Action) -> IllegalActionError:
    """The reason why an action is not among the legal ones (R-BID-6, R-PLAY-4)."""
    if deal.phase is Phase.DEAL_OVER:
        return IllegalActionError(Refusal.DEAL_OVER, "the deal is over")
    if type(action) not in KNOWN_ACTIONS[deal.phase]:
        return IllegalActionError(
            Refusal.WRONG_PHASE, f"{action} is not possible in phase {deal.phase.value}"
        )
    own_time = deal.phase is Phase.PLAY and not isinstance(action, PlayCard)
    if not own_time and position != deal.to_act:
        return _not_your_turn(deal)
    match action:
        case PlayCard(card):
            return _of_card(deal, position, card)
        case Announce():
            return _of_announcement(deal, action)
        case Bid(value):
            return _of_bid(deal, value)
        case PutDown(cards):
            return _of_put_down(deal, position, cards)
        case Hold():
            return IllegalActionError(Refusal.ILLEGAL_BID, "there is no number to hold")
        case _:
            return IllegalActionError(Refusal.NOT_OFFERED, f"{action} is not open to you now")


def _not_your_turn(deal: DealState) -> IllegalActionError:
    assert deal.to_act is not None
    who = POSITION_NAMES[deal.to_act]
    return IllegalActionError(Refusal.NOT_YOUR_TURN, f"{who} is to act; wait for your decision")


def _of_bid(deal: DealState, value: int) -> IllegalActionError:
    options = [str(bid) for bid in legal_actions(deal, deal.to_act or 0) if isinstance(bid, Bid)]
    offered = f"bid one of {', '.join(options[:5])} …" if options else "hold or pass"
    return IllegalActionError(Refusal.ILLEGAL_BID, f"{value} cannot be bid now; {offered}")


def _of_card(deal: DealState, position: Position, card: Card) -> IllegalActionError:
    if not deal.hands[position] >> card & 1:
        return _not_held(card)
    led = card_text(deal.table[0])
    return IllegalActionError(
        Refusal.MUST_FOLLOW, f"{card_text(card)} does not follow {led}, and you hold cards that do"
    )


def _not_held(card: Card) -> IllegalActionError:
    return IllegalActionError(Refusal.CARD_NOT_HELD, f"{card_text(card)} is not in your hand")


def _of_put_down(
    deal: DealState, position: Position, cards: tuple[Card, ...]
) -> IllegalActionError:
    """R-RAM-5."""
    if deal.skat:
        return IllegalActionError(Refusal.NOT_OFFERED, "pick the skat up first, or pass it on")
    foreign = _foreign(cards, deal.hands[position])
    if foreign is not None:
        return _not_held(foreign)
    return IllegalActionError(
        Refusal.BAD_DISCARD, "put down exactly two different cards; jacks only where they may be"
    )


def _foreign(cards: Iterable[Card], hand: CardSet) -> Card | None:
    return next((card for card in cards if not hand >> card & 1), None)


def _of_announcement(deal: DealState, action: Announce) -> IllegalActionError:
    options = announcements(deal)
    contract = action.contract
    if contract not in options.contracts:
        return _of_contract(deal, contract, options)
    if not options.hand:
        return IllegalActionError(Refusal.BAD_DISCARD, "a Hand game has no discards")
    foreign = _foreign(action.discards, options.hand)
    if foreign is not None:
        return _not_held(foreign)
    return IllegalActionError(
        Refusal.BAD_DISCARD, "discard exactly two different cards, not the one of Spitze"
    )


def _of_contract(deal: DealState, contract: Contract, options: Announcements) -> IllegalActionError:
    rules, bid, held = deal.rules, deal.bid, deal.hands[deal.to_act or 0]
    if rules.null_underbid is NullUnderbid.REJECT and is_null_below_bid(contract, bid):
        return IllegalActionError(
            Refusal.NULL_BELOW_BID,
            f"{contract} is worth {null_value(contract)}, below the bid of {bid}",
        )
    unknown_spitze = contract.spitze and rules.spitze is Switch.OFF
    if unknown_spitze or (contract.revolution and not rules.revolution):
        return IllegalActionError(Refusal.NOT_OFFERED, f"{contract} is not played at this table")
    if contract.spitze and not has_spitze(contract.kind, held, rules):
        return IllegalActionError(
            Refusal.CARD_NOT_HELD, f"you do not hold what {contract} is announced with"
        )
    refused = rules.unreachable_declaration is UnreachableDeclaration.REJECT
    if refused and not can_reach(contract, bid, held, rules):
        return IllegalActionError(
            Refusal.BID_OUT_OF_REACH, f"{contract} cannot reach the bid of {bid}"
        )
    taken = "after taking the skat" if options.hand else "in a Hand game"
    return IllegalActionError(
        Refusal.CONTRADICTORY_ANNOUNCEMENT, f"{contract} cannot be announced {taken}"
    )
