"""The booking operations for programs, one typed service under every channel that is not a conversation."""

from booking_bot.service.calls import FunctionCalls
from booking_bot.service.errors import OperationRefused, RefusalCode
from booking_bot.service.functions import TOOLS, FunctionTool, openai_tools
from booking_bot.service.operations import BookingService, Prepared
from booking_bot.service.values import (
    AlternativeOffer,
    BookingWish,
    Caller,
    IssueShown,
    MoveWish,
    OwnBookings,
    RoomOffer,
    RoomsFound,
    RoomWish,
    Schedule,
    WeatherReport,
    WriteResult,
)

__all__ = [
    "TOOLS",
    "AlternativeOffer",
    "BookingService",
    "BookingWish",
    "Caller",
    "FunctionCalls",
    "FunctionTool",
    "IssueShown",
    "MoveWish",
    "OperationRefused",
    "OwnBookings",
    "Prepared",
    "RefusalCode",
    "RoomOffer",
    "RoomWish",
    "RoomsFound",
    "Schedule",
    "WeatherReport",
    "WriteResult",
    "openai_tools",
]
