"""Nothing is written without the user's yes: by elicitation where the client has it, else by a token in two steps."""

from __future__ import annotations

from typing import Any

import pytest
from mcp.server import MCPServer

from booking_bot import BookingBot
from tests.channels.mcp.conftest import ERAS, ORDER, Person, call, client_of, refusal, rows

pytestmark = pytest.mark.parametrize("era", ERAS)


async def test_an_assistant_that_only_calls_book_room_books_nothing(
    server: MCPServer, bot: BookingBot, era: str
) -> None:
    async with client_of(server, era) as client:
        for _ in range(3):
            asked = await call(client, "book_room", ORDER)
            assert asked["status"] == "confirmation_required"
            assert asked["booking"] is None and asked["confirm_token"] and "R1001" in asked["read_back"]
        assert "confirmation_invalid" in await refusal(client, "book_room", ORDER | {"confirm_token": "yes"})
    assert await rows(bot) == ()


async def test_the_second_call_with_the_token_books(server: MCPServer, bot: BookingBot, era: str) -> None:
    async with client_of(server, era) as client:
        asked = await call(client, "book_room", ORDER)
        done = await call(client, "book_room", ORDER | {"confirm_token": asked["confirm_token"]})
        again = await call(client, "book_room", ORDER | {"confirm_token": asked["confirm_token"]})
    assert done["status"] == "booked" and again["replayed"] and again["booking"] == done["booking"]
    assert [row.id for row in await rows(bot)] == [done["booking"]["id"]]


async def test_the_token_is_worth_nothing_for_other_arguments(server: MCPServer, bot: BookingBot, era: str) -> None:
    async with client_of(server, era) as client:
        asked = await call(client, "book_room", ORDER)
        changed = ORDER | {"room_id": "R1002", "confirm_token": asked["confirm_token"]}
        assert "confirmation_invalid" in await refusal(client, "book_room", changed)
    assert await rows(bot) == ()


async def test_a_yes_to_the_question_books_in_one_call(server: MCPServer, bot: BookingBot, era: str) -> None:
    person = Person()
    async with client_of(server, era, person) as client:
        done = await call(client, "book_room", ORDER)
        again = await call(client, "book_room", ORDER)
    assert len(person.asked) == 1 and "14:00–15:00" in person.asked[0]
    assert done["status"] == "booked" and again["replayed"]
    assert len(await rows(bot)) == 1


@pytest.mark.parametrize(
    ("action", "confirm"), [("accept", False), ("decline", False), ("cancel", False)], ids=["no", "decline", "cancel"]
)
async def test_any_other_answer_books_nothing(
    server: MCPServer, bot: BookingBot, era: str, action: str, confirm: bool
) -> None:
    person = Person(action, confirm)
    async with client_of(server, era, person) as client:
        done = await call(client, "book_room", ORDER)
    assert person.asked and done["status"] == "not_confirmed" and done["confirm_token"] is None
    assert await rows(bot) == ()


async def test_a_token_does_not_pass_by_a_user_who_can_be_asked(server: MCPServer, bot: BookingBot, era: str) -> None:
    async with client_of(server, era) as client:
        asked = await call(client, "book_room", ORDER)
    person = Person("decline")
    async with client_of(server, era, person) as client:
        done = await call(client, "book_room", ORDER | {"confirm_token": asked["confirm_token"]})
    assert done["status"] == "not_confirmed" and len(person.asked) == 1
    assert await rows(bot) == ()


@pytest.mark.parametrize("asks", [True, False], ids=["elicitation", "token"])
async def test_moving_and_cancelling_are_confirmed_too(
    server: MCPServer, bot: BookingBot, era: str, asks: bool
) -> None:
    person = Person() if asks else None
    async with client_of(server, era, person) as client:

        async def both_steps(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
            first = await call(client, tool, arguments)
            if asks:
                return first
            assert first["status"] == "confirmation_required"
            return await call(client, tool, arguments | {"confirm_token": first["confirm_token"]})

        booking = (await both_steps("book_room", ORDER))["booking"]
        moving = {"booking_id": booking["id"], "start_time": "16:00", "idempotency_key": "m"}
        moved = await both_steps("move_booking", moving)
        assert moved["status"] == "moved" and moved["booking"]["start"] == "16:00"
        cancelled = await both_steps("cancel_booking", {"booking_id": booking["id"]})
        assert cancelled["status"] == "cancelled"
        assert await call(client, "my_bookings") == {"bookings": []}
    assert [row.status for row in await rows(bot)] == ["cancelled"]
    assert person is None or len(person.asked) == 3


async def test_a_no_keeps_the_booking(server: MCPServer, bot: BookingBot, era: str) -> None:
    async with client_of(server, era, Person()) as client:
        booking = (await call(client, "book_room", ORDER))["booking"]
    async with client_of(server, era, Person(confirm=False)) as client:
        moving = {"booking_id": booking["id"], "start_time": "16:00", "idempotency_key": "m"}
        assert (await call(client, "move_booking", moving))["status"] == "not_confirmed"
        assert (await call(client, "cancel_booking", {"booking_id": booking["id"]}))["status"] == "not_confirmed"
    (row,) = await rows(bot)
    assert (row.status, f"{row.start_time:%H:%M}") == ("booked", "14:00")


async def test_a_room_taken_while_the_user_was_asked_is_not_booked(
    server: MCPServer, bot: BookingBot, era: str
) -> None:
    async with client_of(server, era) as other:
        theirs = await call(other, "book_room", ORDER | {"idempotency_key": "other"})

        class Slow(Person):
            async def __call__(self, context: Any, params: Any) -> Any:
                if not self.asked:
                    taking = ORDER | {"idempotency_key": "other", "confirm_token": theirs["confirm_token"]}
                    await call(other, "book_room", taking)
                return await super().__call__(context, params)

        async with client_of(server, era, Slow()) as client:
            done = await call(client, "book_room", ORDER)
    assert done["status"] == "taken" and done["booking"] is None and done["rooms"]
    assert len(await rows(bot)) == 1
