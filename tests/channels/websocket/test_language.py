"""The language somebody chose holds for every answer, also where a button's answer has no words to go by."""

from __future__ import annotations

import pytest

from tests.channels.websocket.talking import House, Talk, interrupt_of, snapshot_of, text_of

WISH = {"zh": "明天下午2点8人会议室", "en": "a room for 8 tomorrow at 2 pm"}
LENGTH = {"zh": "请问要用多久", "en": "How long"}
OTHER = {"zh": "en", "en": "zh"}


async def _answer(talk: Talk, interrupt_id: str, **payload: object) -> list[dict[str, object]]:
    await talk.send(type="resume", id="r", interrupt_id=interrupt_id, status="resolved", payload=payload)
    return await talk.until("RUN_FINISHED")


async def _choose(talk: Talk, language: str) -> list[dict[str, object]]:
    await talk.send(type="language", language=language)
    await talk.send(type="ping")
    return (await talk.until(names=("pong",)))[:-1]


@pytest.mark.parametrize("spoken", WISH)
async def test_a_language_chosen_in_mid_talk_holds_for_answers_by_button(house: House, spoken: str) -> None:
    async with house.talk() as talk:
        run = await talk.say(WISH[spoken])
        await _choose(talk, OTHER[spoken])
        run = await _answer(talk, interrupt_of(run)["id"], text="60")
        assert snapshot_of(run)["language"] == OTHER[spoken]
        assert ("有3间可选" in text_of(run)) is (spoken == "en")


@pytest.mark.parametrize("spoken", WISH)
async def test_what_is_asked_is_shown_again_in_the_language_chosen(house: House, spoken: str) -> None:
    async with house.talk() as talk:
        seq = (await talk.say(WISH[spoken]))[-1]["seq"]
        shown = await _choose(talk, OTHER[spoken])
        assert LENGTH[OTHER[spoken]] in text_of(shown)
        assert [event["type"] for event in shown][:2] == ["STATE_SNAPSHOT", "TEXT_MESSAGE_START"]
        assert {event["seq"] for event in shown} == {seq}


async def test_a_choice_wins_over_the_words_until_it_is_given_up(house: House) -> None:
    async with house.talk(language="zh") as talk:
        assert snapshot_of(await talk.say(WISH["en"]))["language"] == "zh"
        await _choose(talk, "auto")
        assert snapshot_of(await talk.say("one hour"))["language"] == "en"


async def test_the_hello_shows_what_is_asked_in_the_language_chosen(house: House) -> None:
    async with house.talk() as talk:
        await talk.say(WISH["zh"])
    async with house.connected() as again:
        assert LENGTH["en"] in text_of((await again.hello(talk.session_id, 10_000, language="en"))[1:])


async def test_a_language_is_chosen_for_one_connection_of_the_session(house: House) -> None:
    async with house.talk() as talk, house.connected() as other:
        await talk.say(WISH["zh"])
        await other.hello(talk.session_id, 10_000)
        await _choose(other, "en")
        assert snapshot_of(await talk.say("一个小时"))["language"] == "zh"
        assert snapshot_of(await other.until("RUN_FINISHED"))["language"] == "zh"
        run = await other.say("选1", "o1")
        assert snapshot_of(run)["language"] == "en"


async def test_a_language_is_chosen_after_the_hello_only(house: House) -> None:
    async with house.connected() as talk:
        await talk.send(type="language", language="en")
        assert (await talk.event())["code"] == "hello_first"
