"""The state of a tournament, and the steps it can take: pure functions from a state to the next.

Like the steps of a table: nothing of a step counts until the store has kept its entry. Results of
games are not in here: they are those of the tables, which have logs of their own.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count, islice
from typing import Final

from skat_server.errors import Reason, RefusedError, quoted
from skat_server.tables.house import HouseBot
from skat_server.tournaments.config import MOST_ENTRIES, TournamentConfig
from skat_server.tournaments.formats.build import format_of, house_entries, seats_of_entry
from skat_server.tournaments.formats.plan import EndReason
from skat_server.tournaments.sections import EntrySection

MOST_NONCE_BYTES: Final = 32


class Stage(Enum):
    """Where a tournament stands."""

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


BEFORE_PLAY: Final = frozenset({Stage.DRAFT, Stage.OPEN})
ENDED: Final = frozenset({Stage.FINISHED, Stage.CANCELLED})


@dataclass(frozen=True, slots=True)
class Fixed:
    """What is fixed when a tournament is made."""

    tournament_id: str
    organiser_id: str
    """The player who made it and may change it."""
    text: str
    """The organiser's file."""
    config: TournamentConfig
    """The file, read."""
    seed: bytes = field(repr=False)
    """32 bytes; a secret until the end."""
    created_at: float
    """Seconds since 1970."""
    request_id: str = ""
    account_id: str = ""
    """The organiser's account, to which the players in the file belong; empty where the server
    keeps no accounts."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part."""

    name: str
    players: tuple[str, ...] = ()
    """Ids of the players that play for it; empty for a house bot."""
    owner: str = ""
    """Entries of one owner do not meet."""
    house: HouseBot | None = None
    nonce: bytes = b""
    """Its share in the chance of the boards."""


@dataclass(frozen=True, slots=True)
class TournamentState:
    """Everything that changes, but for results."""

    stage: Stage
    entrants: tuple[Entrant, ...]
    end: EndReason | None = None
    """Why it is finished."""
    reason: str = ""
    """Why it is paused or was cancelled, for people."""


@dataclass(frozen=True, slots=True)
class Registered:
    """An entry comes in, or another player of one that sits at several seats of a table."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An entry goes out."""

    name: str


@dataclass(frozen=True, slots=True)
class Opened:
    """Entries may register."""


@dataclass(frozen=True, slots=True)
class Started:
    """Play begins with the entries there are, and house bots to fill up."""


@dataclass(frozen=True, slots=True)
class Paused:
    """No new tables begin."""

    reason: str = ""
    """Why, for people; empty where nobody said."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """New tables begin again."""


@dataclass(frozen=True, slots=True)
class Ended:
    """It is over."""

    end: EndReason | None
    """None for a cancelled one."""
    reason: str = ""


Change = Registered | Withdrawn | Opened | Started | Paused | Resumed | Ended
"""What can happen to a tournament after it was made."""


def is_awaited(entrant: Entrant) -> bool:
    """Whether the file names an entry for which nobody has registered yet."""
    return not entrant.players and entrant.house is None


def first_state(fixed: Fixed) -> TournamentState:
    """A draft with the entries of the file."""
    entries = fixed.config.entries
    return TournamentState(
        Stage.DRAFT, tuple(_from_file(entry, fixed.account_id) for entry in entries)
    )


def _from_file(entry: EntrySection, account_id: str) -> Entrant:
    owner = account_id if entry.players and account_id else entry.owner
    house = HouseBot(entry.house) if entry.house else None
    return Entrant(entry.name, entry.players, owner, house)


def require_apart(fixed: Fixed) -> None:
    """Refuse a file in which two entries belong to one account, unless it says that they may (T25).

    Raises:
        RefusedError: BAD_TOURNAMENT.
    """
    owners = Counter(entrant.owner for entrant in first_state(fixed).entrants if entrant.owner)
    if not fixed.config.owners_may_meet and any(count > 1 for count in owners.values()):
        raise RefusedError(
            Reason.BAD_TOURNAMENT,
            "entries of one owner would meet; leave them out, or say owners_may_meet = true",
        )


def changed(fixed: Fixed, state: TournamentState, change: Change) -> TournamentState:
    """The state after a change.

    Raises:
        RefusedError: TOURNAMENT_STATE when it cannot happen now; BAD_TOURNAMENT when so few entries
            cannot play the format; NAME_TAKEN, ALREADY_SEATED, NOT_SEATED for entries.
    """
    match change:
        case Registered(entrant):
            return _registered(fixed, state, entrant)
        case Withdrawn(name):
            return _withdrawn(fixed, state, name)
        case Opened():
            _require(state, Stage.DRAFT)
            return replace(state, stage=Stage.OPEN)
        case Started():
            return _started(fixed, state)
        case Paused(reason):
            _require(state, Stage.RUNNING)
            return replace(state, stage=Stage.PAUSED, reason=reason)
        case Resumed():
            _require(state, Stage.PAUSED)
            return replace(state, stage=Stage.RUNNING, reason="")
        case Ended(end, reason):
            _require(state, *(stage for stage in Stage if stage not in ENDED))
            stage = Stage.CANCELLED if end is None else Stage.FINISHED
            return replace(state, stage=stage, end=end, reason=reason)


def _registered(fixed: Fixed, state: TournamentState, entrant: Entrant) -> TournamentState:
    _require(state, Stage.OPEN)
    taken = {player for entry in state.entrants for player in entry.players}
    if taken & set(entrant.players):
        raise RefusedError(Reason.ALREADY_SEATED, "you take part already")
    names = [entry.name for entry in state.entrants]
    if entrant.name in names:
        return _joined(fixed, state, names.index(entrant.name), entrant)
    if len(state.entrants) >= MOST_ENTRIES:
        raise RefusedError(Reason.QUOTA_EXCEEDED, f"{MOST_ENTRIES} entries are the most")
    _require_other_owner(fixed, state, entrant)
    return replace(state, entrants=(*state.entrants, entrant))


def _joined(fixed: Fixed, state: TournamentState, place: int, entrant: Entrant) -> TournamentState:
    """Take an entry of the file that waits, or become another player of an own one."""
    known = state.entrants[place]
    if is_awaited(known):
        _require_other_owner(fixed, state, entrant)
    elif not _may_join(fixed, known, entrant):
        raise RefusedError(Reason.NAME_TAKEN, f"an entry has the name {quoted(entrant.name)}")
    else:
        entrant = replace(known, players=known.players + entrant.players)
    return replace(state, entrants=(*state.entrants[:place], entrant, *state.entrants[place + 1 :]))


def _may_join(fixed: Fixed, known: Entrant, entrant: Entrant) -> bool:
    """Whether an entry lacks players, and this one is its owner's, as far as owners are known."""
    is_own = known.owner == entrant.owner or not fixed.account_id
    return is_own and 0 < len(known.players) < seats_of_entry(fixed.config)


def _require_other_owner(fixed: Fixed, state: TournamentState, entrant: Entrant) -> None:
    """Refuse a second entry of one owner (T25)."""
    if not fixed.config.owners_may_meet and _owner_is_there(state, entrant):
        raise RefusedError(
            Reason.NOT_ALLOWED, "an entry of the same owner takes part; owners_may_meet is off"
        )


def _owner_is_there(state: TournamentState, entrant: Entrant) -> bool:
    return bool(entrant.owner) and any(e.owner == entrant.owner for e in state.entrants)


def _withdrawn(fixed: Fixed, state: TournamentState, name: str) -> TournamentState:
    """An entry that the file waits for is waited for again, at its place."""
    _require(state, *BEFORE_PLAY)
    places = [place for place, entrant in enumerate(state.entrants) if entrant.name == name]
    if not places:
        raise RefusedError(Reason.NOT_SEATED, "you do not take part")
    awaited = tuple(
        entrant
        for entrant in first_state(fixed).entrants
        if entrant.name == name and is_awaited(entrant)
    )
    before, after = state.entrants[: places[0]], state.entrants[places[0] + 1 :]
    return replace(state, entrants=(*before, *awaited, *after))


def _started(fixed: Fixed, state: TournamentState) -> TournamentState:
    """House bots fill up, so that the format can be played."""
    _require(state, *BEFORE_PLAY)
    missing = [entrant.name for entrant in state.entrants if is_awaited(entrant)]
    if missing:
        names = ", ".join(missing)
        raise RefusedError(Reason.BAD_TOURNAMENT, f"nobody has registered for: {names}")
    _require_players(fixed, state)
    entries = len(state.entrants)
    try:
        house = house_entries(fixed.config, entries)
        format_of(fixed.config).plan(entries + house, {})
    except ValueError as error:
        raise RefusedError(Reason.BAD_TOURNAMENT, str(error)) from error
    taken = {entrant.name for entrant in state.entrants}
    free = (name for name in map("house-{}".format, count(1)) if name not in taken)
    fillers = (Entrant(name, house=HouseBot.FIRST_OPTION) for name in islice(free, house))
    return replace(state, stage=Stage.RUNNING, entrants=(*state.entrants, *fillers))


def _require_players(fixed: Fixed, state: TournamentState) -> None:
    """Nobody can sit at two seats of a table."""
    seats = seats_of_entry(fixed.config)
    short = [e.name for e in state.entrants if e.house is None and len(e.players) < seats]
    if short:
        names = ", ".join(short)
        raise RefusedError(
            Reason.BAD_TOURNAMENT,
            f"{names}: an entry sits at {seats} seats of a table and needs as many players; "
            "let another one register under its name",
        )


def _require(state: TournamentState, *stages: Stage) -> None:
    if state.stage not in stages:
        wanted = " or ".join(stage.value for stage in stages)
        raise RefusedError(
            Reason.TOURNAMENT_STATE,
            f"the tournament is {state.stage.value}; this needs {wanted}",
            state=state.stage.value,
        )
