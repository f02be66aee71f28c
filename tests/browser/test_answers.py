"""What the page's buttons say, in words a person reads, and in the language that was chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page, expect

from booking_bot.adapters.scripted_model import ScriptedModel
from tests.browser.conftest import Visit
from tests.browser.hosting import Hosted
from tests.browser.talking import CLICKED, TYPED, WISH, say, to_booking, to_offers, to_read_back

languages = pytest.mark.parametrize("language", ["zh", "en"])
DATE = {"zh": "12月1日 周二", "en": "Tue 1 Dec"}
ROOM = {"zh": "会议室B", "en": "Room B"}
BOOK = {"zh": "预订会议室B，12月1日 周二 14:00–15:00", "en": "Book Room B, Tue 1 Dec, 14:00–15:00"}
PHRASE = {"zh": "请问要用多久", "en": "How long"}
MACHINE = re.compile(r"\d{4}-\d{2}-\d{2}|R\d{4}")
OTHER = {"zh": "en", "en": "zh"}


def said(page: Page) -> list[str]:
    return page.locator(".row.user .bubble").all_text_contents()


def click_through(page: Page, language: str) -> None:
    for number, label in enumerate(CLICKED[language], 1):
        page.locator("#replies button", has_text=label).first.click()
        expect(page.locator(".row.user:not(.sending)")).to_have_count(number)
        expect(page.locator("#replies button, .offer").first).to_be_visible()


@languages
def test_the_language_button_holds_for_answers_by_button(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    say(page, TYPED[language][0])
    expect(page.locator("#replies button", has_text="60")).to_be_visible()
    page.locator("#language").click()
    expect(page.locator(".row.bot .bubble").last).to_contain_text(PHRASE[OTHER[language]])
    page.locator("#replies button", has_text="60").click()
    expect(page.locator(".offer")).to_have_count(3)
    answer = page.locator(".row.bot .bubble").last
    expect(answer).to_contain_text("有3间可选" if language == "en" else "3 rooms are free")
    page.reload()
    page.locator(".offer button").first.click()
    expect(page.locator(".confirm .read-back")).to_contain_text("请确认" if language == "en" else "Please confirm")


@languages
def test_what_buttons_say_is_for_people_and_stays_so_after_a_reload(
    hosted: Hosted, visit: Visit, language: str
) -> None:
    page = visit(hosted.url, language)
    click_through(page, language)
    page.locator(".offer[data-room=R1002] button").click()
    page.locator(".confirm button.primary").click()
    expect(page.locator(".booked")).to_be_visible()
    bubbles = said(page)
    assert bubbles[1] == DATE[language]
    assert bubbles[-2:] == [ROOM[language], BOOK[language]]
    assert not [text for text in bubbles if MACHINE.search(text)]
    page.reload()
    expect(page.locator(".booked, .row.user")).not_to_have_count(0)
    expect(page.locator(".row.user .bubble").last).to_have_text(BOOK[language])
    assert said(page) == bubbles


@languages
def test_the_words_of_a_chip_are_left_out_where_they_say_the_same(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    click_through(page, language)
    expect(page.locator(".offer")).to_have_count(3)
    assert page.locator(".chip .words").all_text_contents() == []
    page.locator("#new-talk").click()
    to_offers(page, language)
    words = page.locator("[data-slot=date] .words")
    if language == "zh":
        expect(words).to_have_count(0)  # 明天 stands in the value already
    expect(page.locator("[data-slot=start_time] .words")).to_contain_text("下午2点" if language == "zh" else "2 pm")


def test_an_option_chosen_by_button_shows_its_label(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    say(page, "明天下午3点，8人，45分钟")
    page.locator("#replies button", has_text="60分钟").click()
    expect(page.locator(".offer")).to_have_count(3)
    assert "60分钟" in said(page)[-1]


@languages
def test_ones_bookings_are_spoken_of_by_day_and_room(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    to_booking(page, language)
    page.locator("#mine .danger").click()
    expect(page.locator(".confirm")).to_be_visible()
    assert not MACHINE.search(said(page)[-1])
    assert ("会议室A" if language == "zh" else "Room A") in said(page)[-1]


def test_typed_text_is_shown_as_it_was_typed(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_offers(page)
    say(page, "R1002")
    expect(page.locator(".confirm")).to_be_visible()
    page.reload()
    expect(page.locator(".row.user .bubble").last).to_have_text("R1002")


@pytest.mark.parametrize(
    ("words", "kind", "label"),
    [
        ("取消", "cancel", "取消会议室A，12月1日 周二 14:00–15:00"),
        ("改到4点", "move", "改到12月1日 周二 16:00–17:00，会议室A"),
    ],
    ids=["cancel", "move"],
)
def test_the_confirmation_names_the_action(hosted: Hosted, visit: Visit, words: str, kind: str, label: str) -> None:
    page = visit(hosted.url)
    to_booking(page)
    say(page, words)
    expect(page.locator(f".confirm.{kind} .primary")).to_have_text(label)
    expect(page.locator("#chips li")).to_have_count(0)
    page.locator(".confirm .primary").click()
    expect(page.locator(".row.user .bubble").last).to_have_text(label)


ASIDES = {
    "zh": (("天气怎么样", "哪个城市"), ("A有投影仪吗", "没有投影仪"), ("你们几点开门", "08:00开门")),
    "en": (
        ("what is the weather", "Which city"),
        ("does room A have a projector?", "has no projector"),
        ("what are your opening hours?", "open at 08:00"),
    ),
}


@languages
@pytest.mark.parametrize("aside", range(3))
def test_a_side_question_leaves_the_read_back_to_its_card(
    hosted: Hosted, visit: Visit, language: str, aside: int
) -> None:
    page = visit(hosted.url, language)
    to_read_back(page, language)
    read_back = page.locator(".confirm .read-back").inner_text()
    question, answered = ASIDES[language][aside]
    say(page, question)
    bubble = page.locator(".row.bot .bubble").last
    expect(bubble).to_contain_text(answered)
    expect(bubble).to_be_visible()
    expect(page.locator(".confirm .read-back")).to_have_text(read_back)
    assert read_back not in bubble.inner_text()
    expect(page.locator(".confirm button")).to_have_count(2)
    page.reload()
    expect(page.locator(".confirm .read-back")).to_have_text(read_back)
    assert read_back not in bubble.inner_text()


def test_a_city_asked_for_beside_a_read_back_is_answered_above_its_card(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_read_back(page)
    read_back = page.locator(".confirm .read-back").inner_text()
    for text in ("天气怎么样", "北京"):
        say(page, text)
        expect(page.locator(".row.user:not(.sending) .bubble").last).to_have_text(text)
    expect(page.locator(".row.bot .bubble").last).to_contain_text("降水概率")
    expect(page.locator(".confirm .read-back")).to_have_text(read_back)
    page.locator(".confirm .primary").click()
    expect(page.locator(".booked")).to_be_visible()
    expect(page.locator(".confirm")).to_have_count(0)


def test_a_changed_read_back_changes_its_card(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_read_back(page)
    say(page, "时长改成90分钟")
    expect(page.locator(".confirm .read-back")).to_contain_text("14:00–15:30")


def test_a_card_has_no_buttons_while_its_answer_is_on_its_way(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_read_back(page)
    hosted.stop_server()
    page.locator(".confirm .primary").click()
    expect(page.locator(".row.sending")).to_have_count(1)
    page.locator("#language").click()  # draws the page anew
    expect(page.locator("#composer-send")).to_have_text("Send")
    expect(page.locator(".confirm button")).to_have_count(0)
    hosted.start_server()
    page.locator("#banner button").click()
    expect(page.locator(".booked")).to_be_visible()
    expect(page.locator(".confirm")).to_have_count(0)


@languages
def test_no_slots_are_wanted_where_a_booking_is_to_be_named(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    to_booking(page, language)
    page.locator("#new-talk").click()
    say(page, {"zh": "明天下午4点，8人，1小时", "en": "tomorrow 4 pm, 8 people, 1 hour"}[language])
    page.locator(".offer button").first.click()
    page.locator(".confirm .primary").click()
    expect(page.locator("#mine [data-booking]")).to_have_count(2)
    page.locator("#new-talk").click()
    say(page, {"zh": "取消预订", "en": "cancel my booking"}[language])
    expect(page.locator("#replies button", has_text="1.")).to_be_visible()
    expect(page.locator(".chip")).to_have_count(0)


@pytest.mark.parametrize(("language", "width"), [("zh", 360), ("en", 360), ("zh", 1280)])
def test_starts_are_offered_every_half_hour_of_the_day_and_fit_the_screen(
    hosted: Hosted, visit: Visit, language: str, width: int
) -> None:
    page = visit(hosted.url, language, width=width, height=740)
    say(page, {"zh": "明天8人会议室，1小时", "en": "a room for 8 tomorrow, one hour"}[language])
    expect(page.locator("#replies button", has_text="12:30")).to_be_visible()
    times = [text for text in page.locator("#replies button").all_text_contents() if ":" in text]
    assert times == [f"{hour:02}:{minute}" for hour in range(9, 18) for minute in ("00", "30")]
    box = page.locator("#replies").bounding_box()
    assert box is not None
    assert box["height"] <= 740 * 0.36
    assert page.locator("#replies").evaluate("node => node.scrollHeight <= node.clientHeight")
    last = page.locator(".row.bot .bubble").last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= box["y"]  # the question stays in sight
    page.locator("#replies button", has_text={"zh": "其他时间", "en": "Another time"}[language]).click()
    page.locator("dialog input").fill("20:15")
    page.keyboard.press("Enter")
    expect(page.locator(".offer")).to_have_count(3)


@pytest.fixture
def late_site(tmp_path: Path) -> Path:
    """The demo office, open for the evening only, with starts every 20 minutes."""
    folder = tmp_path / "late"
    folder.mkdir()
    source = Path(__file__).parents[2] / "data" / "sites" / "demo"
    for name in ("rooms.toml", "policy.toml"):
        text = (source / name).read_text("utf-8")
        text = re.sub(r"(?m)^opens = .*$", 'opens = "18:00"', text)
        text = re.sub(r"(?m)^start_grid_minutes = .*$", "start_grid_minutes = 20", text)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_starts_follow_the_house_rules(late_site: Path, visit: Visit) -> None:
    with Hosted(site=late_site) as hosted:
        page = visit(hosted.url)
        say(page, "明天8人会议室，1小时")
        expect(page.locator("#replies button", has_text="18:00")).to_be_visible()
        times = [text for text in page.locator("#replies button").all_text_contents() if ":" in text]
        assert times == ["18:00", "18:40", "19:20", "20:00", "20:40"]


ASKED = json.dumps(
    {
        "thought": "",
        "action": "ask_multi_choice",
        "action_input": {"message": "需要哪些设备？", "options": ["投影仪", "白板", "名牌"]},
    },
    ensure_ascii=False,
)


@pytest.fixture
def asking() -> Iterator[Hosted]:
    with Hosted(model=ScriptedModel([ASKED])) as hosted:
        yield hosted


def test_several_options_are_ticked_by_keyboard_and_sent_together(asking: Hosted, visit: Visit) -> None:
    page = visit(asking.url)
    say(page, "帮我订个会议室")
    form = page.locator("form.several")
    expect(form.get_by_role("group", name="可以选几个")).to_be_visible()
    expect(form.locator("button")).to_be_disabled()
    assert Axe().run(page).response["violations"] == []
    form.get_by_label("投影仪").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(form.locator("button")).to_have_text("就选这2个")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".row.user .bubble").last).to_have_text("投影仪 · 名牌")
    expect(page.locator("form.several")).to_have_count(0)
    page.reload()
    expect(page.locator(".row.user .bubble").last).to_have_text("投影仪 · 名牌")


def test_nothing_can_be_saved_before_anything_is_said(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    expect(page.locator("#save")).to_be_disabled()
    say(page, WISH["zh"])
    expect(page.locator("#save")).to_be_enabled()
    page.locator("#new-talk").click()
    expect(page.locator("#save")).to_be_disabled()


@languages
def test_the_day_view_names_its_day_and_explains_its_marks(hosted: Hosted, visit: Visit, language: str) -> None:
    page = visit(hosted.url, language)
    heading = page.locator("#day h2")
    expect(heading).to_contain_text(DATE[language])
    expect(page.locator("#day .legend")).to_contain_text("空闲" if language == "zh" else "free")
    expect(page.locator("#day .legend")).to_contain_text("已占用" if language == "zh" else "taken")
    expect(page.locator("#day .legend .wanted")).to_have_count(0)
    expect(page.locator("#day .seats").first).to_have_text("8座" if language == "zh" else "8 seats")
    page.locator("#day [data-step='1']").click()
    expect(heading).to_contain_text("12月2日 周三" if language == "zh" else "Wed 2 Dec")
    to_read_back(page, language)
    expect(heading).to_contain_text(DATE[language])
    expect(page.locator("#day .legend .wanted")).to_have_count(1)


@pytest.mark.parametrize("width", [360, 1280])
def test_every_tool_has_a_name_to_see_or_to_hear(hosted: Hosted, visit: Visit, width: int) -> None:
    page = visit(hosted.url, "en", width=width)
    tools = page.locator(".tool")
    assert tools.evaluate_all("nodes => nodes.every((node) => node.title && node.ariaLabel)")
    seen = [text for text in tools.evaluate_all("nodes => nodes.map((node) => node.innerText.trim())") if text]
    assert seen == (["New conversation", "Save", "Auto", "中文"] if width == 1280 else ["中文"])
    assert page.locator("#day [data-step='1']").evaluate("node => node.textContent") == "Next"


def test_rooms_and_floors_that_are_not_wanted_are_chips_that_can_be_taken_back(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    to_offers(page)
    say(page, "不要A，也不要3楼")
    chip = page.locator("#chips [data-slot=excluded]")
    expect(chip.locator(".value")).to_contain_text("会议室A")
    chip.click()
    page.locator(".editor button", has_text="哪间都行").click()
    expect(chip).to_have_count(0)
    say(page, "要1楼的")
    floor = page.locator("#chips [data-slot=floor]")
    expect(floor.locator(".value")).to_have_text("1层")
    floor.click()
    page.locator(".editor button", has_text="哪层都行").click()
    expect(floor).to_have_count(0)


def test_cancelling_all_is_one_card_that_says_how_many(hosted: Hosted, visit: Visit) -> None:
    page = visit(hosted.url)
    for start in ("下午2点", "下午4点"):
        say(page, f"明天{start}，8人，1小时")
        page.locator(".offer .primary").first.click()
        page.locator(".confirm.book .primary").click()
        expect(page.locator(".booked")).to_be_visible()
    say(page, "全部取消")
    button = page.locator(".confirm.cancel_several .primary")
    expect(button).to_have_text("取消这2个预订")
    button.click()
    expect(page.locator(".confirm")).to_have_count(0)
    expect(page.locator(".row.bot .bubble").last).to_contain_text("已取消2个预订")
    expect(page.locator("#mine [data-booking]")).to_have_count(0)
