"""The commands that fetch and check the records of a table."""

import sys
from argparse import Namespace
from collections.abc import Iterator

from skat_client._aio import AsyncClient
from skat_client._commands import Say
from skat_client._record_checks import FIRST, chain_fault, chance_in, faults_in
from skat_client._tables import DealRecord, Table
from skat_client._verdicts import DealCheckOutcome, DealVerdict
from skat_client.errors import ConfigurationError, FairnessError, ProtocolError


async def records(client: AsyncClient, options: Namespace, say: Say) -> None:
    """Print the records of a table, or check them."""
    match options.what:
        case [table_id]:
            await _list(client, table_id, say)
        case ["verify", table_id]:
            await _verify(client, table_id, say)
        case _:
            raise ConfigurationError("write `records TABLE` or `records verify TABLE`")


async def _list(client: AsyncClient, table_id: str, say: Say) -> None:
    """One line of JSON a deal, as files of records have it."""
    count = 0
    async for record in client.list_deal_records(table_id):
        say(record.json)
        count += 1
    if not count:
        sys.stderr.write("no finished deal yet\n")


async def _verify(client: AsyncClient, table_id: str, say: Say) -> None:
    """One line a deal: the chain and the chance are checked here, the rules by the server."""
    table = await client.get_table(table_id)
    previous, count, bad = FIRST, 0, 0
    async for record in client.list_deal_records(table_id):
        verdict = await client.verify_deal(record.json, table_seed=table.chance.seed)
        faults = (*_own_faults(record, table, previous), *_said_faults(verdict))
        say(f"deal {record.deal_number}: {'; '.join(faults) or 'ok'}")
        previous, count, bad = record.sha256, count + 1, bad + bool(faults)
    if bad:
        raise FairnessError(table_id, f"{bad} of {count} records do not hold")
    say(f"{count} records hold")
    if table.chance.commitment and not table.chance.seed:
        say("the table is not over: where its seeds came from can be checked then")


def _own_faults(record: DealRecord, table: Table, previous: bytes) -> Iterator[str]:
    fault = chain_fault(record, previous)
    if fault:
        yield fault
    try:
        chance = chance_in(record)
    except ProtocolError:
        yield "it cannot be read"
        return
    if chance is not None:
        yield from faults_in(chance, table.table_id, table.chance)
    elif table.chance.commitment:
        yield "it has no seed"


def _said_faults(verdict: DealVerdict) -> Iterator[str]:
    for check in verdict.checks:
        if check.outcome is DealCheckOutcome.FAILED:
            yield f"{check.kind}: {check.message}"
