"""Answers to decisions, put together from messages that were serialised before.

What a message says twice, one after the other, a reader merges; so bytes of a submission are those
of its table, its turn and its action in a row. A client that is cheap leaves the machine to the
server under measurement.
"""

import random
from typing import Final

from skat.v1 import action_pb2, card_pb2, decision_pb2
from skat.v1 import play_service_pb2 as wire

NAMES_A_NUMBER: Final = 0.6
"""How often a player bids or holds instead of passing: a fifth of the deals are passed in with
less than a half, which no real players do."""

_SUBMISSIONS: Final = b"\x12"
"""Field 2 of a request, with its length."""


def _part(action: action_pb2.Action) -> bytes:
    return wire.Submission(action=action).SerializeToString()


_PLAYS: Final = {
    card: _part(action_pb2.Action(play_card=action_pb2.PlayCard(card=card)))
    for card in card_pb2.Card.values()
}
_HOLD: Final = _part(action_pb2.Action(hold=action_pb2.Hold()))
_PASS: Final = _part(action_pb2.Action(pass_auction=action_pb2.Pass()))


class Answers:
    """Makes the requests of players who choose by chance."""

    def __init__(self, seed: int) -> None:
        """Choose by this seed."""
        self._chance = random.Random(seed)
        self._tables: dict[str, bytes] = {}

    def submission(self, table_id: str, decision: decision_pb2.Decision) -> bytes:
        """A submission, as a part of a request."""
        table = self._tables.get(table_id)
        if table is None:
            table = wire.Submission(table_id=table_id).SerializeToString()
            self._tables[table_id] = table
        turn = wire.Submission(turn_id=decision.turn_id).SerializeToString()
        body = table + turn + self._action(decision)
        return _SUBMISSIONS + _length(len(body)) + body

    def _action(self, decision: decision_pb2.Decision) -> bytes:
        match decision.WhichOneof("options"):
            case "cards":
                cards = decision.cards.cards
                return _PLAYS[cards[int(self._chance.random() * len(cards))]]
            case "bidding" if self._chance.random() < NAMES_A_NUMBER:
                return _number(decision.bidding)
            case "bidding":
                return _PASS
            case _:
                return _part(decision.first_option)


def _number(options: decision_pb2.BiddingOptions) -> bytes:
    if options.may_hold:
        return _HOLD
    if options.bids:
        return _part(action_pb2.Action(bid=action_pb2.Bid(value=options.bids[0])))
    return _PASS


def _length(size: int) -> bytes:
    """A length as the wire has it; two bytes are enough here."""
    low, high = size & 127, size >> 7
    return bytes((low | 128, high)) if high else bytes((low,))
