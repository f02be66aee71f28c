"""The page for everybody: axe's checks in every phase, small screens, both themes, labels."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.hosting import Hosted
from tests.browser.talking import TYPED, say, to_booking, to_offers, to_read_back


def _violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{item['id']}: {[node['html'][:160] for node in item['nodes']]}" for item in found]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_any_phase(hosted: Hosted, visit: Visit, dark: bool) -> None:
    page = visit(hosted.url, dark=dark)
    assert _violations(page) == []
    say(page, TYPED["zh"][0])
    expect(page.locator(".chip.asked")).to_be_visible()
    assert _violations(page) == []
    page.locator("[data-slot=capacity]").click()
    assert _violations(page) == []
    page.keyboard.press("Escape")
    page.locator("#new-talk").click()
    to_booking(page)
    assert _violations(page) == []
    page.locator("#mine [aria-expanded]").click()
    assert _violations(page) == []


def test_axe_finds_nothing_where_rooms_are_chosen_and_confirmed(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url, "en")
    to_offers(page, "en")
    assert _violations(page) == []
    page.locator(".offer button").first.click()
    expect(page.locator(".confirm")).to_be_visible()
    assert _violations(page) == []


@pytest.mark.parametrize("width", [320, 360, 480, 768, 1024, 1440])
def test_nothing_is_wider_than_the_screen(hosted: Hosted, visit: Visit, width: int) -> None:
    page = visit(hosted.url, "en", width=width, height=740)
    to_read_back(page, "en")
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) == 0
    send = page.locator("#composer-send").bounding_box()
    assert send is not None
    assert send["x"] + send["width"] <= width
    assert send["y"] + send["height"] <= 740
    if width < 900:
        for tab in ("day", "mine", "chat"):
            page.locator(f"[data-tab={tab}]").click()
            assert page.evaluate(overflow) == 0


FITS = """() => {
  const box = document.querySelector("#composer-text");
  const style = getComputedStyle(box);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(box.placeholder).width <= room;
}"""


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("width", [320, 360])
def test_on_a_phone_nothing_is_cut_or_covered(hosted: Hosted, visit: Visit, language: str, width: int) -> None:
    page = visit(hosted.url, language, width=width, height=640)
    assert page.evaluate(FITS)
    title, tool = page.locator("#title").bounding_box(), page.locator("#new-talk").bounding_box()
    assert title is not None
    assert tool is not None
    assert title["x"] + title["width"] <= tool["x"]
    wide = page.locator("#title").evaluate("node => node.scrollWidth > node.clientWidth")
    assert not wide
    say(page, TYPED[language][0])
    expect(page.locator(".chip.asked")).to_be_visible()
    inside = "nodes => nodes.every((node) => node.getBoundingClientRect().right <= innerWidth)"
    for part in (".chip", "#replies button", "#track .name", "#tabs button"):
        assert page.locator(part).evaluate_all(inside), part
    assert page.locator("#chips ul").evaluate("node => node.scrollWidth <= node.clientWidth")
    say(page, TYPED[language][1])
    page.locator(".offer button").first.click()
    for button in page.locator(".confirm button").all():  # both answers are in sight
        expect(button).to_be_in_viewport(ratio=1)


def test_a_message_written_at_the_day_view_brings_the_talk_back(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url, width=360, height=740)
    to_booking(page)
    page.locator("[data-tab=mine]").click()
    page.locator("#mine .danger").click()
    expect(page.locator(".confirm")).to_be_visible()


def test_every_control_has_a_name(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url, "en")
    to_offers(page, "en")
    nameless = page.evaluate(
        "[...document.querySelectorAll('button, input, textarea')]"
        ".filter((node) => !(node.ariaLabel || node.textContent.trim() || node.labels?.length))"
        ".map((node) => node.outerHTML)"
    )
    assert nameless == []
    names = page.locator(".offer button").evaluate_all("nodes => nodes.map((node) => node.ariaLabel)")
    assert names == ["Choose Room A", "Choose Room B", "Choose Room C"]


def test_the_talk_is_announced_politely(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    assert page.locator("#log").get_attribute("role") == "log"
    expect(page.locator("#log")).not_to_have_attribute("aria-busy", "true")
    say(page, TYPED["zh"][0])
    expect(page.locator("[aria-current=step]")).to_have_count(1)


def test_the_theme_can_be_chosen_and_is_remembered(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.locator("#theme").click()
    page.locator("#theme").click()
    assert page.evaluate(background) != light
    page.reload()
    assert page.evaluate(background) != light
