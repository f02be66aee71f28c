"""Reloading, several tabs, lost connections: the page shows one truth, and nothing said is lost or sent twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from booking_bot.adapters.scripted_model import ScriptedCompletion, ScriptedModel
from booking_bot.ports import Prompt
from tests.browser.conftest import Visit
from tests.browser.hosting import Hosted
from tests.browser.talking import TYPED, phase, say, to_booking, to_offers, to_read_back
from tests.channels.websocket.slow_weather import SlowWeather


def _bubbles(page: Page) -> list[str]:
    return page.locator(".row:not(.welcome) .bubble").all_text_contents()


def test_a_reload_in_the_middle_of_confirming_goes_on_there(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_read_back(page)
    before = _bubbles(page)
    page.reload()
    expect(page.locator(".confirm .read-back")).to_contain_text("R1001")
    assert _bubbles(page) == before
    phase(page, "CONFIRMING")
    page.locator(".confirm button.primary").click()
    phase(page, "BOOKED")
    expect(page.locator("#mine [data-booking]")).to_have_count(1)


def test_two_tabs_show_the_same_talk_live(hosted: Hosted, visit: Visit) -> None:
    one = visit(hosted.url)
    two = one.context.new_page()
    two.goto(hosted.url)
    expect(two.locator("#replies button").first).to_be_visible()
    say(one, TYPED["zh"][0])
    expect(two.locator(".row.user .bubble")).to_have_text(TYPED["zh"][0])
    say(two, TYPED["zh"][1])
    expect(one.locator(".offer")).to_have_count(3)
    two.locator(".offer button").first.click()
    expect(one.locator(".confirm")).to_be_visible()
    one.locator(".confirm button.primary").click()
    for page in (one, two):
        phase(page, "BOOKED")
        expect(page.locator("#mine [data-booking]")).to_have_count(1)
    assert _bubbles(one) == _bubbles(two)


def test_a_lost_connection_is_told_and_what_is_said_meanwhile_is_sent_once(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    say(page, TYPED["zh"][0])
    expect(page.locator("[data-slot=capacity]")).to_be_visible()
    hosted.stop_server()
    expect(page.locator("#banner")).to_be_visible()
    say(page, TYPED["zh"][1])
    expect(page.locator(".row.sending")).to_have_count(1)
    hosted.start_server()
    page.locator("#banner button").click()
    expect(page.locator(".offer")).to_have_count(3)
    expect(page.locator(".row.sending")).to_have_count(0)
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".row.user")).to_have_count(2)


def test_the_same_is_not_said_again_while_it_is_unanswered(visit: Visit) -> None:
    weather = SlowWeather()
    with Hosted(weather=weather) as hosted:
        page = visit(hosted.url)
        asked = "明天北京天气怎么样"
        say(page, asked)
        for _ in range(3):
            page.fill("#composer-text", asked)
            page.keyboard.press("Enter")
        page.fill("#composer-text", "  ")
        page.keyboard.press("Enter")
        page.locator("#composer-send").click()
        expect(page.locator(".dots")).to_be_visible()
        expect(page.locator(".row.user")).to_have_count(1)
        say(page, "明天上海天气怎么样")
        expect(page.locator(".row.user")).to_have_count(2)
        hosted.call(weather.answer.set)
        expect(page.locator(".row.bot .bubble")).to_have_count(3)
        expect(page.locator(".row.sending, .dots")).to_have_count(0)
        say(page, asked)  # it is answered now, and may be asked again
        expect(page.locator(".row.user")).to_have_count(3)


@pytest.mark.parametrize("length", [6_000, 50_000])
def test_what_is_too_long_stays_in_the_box_and_the_talk_goes_on(hosted: Hosted, visit: Visit, length: int) -> None:
    page = visit(hosted.url)
    to_offers(page)
    said = page.locator(".row.user").count()
    page.fill("#composer-text", "会" * length)
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_have_count(1)
    expect(page.locator("#composer-text")).to_have_value("会" * length)
    expect(page.locator(".row.user")).to_have_count(said)
    say(page, "选1")
    phase(page, "CONFIRMING")


def test_half_a_character_is_replaced_and_answered(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    page.evaluate("document.getElementById('composer-text').value = '你好' + String.fromCharCode(0xd83d)")
    page.locator("#composer-send").click()
    expect(page.locator(".row.user .bubble")).to_contain_text("你好\ufffd")
    expect(page.locator(".row.bot .bubble")).to_have_count(2)  # the welcome, and the answer
    expect(page.locator(".row.sending")).to_have_count(0)


def test_a_held_enter_sends_once(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    hosted.stop_server()
    page.fill("#composer-text", "你好")
    page.keyboard.down("Enter")
    page.fill("#composer-text", "您好")
    page.keyboard.down("Enter")  # repeated, as it was not released
    expect(page.locator(".row.user")).to_have_count(1)
    expect(page.locator("#composer-text")).to_have_value("您好")
    hosted.start_server()


def test_pressing_cancel_twice_says_it_once(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_booking(page)
    said = page.locator(".row.user").count()
    hosted.stop_server()
    page.locator("#mine .danger").dblclick()
    expect(page.locator(".row.user")).to_have_count(said + 1)
    hosted.start_server()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_language_chosen_in_one_tab_holds_in_the_other(hosted: Hosted, visit: Visit, language: str) -> None:
    label = {"zh": "Send", "en": "发送"}[language]
    asked = {"zh": "How long", "en": "请问要用多久"}[language]
    one = visit(hosted.url, language)
    say(one, TYPED[language][0])
    two = one.context.new_page()
    two.goto(hosted.url)
    expect(two.locator(".chip.asked")).to_be_visible()
    one.locator("#language").click()
    for page in (one, two):
        expect(page.locator("#composer-send")).to_have_text(label)
        expect(page.locator(".row.bot .bubble").last).to_contain_text(asked)
    two.locator("#replies button").first.click()  # an answer by button, said by the tab that followed
    expect(two.locator(".offer")).to_have_count(3)
    expect(two.locator(".row.bot .bubble").last).to_contain_text({"zh": "rooms are free", "en": "间可选"}[language])


def test_a_new_conversation_in_one_tab_is_the_others_too(hosted: Hosted, visit: Visit) -> None:
    one = visit(hosted.url)
    to_read_back(one)
    two = one.context.new_page()
    two.goto(hosted.url)
    expect(two.locator(".confirm")).to_be_visible()
    one.locator("#new-talk").click()
    expect(two.locator(".confirm, .row.user")).to_have_count(0)
    say(two, TYPED["zh"][0])
    expect(one.locator(".row.user .bubble")).to_have_text([TYPED["zh"][0]])
    expect(one.locator(".chip.asked")).to_be_visible()
    assert _bubbles(one) == _bubbles(two)


def test_a_conversation_that_is_gone_is_told(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    say(page, TYPED["zh"][0])
    expect(page.locator("[data-slot=capacity]")).to_be_visible()
    page.evaluate("localStorage.setItem('booking-bot.session', 'A'.repeat(22))")
    hosted.stop_server()
    hosted.start_server()
    expect(page.locator(".notice")).to_contain_text("新对话")
    expect(page.locator(".row.user")).to_have_count(0)
    to_offers(page)


def test_without_the_data_beside_it_the_chat_still_books(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    expect(page.locator("#replies button").first).to_be_visible()
    for text in TYPED["zh"]:
        say(page, text)
    phase(page, "BOOKED")


def test_an_answer_that_takes_long_is_awaited_with_dots(visit: Visit) -> None:
    weather = SlowWeather()
    with Hosted(weather=weather) as hosted:
        page = visit(hosted.url)
        say(page, "明天北京天气怎么样")
        expect(page.locator(".dots")).to_be_visible()
        hosted.call(weather.answer.set)
        expect(page.locator(".row.bot .bubble").last).to_contain_text("晴")
        expect(page.locator(".dots")).to_have_count(0)


def test_a_card_waits_in_every_tab_while_one_of_them_is_answered(visit: Visit) -> None:
    weather = SlowWeather()
    with Hosted(weather=weather) as hosted:
        one = visit(hosted.url)
        to_read_back(one)
        two = one.context.new_page()
        two.goto(hosted.url)
        expect(two.locator(".confirm button")).to_have_count(2)
        say(one, "明天北京天气怎么样")
        expect(two.locator(".row.user .bubble").last).to_have_text("明天北京天气怎么样")
        two.locator("#language").click()  # draws the page anew
        expect(two.locator("#composer-send")).to_have_text("Send")
        two.wait_for_timeout(100)
        for page in (one, two):
            expect(page.locator(".confirm button")).to_have_count(0)
        hosted.call(weather.answer.set)
        for page in (one, two):
            expect(page.locator(".confirm button")).to_have_count(2)


def test_a_slow_day_does_not_hold_up_the_talk(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    page.route("**/api/day*", lambda _route: None)  # never answered
    to_read_back(page)
    phase(page, "CONFIRMING")
    page.unroute_all(behavior="ignoreErrors")


class WritingModel(ScriptedModel):
    """A scripted model that stops before the end of its answer until it may go on."""

    def __init__(self) -> None:
        message = (
            "请问您打算开多久呢？这里可以订半小时到两小时，整点或者半点开始都行，先告诉我大概的时长就好，别的稍后再说。"
        )
        super().__init__([f'{{"thought": "", "action": "ask_user", "action_input": {{"message": "{message}"}}}}'])
        self.go_on = asyncio.Event()

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> ScriptedCompletion:
        answer = await super().complete(prompt)
        assert on_text is not None
        on_text(answer.text[:-8])
        await self.go_on.wait()
        on_text(answer.text[-8:])
        return answer


def test_an_answer_is_shown_while_it_is_written_and_once_only_after_a_reload(visit: Visit) -> None:
    model = WritingModel()
    with Hosted(model=model) as hosted:
        page = visit(hosted.url)
        say(page, TYPED["zh"][0])
        writing = page.locator(".row.bot:not(.welcome) .bubble")
        expect(writing).to_contain_text("请问您打算")
        expect(writing).not_to_contain_text("稍后再说")
        expect(page.locator(".dots")).to_have_count(0)
        page.reload()
        expect(writing).to_contain_text("请问您打算")
        hosted.call(model.go_on.set)
        expect(writing).to_contain_text("稍后再说")
        expect(writing).to_have_count(1)
        expect(page.locator(".row.user .bubble")).to_have_text([TYPED["zh"][0]])
        expect(page.locator("#replies button").first).to_be_visible()


def test_a_connection_lost_while_an_answer_is_written_shows_it_once(visit: Visit) -> None:
    model = WritingModel()
    with Hosted(model=model) as hosted:
        page = visit(hosted.url)
        page.evaluate(
            "() => { const send = WebSocket.prototype.send;"
            " WebSocket.prototype.send = function (data) { window.socket = this; return send.call(this, data); }; }"
        )
        say(page, TYPED["zh"][0])
        writing = page.locator(".row.bot:not(.welcome) .bubble")
        expect(writing).to_contain_text("请问您打算")
        page.evaluate("window.socket.close()")
        expect(page.locator("#banner")).to_be_visible()
        page.locator("#banner button").click()
        expect(page.locator("#banner")).to_be_hidden()
        expect(writing).to_contain_text("请问您打算")
        hosted.call(model.go_on.set)
        expect(writing).to_contain_text("稍后再说")
        expect(writing).to_have_count(1)
        expect(page.locator(".row.user .bubble")).to_have_text([TYPED["zh"][0]])
        expect(page.locator(".row.sending, .dots")).to_have_count(0)


def test_what_is_being_done_is_said_while_it_takes_long(visit: Visit) -> None:
    weather = SlowWeather()
    with Hosted(weather=weather) as hosted:
        page = visit(hosted.url)
        say(page, "明天北京天气怎么样")
        expect(page.locator(".dots .doing")).to_have_text("正在查天气…")
        hosted.call(weather.answer.set)
        expect(page.locator(".dots")).to_have_count(0)
