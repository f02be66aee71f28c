"""An office's folder is read with every mistake named: file, key and what is legal, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from booking_bot.adapters.site_folder import load_site, site_folder
from booking_bot.app import BookingBot
from booking_bot.errors import ConfigurationError

ROOMS = """
[[building]]
code = "N"
name = { zh = "北楼", en = "North House" }
[[room]]
id = "N1"
name = { zh = "竹", en = "Bamboo" }
building = "N"
floor = 1
seats = 4
equipment = ["screen"]
"""
POLICY = """
timezone = "Asia/Shanghai"
opens = "08:00"
closes = "20:00"
usual_hours_from = "08:00"
start_grid_minutes = 15
offers = 3
window = { from_days = 0, to_days = 7 }
durations_minutes = [30, 60]
"""


def _site(folder: Path, rooms: str = ROOMS, policy: str = POLICY) -> Path:
    (folder / "rooms.toml").write_text(rooms, "utf-8")
    (folder / "policy.toml").write_text(policy, "utf-8")
    return folder


def _with(text: str, key: str, value: str) -> str:
    """Give the text with the first line of that key replaced."""
    lines = text.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith(f"{key} ="))
    return "\n".join([*lines[:place], f"{key} = {value}", *lines[place + 1 :]]) + "\n"


def _refusal(folder: Path) -> str:
    with pytest.raises(ConfigurationError) as refused:
        load_site(folder)
    message = str(refused.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("timezone", '"Mars/X"', "Asia/Shanghai"),
        ("timezone", '""', "Asia/Shanghai"),
        ("timezone", '"../../etc/passwd"', "Asia/Shanghai"),
        ("opens", '"25:00"', "00:00 to 23:55"),
        ("opens", "800", "00:00 to 23:55"),
        ("opens", '"08:03"', "5 minutes"),
        ("opens", '"24:00"', "00:00 to 23:55"),
        ("closes", '"07:00"', "opens 08:00"),
        ("closes", '"08:00"', "opens 08:00"),
        ("closes", '"24:30"', "00:00 to 23:55"),
        ("start_grid_minutes", "7", "5, 10, 15, 20, 30, 60"),
        ("start_grid_minutes", "25", "5, 10, 15, 20, 30, 60"),
        ("start_grid_minutes", "0", "5, 10, 15, 20, 30, 60"),
        ("start_grid_minutes", "true", "whole number"),
        ("offers", "0", "greater than 0"),
        ("window", "{ from_days = 3, to_days = 1 }", "use 3 or more"),
        ("window", "{ from_days = -1, to_days = 1 }", "from_days"),
        ("window", "{ from_days = 0, to_days = 9000000 }", "400000"),
        ("window", "{ from_days = 0, to_days = 1, weekends = true }", "legal are from_days, to_days"),
        ("window", "3", "table"),
        ("durations_minutes", "[]", "at least one"),
        ("durations_minutes", "[-5]", "multiples of 5"),
        ("durations_minutes", "[30, 42]", "multiples of 5"),
        ("durations_minutes", "[30, 30]", "twice"),
        ("durations_minutes", "[780]", "720 minutes or less"),
        ("durations_minutes", "60", "table"),
        ("durations_minutes", "{ min = 60, max = 30, step = 15 }", "use 60 or more"),
        ("durations_minutes", "{ min = 15, max = 30, step = 60 }", "use 30 or less"),
        ("durations_minutes", "{ min = 30, max = 60, step = 45 }", "use 30 or less"),
        ("durations_minutes", "{ min = 15, max = 60, step = 7 }", "multiples of 5"),
        ("durations_minutes", "{ min = 15, max = 60 }", "min, max, step"),
    ],
)
def test_a_house_rule_that_makes_no_sense_is_refused(tmp_path: Path, key: str, value: str, named: str) -> None:
    message = _refusal(_site(tmp_path, policy=_with(POLICY, key, value)))
    assert message.startswith(f"{tmp_path / 'policy.toml'}: {key}")
    assert named in message
    assert "list" not in message.split(": ")[1]


@pytest.mark.parametrize(
    ("rooms", "key", "named"),
    [
        (_with(ROOMS, "equipment", '["screen", "screen"]'), "room.1.equipment", "twice"),
        (_with(ROOMS, "equipment", '["sofa"]'), "room.1.equipment.1", "whiteboard"),
        (_with(ROOMS, "seats", "true"), "room.1.seats", "whole number"),
        (_with(ROOMS, "seats", "0"), "room.1.seats", "greater than 0"),
        (_with(ROOMS, "building", '"Z"'), "room.1.building", "one of N"),
        (_with(ROOMS, "id", '" "'), "room.1.id", "empty"),
        (_with(ROOMS, "name", '{ zh = "", en = "North" }'), "building.1.name.zh", "empty"),
        (_with(ROOMS, "name", '{ zh = "北", en = "North", fr = "Nord" }'), "building.1.name.fr", "legal are zh, en"),
        (ROOMS + ROOMS.split("[[room]]", maxsplit=1)[0], "building.code", "one of its own"),
        (ROOMS + "[[room]]" + ROOMS.split("[[room]]")[1], "room.id", "one of its own"),
        (ROOMS.split("[[room]]", maxsplit=1)[0], "room", "at least one"),
        (ROOMS + "colour = 3\n", "room.1.colour", "legal are id, name, building, floor, seats, equipment"),
    ],
)
def test_a_room_that_makes_no_sense_is_refused(tmp_path: Path, rooms: str, key: str, named: str) -> None:
    message = _refusal(_site(tmp_path, rooms=rooms))
    assert message.startswith(f"{tmp_path / 'rooms.toml'}: {key}: ")
    assert named in message


@pytest.mark.parametrize("text", ["opens = ", "a = " + "[" * 2000, "a = " + "9" * 5000], ids=["cut", "deep", "long"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, text: str) -> None:
    assert "policy.toml" in _refusal(_site(tmp_path, policy=text))


@pytest.mark.parametrize("site", ["", "nowhere", "x" * 300, "a\0b"])
def test_a_folder_that_is_none_is_refused_with_the_names_that_are(site: str) -> None:
    with pytest.raises(ConfigurationError, match="demo, office"):
        site_folder(site)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("closes", '"24:00"'),
        ("closes", '"00:00"'),
        ("closes", "23:00:00"),
        ("start_grid_minutes", "60"),
        ("durations_minutes", "{ min = 30, max = 30, step = 30 }"),
        ("durations_minutes", "{ min = 60, max = 100, step = 30 }"),
    ],
)
def test_unusual_rules_that_make_sense_are_taken(tmp_path: Path, key: str, value: str) -> None:
    assert load_site(_site(tmp_path, policy=_with(POLICY, key, value))).rooms[0].id == "N1"


@pytest.mark.parametrize("closes", ["24:00", "00:00"])
async def test_an_office_can_be_open_round_the_clock(tmp_path: Path, closes: str) -> None:
    policy = _with(_with(POLICY, "opens", '"00:00"'), "closes", f'"{closes}"')
    site = _site(tmp_path, policy=policy)
    assert load_site(site).policy.closes_minute == 24 * 60
    async with await BookingBot.open(site=site, db="sqlite://", now="2026-11-30T09:00:00+08:00") as bot:
        for session, start in (("late", "23:00"), ("early", "00:00")):
            for text in (f"tomorrow {start}, 4 people, 60 minutes", "1", "yes"):
                reply = await bot.handle(session, text, user_id="alice")
            assert reply.booking is not None, reply.text
            assert reply.booking.start == start


def test_a_site_given_as_a_dot_has_the_folders_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_site(tmp_path))
    assert load_site(".").name == tmp_path.name
