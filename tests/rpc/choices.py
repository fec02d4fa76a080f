"""How a client without rules answers: every answer is taken from the decision itself."""

import random

from skat.v1 import action_pb2, decision_pb2


def first_option(decision: decision_pb2.Decision) -> action_pb2.Action:
    """The plainest answer, sent back unread."""
    return decision.first_option


class Chance:
    """Answers by chance, the same for the same seed."""

    def __init__(self, seed: int, *, plain_after_auction: bool = False) -> None:
        """Draw from a seed.

        Args:
            seed: of the draws.
            plain_after_auction: take the first option in every phase but the auction.
        """
        self._random = random.Random(seed)
        self._plain_after_auction = plain_after_auction

    def __call__(self, decision: decision_pb2.Decision) -> action_pb2.Action:
        """Draw an answer."""
        case = decision.WhichOneof("options")
        match case:
            case "bidding":
                return self._bid(decision.bidding)
            case "forehand":
                return self._of([_pass(), *map(_bid, decision.forehand.bids)])
            case _ if self._plain_after_auction:
                return decision.first_option
            case "skat":
                return self._of([_take(), _hand()])
            case "announce":
                return self._announce(decision.announce)
            case "cards":
                return self._play(decision)
            case "vote":
                vote = action_pb2.Vote(accept=self._random.random() < 0.5)
                return action_pb2.Action(vote=vote)
            case _:
                return self._special(decision)

    def _special(self, decision: decision_pb2.Decision) -> action_pb2.Action:
        match decision.WhichOneof("options"):
            case "offer":
                return self._of([_decline(), *decision.offer.accepting])
            case "exchange":
                return self._exchange(decision.exchange)
            case "rearrange":
                return self._of([_decline(), self._rearrange(decision.rearrange)])
            case _:
                raise AssertionError(f"a decision without options: {decision}")

    def _of(self, options: list[action_pb2.Action]) -> action_pb2.Action:
        return options[self._random.randrange(len(options))]

    def _bid(self, options: decision_pb2.BiddingOptions) -> action_pb2.Action:
        if options.may_hold:
            return self._of([_pass(), action_pb2.Action(hold=action_pb2.Hold())])
        low = [_bid(value) for value in options.bids[:3] if value <= 40]
        return self._of([_pass(), *low])

    def _announce(self, options: decision_pb2.AnnounceOptions) -> action_pb2.Action:
        contracts = [
            contract
            for contract in options.contracts
            if not (contract.spitze and options.discard_count)  # its card must stay in the hand
        ]
        contract = contracts[self._random.randrange(len(contracts))]
        discards = self._random.sample(list(options.discardable), options.discard_count)
        return action_pb2.Action(announce=action_pb2.Announce(contract=contract, discards=discards))

    def _exchange(self, options: decision_pb2.ExchangeOptions) -> action_pb2.Action:
        if options.may_pick_up:
            pass_on = action_pb2.Action(pass_on=action_pb2.PassOn())
            return self._of([pass_on, action_pb2.Action(pick_up=action_pb2.PickUp())])
        cards = self._random.sample(list(options.cards), options.put_down_count)
        return action_pb2.Action(put_down=action_pb2.PutDown(cards=cards))

    def _rearrange(self, options: decision_pb2.RearrangeOptions) -> action_pb2.Action:
        cards = self._random.sample(list(options.cards), len(options.cards) // 2)
        return action_pb2.Action(rearrange=action_pb2.Rearrange(cards=cards))

    def _play(self, decision: decision_pb2.Decision) -> action_pb2.Action:
        if decision.interventions and self._random.random() < 0.02:
            return self._of(list(decision.interventions))
        return self._of([card(number) for number in decision.cards.cards])


def card(number: int) -> action_pb2.Action:
    """Play this card."""
    play = action_pb2.PlayCard(card=number)  # type: ignore[arg-type]  # a number off the wire
    return action_pb2.Action(play_card=play)


def _bid(value: int) -> action_pb2.Action:
    return action_pb2.Action(bid=action_pb2.Bid(value=value))


def _pass() -> action_pb2.Action:
    return action_pb2.Action(pass_auction=action_pb2.Pass())


def _decline() -> action_pb2.Action:
    return action_pb2.Action(decline=action_pb2.Decline())


def _take() -> action_pb2.Action:
    return action_pb2.Action(take_skat=action_pb2.TakeSkat())


def _hand() -> action_pb2.Action:
    return action_pb2.Action(play_hand=action_pb2.PlayHand())
