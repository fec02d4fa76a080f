"""The steps a table can take: pure functions from a state to the next one.

A step names what goes into the log, what the viewers are told, and the state after it. Nothing
of it counts until the store has kept it.
"""

from skat_server.tables.steps.acting import act, act_as_house, act_as_player, applied, default
from skat_server.tables.steps.dealing import deal, void_deal
from skat_server.tables.steps.ending import close, close_by, request_end
from skat_server.tables.steps.seating import first_state, give_back, leave, opened, sit
from skat_server.tables.steps.step import Settlement, Step, Told

__all__ = [
    "Settlement",
    "Step",
    "Told",
    "act",
    "act_as_house",
    "act_as_player",
    "applied",
    "close",
    "close_by",
    "deal",
    "default",
    "first_state",
    "give_back",
    "leave",
    "opened",
    "request_end",
    "sit",
    "void_deal",
]
