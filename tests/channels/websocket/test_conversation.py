"""Talking over the socket: events in order, state, questions and their answers, repeated messages."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from tests.channels.websocket.talking import House, interrupt_of, snapshot_of, text_of

FOUR_TURNS = {
    "zh": ("明天下午2点8人会议室", "1小时", "选1", "确认"),
    "en": ("a room for 8 tomorrow at 2 pm", "one hour", "number 1", "yes please"),
}


async def test_the_first_event_names_a_session_nobody_can_guess(house: House) -> None:
    async with house.connected() as talk, house.connected() as other:
        events = await talk.hello()
        await other.hello()
    assert (events[0]["type"], events[0]["name"]) == ("CUSTOM", "session")
    assert events[0]["value"] == {"session_id": talk.session_id, "seq": 0, "pending": None}
    assert len(talk.session_id) == 22
    assert talk.session_id != other.session_id
    assert events[1]["snapshot"]["phase"] == "COLLECTING_SLOTS"
    assert [event["type"] for event in events] == ["CUSTOM", "STATE_SNAPSHOT"]


@pytest.mark.parametrize("language", FOUR_TURNS)
async def test_four_turns_book_a_room(house: House, language: str) -> None:
    async with house.talk() as talk:
        runs = [await talk.say(text) for text in FOUR_TURNS[language]]
    phases = [snapshot_of(run)["phase"] for run in runs]
    assert phases == ["COLLECTING_SLOTS", "AWAITING_SELECTION", "CONFIRMING", "BOOKED"]
    booking = snapshot_of(runs[-1])["booking"]
    assert (booking["room"], booking["date"], booking["start"], booking["minutes"]) == (
        "R1001",
        "2026-12-01",
        "14:00",
        60,
    )
    assert booking["organizer"] == "guest"
    assert runs[-1][-1]["outcome"] == {"type": "success"}


async def test_events_are_numbered_without_gaps(house: House) -> None:
    async with house.talk() as talk:
        events = [event for text in FOUR_TURNS["zh"] for event in await talk.say(text)]
    assert all(after["seq"] == before["seq"] + 1 for before, after in pairwise(events))
    assert events[0]["seq"] == 1


async def test_a_turn_runs_from_started_to_finished_with_its_tools(house: House) -> None:
    async with house.talk() as talk:
        await talk.say("明天下午2点8人会议室")
        run = await talk.say("1小时", "mine")
    assert [event["type"] for event in run] == [
        "RUN_STARTED",
        "CUSTOM",
        "TOOL_CALL_START",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "STATE_SNAPSHOT",
        "RUN_FINISHED",
    ]
    assert run[0]["threadId"] == talk.session_id
    assert run[0]["runId"] == run[-1]["runId"] == "mine"
    assert run[2]["toolCallName"] == "search_rooms"


async def test_the_snapshot_tells_values_their_words_and_the_offers(house: House) -> None:
    async with house.talk() as talk:
        await talk.say("明天下午2点8人会议室")
        snapshot = snapshot_of(await talk.say("1小时"))
    assert snapshot["slots"] == {"date": "2026-12-01", "start_time": "14:00", "duration_minutes": 60, "capacity": 8}
    assert snapshot["evidence"]["start_time"] == {"words": "下午2点", "turn": 1, "source": "rule"}
    assert [offer["room_id"] for offer in snapshot["offers"]] == ["R1001", "R1002", "R1003"]
    assert (snapshot["pending"], snapshot["booking"]) == ("select_room", None)


async def test_buttons_answer_questions(house: House) -> None:
    async with house.talk() as talk:
        run = await talk.say("明天下午2点8人会议室，1小时")
        assert interrupt_of(run)["responseSchema"]["properties"]["choice"] == {
            "type": "integer",
            "minimum": 1,
            "maximum": 3,
        }
        answer = {"interrupt_id": interrupt_of(run)["id"], "status": "resolved", "payload": {"room_id": "R1002"}}
        await talk.send(type="resume", id="r1", **answer)
        run = await talk.until("RUN_FINISHED")
        assert snapshot_of(run)["room"] == "R1002"
        answer = {"interrupt_id": interrupt_of(run)["id"], "status": "resolved", "payload": {"confirmed": True}}
        await talk.send(type="resume", id="r2", **answer)
        assert snapshot_of(await talk.until("RUN_FINISHED"))["phase"] == "BOOKED"


@pytest.mark.parametrize(
    ("answer", "phase"),
    [
        ({"status": "resolved", "payload": {"confirmed": False}}, "AWAITING_SELECTION"),
        ({"status": "cancelled"}, "AWAITING_SELECTION"),
    ],
    ids=["no", "cancelled"],
)
async def test_a_button_can_say_no_to_the_read_back(house: House, answer: dict[str, object], phase: str) -> None:
    async with house.talk() as talk:
        for text in FOUR_TURNS["en"][:3]:
            run = await talk.say(text)
        await talk.send(type="resume", id="r", interrupt_id=interrupt_of(run)["id"], **answer)
        run = await talk.until("RUN_FINISHED")
    assert snapshot_of(run)["phase"] == phase
    assert "free" in text_of(run)


async def test_cancelling_a_choice_drops_the_draft(house: House) -> None:
    async with house.talk() as talk:
        run = await talk.say("明天下午2点8人会议室，1小时")
        await talk.send(type="resume", id="r", interrupt_id=interrupt_of(run)["id"], status="cancelled")
        snapshot = snapshot_of(await talk.until("RUN_FINISHED"))
    assert (snapshot["phase"], snapshot["slots"]) == ("COLLECTING_SLOTS", {})


async def test_an_answer_to_an_old_question_gets_the_current_one(house: House) -> None:
    async with house.talk() as talk:
        old = interrupt_of(await talk.say("明天下午2点8人会议室，1小时"))
        await talk.say("选1")
        await talk.send(type="resume", id="r", interrupt_id=old["id"], status="resolved", payload={"choice": 2})
        run = await talk.until("RUN_FINISHED")
    assert snapshot_of(run)["phase"] == "CONFIRMING"
    assert snapshot_of(run)["room"] == "R1001"
    assert "请确认" in text_of(run)


async def test_a_payload_the_question_does_not_ask_for_is_refused(house: House) -> None:
    async with house.talk() as talk:
        run = await talk.say("明天下午2点8人会议室，1小时")
        wrong = {"interrupt_id": interrupt_of(run)["id"], "status": "resolved", "payload": {"confirmed": True}}
        await talk.send(type="resume", id="r", **wrong)
        assert (await talk.event())["code"] == "bad_payload"
        assert snapshot_of(await talk.say("2"))["room"] == "R1002"


async def test_the_same_message_id_has_one_effect_and_the_same_answer(house: House) -> None:
    async with house.talk() as talk:
        for text in FOUR_TURNS["zh"][:3]:
            await talk.say(text)
        first = await talk.say("确认", "once")
        again = await talk.say("确认", "once")
        assert again == first
        assert "R1001" in text_of(await talk.say("我有哪些预订"))
        bookings = await house.bot.engine.store.read(house.bot.engine.store.ledger.all_bookings)
    assert len(bookings) == 1


async def test_one_id_sent_five_times_at_once_books_once(house: House) -> None:
    async with house.talk() as talk:
        for text in FOUR_TURNS["zh"][:3]:
            await talk.say(text)
        for _ in range(5):
            await talk.send(type="message", id="double click", text="确认")
        runs = [await talk.until("RUN_FINISHED") for _ in range(5)]
    assert all(run == runs[0] for run in runs)
    assert snapshot_of(runs[0])["phase"] == "BOOKED"


async def test_messages_pasted_at_once_are_answered_in_order(house: House) -> None:
    async with house.talk() as talk:
        for number, text in enumerate(FOUR_TURNS["zh"]):
            await talk.send(type="message", id=f"p{number}", text=text)
        runs = [await talk.until("RUN_FINISHED") for _ in FOUR_TURNS["zh"]]
    assert [run[0]["runId"] for run in runs] == ["p0", "p1", "p2", "p3"]
    assert snapshot_of(runs[-1])["phase"] == "BOOKED"


async def test_two_tabs_see_one_state_live(house: House) -> None:
    async with house.talk() as one, house.talk(one.session_id) as two:
        mine = await one.say("明天下午2点8人会议室")
        assert await two.until("RUN_FINISHED") == mine
        assert mine[1]["value"]["text"] == "明天下午2点8人会议室"
        theirs = await two.say("1小时")
        assert await one.until("RUN_FINISHED") == theirs
        assert not await one.quiet()


async def test_tabs_that_speak_at_once_get_the_same_events(house: House) -> None:
    async with house.talk() as one, house.talk(one.session_id) as two:
        await asyncio.gather(
            one.send(type="message", id="a", text="明天下午2点8人会议室"),
            two.send(type="message", id="b", text="1小时"),
        )
        seen = [[await tab.until("RUN_FINISHED") for _ in range(2)] for tab in (one, two)]
    assert seen[0] == seen[1]
    assert {run[0]["runId"] for run in seen[0]} == {"a", "b"}


async def test_sessions_do_not_see_each_other(house: House) -> None:
    async with house.talk() as one, house.talk() as two:
        await one.say("明天下午2点8人会议室")
        assert not await two.quiet()


async def test_the_language_can_be_set_for_good(house: House) -> None:
    async with house.talk(language="en") as talk:
        assert "How long" in text_of(await talk.say("明天下午2点8人会议室"))


async def test_a_message_without_an_id_is_answered_too(house: House) -> None:
    async with house.talk() as talk:
        await talk.send(type="message", text="明天下午2点8人会议室")
        assert (await talk.until("RUN_FINISHED"))[-1]["runId"] == "turn-1"
