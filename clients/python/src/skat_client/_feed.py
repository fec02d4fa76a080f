"""Folds the frames of one viewer into sights, without gaps and without repetitions."""

from collections.abc import Iterator

from skat.v1 import table_pb2
from skat_client._convert_events import event_from_proto
from skat_client._convert_tables import view_from_proto
from skat_client._items import EventSeen, TableShown, WatchItem
from skat_client._plausible import check_event, check_view
from skat_client._sight import TableSight
from skat_client.errors import ProtocolError


class GapError(Exception):
    """A frame does not continue what is known of its table, which has been forgotten."""


class Feed:
    """What one viewer knows of its tables. Pure: frames in, items out."""

    def __init__(self) -> None:
        self.sights: dict[str, TableSight] = {}

    def take(self, frame: table_pb2.TableFrame) -> Iterator[WatchItem]:
        """View and events of a frame; every event is applied right before it is handed out.

        Raises:
            GapError: events are missing; a view is needed.
            ProtocolError: something is said that cannot be.
        """
        if frame.HasField("view"):
            yield TableShown(self._show(frame))
        if not frame.events:
            return
        sight = self.known(frame.table_id)
        for message in frame.events:
            if message.sequence > sight.sequence + 1:
                del self.sights[frame.table_id]
                raise GapError(f"table {frame.table_id}: events before {message.sequence} lack")
            if message.sequence <= sight.sequence:
                continue
            event = event_from_proto(message)
            check_event(sight, event.event)
            sight.apply(event)
            yield EventSeen(event, sight)

    def known(self, table_id: str) -> TableSight:
        """The sight of a table.

        Raises:
            GapError: the table was never shown.
        """
        sight = self.sights.get(table_id)
        if sight is None:
            raise GapError(f"table {table_id} was never shown")
        return sight

    def _show(self, frame: table_pb2.TableFrame) -> TableSight:
        view = view_from_proto(frame.view)
        check_view(frame.table_id, view)
        sight = TableSight.from_view(view)
        if frame.events:
            # The view counts the events that follow it; they begin with the current deal.
            sight.sequence = frame.events[0].sequence - 1
            if sight.sequence < 0:
                raise ProtocolError("the server sent an event without a sequence")
        self.sights[frame.table_id] = sight
        return sight
