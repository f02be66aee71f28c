"""A real headless Chromium, one for all tests; every test has a server and a browser profile of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect, sync_playwright

from tests.browser.hosting import Hosted

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
Visit = Callable[..., Page]

expect.set_options(timeout=8000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start a browser for the tests of one file: while Playwright runs, no other loop can run in this process."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium is installed (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def hosted() -> Iterator[Hosted]:
    with Hosted() as server:
        yield server


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Open a page as somebody who has never been there; whatever the console complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        url: str, language: str = "zh", *, width: int = 1280, height: int = 860, dark: bool = False, ready: bool = True
    ) -> Page:
        context = chromium.new_context(
            locale=LOCALES[language],
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        contexts.append(context)
        watched(context.new_page(), complaints).goto(url)
        if ready:
            expect(context.pages[0].locator("#replies button").first).to_be_visible()
        return context.pages[0]

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


def watched(page: Page, complaints: list[str]) -> Page:
    """Note what the console complains of, lost connections apart: tests cut them on purpose."""
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def refuse(dialog: Dialog) -> None:
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("dialog", refuse)

    def note(text: str) -> None:
        if "WebSocket" not in text and "net::ERR" not in text and "401" not in text:
            complaints.append(text)

    page.on("console", lambda message: note(message.text) if message.type in ("error", "warning") else None)
    return page
