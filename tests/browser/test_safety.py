"""Nothing that a user or a room is called is ever run, and nobody comes in without a token where one is needed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from booking_bot.adapters.site_folder import load_site
from booking_bot.tokens import make_token
from tests.browser.conftest import Visit
from tests.browser.hosting import Hosted
from tests.browser.talking import say, to_booking, to_offers

ATTACKS = (
    "<script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "<svg onload=window.hacked=1>",
    "</textarea><script>window.hacked=1</script>",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}}",
)
SECRET = "a secret of at least thirty-two bytes"  # noqa: S105  # a test's


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_a_user_types_is_shown_and_never_run(hosted: Hosted, visit: Visit, attack: str) -> None:
    page = visit(hosted.url)
    say(page, attack)
    say(page, f"主题是“{attack}”，明天下午2点，8人，1小时")
    page.locator(".offer button").first.click()
    page.locator(".confirm button.primary").click()
    expect(page.locator(".booked")).to_be_visible()
    page.reload()
    expect(page.locator(".row.user .bubble").first).to_have_text(attack)
    assert page.evaluate("window.hacked") is None
    assert page.locator("#log script, #log img, #log svg[onload], #mine script, #mine img").count() == 0


def test_a_title_does_not_turn_the_words_around_it(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    say(page, "\\u202e")
    page.fill("#composer-text", "主题是“\u202eabc”，明天下午2点，8人，1小时")
    page.keyboard.press("Enter")
    page.locator(".offer button").first.click()
    expect(page.locator(".confirm")).to_contain_text("“abc”")
    page.locator(".confirm button.primary").click()
    expect(page.locator(".booked")).to_be_visible()
    page.reload()
    expect(page.locator(".row.bot .bubble").last).to_be_visible()
    assert "\u202e" not in page.locator("body").inner_text()


@pytest.fixture
def hostile_site(tmp_path: Path) -> Path:
    """The demo office with names that want to be markup."""
    source = Path(__file__).parents[2] / "data" / "sites" / "demo"
    folder = tmp_path / "hostile"
    shutil.copytree(source, folder)
    rooms = folder / "rooms.toml"
    text = rooms.read_text("utf-8")
    text = text.replace("会议室A", ATTACKS[1]).replace("Room A", ATTACKS[1])
    text = text.replace("A座", ATTACKS[2]).replace("Building A", ATTACKS[2])
    rooms.write_text(text, "utf-8")
    assert ATTACKS[1] in load_site(str(folder)).rooms[0].name.zh
    return folder


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_a_room_is_called_is_shown_and_never_run(hostile_site: Path, visit: Visit, language: str) -> None:
    with Hosted(site=hostile_site) as hosted:
        page = visit(hosted.url, language)
        to_offers(page, language)
        expect(page.locator(".offer h3").first).to_contain_text(ATTACKS[1])
        expect(page.locator(".offer .where").first).to_contain_text(ATTACKS[2])
        page.locator(".offer button").first.click()
        page.locator(".confirm button.primary").click()
        expect(page.locator("#mine .what")).to_contain_text(ATTACKS[1])
        assert page.evaluate("window.hacked") is None


def test_where_a_token_is_needed_the_page_asks_for_it(visit: Visit) -> None:
    with Hosted(secret=SECRET) as hosted:
        page = visit(hosted.url, "en", ready=False)
        page.locator("dialog input").fill("nonsense")
        page.keyboard.press("Enter")
        expect(page.locator("dialog input")).to_have_value("")
        page.locator("dialog input").fill(make_token("alice", SECRET))
        page.keyboard.press("Enter")
        expect(page.locator("#user")).to_have_text("alice")
        to_booking(page, "en")


def test_a_link_brings_the_token_and_hides_it(visit: Visit) -> None:
    with Hosted(secret=SECRET) as hosted:
        page = visit(f"{hosted.url}#token={make_token('alice', SECRET)}")
        expect(page.locator("#user")).to_have_text("alice")
        assert "token" not in page.url
