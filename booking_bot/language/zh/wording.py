"""Chinese words for values: dates, times, lengths, rooms, equipment, bookings, weather."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from booking_bot.dialogue.availability import Unsuitable
from booking_bot.dialogue.claims import CLAIMS
from booking_bot.dialogue.context import (
    Proposal,
    ProposedAlternative,
    ProposedBooking,
    ProposedValue,
)
from booking_bot.dialogue.exclusion import as_places
from booking_bot.dialogue.model import Booking, SlotName, Slots
from booking_bot.dialogue.observations import Alternative
from booking_bot.dialogue.site import Policy, Site

_WEEKDAYS = "一二三四五六日"
_RELATIVE = {0: "今天", 1: "明天", 2: "后天", 3: "大后天"}
EQUIPMENT = {"phone": "电话会议", "projector": "投影仪", "screen": "显示屏", "video": "视频会议", "whiteboard": "白板"}
SLOTS = {
    "date": "日期",
    "start_time": "开始时间",
    "duration_minutes": "时长",
    "capacity": "人数",
    "building": "楼",
    "floor": "楼层",
    "equipment": "设备",
    "excluded": "不要的会议室",
    "title": "主题",
}


PARTS = {"dawn": "凌晨", "morning": "上午", "noon": "中午", "afternoon": "下午", "evening": "晚上"}


def day(date: dt.date, today: dt.date) -> str:
    """Name a date with its weekday: 12月1日（周二，明天）."""
    relative = _RELATIVE.get((date - today).days)
    year = "" if date.year == today.year else f"{date.year}年"
    tail = f"，{relative}" if relative else ""
    return f"{year}{date.month}月{date.day}日（周{_WEEKDAYS[date.weekday()]}{tail}）"


def short_day(date: dt.date) -> str:
    """Name a date on a button: 12月1日 周二."""
    return f"{date.month}月{date.day}日 周{_WEEKDAYS[date.weekday()]}"


def clock(time: dt.time) -> str:
    """Name a time in 24 hours and as it is spoken: 14:30（下午2点半）."""
    hour, minute = time.hour, time.minute
    part = "凌晨" if hour < 6 else "上午" if hour < 12 else "中午" if hour < 13 else "下午" if hour < 18 else "晚上"
    spoken = hour if hour <= 12 else hour - 12
    rest = {0: "点", 30: "点半"}.get(minute, f"点{minute:02d}分")
    return f"{time:%H:%M}（{part}{spoken}{rest}）"


def length(minutes: int) -> str:
    """Name a length: 90分钟（一个半小时）."""
    spoken = {30: "半小时", 60: "1小时", 90: "一个半小时", 120: "2小时"}.get(minutes)
    if spoken is None and minutes % 60 == 0:
        spoken = f"{minutes // 60}小时"
    return f"{minutes}分钟（{spoken}）" if spoken else f"{minutes}分钟"


def lengths(policy: Policy) -> str:
    """Name the lengths that can be booked."""
    legal = policy.durations
    if len(legal) <= 6:
        return "、".join(str(minutes) for minutes in legal) + "分钟"
    return f"{legal[0]}到{legal[-1]}分钟，每{legal[1] - legal[0]}分钟一档"


def until(start: dt.time, minutes: int) -> str:
    """Name the interval: 14:00–15:00."""
    total = start.hour * 60 + start.minute + minutes
    end = "24:00" if total == 1440 else f"{total // 60 % 24:02d}:{total % 60:02d}"
    return f"{start:%H:%M}–{end}"


def equipment(items: Iterable[str]) -> str:
    """Name equipment: 投影仪、白板."""
    return "、".join(EQUIPMENT[item] for item in items)


def building(code: str, site: Site) -> str:
    """Name a building."""
    known = site.buildings_by_code.get(code)
    return known.name.zh if known else code


def room(room_id: str, site: Site) -> str:
    """Name a room with its id: 会议室A（R1001）."""
    known = site.rooms_by_id.get(room_id)
    return f"{known.name.zh}（{room_id}）" if known else room_id


def why_not(why: Unsuitable, site: Site) -> str:
    """Say why a room will not do: 那时已被订（13:30–15:30），只有8座，没有投影仪."""
    times = "、".join(until(time.start_time, time.minutes) for time in why.times)
    reasons = [f"那时已被订（{times}）" if times else "那时已被订"] if why.taken else []
    if why.seats is not None:
        reasons.append(f"只有{why.seats}座")
    if why.lacks:
        reasons.append(f"没有{equipment(why.lacks)}")
    if why.building is not None:
        reasons.append(f"在{building(why.building, site)}")
    if why.floor is not None:
        reasons.append(f"在{why.floor}层")
    return "，".join(reasons)


def room_name(room_id: str, site: Site) -> str:
    """Name a room on a button, where there is no space for its id: 会议室A."""
    known = site.rooms_by_id.get(room_id)
    return known.name.zh if known else room_id


def choice(text: str, site: Site) -> str:
    """Name what may have been chosen: a room by its name, anything else as it was said."""
    return room(text, site) if text in site.rooms_by_id else text


def excluded(room_ids: tuple[str, ...], site: Site) -> str:
    """Name rooms that are not wanted, whole buildings as such: B座、会议室A（R1001）."""
    places = as_places(site, room_ids)
    return "、".join([building(code, site) for code in places.buildings] + [room(r, site) for r in places.rooms])


def wish_for_a_place(values: Slots, site: Site) -> str:
    """Say which floor was wished for and which rooms were not; empty when neither."""
    return slots(Slots(floor=values.floor, excluded=values.excluded), site, dt.date.min)


def room_line(room_id: str, site: Site, wanted: Iterable[str] = ()) -> str:
    """Say why a room fits: name, building, floor, seats, equipment."""
    known = site.rooms_by_id.get(room_id)
    if known is None:
        return room_id
    asked = set(wanted)
    has = "、".join(EQUIPMENT[item] + ("✓" if item in asked else "") for item in known.equipment)
    return (
        f"{room(room_id, site)} · {building(known.building, site)}{known.floor}层 · {known.seats}座 · {has or '无设备'}"
    )


def title(text: str) -> str:
    """Quote a title as the user gave it; a claim of ours inside it is broken up so that it is none."""
    for claim in CLAIMS:
        text = text.replace(claim, f"{claim[0]}\u200b{claim[1:]}")
    return f"“{text}”"


def slots(values: Slots, site: Site, today: dt.date) -> str:
    """Say the draft back."""
    parts = []
    if values.date:
        parts.append(day(values.date.value, today))
    if values.start_time:
        parts.append(clock(values.start_time.value))
    if values.duration_minutes:
        parts.append(length(values.duration_minutes.value))
    if values.capacity:
        parts.append(f"{values.capacity.value}人")
    if values.building:
        parts.append(building(values.building.value, site))
    if values.floor:
        parts.append(f"{values.floor.value}层")
    if values.equipment:
        parts.append("要" + equipment(values.equipment.value))
    if values.excluded:
        parts.append(f"不要{excluded(values.excluded.value, site)}")
    if values.title:
        parts.append(f"主题{title(values.title.value)}")
    return "，".join(parts)


def booking(item: Booking, site: Site, today: dt.date) -> str:
    """Name a booking: day, interval, room, title."""
    named = f"，{title(item.title)}" if item.title else ""
    return f"{day(item.date, today)} {until(item.start_time, item.minutes)} {room(item.room_id, site)}{named}"


def value(slot: SlotName, text: str, site: Site, today: dt.date) -> str:
    """Name a legal value of a slot."""
    match slot:
        case "date":
            return day(dt.date.fromisoformat(text), today)
        case "start_time":
            return clock(dt.time.fromisoformat(text))
        case "duration_minutes":
            return length(int(text))
        case "capacity":
            return f"{text}人"
        case "building":
            return building(text, site)
        case "floor":
            return f"{text}层"
        case "excluded":
            return room(text, site)
        case "equipment" | "title":
            return text


def alternative(item: Alternative, site: Site) -> str:
    """Name a change under which rooms are free."""
    rooms = "、".join(room(room_id, site) for room_id in item.room_ids[:2])
    more = f"等{len(item.room_ids)}间" if len(item.room_ids) > 2 else ""
    match item.kind:
        case "time":
            return f"改到{clock(item.start_time)}：{rooms}{more}"
        case "building":
            return f"还是{item.start_time:%H:%M}，换一栋楼：{rooms}{more}"
        case "floor":
            return f"还是{item.start_time:%H:%M}，换一层：{rooms}{more}"
        case "equipment":
            return f"还是{item.start_time:%H:%M}，不限设备：{rooms}{more}"
        case "excluded":
            return f"还是{item.start_time:%H:%M}，算上您不要的：{rooms}{more}"


def proposals(items: Iterable[Proposal], site: Site, today: dt.date) -> str:
    """Number what can be chosen, a line each."""
    lines = []
    for number, item in enumerate(items, 1):
        match item:
            case ProposedValue():
                text = value(item.slot, item.value, site, today)
            case ProposedAlternative():
                text = alternative(item.alternative, site)
            case ProposedBooking():
                text = booking(item.booking, site, today)
            case _:
                text = "再试一次"
        lines.append(f"{number}. {text}")
    return "\n".join(lines)


def weather(code: int) -> str:
    """Name a WMO weather code."""
    groups = (
        ((0,), "晴"),
        ((1, 2, 3), "多云"),
        ((45, 48), "有雾"),
        (range(51, 58), "毛毛雨"),
        (range(61, 68), "有雨"),
        (range(71, 78), "有雪"),
        (range(80, 83), "阵雨"),
        (range(85, 87), "阵雪"),
        (range(95, 100), "雷雨"),
    )
    return next((name for codes, name in groups if code in codes), "天气不明")
