"""Actions as `skat_client` knows them, from the engine's and back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import skat_client as client
import skat_engine as engine
from skat_arena.values import LEVELS, cards_of, contract_of, held


def action_to_client(action: engine.Action) -> client.Action:
    """An action of the engine's as bots know it."""
    write = _TO_CLIENT.get(type(action))
    return _WORDS[type(action)] if write is None else write(action)


def action_of(action: client.Action) -> engine.Action:
    """A bot's answer as the engine knows it.

    Raises:
        IllegalActionError: its flags contradict one another.
        ValueError: it is no action.
    """
    read = _TO_ENGINE.get(type(action))
    if read is not None:
        return read(action)
    word = _WORDS_TO_ENGINE.get(type(action))
    if word is None:
        raise ValueError(f"{action!r} is no action")
    return word


def _contract_to_engine(contract: client.Contract, *, hand: bool) -> engine.Contract:
    kind, announced = engine.ContractKind[contract.kind.name], _TO_LEVELS[contract.announced]
    is_null = kind is engine.ContractKind.NULL
    implied = not is_null and (announced > engine.Level.SIMPLE or contract.ouvert)
    return engine.new_contract(
        kind,
        hand=contract.hand or hand or implied,
        announced=announced,
        ouvert=contract.ouvert,
        spitze=contract.spitze,
        revolution=contract.revolution,
    )


def _cards_to_engine(cards: Sequence[client.Card]) -> tuple[engine.Card, ...]:
    return tuple([engine.Card(card - 1) for card in cards])


_TO_LEVELS: Final = {theirs: ours for ours, theirs in LEVELS.items()}

_TO_CLIENT: Final[Mapping[type[engine.Action], Callable[[Any], client.Action]]] = {
    engine.PlayCard: lambda a: client.PlayCard(client.Card(a.card + 1)),
    engine.Bid: lambda a: client.Bid(a.value),
    engine.LayOpen: lambda a: client.LayOpen(LEVELS[a.level]),
    engine.Vote: lambda a: client.Vote(a.accept),
    engine.Announce: lambda a: client.Announce(contract_of(a.contract), cards_of(a.discards)),
    engine.PutDown: lambda a: client.PutDown(cards_of(a.cards)),
    engine.Rearrange: lambda a: client.Rearrange(held(a.cards)),
}
_TO_ENGINE: Final[Mapping[type[client.Action], Callable[[Any], engine.Action]]] = {
    client.PlayCard: lambda a: engine.PlayCard(engine.Card(a.card - 1)),
    client.Bid: lambda a: engine.Bid(a.value),
    client.LayOpen: lambda a: engine.LayOpen(_TO_LEVELS[a.level]),
    client.Vote: lambda a: engine.Vote(a.accept),
    client.Announce: lambda a: engine.Announce(
        _contract_to_engine(a.contract, hand=not a.discards), _cards_to_engine(a.discards)
    ),
    client.PutDown: lambda a: engine.PutDown(_cards_to_engine(a.cards)),
    client.Rearrange: lambda a: engine.Rearrange(engine.card_set(_cards_to_engine(a.cards))),
}
_PAIRS: Final[tuple[tuple[engine.Action, client.Action], ...]] = (
    (engine.Hold(), client.Hold()),
    (engine.Pass(), client.Pass()),
    (engine.TakeSkat(), client.TakeSkat()),
    (engine.PlayHand(), client.PlayHand()),
    (engine.GiveUp(), client.GiveUp()),
    (engine.Decline(), client.Decline()),
    (engine.AcceptGrandHand(), client.AcceptGrandHand()),
    (engine.PickUp(), client.PickUp()),
    (engine.PassOn(), client.PassOn()),
    (engine.Knock(), client.Knock()),
    (engine.SayKontra(), client.SayKontra()),
    (engine.SayRe(), client.SayRe()),
)
_WORDS: Final = {type(ours): theirs for ours, theirs in _PAIRS}
_WORDS_TO_ENGINE: Final = {type(theirs): ours for ours, theirs in _PAIRS}
