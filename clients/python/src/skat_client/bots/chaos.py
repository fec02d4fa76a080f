"""The bot that prefers what is rare: it drives a server into every corner of its rules."""

from random import Random
from typing import Final, assert_never

from skat_client._models import (
    AcceptGrandHand,
    Action,
    AnnounceOptions,
    Bid,
    BiddingOptions,
    CardOptions,
    Contract,
    Decision,
    Decline,
    ExchangeOptions,
    ForehandOptions,
    Hold,
    Level,
    OfferOptions,
    Options,
    Pass,
    PlayCard,
    PlayHand,
    RearrangeOptions,
    SayKontra,
    SkatOptions,
    TakeSkat,
    Vote,
    VoteOptions,
)
from skat_client._sight import TableSight
from skat_client.bots._chance import announce, exchange, rearrange

_SPEAKS: Final = 0.45
"""How often it bids or holds: often, but a deal that all pass comes now and then."""
_JUMPS: Final = 3
"""The lowest numbers that it bids one of."""
_ACCEPTS: Final = 0.7
"""How often it takes an offer: a knock, Kontra, Re, the skat of a Ramsch."""
_GRAND_HAND: Final = 0.3
"""How often it plays Grand Hand: often, but a Ramsch is to be played as well."""
_PROPOSES: Final = 0.04
"""How often it gives up or lays open instead of playing a card."""
_RARITY: Final = 3
"""How many times as likely a game is announced with each further flag."""


class ChaosBot:
    """Answers with rare options far more often than a player would.

    It bids often, announces whatever adds to a game, says Kontra and Re, knocks, picks up and
    puts down, and votes either way. It proposes to end a deal now and then, once a deal at
    most, so that most deals are played out and every series ends.
    """

    def __init__(self, seed: int) -> None:
        """A bot whose choices follow from the seed and the questions."""
        self._random = Random(seed)  # noqa: S311 - chance, no secret
        self._proposed_in: dict[str, int] = {}
        """By table: the deal in which it has proposed something."""

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        """One of the options, or one of the interventions."""
        if isinstance(decision.options, CardOptions):
            proposal = self._intervene(decision, sight.deal.number)
            if proposal is not None:
                return proposal
        return self._choose(decision.options)

    def _intervene(self, decision: Decision, deal_number: int) -> Action | None:
        kontra = SayKontra()
        if kontra in decision.interventions and self._happens(_ACCEPTS):
            return kontra
        proposals = [action for action in decision.interventions if action != kontra]
        used = self._proposed_in.get(decision.table_id) == deal_number
        if not proposals or used or not self._happens(_PROPOSES):
            return None
        self._proposed_in[decision.table_id] = deal_number
        return self._random.choice(proposals)

    def _choose(self, options: Options) -> Action:
        chance = self._random
        match options:
            case BiddingOptions() | ForehandOptions():
                return self._speak(options) if self._happens(_SPEAKS) else Pass()
            case SkatOptions():
                return chance.choice((TakeSkat(), PlayHand()))
            case AnnounceOptions(contracts):
                (contract,) = chance.choices(contracts, [_weight(each) for each in contracts])
                return announce(contract, options, chance)
            case CardOptions(cards):
                return PlayCard(chance.choice(cards))
            case VoteOptions():
                return Vote(accept=self._happens(1 / 2))
            case OfferOptions(accepting):
                share = _GRAND_HAND if AcceptGrandHand() in accepting else _ACCEPTS
                return chance.choice(accepting) if self._happens(share) else Decline()
            case ExchangeOptions():
                return exchange(options, chance, picks_up=self._happens(_ACCEPTS))
            case RearrangeOptions(cards):
                return rearrange(cards, chance) if self._happens(_ACCEPTS) else Decline()
            case _:
                assert_never(options)

    def _happens(self, share: float) -> bool:
        return self._random.random() < share

    def _speak(self, options: BiddingOptions | ForehandOptions) -> Action:
        if isinstance(options, BiddingOptions) and options.may_hold:
            return Hold()
        return Bid(self._random.choice(options.bids[:_JUMPS])) if options.bids else Pass()


def _weight(contract: Contract) -> int:
    """How likely a game is announced: the more flags, the more so."""
    flags = (
        (contract.announced - Level.SIMPLE)
        + contract.ouvert
        + contract.spitze
        + 2 * contract.revolution
    )
    return int(_RARITY**flags)
