"""Runs a function call of a model: the schemas are in `functions`, the operations in `operations`.

Nothing a model sends raises: what it got wrong comes back as ``{"error": …}`` for it to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from booking_bot.app import BookingBot
from booking_bot.dialogue.model import Frozen
from booking_bot.planning.strict_json import NotStrictError, decode
from booking_bot.service.errors import OperationRefused
from booking_bot.service.functions import (
    TOOLS,
    BookRoom,
    CancelBooking,
    GetWeather,
    MoveBooking,
    SuggestAlternatives,
    Talk,
)
from booking_bot.service.operations import BookingService
from booking_bot.service.values import BookingWish, Caller, MoveWish, RoomWish

Given = Mapping[str, object] | str | bytes
_REPLY_FIELDS: Final = frozenset({"text", "phase", "slots", "pending", "options", "booking"})


class FunctionCalls:
    """Runs calls for users of one bot."""

    def __init__(self, bot: BookingBot, service: BookingService | None = None) -> None:
        self._bot = bot
        self._service = service or BookingService(bot.engine)

    async def run(self, caller: Caller, name: str, arguments: Given) -> dict[str, Any]:
        """Run one call and give its result as JSON types.

        Args:
            caller: on whose behalf, as known from a login; no argument can name another.
            arguments: an object or its JSON; null stands for what is left out.
        """
        tool = TOOLS.get(name)
        if tool is None:
            return _error("unknown_function", f"there is no function {name!r}; use one of {', '.join(TOOLS)}")
        try:
            result = await self._dispatch(caller, _validated(tool.arguments, arguments))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "arguments"
            return _error("invalid", f"{where}: {first['msg']}")
        except NotStrictError as error:
            return _error("invalid", f"the arguments are not taken: {error.reason.replace('_', ' ')}")
        except ValueError:
            return _error("invalid", "the arguments are not a JSON object")
        except OperationRefused as refused:
            issues = [issue.model_dump(mode="json") for issue in refused.issues]
            return _error(refused.code, refused.message, issues)
        return result.model_dump(mode="json", include=set(_REPLY_FIELDS) if name == "talk" else None)

    async def _dispatch(self, caller: Caller, given: Frozen) -> BaseModel:
        service = self._service
        match given:
            case Talk():
                answered = await self._bot.answer(
                    given.session_id, given.message, user_id=caller.user_id, channel=caller.channel
                )
                return answered.reply
            case SuggestAlternatives():
                return await service.suggest_alternatives(caller, given, given.room_id)
            case BookRoom():
                wish = BookingWish.model_construct(**{name: getattr(given, name) for name in BookingWish.model_fields})
                step = await service.prepare_booking(caller, wish, given.idempotency_key)
                return await service.settle(caller, step, given.confirm_token)
            case MoveBooking():
                to = MoveWish.model_construct(**{name: getattr(given, name) for name in MoveWish.model_fields})
                step = await service.prepare_move(caller, given.booking_id, to, given.idempotency_key)
                return await service.settle(caller, step, given.confirm_token)
            case CancelBooking():
                step = await service.prepare_cancellation(caller, given.booking_id, given.idempotency_key)
                return await service.settle(caller, step, given.confirm_token)
            case GetWeather():
                return await service.get_weather(caller, given.location, given.date)
            case RoomWish():
                return await service.search_rooms(caller, given)
            case _:
                return await service.my_bookings(caller)


def _validated(model: type[Frozen], arguments: Given) -> Frozen:
    values = _decoded(arguments) if isinstance(arguments, str | bytes) else dict(arguments)
    if not isinstance(values, dict):
        raise ValueError("not an object")
    return model.model_validate({name: value for name, value in values.items() if value is not None})


def _decoded(arguments: str | bytes) -> object:
    decode(arguments if isinstance(arguments, str) else arguments.decode())  # refuses what has two meanings
    return from_json(arguments)


def _error(code: str, message: str, issues: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "issues": issues or []}}
