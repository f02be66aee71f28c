"""What the bot says in Chinese about bookings that exist, one phrase an id."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, Final

from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.site import Site
from booking_bot.language.zh import wording as w

Args = Mapping[str, Any]
BOOKING_PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}


def _phrase(function: Callable[[Args, Site, dt.date], str]) -> Callable[[Args, Site, dt.date], str]:
    BOOKING_PHRASES[function.__name__] = function
    return function


@_phrase
def bookings(a: Args, site: Site, today: dt.date) -> str:
    """The user's bookings, numbered."""
    items = a["bookings"]
    lines = [f"{n}. {w.booking(item, site, today)}" for n, item in enumerate(items[:20], 1)]
    more = [f"……共{len(items)}个，只列出前20个。"] if len(items) > 20 else []
    return "\n".join(("您的预订：", *lines, *more))


@_phrase
def no_bookings(a: Args, _s: Site, today: dt.date) -> str:
    """No bookings, or none on that day."""
    return f"{w.day(a['date'], today)}您没有预订。" if a["date"] else "您现在没有预订。"


@_phrase
def which_booking(a: Args, site: Site, today: dt.date) -> str:
    """Which of several bookings."""
    verb = "取消" if a["errand"] is not None and a["errand"].kind == "cancel" else "改"
    return f"要{verb}哪一个？回复编号即可：\n{w.proposals(a['proposals'], site, today)}"


@_phrase
def change_to_what(a: Args, site: Site, today: dt.date) -> str:
    """What the booking shall be changed to."""
    question = f"{w.booking(a['booking'], site, today)}，要改成什么？比如“改到4点”“延长半小时”。"
    if a["proposals"]:
        return f"{question}\n{w.proposals(a['proposals'], site, today)}"
    return question


@_phrase
def change_so_far(a: Args, site: Site, today: dt.date) -> str:
    """What a change of a booking comes to, while a value of it is asked for."""
    change = w.slots(a["slots"], site, today)
    return f"{w.booking(a['booking'], site, today)}" + (f"，要改成：{change}。" if change else "，要改期。")


@_phrase
def cancelled(a: Args, site: Site, today: dt.date) -> str:
    """The booking is cancelled."""
    return f"已取消：{w.booking(a['booking'], site, today)}。"


def _lines(items: tuple[Booking, ...], site: Site, today: dt.date) -> str:
    return "\n".join(f"{n}. {w.booking(item, site, today)}" for n, item in enumerate(items, 1))


@_phrase
def read_back_cancel_several(a: Args, site: Site, today: dt.date) -> str:
    """Exactly which bookings a yes would cancel."""
    items = a["bookings"]
    return (
        f"请确认取消这{len(items)}个预订：\n{_lines(items, site, today)}\n回复“确认取消”就全部取消，“不取消了”都保留。"
    )


@_phrase
def cancelled_several(a: Args, site: Site, today: dt.date) -> str:
    """These bookings are cancelled."""
    return f"已取消{len(a['bookings'])}个预订：\n{_lines(a['bookings'], site, today)}"


@_phrase
def not_cancelled(a: Args, site: Site, today: dt.date) -> str:
    """These bookings of the list are not known to be cancelled."""
    why = "可能已经不在了或者刚被改过，请说“我有哪些预订”核对"
    return f"下面的没能确认取消，{why}：\n{_lines(a['bookings'], site, today)}"


@_phrase
def moved(a: Args, site: Site, today: dt.date) -> str:
    """Where the booking stands now."""
    return f"已改好：现在是{w.booking(a['booking'], site, today)}。"


@_phrase
def move_changes_room(a: Args, site: Site, _t: dt.date) -> str:
    """The room is not free at the new time, or does not fit."""
    return f"{w.room(a['old'], site)}不行：{w.why_not(a['why'], site)}；可以换到{w.room(a['new'], site)}。"


@_phrase
def move_taken(a: Args, site: Site, _t: dt.date) -> str:
    """Somebody was faster: not moved."""
    return f"{w.room(a['room_id'], site)}那个时间刚被别人订走，没有改成，原来的预订没有变。"


@_phrase
def change_refused(a: Args, _s: Site, _t: dt.date) -> str:
    """The service refused the change."""
    reason = f"（{a['reason'][:100]}）" if a["reason"] else ""
    return f"会议室系统不接受这个改动{reason}，原来的预订没有变。"


@_phrase
def booked_last(a: Args, site: Site, today: dt.date) -> str:
    """What was made, moved or named last; it may have been changed since."""
    return f"刚才办的是：{w.booking(a['booking'], site, today)}。"


# --- what the buttons under a read-back would do -------------------------------------------------------------------

BOOKING_PHRASES.update(
    no_book=lambda _a, _s, _t: "不要，重选",
    no_move=lambda _a, _s, _t: "保持原样",
    no_cancel=lambda _a, _s, _t: "保留预订",
    yes_cancel_several=lambda a, _s, _t: f"取消这{a['count']}个预订",
    no_cancel_several=lambda _a, _s, _t: "都保留",
    all_or_none=lambda _a, _s, _t: (
        "这张单子只能一起取消或者都保留。只想取消其中几个，请先说“不取消了”，再一个个说，比如“取消会议室B那个”。"
    ),
    bookings_stand=lambda _a, _s, _t: "已经订好的会议都还在；要取消它们，请说“取消我的全部预订”。",
)


@_phrase
def yes_book(a: Args, site: Site, _t: dt.date) -> str:
    """Book this room then."""
    order = a["order"]
    when = f"{w.short_day(order.date)} {w.until(order.start_time, order.duration_minutes)}"
    return f"预订{w.room_name(order.room_id, site)}，{when}"


@_phrase
def yes_move(a: Args, site: Site, _t: dt.date) -> str:
    """Move it there."""
    change = a["change"]
    when = f"{w.short_day(change.date)} {w.until(change.start_time, change.duration_minutes)}"
    return f"改到{when}，{w.room_name(change.room_id, site)}"


@_phrase
def yes_cancel(a: Args, site: Site, _t: dt.date) -> str:
    """Cancel this booking."""
    item = a["booking"]
    when = f"{w.short_day(item.date)} {w.until(item.start_time, item.minutes)}"
    return f"取消{w.room_name(item.room_id, site)}，{when}"
