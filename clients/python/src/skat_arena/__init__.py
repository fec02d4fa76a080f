"""Tables in one's own process, for training and self-play: the rules engine without a network.

>>> from skat_arena import ArenaTable
>>> from skat_engine import preset
>>> records = []
>>> table = ArenaTable(preset("isko", {"session_deals": 2}), bytes(32), on_record=records.append)
>>> while not table.is_over:
...     table.start_deal()
...     while table.deal is not None:
...         events = table.act(table.legal[0])
>>> table.totals, len(records)
((0, 0, 0), 2)

Two ways lead on from here. `skat_arena.playing` lets bots of `skat_client` play, one table or
many at once, each seeing what its seat may see. `skat_arena.encoding` says what a seat sees as
arrays, and `skat_arena.env` is a PettingZoo environment; they need numpy and PettingZoo, which
``pip install skat-client[pettingzoo]`` brings.

This package, `encoding` and `env` load nothing of gRPC, so that processes may be forked.
"""

from skat_arena.codes import ACTION_COUNT, Speller, action_code_names
from skat_arena.table import ArenaTable

__all__ = ["ACTION_COUNT", "ArenaTable", "Speller", "action_code_names"]
