"""The tools that change nothing by themselves, and `talk`.

Annotations must be real objects here, for the SDK reads them: no postponed evaluation in this module.
"""

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from booking_bot.app import BookingBot
from booking_bot.channels.mcp.identity import CHANNEL, Callers
from booking_bot.channels.mcp.registering import register
from booking_bot.channels.mcp.results import TalkReply, refusals
from booking_bot.service import BookingService, OwnBookings, RoomsFound, RoomWish, WeatherReport
from booking_bot.service.functions import Message
from booking_bot.service.values import (
    BuildingCode,
    Capacity,
    Date,
    Equipped,
    Label,
    Minutes,
    Place,
    RoomId,
    Start,
)


def add_reading_tools(server: MCPServer, bot: BookingBot, service: BookingService, callers: Callers) -> None:
    """Register the tools."""

    async def talk(message: Message, session_id: Label, ctx: Context) -> TalkReply:
        caller = callers.of(ctx)
        answered = await bot.answer(session_id, message, user_id=caller.user_id, channel=CHANNEL)
        return TalkReply.of(answered.reply)

    async def search_rooms(
        date: Date,
        start_time: Start,
        duration_minutes: Minutes,
        capacity: Capacity,
        ctx: Context,
        building: BuildingCode | None = None,
        equipment: Equipped = (),
    ) -> RoomsFound:
        wish = RoomWish(
            date=date,
            start_time=start_time,
            duration_minutes=duration_minutes,
            capacity=capacity,
            building=building,
            equipment=equipment,
        )
        with refusals():
            return await service.search_rooms(callers.of(ctx), wish)

    async def suggest_alternatives(
        date: Date,
        start_time: Start,
        duration_minutes: Minutes,
        capacity: Capacity,
        ctx: Context,
        building: BuildingCode | None = None,
        equipment: Equipped = (),
        room_id: RoomId | None = None,
    ) -> RoomsFound:
        wish = RoomWish(
            date=date,
            start_time=start_time,
            duration_minutes=duration_minutes,
            capacity=capacity,
            building=building,
            equipment=equipment,
        )
        with refusals():
            return await service.suggest_alternatives(callers.of(ctx), wish, room_id)

    async def my_bookings(ctx: Context) -> OwnBookings:
        with refusals():
            return await service.my_bookings(callers.of(ctx))

    async def get_weather(location: Place, ctx: Context, date: Date | None = None) -> WeatherReport:
        if not location.strip():
            raise ToolError("place_unknown: name a place")
        with refusals():
            return await service.get_weather(callers.of(ctx), location, date)

    for function in (talk, search_rooms, suggest_alternatives, my_bookings, get_weather):
        register(server, function)
