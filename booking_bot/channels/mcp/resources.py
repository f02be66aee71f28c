"""What an assistant can read: the rooms, the house rules, today's schedule; and a prompt to start a booking with."""

from __future__ import annotations

from mcp.server import MCPServer
from pydantic import TypeAdapter

from booking_bot.channels.mcp.identity import Callers
from booking_bot.dialogue.policy import window_of
from booking_bot.dialogue.site import Room
from booking_bot.service import BookingService

_ROOMS = TypeAdapter(tuple[Room, ...])
JSON = "application/json"


def add_resources(server: MCPServer, service: BookingService, callers: Callers) -> None:
    """Register the resources."""
    site = service.site

    @server.resource("booking://rooms", name="rooms", title="Rooms", mime_type=JSON)
    def rooms() -> str:
        """All rooms of the office with building, floor, seats and equipment."""
        return _ROOMS.dump_json(site.rooms).decode()

    @server.resource("booking://policy", name="policy", title="House rules", mime_type=JSON)
    def policy() -> dict[str, object]:
        """The house rules: opening hours, legal lengths, the dates that can be booked now."""
        today = service.engine.now().date()
        first, last = window_of(site.policy, today)
        return site.policy.model_dump(mode="json") | {
            "site": site.name,
            "today": today.isoformat(),
            "first_date": first.isoformat(),
            "last_date": last.isoformat(),
            "durations_minutes": list(site.policy.durations),
            "seat_counts": list(site.seat_counts),
        }

    @server.resource("booking://schedule/today", name="today", title="Today's schedule", mime_type=JSON)
    async def today() -> str:
        """What is taken today; other people's meetings show neither title nor organizer."""
        return (await service.schedule(callers.of())).model_dump_json()


def add_prompt(server: MCPServer) -> None:
    """Register the prompt."""

    @server.prompt("book_a_room", title="Book a meeting room")
    def book_a_room(wish: str = "") -> str:
        """Book a meeting room step by step, with the user's own yes at the end."""
        wanted = f"The wish, as the user put it: «{wish[:500]}». " if wish.strip() else ""
        return (
            f"Help me book a meeting room. {wanted}Find out the date, the start, the length and how many people; ask "
            "me for what is missing and do not make anything up. Then use search_rooms, show me the rooms, and let me "
            "choose. Call book_room for the one I chose, show me its read_back word for word, and go on only after I "
            "said yes."
        )
