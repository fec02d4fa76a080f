"""Text of actions and deals, the inverse of ``str``: ``parse_action(str(a)) == a``."""

from typing import Final

from skat_engine.actions import (
    ACCEPT,
    ACCEPT_GRAND_HAND,
    BIDS,
    DECLINE,
    GIVE_UP,
    HOLD,
    KNOCK,
    LAY_OPENS,
    PASS,
    PASS_ON,
    PICK_UP,
    PLAY_CARDS,
    PLAY_HAND,
    REJECT,
    SAY_KONTRA,
    SAY_RE,
    TAKE_SKAT,
    Action,
    Announce,
    Bid,
    PlayCard,
    PutDown,
    Rearrange,
)
from skat_engine.cards import CardSet, cards_in, cards_text, parse_card, parse_cards
from skat_engine.contracts import parse_contract
from skat_engine.errors import NotationError
from skat_engine.results import Dealt

_WORDLIKE: Final = (
    *(HOLD, PASS, TAKE_SKAT, PLAY_HAND, GIVE_UP, ACCEPT, REJECT, *LAY_OPENS),
    *(DECLINE, ACCEPT_GRAND_HAND, PICK_UP, PASS_ON, KNOCK, SAY_KONTRA, SAY_RE),
)
_KNOWN: Final[dict[str, Action]] = {
    str(action): action for action in (*_WORDLIKE, *BIDS.values(), *PLAY_CARDS)
}
"""Nearly all actions that are ever read."""
_PUT_DOWN: Final = "down:"
_KEEP: Final = "keep:"
_CARD_LENGTH: Final = 2
_LONGEST_BID: Final = 3


def parse_action(text: str) -> Action:
    """Read what ``str`` of an action gives.

    A word, a number for a bid, a card, ``down:`` or ``keep:`` with cards, or an announcement:
    contract and discards joined by dots. Two letters that name a card are the card (``C7``);
    contracts never look like one.

    Raises:
        NotationError: the text is none of these.
    """
    if text in _KNOWN:
        return _KNOWN[text]
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_BID:
        return Bid(int(text))
    if len(text) == _CARD_LENGTH and text[1] in "789QKTAJ":
        return PlayCard(parse_card(text))
    if text.startswith(_PUT_DOWN):
        return PutDown(parse_cards(text.removeprefix(_PUT_DOWN)))
    if text.startswith(_KEEP):
        return Rearrange(_parse_part(text.removeprefix(_KEEP)))
    contract, *discards = text.split(".")
    try:
        return Announce(parse_contract(contract), tuple(parse_card(card) for card in discards))
    except NotationError as error:
        raise NotationError(f"{text!r} is not an action: {error}") from error


def dealt_text(dealt: Dealt) -> str:
    """Three hands and the skat, cards joined by dots, parts by ``|``."""
    return "|".join([cards_text(cards_in(part)) for part in (*dealt.hands, dealt.skat)])


def parse_dealt(text: str) -> Dealt:
    """Read `dealt_text`.

    Raises:
        NotationError: not four parts, an unknown card, or not each card exactly once.
    """
    parts = [_parse_part(part) for part in text.split("|")]
    try:
        forehand, middlehand, rearhand, skat = parts
        return Dealt((forehand, middlehand, rearhand), skat)
    except ValueError as error:
        raise NotationError(f"{text!r} is not a deal: {error}") from error


def _parse_part(text: str) -> CardSet:
    cards = parse_cards(text)
    part = sum([1 << card for card in cards])
    if part.bit_count() != len(cards):  # a card named twice is carried over
        raise NotationError(f"{text!r} names a card twice")
    return CardSet(part)
