"""One table: a series of deals, moved on by whoever calls `act`."""

from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import Final, SupportsIndex

from skat_engine import (
    Action,
    Booking,
    Deal,
    Event,
    RuleSet,
    Seat,
    Seating,
    Series,
    commitment,
    deal_from_seed,
    deal_seed,
    nonces_hash,
    shuffled_deck,
    table_commitment,
    table_deal_seed,
)
from skat_engine.options import FirstDealer
from skat_engine.records import ClockPolicy, Timekeeping, new_record, to_json_line
from skat_engine.records.model import TableShare

_SEED_BYTES: Final = 32
_DRAW: Final = 0
"""The deal number whose seed finds the first dealer; deals count from 1."""


class ArenaTable:
    """A series at one table, synchronous and without clocks.

    Begin every deal with `start_deal`, and `act` until `deal` is None again.

    Attributes:
        table_id: names the table, and with a number each of its deals.
        rules: what is played.
        series: the score sheet, and whose deal it is.
        deal: the deal under way; None between deals. It shows every card.
        seating: who deals, plays and sits out, of this deal or the next.
        actions: the actions of the deal under way, by position.
        dealings: how often cards were dealt.
        booking: the last deal that ended.
        deal_seed: the 32 bytes from which the last cards were dealt; empty before the first deal.
    """

    def __init__(  # noqa: PLR0913  # a table has many properties, and most have good defaults
        self,
        rules: RuleSet,
        seed: bytes,
        *,
        table_id: str = "arena",
        names: Sequence[str] = (),
        nonces: Sequence[bytes] | None = None,
        clock: ClockPolicy | None = None,
        on_record: Callable[[str], object] | None = None,
    ) -> None:
        """Open a table.

        Args:
            rules: what is played.
            seed: 32 bytes, from which all cards follow.
            table_id: names the table.
            names: who sits there, by seat; `seat 0` and so on when not given.
            nonces: the players' shares in the chance, by seat, as at a table of a server with
                fresh deals whose seed this is; None for deals computed from the seed alone, as
                at a table with seeded deals.
            clock: written into records, as a server does whose players answer at once; None
                leaves times out.
            on_record: given every record, a line of JSON without its end; None makes none. A
                record that it raises at is kept, see `hand_over`.

        Raises:
            TypeError: the rules are no rules, the seed, the id, a name or a nonce is none.
            ValueError: the seed has not 32 bytes, the id is empty, a nonce is too long, or names
                or nonces do not fit the seats.
        """
        require_rules(rules)
        _require_seed(seed)
        _require_text("table_id", table_id)
        if not table_id:
            raise ValueError("table_id is empty; records name their table by it")
        self.rules = rules
        self.table_id = table_id
        self._seed = seed
        self._nonces = None if nonces is None else _nonces_of(nonces, rules.seats)
        self._names = _names_of(names, rules.seats)
        self._clock = clock
        self._on_record = on_record
        self._record_due: str | None = None
        by_chance = rules.first_dealer is not FirstDealer.SEAT_0
        draw = shuffled_deck(deal_seed(seed, _DRAW)) if by_chance else ()
        self.series = Series(rules, draw)
        self.seating: Seating = self.series.next_seating()
        self.deal: Deal | None = None
        self.actions: list[tuple[int, Action]] = []
        self.dealings = 0
        self.booking: Booking | None = None
        self.deal_seed = b""

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits there, by seat."""
        return self._names

    @property
    def is_over(self) -> bool:
        """Whether the series has ended; some rules have no end of their own."""
        return self.series.is_over

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's points so far."""
        return self.series.sheet.totals

    @property
    def deal_number(self) -> int:
        """Number of the deal under way or next, from 1."""
        return self.series.deals_done + 1

    @property
    def deal_id(self) -> str:
        """Names that deal, as its record does."""
        return f"{self.table_id}/{self.deal_number}"

    @property
    def commitment(self) -> bytes:
        """What binds the deal under way to its seed, 32 bytes."""
        return commitment(self.deal_seed, self.deal_id)

    @property
    def to_act(self) -> Seat | None:
        """The seat that is asked; None between deals."""
        if self.deal is None or self.deal.to_act is None:
            return None
        return self.seating.active[self.deal.to_act]

    @property
    def legal(self) -> Sequence[Action]:
        """What it may do, the plainest first, interventions last; empty between deals."""
        if self.deal is None or self.deal.to_act is None:
            return ()
        return self.deal.legal(self.deal.to_act)

    def start_deal(self) -> None:
        """Deal the next cards.

        Raises:
            ValueError: a deal is under way, or the series is over.
        """
        self.hand_over()
        if self.deal is not None or self.is_over:
            raise ValueError("a deal is under way" if self.deal else "the series is over")
        self.dealings += 1
        self.deal_seed = self._seed_of(self.dealings)
        self.seating = self.series.next_seating()
        self.actions = []
        self.deal = Deal(self.rules, deal_from_seed(self.deal_seed), self.series.next_occasion())

    def hand_over(self) -> None:
        """Give `on_record` the record that it raised at, if there is one.

        What it raises leaves a table whose deal is booked and whose record is kept. The record
        is given again here, before the next deal, and when the table is played on.
        """
        if self._record_due is not None and self._on_record is not None:
            self._on_record(self._record_due)
            self._record_due = None

    def act(self, action: Action, seat: Seat | None = None) -> list[Event]:
        """Take an action; a deal that ends with it is booked.

        Args:
            action: one of `legal`.
            seat: who acts; the seat that is asked when not given. Others may only intervene.

        Returns:
            What followed from it, hidden cards included.

        Raises:
            IllegalActionError: it may not be taken now; nothing has changed.
            ValueError: no deal is under way, or the seat does not play in it.
            Exception: whatever `on_record` raises; the deal is booked all the same.
        """
        deal = self.deal
        if deal is None:
            raise ValueError("no deal is under way; begin one with start_deal")
        position = deal.to_act if seat is None else self.seating.position_of(seat)
        if position is None:
            raise ValueError(f"seat {seat} does not play in this deal")
        events = deal.apply(position, action)
        self.actions.append((position, action))
        if deal.result is not None:
            self._book(deal)
        return events

    def _seed_of(self, dealing: int) -> bytes:
        if self._nonces is None:
            return deal_seed(self._seed, dealing)
        return table_deal_seed(self._seed, dealing, self._nonces)

    def _book(self, deal: Deal) -> None:
        assert deal.result is not None
        number = self.deal_number
        self.booking = self.series.book(deal.result)
        self.deal = None
        if self._on_record is not None and self.booking.counts:
            self._record_due = self._record(deal, number, self.booking)
            self.hand_over()

    def _record(self, deal: Deal, number: int, booking: Booking) -> str:
        share = None
        if self._nonces is not None:
            bound = table_commitment(self._seed, self.table_id)
            share = TableShare(bound, self._nonces, self.dealings)
        record = new_record(
            f"{self.table_id}/{number}",
            self.rules,
            self._names,
            self.seating,
            number,
            deal.dealt,
            self.actions,
            booking.result,
            deal.occasion,
            think_ms=() if self._clock is None else (0,) * len(self.actions),
            seed=self.deal_seed,
            share=share,
            timekeeping=None if self._clock is None else Timekeeping(self._clock),
        )
        return to_json_line(record)


def require_rules(rules: object) -> None:
    """Refuse what are no rules.

    Raises:
        TypeError: they are none.
    """
    if not isinstance(rules, RuleSet):
        name = rules if isinstance(rules, str) else "isko"
        raise TypeError(f"{rules!r} is no rule set; write preset({name!r})")


def _require_seed(seed: object) -> None:
    how = "any number as number.to_bytes(32), any text as sha256(text.encode()).digest()"
    if not isinstance(seed, bytes):
        raise TypeError(f"a seed is {_SEED_BYTES} bytes, not {seed!r}; {how}")
    if len(seed) != _SEED_BYTES:
        raise ValueError(f"a seed has {_SEED_BYTES} bytes, not {len(seed)}; {how}")


def require_deals(deals: object) -> None:
    """Refuse what is no number of deals.

    Raises:
        TypeError: it is no whole number.
        ValueError: it is less than 1.
    """
    if isinstance(deals, bool) or not isinstance(deals, SupportsIndex):
        raise TypeError(f"deals are a whole number, not {deals!r}")
    if index(deals) < 1:
        raise ValueError(f"{deals} deals are none; take 1 or more")


def _require_text(what: str, given: object) -> None:
    if not isinstance(given, str):
        raise TypeError(f"{what} is text, not {given!r}")


def _require_one_each(what: str, given: object) -> None:
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"{what} are a list, one for each seat, not {given!r}")


def _names_of(names: Sequence[str], seats: int) -> tuple[str, ...]:
    _require_one_each("names", names)
    named = tuple(names) or tuple(f"seat {seat}" for seat in range(seats))
    if len(named) != seats:
        raise ValueError(f"{len(named)} names for {seats} seats")
    for name in named:
        _require_text("a name", name)
    return named


def _nonces_of(nonces: Sequence[bytes], seats: int) -> tuple[bytes, ...]:
    _require_one_each("nonces", nonces)
    given = tuple(nonces)
    if len(given) != seats:
        raise ValueError(f"{len(given)} nonces for {seats} seats")
    for nonce in given:
        if not isinstance(nonce, bytes):
            raise TypeError(f"a nonce is bytes, not {nonce!r}")
    nonces_hash(given)  # which refuses those that are too long
    return given
