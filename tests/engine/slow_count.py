"""A second, slow implementation of following suit, tricks and auctions, to count lines of play.

It is written from the rules with words and sets, and imports nothing of the engine.
"""

from collections.abc import Mapping

JACKS = ["CJ", "SJ", "HJ", "DJ"]
NULL_RANKS = "789TJQKA"
TRUMP_GAME_RANKS = "789QKTA"
BIDS = sorted(
    {base * level for base in (9, 10, 11, 12) for level in range(2, 19)}
    | {24 * level for level in range(2, 12)}
    | {23, 35, 46, 59}
)
SKAT_DECISIONS = 2


def effective_suit(card: str, kind: str) -> str:
    """Trump or the printed suit (R-PLAY-2)."""
    if kind != "N" and card in JACKS:
        return "trump"
    return "trump" if card[0] == kind else card[0]


def legal(hand: frozenset[str], led: str | None, kind: str) -> set[str]:
    """Follow if you can, else play what you like (R-PLAY-2)."""
    if led is None:
        return set(hand)
    suit = effective_suit(led, kind)
    following = {card for card in hand if effective_suit(card, kind) == suit}
    return following or set(hand)


def rank(card: str, kind: str) -> int:
    """The higher, the stronger among cards of one effective suit (R-CARD-3 to R-CARD-5)."""
    if kind == "N":
        return NULL_RANKS.index(card[1])
    if card in JACKS:
        return 100 - JACKS.index(card)
    return TRUMP_GAME_RANKS.index(card[1])


def winner(cards: list[str], kind: str) -> int:
    """The place in the trick of the winning card (R-PLAY-3)."""
    trumps = [card for card in cards if effective_suit(card, kind) == "trump"]
    led = effective_suit(cards[0], kind)
    candidates = trumps or [card for card in cards if effective_suit(card, kind) == led]
    return cards.index(max(candidates, key=lambda card: rank(card, kind)))


def count_play(  # noqa: PLR0913, PLR0917  # the whole position, word for word
    hands: Mapping[int, frozenset[str]],
    table: list[str],
    leader: int,
    kind: str,
    declarer: int,
    depth: int,
) -> int:
    """Lines of `depth` cards from here; a deal that ends earlier counts once."""
    if len(table) == 3:
        won = (leader + winner(table, kind)) % 3
        if kind == "N" and won == declarer:
            return 1
        return count_play(hands, [], won, kind, declarer, depth)
    player = (leader + len(table)) % 3
    if depth == 0 or not hands[player]:
        return 1
    total = 0
    for card in legal(hands[player], table[0] if table else None, kind):
        after = {**hands, player: hands[player] - {card}}
        total += count_play(after, [*table, card], leader, kind, declarer, depth - 1)
    return total


def count_auction(depth: int, *, jumps: bool) -> int:
    """Lines of `depth` actions from the first bid (R-BID-3, R-BID-4)."""
    return _bidder(depth, high=0, phase=1, jumps=jumps)


def _bidder(depth: int, *, high: int, phase: int, jumps: bool) -> int:
    """The bidder names a number or passes; then the listener is the survivor."""
    if depth == 0:
        return 1
    total = _survivor(depth - 1, high=high, phase=phase, jumps=jumps)
    higher = [bid for bid in BIDS if bid > high]
    for bid in higher if jumps else higher[:1]:
        total += _listener(depth - 1, offer=bid, phase=phase, jumps=jumps)
    return total


def _listener(depth: int, *, offer: int, phase: int, jumps: bool) -> int:
    """The listener holds or passes; then the bidder is the survivor."""
    if depth == 0:
        return 1
    held = _bidder(depth - 1, high=offer, phase=phase, jumps=jumps)
    return held + _survivor(depth - 1, high=offer, phase=phase, jumps=jumps)


def _survivor(depth: int, *, high: int, phase: int, jumps: bool) -> int:
    """One of the two passed: rearhand comes, or the auction is over."""
    if phase == 1:
        return _bidder(depth, high=high, phase=2, jumps=jumps)
    if depth == 0:
        return 1
    if high == 0:  # forehand passes, which ends the deal, or plays at 18 and decides on the skat
        return 1 + (1 if depth == 1 else SKAT_DECISIONS)
    if depth == 1:
        return SKAT_DECISIONS
    raise ValueError("announcements are not counted")
