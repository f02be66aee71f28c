"""The world of one transcript: its database, its clock, what stands in the calendar before, and what goes wrong."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from booking_bot.adapters.site_folder import load_site, site_folder
from booking_bot.adapters.sql import ConstraintRefused, SqlStore, Tx
from booking_bot.adapters.sql import bookings as rows
from booking_bot.adapters.sql.office_calendar import Span
from booking_bot.adapters.sql.service import LedgerService
from booking_bot.adapters.weather_file import SiteWeather, load_weather
from booking_bot.app import BookingBot, planner_over
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation
from booking_bot.dialogue.observations import Failed, Gone, Refused, Taken, ToolObservation
from booking_bot.dialogue.site import Site
from booking_bot.engine import Engine
from booking_bot.errors import ConfigurationError
from booking_bot.ports import Model
from booking_bot.settings import PlannerMode, Settings
from booking_bot.tools import Outside, Tool, ToolContext, ToolRegistry, ledger_tools, service_tools, weather_tool
from booking_bot.transcripts.model import Fault, SeededBooking, Transcript
from booking_bot.transcripts.source import TranscriptError
from booking_bot.turns.values import WRITES


@dataclass(slots=True)
class World:
    """Everything a transcript meets that outlives a restart of the bot.

    Attributes:
        db: path of the database file.
        now: the instant the clock stands at.
        calls: how often each tool was called so far.
        seeded: public ids of the bookings that stood before the first step.
    """

    transcript: Transcript
    site: Site
    folder: Path
    db: Path
    now: dt.datetime
    calls: Counter[str] = field(default_factory=Counter)
    seeded: frozenset[str] = frozenset()

    @classmethod
    def of(cls, transcript: Transcript, directory: Path, beside: Path | None = None) -> World:
        """Make the world of a transcript.

        Args:
            directory: an empty folder for the database.
            beside: the transcript's own folder, which a site given as a relative path may start from.

        Raises:
            TranscriptError: there is no such site, or it has no such room.
        """
        try:
            folder = _folder(transcript.site, beside)
            site = load_site(folder)
        except ConfigurationError as error:
            raise TranscriptError(str(error)) from error
        for number, booking in enumerate(transcript.world.bookings, 1):
            if booking.room not in site.rooms_by_id:
                legal = ", ".join(site.rooms_by_id)
                raise TranscriptError(f"world.bookings.{number}.room: no room {booking.room!r}; legal are {legal}")
        now = transcript.clock.now.astimezone(site.policy.zone)
        return cls(transcript, site, folder, directory / "bookings.db", now)

    def clock(self) -> dt.datetime:
        """Give the current instant."""
        return self.now

    async def open(self, model: Model | None, mode: PlannerMode, planned_by: Settings | None = None) -> BookingBot:
        """Start the bot, as after a restart: only the database is what it was.

        Args:
            planned_by: how long the model may take and what its prompt leaves out; the defaults when None.
        """
        # NORMAL: a transcript's own restarts close the file properly, no power fails in between.
        store = await SqlStore.open(f"sqlite:///{self.db}", self.site, self.clock, "NORMAL")
        tools = self._tools(store)
        how = planned_by or Settings.model_construct()
        planner = planner_over(model, mode, self.folder, self.site, tools, store, how.model_timeout_s, how.prompt_off)
        engine = Engine(site=self.site, store=store, tools=tools, clock=self.clock, planner=planner)
        return BookingBot(engine, Settings.model_construct(site=str(self.folder), user=self.transcript.user))

    async def seed(self, store: SqlStore) -> None:
        """Write the bookings that stand before the first step, past the house rules.

        Raises:
            TranscriptError: two of them overlap.
        """
        wanted = self.transcript.world.bookings
        if not wanted:
            return
        try:
            self.seeded = frozenset(await store.run(lambda tx: self._insert(tx, wanted)))
        except ConstraintRefused as error:
            raise TranscriptError("world.bookings: two of them overlap in one room") from error

    def _insert(self, tx: Tx, bookings: Sequence[SeededBooking]) -> list[str]:
        ids = []
        for number, booking in enumerate(bookings):
            begin = dt.datetime.combine(booking.date, booking.start, self.site.policy.zone)
            start_s = int(begin.timestamp())
            span = Span(start_s, start_s + booking.minutes * 60)
            order = BookingOrder(
                room_id=booking.room,
                date=booking.date,
                start_time=booking.start,
                duration_minutes=booking.minutes,
                people=self.site.rooms_by_id[booking.room].seats,
                key=f"seeded-{number}",
            )
            row = rows.new_row(order, booking.organizer, span, self.site.policy.timezone)
            with tx.cursor.savepoint():
                (row_id,) = tx.cursor.first(rows.INSERT_BOOKING, tuple(row.values()))
                tx.cursor.run_each(rows.INSERT_CLAIM, rows.claims(row_id, booking.room, span))
            ids.append(row["public_id"])
        return ids

    def _tools(self, store: SqlStore) -> ToolRegistry:
        weather = weather_tool(SiteWeather(load_weather(self.folder), self.clock))
        faults = self.transcript.world.faults
        if not faults:
            return ToolRegistry((*ledger_tools(store.ledger), weather))
        # A fault lies between the bot and a service: the rooms then stand behind calls of their own transactions.
        tools = (*service_tools(LedgerService(store)), weather)
        return ToolRegistry(self._faulty(tool, [f for f in faults if f.tool == tool.name]) for tool in tools)

    def _faulty(self, tool: Tool, faults: list[Fault]) -> Tool:
        carried_out = tool.outside
        if not faults or carried_out is None:
            return tool
        real: Outside = carried_out

        async def call(arguments: object, context: ToolContext) -> ToolObservation:
            self.calls[tool.name] += 1
            kind = _kind(faults, self.calls[tool.name])
            if kind is None:
                return await real(arguments, context)
            if kind == "timeout_after_commit" and tool.name in WRITES:
                await real(arguments, context)
            return _went_wrong(tool.name, kind, arguments)

        return replace(tool, outside=call)


def _folder(site: str, beside: Path | None) -> Path:
    if beside is not None and not Path(site).is_absolute() and (beside / site / "rooms.toml").is_file():
        return beside / site
    return site_folder(site)


def _kind(faults: list[Fault], number: int) -> str | None:
    exact = next((fault.kind for fault in faults if fault.call == number), None)
    down = any(fault.kind == "down" and fault.call <= number for fault in faults)
    return exact or ("down" if down else None)


def _went_wrong(tool: str, kind: str, arguments: object) -> ToolObservation:
    if kind in ("timeout", "timeout_after_commit"):
        return Failed(tool=tool, reason="time-out", uncertain=tool in WRITES)
    if kind == "refused" and tool in WRITES:
        return Refused(tool=tool, reason="")
    if kind == "conflict" and isinstance(arguments, BookingOrder | BookingChange):
        return Taken(room_id=arguments.room_id)
    if kind == "conflict" and isinstance(arguments, Cancellation):
        return Gone(booking_id=arguments.booking_id)
    return Failed(tool=tool, reason="unreachable" if kind == "down" else "error")


async def bookings_of(store: SqlStore) -> tuple[Booking, ...]:
    """Read every committed booking, past and cancelled ones too."""
    return await store.read(lambda reader: store.ledger.all_bookings(reader, everything=True))
