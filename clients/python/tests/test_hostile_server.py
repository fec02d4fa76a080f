"""Whatever a server sends, a client says that it cannot be, and fails in no other way (F17).

Messages are made from their descriptors: any field may be there or not, and hold what it can.
"""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from skat.v1 import (
    account_pb2,
    account_service_pb2,
    card_pb2,
    event_pb2,
    record_service_pb2,
    rules_service_pb2,
    table_pb2,
)
from skat.v1 import play_service_pb2 as play
from skat_client import DecisionAsked, EventSeen, ProtocolError, TableShown
from skat_client import _convert_accounts as accounts
from skat_client import _convert_tables as tables
from skat_client._feed import GapError
from skat_client._ledger import Ledger
from skat_client._text import event_text, table_text
from skat_client.testing import new_view

MODEST = settings(max_examples=60, deadline=None)

_LIMITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def numbers(low: int, high: int) -> st.SearchStrategy[int]:
    """Mostly what fits somewhere, sometimes what fits nowhere."""
    return st.one_of(st.integers(0, 3), st.sampled_from([low, high, 4, 10, 18, 99]))


def leaves(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:
        known = [value.number for value in field.enum_type.values]
        return st.one_of(st.sampled_from(known), st.sampled_from([*known, -1, 99, 2**31 - 1]))
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return st.booleans()
        case FieldDescriptor.CPPTYPE_STRING:
            texts = st.sampled_from(["", "t", "u", "isko", "\0", "x" * 300])
            return texts.map(str.encode) if field.type == FieldDescriptor.TYPE_BYTES else texts
        case _:
            return numbers(*_LIMITS[field.cpp_type])


@st.composite
def messages(draw: st.DrawFn, descriptor: Any, depth: int = 5) -> Any:
    """Any message of this type."""
    message: Any = message_factory.GetMessageClass(descriptor)()
    fields = [field for field in descriptor.fields if field.containing_oneof is None]
    cases = [draw(st.sampled_from(list(oneof.fields))) for oneof in descriptor.oneofs]
    for field in (*fields, *cases):
        is_wanted = field.containing_oneof is not None or draw(st.integers(0, 3)) > 0
        if is_wanted and (field.message_type is None or depth > 0):
            fill(draw, message, field, depth)
    return message


def fill(draw: st.DrawFn, message: Any, field: FieldDescriptor, depth: int) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return
    if field.message_type is not None:
        values = messages(field.message_type, depth - 1)
    else:
        values = leaves(field)
    if field.is_repeated:
        getattr(message, field.name).extend(draw(st.lists(values, max_size=3)))
    elif field.message_type is not None:
        getattr(message, field.name).CopyFrom(draw(values))
    else:
        setattr(message, field.name, draw(values))


@st.composite
def frames(draw: st.DrawFn) -> table_pb2.TableFrame:
    """A frame of a table that the client knows, with anything in it."""
    frame: table_pb2.TableFrame = draw(messages(table_pb2.TableFrame.DESCRIPTOR))
    frame.table_id = "t"
    for number, event in enumerate(frame.events, 1):
        if draw(st.integers(0, 5)) > 0:
            event.sequence = number
    if draw(st.integers(0, 3)) > 0:
        frame.view.CopyFrom(new_view("t", sequence=len(frame.events)))
    return frame


def follow(ledger: Ledger, response: play.PlayResponse) -> None:
    """Do with a response what sessions, bots and displays do with it."""
    for item in ledger.take(response):
        match item:
            case TableShown(sight):
                table_text(sight.table)
            case EventSeen(event, sight):
                event_text(event.event)
                assert event.sequence == sight.sequence
            case DecisionAsked(decision, _):
                ledger.submit(decision, decision.first_option)
            case _:
                pass


@given(st.lists(frames(), min_size=1, max_size=3))
@MODEST
def test_a_session_fails_only_by_saying_that_it_cannot_be(
    sent: list[table_pb2.TableFrame],
) -> None:
    ledger = Ledger()
    ledger.connect()
    for frame in sent:
        try:
            follow(ledger, play.PlayResponse(tables=[frame]))
        except (ProtocolError, GapError):
            return
        list(ledger.outgoing(1, 1))
        ledger.positions(1000, with_turns=True)


@given(messages(play.PlayResponse.DESCRIPTOR))
@MODEST
def test_so_does_one_that_is_sent_just_anything(response: play.PlayResponse) -> None:
    ledger = Ledger()
    try:
        follow(ledger, response)
    except (ProtocolError, GapError):
        return


Reader = Callable[[Any], object]

ANSWERS: list[tuple[type[Message], Reader]] = [
    (table_pb2.Table, tables.table_from_proto),
    (record_service_pb2.DealRecord, tables.deal_record_from_proto),
    (rules_service_pb2.ListRuleSetsResponse, tables.rule_book_from_proto),
    (rules_service_pb2.ListLegalActionsResponse, tables.legal_actions_from_proto),
    (rules_service_pb2.ReplayDealResponse, tables.replay_from_proto),
    (rules_service_pb2.ScoreDealResponse, tables.game_score_from_proto),
    (rules_service_pb2.ScoreRamschResponse, tables.ramsch_score_from_proto),
    (account_service_pb2.GetCallerResponse, accounts.caller_from_proto),
    (account_pb2.Bot, accounts.bot_from_proto),
    (account_service_pb2.IssueTokenResponse, accounts.issued_from_proto),
    (record_service_pb2.VerifyDealResponse, accounts.verdict_from_proto),
]


@pytest.mark.parametrize(("kind", "read"), ANSWERS, ids=[kind.__name__ for kind, _ in ANSWERS])
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_an_answer_is_read_or_said_to_be_none(
    kind: type[Message], read: Reader, data: st.DataObject
) -> None:
    message = data.draw(messages(kind.DESCRIPTOR))
    try:
        read(message)
    except ProtocolError:
        return


@pytest.mark.parametrize(
    "event",
    [
        event_pb2.TrickTaken(seat=0),
        event_pb2.SeatTaken(seat=3),
        event_pb2.CardPlayed(seat=2**32 - 1),
        event_pb2.DealStarted(deal_number=1, active_seats=[0, 1]),
        event_pb2.DealStarted(deal_number=1, active_seats=[0, 1, 1]),
        event_pb2.DealStarted(deal_number=0, active_seats=[0, 1, 2]),
        event_pb2.DealStarted(deal_number=1, active_seats=[0, 1, 2], hand=[card_pb2.CARD_D7]),
        event_pb2.DealEnded(changes=[0], totals=[0, 0, 0]),
        event_pb2.SeriesEnded(totals=[0, 0, 0]),
        event_pb2.TableClosed(seat=7),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_that_fits_no_table_is_told_as_such(event: Message) -> None:
    frame = table_pb2.TableFrame(table_id="t", view=new_view("t"))
    made = frame.events.add(sequence=1)
    case = next(
        field.name
        for field in event_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields
        if field.message_type is event.DESCRIPTOR
    )
    getattr(made, case).CopyFrom(event)
    with pytest.raises(ProtocolError):
        list(Ledger().take(play.PlayResponse(tables=[frame])))


@pytest.mark.parametrize(
    "view",
    [
        new_view("u"),
        new_view("t", seat=3),
        table_pb2.TableView(table=table_pb2.Table(table_id="t", state=table_pb2.TABLE_STATE_OPEN)),
    ],
    ids=["of another table", "of no seat", "of a table without seats"],
)
def test_a_view_that_fits_no_table_is_told_as_such(view: table_pb2.TableView) -> None:
    frame = table_pb2.TableFrame(table_id="t", view=view)
    with pytest.raises(ProtocolError):
        list(Ledger().take(play.PlayResponse(tables=[frame])))
