"""How values become requests of the rooms API and answers become values; pure."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from booking_bot.adapters.http.caller import Answer, Doubt, NoAnswer, UnreadableAnswer
from booking_bot.adapters.http.wire import KEY_HEADER, USER_HEADER, VERSION_HEADER, Problem, encoded
from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.observations import Failed, Refused

MAX_SHOWN_CHARS: Final = 200
"""Text of the service that a user sees: a sentence, not a page."""

T = TypeVar("T")
_BOOKING: Final = TypeAdapter(Booking)
_PROBLEM: Final = TypeAdapter(Problem)


def body_of(value: BaseModel, *, without: set[str] | None = None) -> bytes:
    """Give a value as JSON in plain ASCII, without the fields that travel in headers or the path."""
    return json.dumps(value.model_dump(mode="json", exclude=without)).encode("ascii")


def headers_of(organizer: str, key: str, version: int | None = None) -> dict[str, str]:
    """Give the headers of a write."""
    headers = {USER_HEADER: encoded(organizer), KEY_HEADER: encoded(key)}
    return headers if version is None else headers | {VERSION_HEADER: f'"{version}"'}


def read_as(adapter: TypeAdapter[T], answer: Answer) -> T:
    """Read a body; keys that are not known are passed over, so that the service may grow."""
    try:
        return adapter.validate_json(answer.body, extra="ignore")
    except ValidationError as error:
        raise UnreadableAnswer(f"not of the expected shape: {error.errors()[0]['type']}") from error


@dataclass(frozen=True, slots=True)
class Place:
    """Where and whose a booking must be after a write, and the version the write gave it."""

    room_id: str
    date: dt.date
    start_time: dt.time
    minutes: int
    organizer: str
    version: int

    def holds(self, booking: Booking) -> bool:
        """Tell whether this is the booking written; one of a later version was changed since and may be elsewhere."""
        if booking.organizer != self.organizer:
            return False
        if booking.version > self.version:
            return True
        where = (booking.room_id, booking.date, booking.start_time, booking.minutes, booking.status)
        return where == (self.room_id, self.date, self.start_time, self.minutes, "booked")


def booking_at(place: Place, answer: Answer) -> Booking:
    """Read the booking that was written.

    Raises:
        UnreadableAnswer: it is no booking, or another one.
    """
    booking = read_as(_BOOKING, answer)
    if not place.holds(booking):
        raise UnreadableAnswer("another booking than the one asked for")
    return booking


def problem_of(answer: Answer) -> Problem:
    """Read the problem of an answer; a 404 page of anything else is no word on a booking."""
    if answer.status < 400:
        raise UnreadableAnswer(f"unexpected status {answer.status}")
    try:
        problem = read_as(_PROBLEM, answer)
    except UnreadableAnswer as error:
        conflict = answer.status == 409  # may mean that the same key is being worked on
        raise UnreadableAnswer(
            f"status {answer.status} without a problem of this protocol",
            retryable=conflict or answer.status == 408,
            doubt=Doubt.UNANSWERED if conflict else Doubt.NONE,
        ) from error
    return problem.model_copy(update={"status": answer.status})


def refused_of(tool: str, problem: Problem) -> Refused:
    """Give the refusal a user is told; any other problem is outside the protocol."""
    if problem.code == "refused":
        return Refused(tool=tool, reason=" ".join(problem.detail.split())[:MAX_SHOWN_CHARS])
    raise unexpected(problem)


def unexpected(problem: Problem) -> UnreadableAnswer:
    """Make the error for a problem that the call has no meaning for."""
    return UnreadableAnswer(f"status {problem.status} {problem.code}", retryable=False, doubt=Doubt.NONE)


def expect_status(answer: Answer, status: int) -> None:
    """Pass only answers of this status.

    Raises:
        UnreadableAnswer: it is another one; 408 may be asked again.
    """
    if answer.status != status:
        raise UnreadableAnswer(f"unexpected status {answer.status}", retryable=answer.status == 408)


def failed_of(tool: str, answered: NoAnswer) -> Failed:
    """Give the failure of a call that certainly changed nothing."""
    return Failed(tool=tool, reason=answered.reason, retryable=answered.retryable)


def lost(tool: str, reason: str) -> Failed:
    """Give the failure of a write that may have taken effect."""
    return Failed(tool=tool, reason=reason, retryable=True, uncertain=True)
