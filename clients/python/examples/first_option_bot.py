"""A whole bot: it sits down at a table and gives the plainest answer to every question.

    python first_option_bot.py TABLE_ID

The server is the one named in SKAT_SERVER, else 127.0.0.1:7654.
"""

import asyncio
import sys

from skat_client import Action, AsyncClient, DealEnded, Decision, TableEvent, TableSight, run


class FirstOptionBot:
    """Passes in the auction, and plays the lowest card that it may."""

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        """Answer a question; everything in `decision.options` is legal."""
        return decision.first_option

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        """Follow what happens; a bot that only decides leaves this out."""
        if isinstance(event.event, DealEnded):
            print(f"deal {sight.deal.number}: {sight.totals}")


async def main(table_id: str) -> None:
    """Play one table to its end."""
    async with AsyncClient() as client:
        await run(FirstOptionBot(), client, [table_id], player_name="first option")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit("usage: python first_option_bot.py TABLE_ID")
    try:
        asyncio.run(main(sys.argv[1]))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
