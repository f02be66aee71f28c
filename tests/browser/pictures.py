"""The pictures of the README, taken anew by `python -m tests.browser.pictures` and by nothing else."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from booking_bot.dialogue.model import BookingOrder
from tests.browser.conftest import ARGUMENTS, LOCALES
from tests.browser.hosting import Hosted
from tests.browser.talking import TYPED, say, to_offers

IMAGES = Path(__file__).parents[2] / "docs" / "images"
BUSY = (
    ("R1001", "bob", 9, 90, ""),
    ("R1002", "carol", 10, 60, ""),
    ("R1002", "bob", 15, 120, ""),
    ("R1004", "carol", 13, 120, ""),
    ("R2001", "dave", 16, 60, ""),
    ("R2003", "dave", 11, 90, ""),
    ("R2004", "guest", 17, 30, "Stand-up"),
)


def fill(hosted: Hosted) -> None:
    """Give the day some life."""
    store = hosted.bot.engine.store

    async def book(room_id: str, organizer: str, hour: int, minutes: int, title: str) -> None:
        order = BookingOrder(
            room_id=room_id,
            date=dt.date(2026, 12, 1),
            start_time=dt.time(hour),
            duration_minutes=minutes,
            people=8,
            title=title,
            key=f"picture-{room_id}-{hour}",
        )
        await store.run(lambda tx: store.ledger.book_room(tx, order, organizer))

    for entry in BUSY:
        hosted.run(book(*entry))


def visit(browser: Browser, url: str, language: str, size: tuple[int, int], *, dark: bool = False) -> Page:
    """Open the page as somebody new."""
    width, height = size
    context = browser.new_context(
        locale=LOCALES[language],
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(url)
    expect(page.locator("#replies button").first).to_be_visible()
    return page


def take(page: Page, name: str) -> None:
    """Take a picture once everything stands still."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    page.screenshot(path=IMAGES / f"{name}.png")


def phases(page: Page, language: str, prefix: str) -> None:
    """Walk through the phases, a picture each."""
    say(page, TYPED[language][0])
    expect(page.locator(".chip.asked")).to_be_visible()
    take(page, f"{prefix}-collecting")
    say(page, TYPED[language][1])
    expect(page.locator(".offer")).to_have_count(3)
    take(page, f"{prefix}-choosing")
    page.locator(".offer button").first.click()
    expect(page.locator(".confirm")).to_be_visible()
    take(page, f"{prefix}-confirming")
    page.locator(".confirm button.primary").click()
    expect(page.locator(".booked")).to_be_visible()
    take(page, f"{prefix}-booked")


def main() -> None:
    """Take all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, Hosted() as hosted:
        fill(hosted)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        phases(visit(browser, hosted.url, "en", (1200, 800)), "en", "page")
        dark = visit(browser, hosted.url, "zh", (390, 800), dark=True)
        to_offers(dark, "zh")
        take(dark, "phone-choosing")
        dark.locator("[data-tab=day]").click()
        take(dark, "phone-day")
        browser.close()


if __name__ == "__main__":
    main()
