"""What a bot answers: read as one of our actions, or refused in words."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import index
from typing import SupportsIndex

from skat_client._actions import (
    Action,
    Announce,
    Bid,
    LayOpen,
    PlayCard,
    PutDown,
    Rearrange,
    Vote,
)
from skat_client._cards import Card
from skat_client._contracts import Contract, ContractKind, Level
from skat_client._decisions import Decision


def action_in(answer: object) -> Action:
    """The action that a bot answers with, every number in it one of our values.

    Networks and arrays know cards as numbers; a number that is one of a card's is that card.

    >>> action_in(PlayCard(32))
    PlayCard(card=<Card.CJ: 32>)

    Raises:
        TypeError: it is no action, or holds what is no value of ours.
        ValueError: it holds a number that no value of ours has.
    """
    match answer:
        case PlayCard(card):
            return answer if type(card) is Card else PlayCard(_card(card))
        case Bid(value):
            return Bid(index(value))
        case LayOpen(level):
            return LayOpen(_level(level))
        case Vote(accept):
            return Vote(_truth(accept))
        case Announce(contract, discards):
            return Announce(_contract(contract), _cards(discards))
        case PutDown(cards):
            return PutDown(_cards(cards))
        case Rearrange(cards):
            return Rearrange(_cards(cards))
        case _ if isinstance(answer, Action):
            return answer
        case _:
            raise TypeError(f"{answer!r} is no action")


def no_action_text(decision: Decision, bot: str, said: str) -> str:
    """What is said of an answer that is no action.

    Args:
        decision: what was asked.
        bot: the class of the bot.
        said: the answer, in words.
    """
    return (
        f"table {decision.table_id}, {decision.phase}: {bot} answered {said}, which is no action: "
        f"it must be made from {decision.options!r}"
    )


def answers_text(answers: object) -> str:
    """What is no list, or not as long as it has to be; there may be hundreds in it."""
    if isinstance(answers, Sequence) and not isinstance(answers, str):
        return f"with {len(answers)} actions"
    hint = " (say .tolist())" if hasattr(answers, "tolist") else ""
    return f"with a value of type {type(answers).__name__}, which is no list{hint},"


def _card(card: SupportsIndex) -> Card:
    return Card(index(card))


def _cards(cards: Iterable[SupportsIndex]) -> tuple[Card, ...]:
    return tuple([_card(card) for card in cards])


def _level(level: SupportsIndex) -> Level:
    return Level(index(level))


def _truth(value: object) -> bool:
    """A bool, or one of numpy's; text is neither, for all of it is true."""
    if value not in (False, True):
        raise TypeError(f"{value!r} is neither True nor False")
    return bool(value)


def _contract(contract: object) -> Contract:
    if not isinstance(contract, Contract) or not isinstance(contract.kind, ContractKind):
        raise TypeError(f"{contract!r} is no contract")
    return replace(
        contract,
        hand=_truth(contract.hand),
        announced=_level(contract.announced),
        ouvert=_truth(contract.ouvert),
        spitze=_truth(contract.spitze),
        revolution=_truth(contract.revolution),
    )
