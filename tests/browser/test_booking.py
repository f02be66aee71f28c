"""Booking a room on the page: by typing, by clicking, by keyboard, in both languages."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.hosting import Hosted
from tests.browser.talking import CLICKED, TYPED, WISH, YES, phase, say, to_booking, to_offers, to_read_back

languages = pytest.mark.parametrize("language", ["zh", "en"])


@languages
def test_four_typed_messages_book_a_room(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    for text, name in zip(
        TYPED[language], ("COLLECTING_SLOTS", "AWAITING_SELECTION", "CONFIRMING", "BOOKED"), strict=True
    ):
        say(page, text)
        phase(page, name)
    expect(page.locator(".booked")).to_contain_text("14:00–15:00")
    expect(page.locator("#mine [data-booking]")).to_have_count(1)
    expect(page.locator("#day svg .own")).to_have_count(1)


@languages
def test_a_room_is_booked_by_clicking_alone(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    for label in CLICKED[language]:
        page.locator("#replies button", has_text=label).first.click()
        expect(page.locator("#replies button", has_text=label).first).not_to_be_visible()
    page.locator(".offer[data-room=R1002] button").click()
    page.locator(".confirm").get_by_role("button", name=YES[language]).click()
    phase(page, "BOOKED")
    expect(page.locator(".booked")).to_contain_text("R1002")


def test_a_room_is_booked_by_keyboard_alone(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url, "en")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the skip link
    page.keyboard.type(WISH["en"])
    page.keyboard.press("Enter")
    expect(page.locator(".offer")).to_have_count(3)
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.closest('.offer') !== null"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".confirm")).to_be_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.confirm .primary')"):
            break
    page.keyboard.press("Space")
    phase(page, "BOOKED")


def test_offers_tell_seats_equipment_and_the_day_to_scale(hosted: Hosted, visit: Visit) -> None:
    first = visit(hosted.url)
    to_booking(first)
    page = visit(hosted.url)
    say(page, "明天下午4点，8人，1小时")
    expect(page.locator(".offer")).to_have_count(3)
    offer = page.locator(".offer[data-room=R1001]")
    expect(offer).to_contain_text("8座")
    expect(offer).to_contain_text("白板")
    taken, wanted = offer.locator(".bar .own"), offer.locator(".bar .wanted")
    assert [taken.get_attribute(name) for name in ("x", "width")] == ["360", "60"]
    assert [wanted.get_attribute(name) for name in ("x", "width")] == ["480", "60"]


def test_the_chips_show_values_with_the_words_they_came_from(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    say(page, TYPED["zh"][0])
    chip = page.locator("[data-slot=start_time]")
    expect(chip).to_contain_text("14:00")
    expect(chip).to_contain_text("下午2点")
    expect(page.locator("[data-slot=duration_minutes]")).to_have_class("chip missing asked")


@languages
def test_a_chip_changes_its_value(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    to_offers(page, language)
    page.locator("[data-slot=capacity]").click()
    page.locator("dialog .choices button", has_text="10").click()
    expect(page.locator("[data-slot=capacity]")).to_contain_text("10")
    page.locator("[data-slot=start_time]").click()
    page.locator("dialog input").fill("15:30")
    page.keyboard.press("Enter")
    expect(page.locator("[data-slot=start_time]")).to_contain_text("15:30")
    page.locator("[data-slot=date]").click()
    page.locator("dialog .choices button").last.click()
    expect(page.locator("[data-slot=date]")).to_contain_text("2")
    expect(page.locator(".offer[data-room=R1004]")).to_be_visible()


def test_a_no_to_the_read_back_shows_the_rooms_again(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_read_back(page)
    page.locator(".confirm").get_by_role("button", name="不要").click()
    expect(page.locator(".offer")).to_have_count(3)
    expect(page.locator(".offer[data-room=R1001]")).to_have_count(0)


def test_offered_lengths_can_be_chosen(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    say(page, "明天下午3点，8人，45分钟")
    page.locator("#replies button", has_text="60分钟").click()
    expect(page.locator("[data-slot=duration_minutes]")).to_contain_text("60")
    expect(page.locator(".offer")).to_have_count(3)


@languages
def test_ones_own_booking_is_cancelled_after_a_read_back(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    to_booking(page, language)
    page.locator("#mine .danger").click()
    expect(page.locator(".confirm")).to_be_visible()
    expect(page.locator("#mine [data-booking]")).to_have_count(1)
    page.locator(".confirm button.primary").click()
    expect(page.locator("#mine [data-booking]")).to_have_count(0)
    phase(page, "COLLECTING_SLOTS")


@languages
def test_ones_own_booking_is_moved_after_a_read_back(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    to_booking(page, language)
    page.locator("#mine [aria-expanded]").click()
    page.locator("#mine input[type=date]").fill("2026-12-02")
    page.locator("#mine input[type=time]").fill("16:30")
    page.locator("#mine form .primary").click()
    expect(page.locator(".confirm .read-back")).to_contain_text("16:30")
    page.locator(".confirm button.primary").click()
    expect(page.locator("#mine [data-booking]")).to_contain_text("16:30–17:30")


@languages
def test_what_is_spoken_decides_the_answers_and_not_what_the_page_is_labelled_in(
    hosted: Hosted, visit: Visit, language: str
) -> None:
    other = {"zh": "en", "en": "zh"}[language]
    page = visit(hosted.url, language)
    say(page, TYPED[other][0])
    expect(page.locator(".row.bot .bubble").last).to_contain_text({"zh": "How long", "en": "请问要用多久"}[language])
    expect(page.locator("#composer-send")).to_have_text({"zh": "发送", "en": "Send"}[language])
    expect(page.locator("#replies button").first).to_have_text({"zh": "30分钟", "en": "30 minutes"}[language])
    page.reload()
    expect(page.locator("#replies button").first).to_have_text({"zh": "30分钟", "en": "30 minutes"}[language])


@languages
def test_the_number_of_a_booking_is_short_until_it_is_pressed(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    to_booking(page, language)
    whole = page.locator("#mine [data-booking]").get_attribute("data-booking")
    assert whole is not None
    number = page.locator(".bubble .booking-number")
    expect(number).to_have_text(whole[:6])
    expect(number).to_have_attribute("title", whole)
    number.click()
    expect(number).to_have_text(whole)
    expect(number).to_have_class("booking-number copied")
    assert page.evaluate("navigator.clipboard.readText()") == whole


OTHER_WISH = {"zh": "明天下午5点，8人，1小时", "en": "tomorrow 5 pm, 8 people, 1 hour"}


def _to_second_read_back(page: Page, language: str) -> None:
    to_booking(page, language)
    say(page, OTHER_WISH[language])
    page.locator(".offer button").first.click()
    expect(page.locator(".confirm.book .read-back")).to_contain_text("17:00")


@languages
def test_a_read_back_is_not_left_for_another_booking_without_a_word(
    hosted: Hosted, visit: Visit, language: str
) -> None:
    page = visit(hosted.url, language)
    _to_second_read_back(page, language)
    said = page.locator(".row.user").count()
    page.locator("#mine .danger").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("17:00–18:00")
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Enter")  # the focus is on the way back
    expect(dialog).to_have_count(0)
    expect(page.locator("#mine .danger")).to_be_focused()
    expect(page.locator(".row.user")).to_have_count(said)
    page.locator("#mine .danger").click()
    page.locator("[role=alertdialog] .primary").click()
    expect(page.locator(".confirm.cancel")).to_be_visible()


def test_a_move_waits_in_its_form_while_the_page_asks(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_booking(page)
    say(page, "明天下午5点，8人")
    expect(page.locator(".chip.asked")).to_be_visible()
    page.locator("#mine [aria-expanded]").click()
    page.locator("#mine input[type=time]").fill("16:30")
    page.locator("#mine form .primary").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#mine input[type=time]")).to_have_value("16:30")
    page.locator("#mine form .primary").click()
    page.locator("[role=alertdialog] .primary").click()
    expect(page.locator(".confirm.move .read-back")).to_contain_text("16:30")
    page.locator("#mine .danger").click()  # the same booking: nothing else is given up
    expect(page.locator(".confirm.cancel")).to_be_visible()


def test_a_new_conversation_starts_empty(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_offers(page)
    page.locator("#new-talk").click()
    expect(page.locator(".offer")).to_have_count(0)
    expect(page.locator(".row.user")).to_have_count(0)
    phase(page, "COLLECTING_SLOTS")
    to_offers(page)


def test_the_talk_can_be_saved_as_a_transcript(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_booking(page)
    with page.expect_download() as download:
        page.locator("#save").click()
    text = download.value.path().read_text("utf-8")
    assert text.startswith("transcript: 1\n")
    assert WISH["zh"] in text
    assert '"phase": "BOOKED"' in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_one_of_two_bookings_at_the_same_time_is_cancelled_and_moved(visit: Visit, language: str) -> None:
    rooms = {"zh": ("黄河", "珠江"), "en": ("Yellow River", "Pearl River")}[language]
    ask = {"zh": "订{}，明天下午3点，1小时，6人", "en": "book {} tomorrow at 3pm for 1 hour, 6 people"}[language]
    with Hosted(site="office") as hosted:
        page = visit(hosted.url, language)
        for number, room in enumerate(rooms, 1):
            say(page, ask.format(room))
            page.locator(".confirm button.primary").click()
            expect(page.locator("#mine [data-booking]")).to_have_count(number)
        for room in rooms:
            own = page.locator("#mine [data-booking]", has_text=room)
            own.locator("[aria-expanded]").click()
            own.locator("input[type=time]").fill("16:30")
            own.locator("form .primary").click()
            expect(page.locator(".confirm")).to_contain_text(room)
            page.locator(".confirm button.primary").click()
            expect(own).to_contain_text("16:30–17:30")
        page.locator("#mine [data-booking]", has_text=rooms[1]).locator(".danger").click()
        expect(page.locator(".confirm")).to_contain_text(rooms[1])
        page.locator(".confirm button.primary").click()
        expect(page.locator("#mine [data-booking]")).to_have_count(1)
        expect(page.locator("#mine [data-booking]")).to_contain_text(rooms[0])
