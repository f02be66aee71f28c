# ruff: noqa: ARG001  # a tool's parameters are its schema; those read by `prepare` are not read again
"""The tools that write: each is prepared, confirmed, and only then carried out.

The user is asked by elicitation where the client has it; else the first call gives a token and the second one, with
it, writes. Annotations must be real objects here, for the SDK reads them: no postponed evaluation in this module.
"""

from typing import Annotated

from mcp.server import MCPServer
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve

from booking_bot.channels.mcp.identity import Callers
from booking_bot.channels.mcp.registering import register
from booking_bot.channels.mcp.results import Confirm, refusals
from booking_bot.service import BookingService, BookingWish, Caller, MoveWish, Prepared, WriteResult
from booking_bot.service.values import (
    BookingId,
    BuildingCode,
    Capacity,
    ConfirmToken,
    Date,
    Equipped,
    Key,
    Minutes,
    RoomId,
    Start,
    Title,
)

Step = Prepared | WriteResult


def can_be_asked(context: Context) -> bool:
    """Tell whether the client can put a question to its user; one that only opens links cannot."""
    capabilities = context.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def question_of(context: Context, step: Step) -> Elicit[Confirm] | None:
    """Give the read-back as a question, or None when there is nothing to ask or nobody who can be asked."""
    if isinstance(step, Prepared) and can_be_asked(context):
        return Elicit(step.read_back, Confirm)
    return None


async def finish(
    service: BookingService,
    caller: Caller,
    step: Step,
    answer: ElicitationResult[Confirm],
    confirm_token: str | None,
) -> WriteResult:
    """Carry out what the user said yes to; without a question asked, go by the token."""
    with refusals():
        if isinstance(step, WriteResult):
            return step
        if not isinstance(answer, AcceptedElicitation):
            return service.not_confirmed(caller)
        if answer.data is None:
            return await service.settle(caller, step, confirm_token)
        return await service.carry_out(caller, step) if answer.data.confirm else service.not_confirmed(caller)


def add_writing_tools(server: MCPServer, service: BookingService, callers: Callers) -> None:
    """Register the tools."""
    _add_book_room(server, service, callers)
    _add_move_booking(server, service, callers)
    _add_cancel_booking(server, service, callers)


def _add_book_room(server: MCPServer, service: BookingService, callers: Callers) -> None:
    async def prepare(
        date: Date,
        start_time: Start,
        duration_minutes: Minutes,
        capacity: Capacity,
        room_id: RoomId,
        idempotency_key: Key,
        building: BuildingCode | None,
        equipment: Equipped,
        title: Title,
        ctx: Context,
    ) -> Step:
        wish = BookingWish(
            date=date,
            start_time=start_time,
            duration_minutes=duration_minutes,
            capacity=capacity,
            building=building,
            equipment=equipment,
            room_id=room_id,
            title=title,
        )
        with refusals():
            return await service.prepare_booking(callers.of(ctx), wish, idempotency_key)

    async def ask(step: Annotated[Step, Resolve(prepare)], ctx: Context) -> Elicit[Confirm] | None:
        return question_of(ctx, step)

    async def book_room(
        date: Date,
        start_time: Start,
        duration_minutes: Minutes,
        capacity: Capacity,
        room_id: RoomId,
        idempotency_key: Key,
        ctx: Context,
        step: Annotated[Step, Resolve(prepare)],
        answer: Annotated[ElicitationResult[Confirm], Resolve(ask)],
        building: BuildingCode | None = None,
        equipment: Equipped = (),
        title: Title = "",
        confirm_token: ConfirmToken | None = None,
    ) -> WriteResult:
        return await finish(service, callers.of(ctx), step, answer, confirm_token)

    register(server, book_room)


def _add_move_booking(server: MCPServer, service: BookingService, callers: Callers) -> None:
    async def prepare(
        booking_id: BookingId,
        idempotency_key: Key,
        date: Date | None,
        start_time: Start | None,
        duration_minutes: Minutes | None,
        room_id: RoomId | None,
        ctx: Context,
    ) -> Step:
        wish = MoveWish(date=date, start_time=start_time, duration_minutes=duration_minutes, room_id=room_id)
        with refusals():
            return await service.prepare_move(callers.of(ctx), booking_id, wish, idempotency_key)

    async def ask(step: Annotated[Step, Resolve(prepare)], ctx: Context) -> Elicit[Confirm] | None:
        return question_of(ctx, step)

    async def move_booking(
        booking_id: BookingId,
        idempotency_key: Key,
        ctx: Context,
        step: Annotated[Step, Resolve(prepare)],
        answer: Annotated[ElicitationResult[Confirm], Resolve(ask)],
        date: Date | None = None,
        start_time: Start | None = None,
        duration_minutes: Minutes | None = None,
        room_id: RoomId | None = None,
        confirm_token: ConfirmToken | None = None,
    ) -> WriteResult:
        return await finish(service, callers.of(ctx), step, answer, confirm_token)

    register(server, move_booking)


def _add_cancel_booking(server: MCPServer, service: BookingService, callers: Callers) -> None:
    async def prepare(booking_id: BookingId, idempotency_key: Key | None, ctx: Context) -> Step:
        with refusals():
            return await service.prepare_cancellation(callers.of(ctx), booking_id, idempotency_key)

    async def ask(step: Annotated[Step, Resolve(prepare)], ctx: Context) -> Elicit[Confirm] | None:
        return question_of(ctx, step)

    async def cancel_booking(
        booking_id: BookingId,
        ctx: Context,
        step: Annotated[Step, Resolve(prepare)],
        answer: Annotated[ElicitationResult[Confirm], Resolve(ask)],
        idempotency_key: Key | None = None,
        confirm_token: ConfirmToken | None = None,
    ) -> WriteResult:
        return await finish(service, callers.of(ctx), step, answer, confirm_token)

    register(server, cancel_booking)
