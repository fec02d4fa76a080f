"""One bot at many tables: what waits at all of them is answered by one numpy operation.

    python batch_bot.py --tables 16 --deals 3 --server 127.0.0.1:7654

Two bots of the server sit at every table. The bot turns the questions for a card into one array,
a row for each, scores every card with one matrix product, and takes the best legal one of each
row. The weights are random: put yours there, or a network on a GPU.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from skat_client import (
    Action,
    AsyncClient,
    Card,
    CardOptions,
    DecisionAsked,
    HouseBot,
    PlayCard,
    RuleSet,
    SkatError,
    TableSight,
    Visibility,
    new_token,
    run,
)

CARDS = np.array(Card)
INTERRUPTED = 130
"""Exit status after Ctrl-C."""

Matrix = npt.NDArray[np.float32]


class LinearBot:
    """Scores cards by what is in its hand, on the table and gone; else takes the plainest option.

    Attributes:
        batches: how many decisions each call has answered.
    """

    def __init__(self, seed: int) -> None:
        """Draw the weights: three sets of 32 cards in, a score for each of 32 cards out."""
        self.weights = np.random.default_rng(seed).standard_normal((3 * 32, 32), np.float32)
        self.batches: list[int] = []

    def decide_batch(self, asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        """Answer everything that waits."""
        self.batches.append(len(asked))
        answers: list[Action] = [one.decision.first_option for one in asked]
        plays = [i for i, one in enumerate(asked) if isinstance(one.decision.options, CardOptions)]
        if plays:
            cards = self._cards([asked[i] for i in plays])
            for i, card in zip(plays, cards, strict=True):
                answers[i] = PlayCard(card)
        return answers

    def _cards(self, asked: Sequence[DecisionAsked]) -> list[Card]:
        scores = np.stack([seen(one.sight) for one in asked]) @ self.weights
        legal = np.stack([one_hot(options_of(one)) for one in asked])
        best = np.where(legal > 0, scores, -np.inf).argmax(axis=1)
        return [Card(card) for card in CARDS[best]]


def options_of(asked: DecisionAsked) -> Sequence[Card]:
    """The cards that may be played."""
    options = asked.decision.options
    assert isinstance(options, CardOptions)
    return options.cards


def seen(sight: TableSight) -> Matrix:
    """What the seat knows, as 96 numbers."""
    deal = sight.deal
    gone = [played.card for trick in deal.tricks for played in trick.cards]
    table = [played.card for played in deal.current_trick]
    return np.concatenate([one_hot(deal.hand), one_hot(table), one_hot(gone)])


def one_hot(cards: Sequence[Card]) -> Matrix:
    """Cards as 32 numbers."""
    row = np.zeros(32, np.float32)
    row[[card - 1 for card in cards]] = 1
    return row


async def play(server: str | None, tables: int, deals: int, seed: int) -> tuple[LinearBot, int]:
    """Play at so many tables at once; the bot, and its points in all."""
    rules = RuleSet("isko", {"session_deals": str(deals)})
    house = [HouseBot.RANDOM, HouseBot.RANDOM]
    async with AsyncClient(server, token=new_token()) as client:
        made = [
            await client.create_table(rules, visibility=Visibility.PRIVATE, house_bots=house)
            for _ in range(tables)
        ]
        bot = LinearBot(seed)
        sights = await run(bot, client, [table.table_id for table in made], player_name="linear")
    return bot, sum(sight.totals[sight.seat or 0] for sight in sights.values())


def _count(text: str) -> int:
    """A number from 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too few: 1 is the least")
    return number


def main() -> None:
    """Read the options, play, and say how large the batches were."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=_count, default=16, help="tables at once (16)")
    parser.add_argument("--deals", type=_count, default=3, help="deals at each (3)")
    parser.add_argument("--seed", type=int, default=1, help="of the weights (1)")
    parser.add_argument("--server", default=os.environ.get("SKAT_SERVER"), help="HOST:PORT")
    options = parser.parse_args()
    bot, points = asyncio.run(play(options.server, options.tables, options.deals, options.seed))
    print(f"{sum(bot.batches)} decisions in {len(bot.batches)} batches, up to {max(bot.batches)}")
    print(f"{points} points in {options.tables * options.deals} deals")


if __name__ == "__main__":
    try:
        main()
    except SkatError as error:
        sys.exit(f"{error}")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
