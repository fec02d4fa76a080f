"""Skat as a PettingZoo environment (AEC); needs ``pip install skat-client[pettingzoo]``.

The agents are the three seats of a table. An episode is a deal, or as many as are asked for.
What an agent observes is a dictionary of ``observation`` (see `skat_arena.encoding`) and
``action_mask``; an action is a number (see `skat_arena.codes`). An action that names cards is
spelt: the same agent is asked again until it is complete. The reward of an agent is what a deal
adds to its points on the score sheet, once the deal is over.
"""

from collections.abc import Sequence
from operator import index
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from skat_arena.codes import ACTION_COUNT, Speller, codes_text
from skat_arena.encoding import OBSERVATION_SIZE, mask_of, observe
from skat_arena.table import ArenaTable, require_deals, require_rules
from skat_engine import Action, GiveUp, LayOpen, Phase, RuleSet, cards_text, hand_text, preset
from skat_engine.options import FirstDealer

SEATS: Final = 3
_SEED_BYTES: Final = 32
_INTERVENTIONS: Final = (GiveUp, LayOpen)

Seen = dict[str, Any]
"""Of an agent: `observation`, an array of floats, and `action_mask`, one of zeros and ones."""


def env(**options: Any) -> AECEnv[str, Seen, Any]:
    """The environment with PettingZoo's wrapper that explains calls in the wrong order.

    Args:
        options: see `SkatEnv`.
    """
    return wrappers.OrderEnforcingWrapper(SkatEnv(**options))


class SkatEnv(AECEnv[str, Seen, Any]):
    """One table of three seats.

    Attributes:
        table: where the episode is played. It shows every card: for looking on, not for agents.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as PettingZoo declares it
        "name": "skat_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: RuleSet | str = "isko",
        deals: int = 1,
        *,
        interventions: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a table.

        Args:
            rules: a rule set for three seats, or the name of a preset; under a preset the first
                dealer is drawn, so that episodes of one deal are fair.
            deals: deals of an episode, passed ones included; what is dealt again does not count.
            interventions: whether players may give up and lay open, as they may at a server.
            render_mode: ``ansi``, or None.

        Raises:
            TypeError: the rules are no rules, or `deals` is no whole number.
            ValueError: the table has not three seats, there is no deal, or nothing renders so.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        if isinstance(rules, str):
            rules = preset(rules, {"first_dealer": FirstDealer.RANDOM})
        require_rules(rules)
        if rules.seats != SEATS:
            raise ValueError(f"the environment has {SEATS} seats, the rules {rules.seats}")
        require_deals(deals)
        if render_mode not in {None, *self.metadata["render_modes"]}:
            raise ValueError(f"render_mode {render_mode!r} is not there; take 'ansi' or None")
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(SEATS)]
        self._rules = rules
        self._deals = deals
        self._interventions = interventions
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_spaces = {
            agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents
        }
        self._observation_spaces = {agent: _what_is_seen() for agent in self.possible_agents}
        self._chance, _ = seeding.np_random(None)
        self._speller = Speller()
        self._legal: Sequence[Action] = ()
        """What the agent that is asked may do."""
        self.table: ArenaTable

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """The numbers of `skat_arena.codes`."""
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """What `observe` returns."""
        return self._observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: decides the cards of this and all later episodes; None goes on by chance.
            options: not used.
        """
        del options
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._speller = Speller()
        self.table = ArenaTable(self._rules, self._chance.bytes(_SEED_BYTES))
        self.table.start_deal()
        self._ask()

    def observe(self, agent: str) -> Seen:
        """What an agent sees now, and what it may do: nothing, when it is not asked."""
        seat = self._seats[agent]
        is_asked = seat == self.table.to_act
        codes = self._speller.codes(self._legal) if is_asked else ()
        speller = self._speller if is_asked else None
        return {"observation": observe(self.table, seat, speller), "action_mask": mask_of(codes)}

    def step(self, action: int | None) -> None:
        """Take the action of the agent that is asked.

        Raises:
            TypeError: it is no whole number.
            ValueError: the mask does not allow it.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        code = self._code_of(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        whole = self._speller.spell(self._legal, code)
        if whole is not None:
            self.table.act(whole)
            if self.table.deal is None:
                self._end_deal()
            self._ask()
        self._accumulate_rewards()

    def _code_of(self, action: Any) -> int:
        """The number of an action; whether it is legal, the speller knows."""
        try:
            return index(action)
        except TypeError as error:
            legal = codes_text(self._speller.codes(self._legal))
            message = f"action {action!r} is no whole number; take one of {legal}"
            raise TypeError(message) from error

    def render(self) -> str | None:
        """The table as text, every hand open; None without a render mode."""
        if self.render_mode is None:
            return None
        deal = self.table.deal
        if deal is None:
            return f"totals {', '.join(map(str, self.table.totals))}"
        hands = zip(self.table.seating.active, deal.hands, strict=True)
        return "\n".join(
            [
                f"{deal.phase.value}, seat {self.table.to_act} is asked",
                *(f"seat {seat}: {hand_text(cards)}" for seat, cards in hands),
                f"on the table: {cards_text(deal.table)}".rstrip(),
            ]
        )

    def _end_deal(self) -> None:
        """Give out what the deal was worth, and deal the next one unless it was the last."""
        booking = self.table.booking
        assert booking is not None
        for agent, seat in self._seats.items():
            self.rewards[agent] = float(booking.changes[seat])
        if self.table.is_over or self.table.series.deals_done >= self._deals:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.table.start_deal()

    def _ask(self) -> None:
        """Find out who is asked, and what he may do."""
        self.agent_selection = self.possible_agents[self.table.to_act or 0]
        legal, deal = self.table.legal, self.table.deal
        if not self._interventions and deal is not None and deal.phase is Phase.PLAY:
            legal = [action for action in legal if not isinstance(action, _INTERVENTIONS)]
        self._legal = legal


def _what_is_seen() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32),
            "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8),
        }
    )
