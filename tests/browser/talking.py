"""What people do on the page, in both languages."""

from __future__ import annotations

from playwright.sync_api import Page, expect

TYPED = {
    "zh": ("明天下午2点8人会议室", "1小时", "选1", "确认"),
    "en": ("a room for 8 tomorrow at 2 pm", "one hour", "number 1", "yes please"),
}
CLICKED = {
    "zh": ("我想订会议室", "明天", "14:00", "60分钟", "8人"),
    "en": ("I want to book a room", "Tomorrow", "14:00", "60 minutes", "8 people"),
}
YES = {"zh": "预订会议室B，12月1日 周二 14:00–15:00", "en": "Book Room B, Tue 1 Dec, 14:00–15:00"}
WISH = {"zh": "明天下午2点，8人，1小时", "en": "tomorrow 2 pm, 8 people, 1 hour"}


def say(page: Page, text: str) -> None:
    page.fill("#composer-text", text)
    page.keyboard.press("Enter")
    expect(page.locator(".row.user .bubble").last).to_have_text(text)


def phase(page: Page, name: str) -> None:
    expect(page.locator("#track")).to_have_attribute("data-phase", name)


def to_offers(page: Page, language: str = "zh") -> None:
    say(page, WISH[language])
    expect(page.locator(".offer")).to_have_count(3)


def to_read_back(page: Page, language: str = "zh") -> None:
    to_offers(page, language)
    page.locator(".offer button").first.click()
    expect(page.locator(".confirm")).to_be_visible()


def to_booking(page: Page, language: str = "zh") -> None:
    to_read_back(page, language)
    page.locator(".confirm button.primary").click()
    expect(page.locator(".booked")).to_be_visible()
