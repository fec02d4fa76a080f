"""The file an organiser writes: what is played, by whom, how long, and how it ends.

It is TOML. Every table and key is checked, here what spans several tables; a mistake is named with
its place, and nothing is passed over silently. `EXAMPLE` is a file with all of it.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import AfterValidator, Field, ValidationError, model_validator

from skat_engine.errors import RuleSetError
from skat_engine.options import AllPass, FirstDealer, SessionEnd
from skat_engine.presets import preset
from skat_engine.ruleset import RuleSet
from skat_engine.ruleset_text import parse_option
from skat_server.tournaments.format_sections import FormatSection, ListsFormat
from skat_server.tournaments.mistakes import mistakes
from skat_server.tournaments.sections import (
    Clock,
    EntrySection,
    Faults,
    Rules,
    Section,
    Seeds,
    Stop,
)

MOST_ENTRIES: Final = 200
"""Entries of a tournament."""


def _shown(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it has characters that cannot be shown")
    return text


class ConfigError(Exception):
    """The file cannot be used; the text names the places, one a line."""


class TournamentConfig(Section):
    """The whole file."""

    name: Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_shown)]
    rated: bool = True
    """Only on a server that keeps every action."""
    tables_at_once: Annotated[int, Field(ge=1, le=10_000)] = 16
    owners_may_meet: bool = False
    ready_within_s: Annotated[int, Field(ge=0, le=86_400)] = 60
    """Seconds that entries have to connect before play begins without them (R5)."""
    rules: Rules = Rules()
    clock: Clock = Clock()
    faults: Faults = Faults()
    format: FormatSection
    stop: Stop = Stop()
    seeds: Seeds = Seeds()
    entries: Annotated[tuple[EntrySection, ...], Field(max_length=MOST_ENTRIES)] = ()

    @model_validator(mode="after")
    def _fits_together(self) -> "TournamentConfig":
        names = [entry.name for entry in self.entries]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"entries share a name: {', '.join(twice)}")
        _require_apart(self.entries, owners_may_meet=self.owners_may_meet)
        if self.stop.delta0 >= self.stop.delta1:
            raise ValueError("stop.delta0 has to be below stop.delta1")
        if self.rated and self.seeds.seed is not None:
            raise ValueError(
                "whoever knows seeds.seed knows the cards; leave it out, or say rated = false"
            )
        self.rule_set(1)
        return self

    def table_options(self, deals: int) -> dict[str, str]:
        """What a table that plays so many deals changes in the preset, as text.

        The event says how long a table plays and that seat 0 deals first, so that a board has the
        same seats at every table.
        """
        fixed = {
            "first_dealer": FirstDealer.SEAT_0.value,
            "session_end": SessionEnd.FIXED_DEALS.value,
            "session_deals": str(deals),
        }
        if isinstance(self.format, ListsFormat):
            fixed["seats"] = str(self.format.seats)
        return {**self.rules.options, **fixed}

    def rule_set(self, deals: int) -> RuleSet:
        """The rules of a table that plays so many deals.

        Raises:
            ValueError: unknown or impossible rules, or rules under which a board does not stand
                for itself.
        """
        texts = self.table_options(deals)
        try:
            options = {name: parse_option(name, text) for name, text in texts.items()}
            rules = preset(self.rules.preset, options)
        except RuleSetError as error:
            raise ValueError(f"rules: {error}") from error
        _require_boards_of_their_own(rules, self.format)
        return rules


def _require_apart(entries: Sequence[EntrySection], *, owners_may_meet: bool) -> None:
    """Everybody plays for one entry, and an owner has one entry (T25)."""
    players = Counter(player for entry in entries for player in entry.players)
    twice = sorted(player for player, count in players.items() if count > 1)
    if twice:
        raise ValueError(f"a player is named twice: {', '.join(twice)}")
    owners = Counter(entry.owner for entry in entries if entry.owner)
    shared = sorted(owner for owner, count in owners.items() if count > 1)
    if shared and not owners_may_meet:
        raise ValueError(
            f"entries of one owner would meet: {', '.join(shared)}; leave them out, or say "
            "owners_may_meet = true"
        )


def _require_boards_of_their_own(rules: RuleSet, section: FormatSection) -> None:
    """A board must mean the same at every table, whatever was played before it."""
    if rules.all_pass is AllPass.REDEAL_SAME_DEALER:
        raise ValueError(
            "rules: every board is dealt once, so all_pass = redeal_same_dealer cannot be played; "
            "choose another all_pass"
        )
    if isinstance(section, ListsFormat):
        if section.pairs and rules.bock:
            raise ValueError("rules: pairs of boards cannot have Bock or Ramsch rounds")
    elif rules.bock or rules.seats != 3:  # noqa: PLR2004
        raise ValueError(
            "rules: duplicate boards need three seats and no Bock or Ramsch rounds; play `lists` "
            "or change these options"
        )


def parse_config(text: str) -> TournamentConfig:
    """Read the file.

    Raises:
        ConfigError: with every mistake and its place.
    """
    try:
        return TournamentConfig.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"this is no TOML: {error}") from error
    except ValidationError as error:
        found = error.errors(include_url=False)
        schema = TournamentConfig.model_json_schema()
        raise ConfigError("\n".join(mistakes(found, schema))) from error


EXAMPLE: Final = """\
name = "Spring cup"
rated = true               # refuse a server that may lose actions
tables_at_once = 16
ready_within_s = 60        # then the clocks of the missing run

[rules]
preset = "isko"
# options = { jump_bids = "false" }

[clock]                    # milliseconds
decision_ms = 10000
bank_ms = 60000            # beyond that, for each deal
grace_ms = 30000           # without a connection, for each deal

[faults]
illegal_actions = 3
safe_answers = 3
consequence = "house_plays"   # or forfeit, none

[format]
kind = "round_robin"       # all_triples, gauntlet, ab_test, swiss, knock_out, lists, once, ladder
rounds = 1
boards = 10

# Entries may also register while the event is open.
[[entries]]
name = "rules"
players = ["player-0123456789abcdef"]

[[entries]]
name = "house"
house = "first_option"
"""
