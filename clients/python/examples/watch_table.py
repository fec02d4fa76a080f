"""Shows a public table as it is played: the bids, the tricks and the results.

    python watch_table.py TABLE_ID

It goes on across lost connections and ends with the table.
"""

import asyncio
import sys
from contextlib import aclosing

from skat_client import (
    AsyncClient,
    CardPlayed,
    ContractAnnounced,
    DealEnded,
    DealStarted,
    EventSeen,
    SkatError,
    TableEvent,
    TableShown,
    TableSight,
    TrickTaken,
)


def show(event: TableEvent, sight: TableSight) -> None:
    """Print the events that tell the game."""
    names = [seat.player_name or f"seat {seat.seat}" for seat in sight.table.seats]
    match event.event:
        case DealStarted(number, dealer):
            print(f"\ndeal {number}, dealt by {names[dealer]}")
        case ContractAnnounced(seat, contract):
            print(f"{names[seat]} plays {contract} at {sight.deal.bid}")
        case CardPlayed(_, card):
            print(card, end=" ")
        case TrickTaken(seat, _, points):
            print(f"-> {names[seat]} +{points}")
        case DealEnded(_, changes, totals):
            print(f"changes {changes}, totals {totals}")
        case _:
            pass


async def main(table_id: str) -> None:
    """Watch one table until it is over."""
    async with AsyncClient() as client, aclosing(client.watch_table(table_id)) as items:
        async for item in items:
            match item:
                case TableShown(sight):
                    print(f"{sight.table.rule_set.preset}, deal {sight.table.deals_done + 1}")
                case EventSeen(event, sight):
                    show(event, sight)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit("usage: python watch_table.py TABLE_ID")
    try:
        asyncio.run(main(sys.argv[1]))
    except SkatError as error:
        sys.exit(f"{error}")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
