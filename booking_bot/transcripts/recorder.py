"""Writes transcripts from talks that took place: a live one line by line, or a stored session with people masked."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import SqlStore, StoredTurn
from booking_bot.app import BookingBot, clock_at
from booking_bot.dialogue.model import Booking
from booking_bot.errors import ConfigurationError
from booking_bot.ports import Clock
from booking_bot.reply import Reply
from booking_bot.settings import load_settings
from booking_bot.transcripts.diff import plain_booking
from booking_bot.transcripts.masking import Mask
from booking_bot.transcripts.stored import before_the_talk, find_session, made_in, standing_before
from booking_bot.transcripts.world import bookings_of

_NOT_YAML: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
"""Characters that JSON leaves as they are and YAML does not take."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One message and its reply.

    Attributes:
        after_minutes: whole minutes of the clock since the talk began.
    """

    text: str
    reply: Reply
    after_minutes: int = 0
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """Everything a transcript is written from.

    Attributes:
        standing: bookings that stood before.
        made: bookings as they were at the end; None leaves `end` out.
    """

    name: str
    about: str
    site: str
    user: str
    now: dt.datetime
    exchanges: Sequence[Exchange]
    standing: Sequence[Booking] = ()
    made: Sequence[dict[str, object]] | None = None


def write(talk: Talk) -> str:
    """Write a talk as a transcript that expects what was seen."""
    lines = [
        "transcript: 1",
        f"name: {_flow(talk.name)}",
        f"about: {_flow(talk.about)}",
        f"site: {_flow(talk.site)}",
        f"clock: {{now: {_flow(talk.now.replace(microsecond=0).isoformat())}}}",
        f"user: {_flow(talk.user)}",
    ]
    if talk.standing:
        seeds = [{k: v for k, v in plain_booking(b).items() if k != "status"} for b in talk.standing]
        lines.append(f"world: {{bookings: {_flow(seeds)}}}")
    lines.append("steps:")
    minutes = 0
    for exchange in talk.exchanges:
        if exchange.after_minutes > minutes:
            lines.append(f"- wait: {exchange.after_minutes - minutes}m")
            minutes = exchange.after_minutes
        lines.append(f"- user: {_flow(exchange.text)}")
        if exchange.message_id is not None:
            lines.append(f"  message_id: {_flow(exchange.message_id)}")
        lines.append(f"  expect: {_flow(expected(exchange.reply))}")
    if talk.made is not None:
        lines.append(f"end: {{bookings: {_flow(list(talk.made))}}}")
    return "\n".join(lines) + "\n"


def expected(reply: Reply) -> dict[str, Any]:
    """Give what a transcript expects of a reply: all that is exact, nothing of the wording."""
    out: dict[str, Any] = {"phase": reply.phase.value, "pending": reply.pending}
    if reply.asks is not None:
        out["asks"] = reply.asks
    if reply.slots:
        out["slots"] = dict(reply.slots)
    out["options"] = len(reply.options)
    if reply.room is not None:
        out["room"] = reply.room
    out["actions"] = list(reply.actions)
    return out


def _flow(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@dataclass(slots=True)
class Recorder:
    """Takes down a live talk and writes it when it is over.

    Attributes:
        path: the file to write.
        now: when the talk began.
        earlier: what was said before the recording began.
        clock: the talk's clock, for the time between messages; None when it stands still.
        standing: all bookings before the talk (`world.bookings_of`); without them it may go another way when it is run
            again. Cancelled and past ones do not matter, other people's are written under stand-ins.
    """

    path: Path
    site: str
    user: str
    now: dt.datetime
    clock: Clock | None = None
    standing: Sequence[Booking] = ()
    earlier: Sequence[Exchange] = ()
    _exchanges: list[Exchange] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with what was said before."""
        self._exchanges = list(self.earlier)

    def said(self, text: str, reply: Reply) -> None:
        """Take down one exchange."""
        passed = (self.clock() - self.now) if self.clock is not None else dt.timedelta()
        self._exchanges.append(Exchange(text, reply, int(passed.total_seconds()) // 60))

    def save(self) -> None:
        """Write the file, unless nothing was said.

        Raises:
            ConfigurationError: the file cannot be written.
        """
        if not self._exchanges:
            return
        talk = Talk(
            name=self.path.name.split(".")[0] or "recorded",
            about="recorded from a talk",
            site=self.site,
            user=self.user,
            now=self.now,
            exchanges=self._exchanges,
            standing=self._standing(),
            made=self._made(),
        )
        try:
            self.path.write_text(write(talk), "utf-8", errors="replace")
        except OSError as error:
            raise ConfigurationError(f"--record {self.path}: cannot be written: {error.strerror}") from error

    def _standing(self) -> list[Booking]:
        """Give what stood in the way, other people under stand-ins."""
        mask = Mask()
        return [
            booking
            if booking.organizer == self.user
            else booking.model_copy(update={"organizer": mask.person(booking.organizer)})
            for booking in self.standing
            if booking.status == "booked" and booking.date >= self.now.date()
        ]

    def _made(self) -> list[dict[str, object]] | None:
        """Give the bookings of the talk; None after a cancellation, whose booking no reply names."""
        made: dict[str, dict[str, object]] = {}
        for exchange in self._exchanges:
            reply = exchange.reply
            if {"cancel_booking", "cancel_bookings"} & set(reply.actions):
                return None
            booked = reply.booking
            if booked is not None and {"book_room", "move_booking", "find_booking"} & set(reply.actions):
                made[booked.id] = booked.model_dump(include={"room", "date", "start", "minutes", "status"})
        return list(made.values())


def check_place(path: Path) -> None:
    """See that a recording can be written there, before the talk; no file is left behind.

    Raises:
        ConfigurationError: it cannot, or a file with something in it is there already.
    """
    try:
        if path.is_file() and path.stat().st_size:
            raise ConfigurationError(f"--record {path}: there is a file with something in it; name a new one")
        if not path.exists():
            path.touch()
            path.unlink()
        elif path.is_file() or path.is_dir():
            path.open("a").close()
    except OSError as error:
        raise ConfigurationError(
            f"--record {path}: cannot be written: {error.strerror}; name a new file in a folder that is there"
        ) from error


async def recorder_of(path: Path, bot: BookingBot, session: str) -> Recorder:
    """Make ready to take down a live talk. What its stored session holds already comes first: the rest builds on it.

    Args:
        session: the stored id.

    Raises:
        ConfigurationError: the session's last turn lies ahead of the bot's clock, so no transcript can hold both.
    """
    now = bot.engine.now()
    turns = await bot.engine.store.all_turns(session)
    before = before_the_talk(await bot.engine.store.actions_of(session))
    begun = dt.datetime.fromtimestamp(turns[0].said_at_s, now.tzinfo) if turns else now
    if turns and turns[-1].said_at_s > now.timestamp():
        last = dt.datetime.fromtimestamp(turns[-1].said_at_s, now.tzinfo).isoformat()
        raise ConfigurationError(
            f"--record {path}: the session was last spoken to at {last}, which is still to come;"
            " use a later --now or another --session"
        )
    replies = [Reply.model_validate_json(turn.reply) for turn in turns]
    own = made_in(replies)
    return Recorder(
        path,
        site=bot.settings.site,
        user=bot.settings.user,
        now=begun,
        clock=bot.engine.now,
        standing=standing_before(await bookings_of(bot.engine.store), before, own),
        earlier=[
            Exchange(turn.text, reply, _minutes_into(turns, turn), turn.message_id)
            for turn, reply in zip(turns, replies, strict=True)
        ],
    )


async def record_session(session: str, *, site: str | None = None, db: str | None = None) -> str:
    """Write a stored session as a transcript with personal details replaced.

    People become alice, bob …, titles "Title 1" …, phone numbers and e-mail addresses a mask. What else somebody
    typed stays: read it before you pass it on.

    Args:
        session: the stored id, or the label behind the user's name when only one user has it.

    Raises:
        ConfigurationError: there is no such session, or more than one.
    """
    settings = load_settings(site=site, db=db)
    the_site = load_site(settings.site)
    store = await SqlStore.open(settings.db, the_site, clock_at(None))
    try:
        key = await find_session(store, session)
        turns = await store.all_turns(key)
        bookings = await bookings_of(store)
        before = before_the_talk(await store.actions_of(key))
    finally:
        await store.close()
    zone = the_site.policy.zone
    begun = dt.datetime.fromtimestamp(turns[0].said_at_s, zone)
    replies = [Reply.model_validate_json(turn.reply) for turn in turns]
    own = made_in(replies)
    mask = Mask()
    user = mask.person(turns[0].user_id)
    for title in _titles(replies, bookings):
        mask.title(title)
    exchanges = [
        Exchange(
            mask.text(turn.text),
            _masked(reply, mask),
            _minutes_into(turns, turn),
            f"m{turn.turn_id}" if turn.message_id is not None else None,
        )
        for turn, reply in zip(turns, replies, strict=True)
    ]
    standing = [
        booking.model_copy(update={"organizer": mask.person(booking.organizer)})
        for booking in standing_before(bookings, before, own)
        if booking.date >= begun.date()
    ]
    made = [plain_booking(b) | {"organizer": mask.person(b.organizer)} for b in bookings if b.id in own]
    return write(
        Talk("recorded", "recorded from a stored session", settings.site, user, begun, exchanges, standing, made)
    )


def _minutes_into(turns: Sequence[StoredTurn], turn: StoredTurn) -> int:
    return int(max(0, turn.said_at_s - turns[0].said_at_s)) // 60


def _titles(replies: Iterable[Reply], bookings: Iterable[Booking]) -> list[str]:
    said = [str(reply.slots["title"]) for reply in replies if "title" in reply.slots]
    return list(dict.fromkeys([*said, *(booking.title for booking in bookings if booking.title)]))


def _masked(reply: Reply, mask: Mask) -> Reply:
    slots = dict(reply.slots)
    if "title" in slots:
        slots["title"] = mask.title(str(slots["title"]))
    return reply.model_copy(update={"slots": slots})
