"""Reloading, several tabs, lost connections: the page shows one truth, and nothing said is lost or sent twice."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.hosting import Hosted
from tests.browser.talking import TYPED, phase, say, to_offers, to_read_back
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


def test_a_slow_day_does_not_hold_up_the_talk(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    page.route("**/api/day*", lambda _route: None)  # never answered
    to_read_back(page)
    phase(page, "CONFIRMING")
    page.unroute_all(behavior="ignoreErrors")
