"""The bot that needs no thought: it answers what the server names as the plainest option."""

from skat_client._models import Action, Decision
from skat_client._sight import TableSight


class FirstOptionBot:
    """Answers every decision with its first option.

    It passes every auction, and plays the lowest card otherwise: nobody ever declares when
    three of them play.
    """

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        """The first option."""
        return decision.first_option
