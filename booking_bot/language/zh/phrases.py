"""What the bot says in Chinese, one phrase an id. Only a committed row is ever called 预定成功."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from booking_bot.dialogue.context import Proposal, ProposedValue
from booking_bot.dialogue.policy import Issue
from booking_bot.dialogue.site import Policy, Site
from booking_bot.language.shortening import shortened
from booking_bot.language.zh import wording as w

Args = Mapping[str, Any]
PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}


def _phrase(function: Callable[[Args, Site, dt.date], str]) -> Callable[[Args, Site, dt.date], str]:
    PHRASES[function.__name__] = function
    return function


def _fixed(**texts: str) -> None:
    for phrase, text in texts.items():
        PHRASES[phrase] = lambda _a, _s, _t, text=text: text  # type: ignore[misc]  # the default binds each text


_fixed(
    after_booking="要取消请说“取消”，要改请说“改到几点”，看预订请说“我有哪些预订”，订新的请直接说时间和人数。",
    nothing_to_change="新的和原来的一样，没有什么要改的。",
    stale_answer="那个问题已经过去了，刚才的选择没有生效。",
    internal_error="抱歉，这一步出了内部错误，您刚才这句没有生效，其他都还在。请再说一次。",
    session_lost="之前的对话记录无法读取，我们重新开始。",
    hello="您好！我可以帮您订会议室。",
    take_your_time="不着急，好了告诉我。",
    nothing_cancelled="好的，什么都没有动，已有的预订保持不变。",
    goodbye="再见！需要会议室时随时找我。",
    you_are_welcome="不客气！",
    help="我可以订会议室：告诉我日期、几点开始、开多久、几个人就行，比如“明天下午2点，8人，1小时”。"
    "也可以说“我有哪些预订”“取消明天的会”“把会议改到4点”“明天上海会下雨吗”；随时说“算了”就不订了。",
    help_short="想订会议室的话，请说日期、几点、多久、几个人，比如“明天下午2点，8人，1小时”。",
    nothing_to_confirm="现在没有等您确认的事，什么也没有订。",
    nothing_to_drop="好的，现在没有正在办的预订。",
    draft_dropped="好的，不订了，什么也没有订。",
    draft_put_aside="之前正在填的新预订已放下，需要时请重新说。",
    search_failed="查询会议室没有成功，服务暂时没有回应。您说的都还记着。",
    ask_retry="要现在再查一次吗？回复“再试一次”即可，也可以改条件。",
    no_other_rooms="没有别的空闲会议室了，还是这些：",
    booking_kept="好的，原来的预订没有变。",
    booking_gone="这个预订已经不在了，或者刚被改过。请说“我有哪些预订”看看现在的情况。",
    no_such_booking="没有找到您说的那个预订。",
    booking_stands="原来的预订没有变。",
    move_not_free="那个时间没有空闲的会议室，原来的预订没有变。",
    not_certain="现在还不能确定是否写入成功。请稍后再回复“确认”，我会先核对，不会重复预订。",
    ask_place="您想查哪个城市的天气？",
)


@_phrase
def cut(a: Args, _s: Site, _t: dt.date) -> str:
    """An over-long message."""
    return f"您的消息太长，我只读了前{a['limit']}个字。"


@_phrase
def not_understood(a: Args, _s: Site, _t: dt.date) -> str:
    """Words nobody understood."""
    words = "、".join(f"“{shortened(word)}”" for word in a["unread"][:3])
    return f"没看懂{words}。" if words else "这句我没看懂。"


@_phrase
def draft_so_far(a: Args, site: Site, today: dt.date) -> str:
    """The draft said back."""
    return f"记下了：{w.slots(a['slots'], site, today)}。"


@_phrase
def end_noted(a: Args, _s: Site, _t: dt.date) -> str:
    """An end that waits for its start."""
    return f"记下了：开到{w.clock(a['time'])}。"


@_phrase
def part_noted(a: Args, _s: Site, _t: dt.date) -> str:
    """A part of the day that waits for its hour."""
    return f"记下了：{w.PARTS[a['part']]}。"


@_phrase
def equipment_not_avoided(a: Args, _s: Site, _t: dt.date) -> str:
    """Rooms without some equipment cannot be looked for."""
    return f"我没法专找没有{w.equipment(a['equipment'])}的房间，这一点没有算进去。"


@_phrase
def left_unread(a: Args, _s: Site, _t: dt.date) -> str:
    """Words beside what was understood that nobody understood."""
    words = "、".join(f"“{shortened(word)}”" for word in a["words"])
    return f"{words}我没能算进去。"


@_phrase
def read_roughly(a: Args, _s: Site, _t: dt.date) -> str:
    """Values said only roughly."""
    names = {"capacity": f"{a['slots'].capacity.value}人" if a["slots"].capacity else ""}
    if a["slots"].start_time:
        names["start_time"] = f"{a['slots'].start_time.value:%H:%M}"
    if a["slots"].duration_minutes:
        names["duration_minutes"] = f"{a['slots'].duration_minutes.value}分钟"
    taken = "、".join(names[slot] for slot in a["words"] if names.get(slot))
    return f"您说的是个大概，我先按{taken}来。" if taken else ""


# --- questions ---------------------------------------------------------------------------------------------------


def _or_choose(question: str, proposals: tuple[Proposal, ...], site: Site, today: dt.date) -> str:
    if not proposals:
        return question
    if len(proposals) == 1 and isinstance(proposals[0], ProposedValue):
        return f"{w.value(proposals[0].slot, proposals[0].value, site, today)}可以吗？"
    return f"您看哪个合适？\n{w.proposals(proposals, site, today)}"


@_phrase
def ask_date(a: Args, site: Site, today: dt.date) -> str:
    """Which day."""
    window = site.policy.window
    first, last = (w.day(today + dt.timedelta(days=n), today) for n in (window.from_days, window.to_days))
    return _or_choose(f"请问哪天用？可以订{first}到{last}。", a["proposals"], site, today)


@_phrase
def ask_start_time(a: Args, site: Site, today: dt.date) -> str:
    """From when."""
    policy = site.policy
    hours = f"{policy.opens:%H:%M}–{_closes(policy)}"
    return _or_choose(f"请问几点开始？开放时间是{hours}。", a["proposals"], site, today)


@_phrase
def ask_duration_minutes(a: Args, site: Site, today: dt.date) -> str:
    """How long."""
    return _or_choose(f"请问要用多久（时长）？可选{w.lengths(site.policy)}。", a["proposals"], site, today)


@_phrase
def ask_capacity(a: Args, site: Site, today: dt.date) -> str:
    """How many people."""
    return _or_choose(f"请问有几个人？最大的会议室{site.seat_counts[-1]}座。", a["proposals"], site, today)


@_phrase
def ask_building(a: Args, site: Site, today: dt.date) -> str:
    """Which building."""
    return _or_choose("请问要哪栋楼？不限也可以说“哪栋都行”。", a["proposals"], site, today)


@_phrase
def ask_floor(a: Args, site: Site, today: dt.date) -> str:
    """Which floor."""
    return _or_choose("请问要几层？不限也可以说“哪层都行”。", a["proposals"], site, today)


def _closes(policy: Policy) -> str:
    return "24:00" if policy.closes_minute == 1440 else f"{policy.closes:%H:%M}"


# --- values that were not taken as they were said ------------------------------------------------------------------


def _issue(kind: str, text: Callable[[Issue, Site, dt.date], str]) -> None:
    PHRASES[f"issue_{kind}"] = lambda a, site, today: text(_quotable(a["issue"]), site, today)


def _quotable(issue: Issue) -> Issue:
    return replace(issue, said=shortened(issue.said))


def _window(issue: Issue, today: dt.date) -> str:
    first, last = (w.day(dt.date.fromisoformat(day), today) for day in issue.limits)
    return first if first == last else f"{first}到{last}"


def _near(issue: Issue) -> str:
    return f"，可以{'或'.join(issue.legal)}" if issue.legal else ""


def _said_day(issue: Issue, today: dt.date) -> str:
    return w.day(dt.date.fromisoformat(issue.said), today)


_issue("date_past", lambda i, _s, t: f"{_said_day(i, t)}已经过去了，只能订{_window(i, t)}。")
_issue("date_outside_window", lambda i, _s, t: f"{_said_day(i, t)}不在可订范围内，只能订{_window(i, t)}。")
_issue("hour_illegal", lambda i, _s, _t: f"没有“{i.said}”这个时间，开放时间是{i.limits[0]}–{i.limits[1]}。")
_issue("start_off_grid", lambda i, _s, _t: f"{i.said}不行，开始时间要是{i.limits[0]}分钟的整倍数{_near(i)}。")
_issue("start_out_of_hours", lambda i, _s, _t: f"{i.said}不在开放时间内，会议室{i.limits[0]}–{i.limits[1]}开放。")
_issue("start_past", lambda i, _s, _t: f"今天{i.said}已经过了（现在{i.limits[0]}）。")
_issue(
    "ends_past_closing",
    lambda i, _s, _t: f"{i.said}开始的话会超过{i.limits[1]}关门时间（{i.limits[2] or '最短'}分钟）{_near(i)}。",
)
_issue(
    "crosses_midnight",
    lambda i, _s, _t: f"{i.said}开始{i.limits[2]}分钟会跨过午夜，会议室{i.limits[0]}–{i.limits[1]}开放。",
)
_issue("duration_not_offered", lambda i, s, _t: f"不能订{i.said}分钟，可选{w.lengths(s.policy)}。")
_issue(
    "capacity_not_positive",
    lambda i, _s, _t: f"人数“{i.said}”不行，至少要1人，最大的会议室{i.limits[1]}座。",
)
_issue("capacity_too_large", lambda i, _s, _t: f"{i.said}人坐不下，最大的会议室只有{i.limits[0]}座。")
_issue("capacity_rounded", lambda i, _s, _t: f"没有正好{i.said}座的会议室，按{i.legal[0]}座来找。")
_issue(
    "building_unknown",
    lambda i, s, _t: f"没有“{i.said}”这栋楼，有{'、'.join(w.building(c, s) for c in i.limits)}。",
)
_issue("floor_unknown", lambda i, _s, _t: f"{i.said}层没有会议室，会议室在{'、'.join(i.limits)}层。")
_issue("room_unknown", lambda i, _s, _t: f"没有“{i.said}”这间会议室。")
_issue("end_before_start", lambda i, _s, _t: f"结束时间{i.said}比开始时间{i.limits[0]}还早。")
_issue("nothing_to_shift", lambda i, _s, _t: f"还没有定时间，“{i.said}”不知道从什么时候算起。")
_issue("one_room_at_a_time", lambda i, _s, _t: f"一次只能订一间，“{i.said}”请一间一间地订。")
_issue("when_not_understood", lambda i, _s, _t: f"“{i.said}”是什么时候我没看懂，请换个说法。")


@_phrase
def issue_ambiguous(a: Args, site: Site, today: dt.date) -> str:
    """Words with more than one reading."""
    issue = _quotable(a["issue"])
    slot = f"的{w.SLOTS[issue.slot]}" if issue.slot else ""
    readings = "还是".join(
        w.value(issue.slot, r, site, today) if issue.slot else w.choice(r, site) for r in issue.legal
    )
    return f"“{issue.said}”{slot}我不确定是{readings}。"


# --- offering and reading back -------------------------------------------------------------------------------------


@_phrase
def offer_rooms(a: Args, site: Site, today: dt.date) -> str:
    """The rooms on the table, numbered."""
    wanted = a["slots"].equipment.value if a["slots"].equipment else ()
    lines = [f"{n}. {w.room_line(room_id, site, wanted)}" for n, room_id in enumerate(a["offers"], 1)]
    head = f"{w.slots(a['slots'], site, today)}，有{len(lines)}间可选："
    tail = "请选择一间，回复编号即可；都不合适就说“都不要”。" if len(lines) > 1 else "订这间吗？回复“1”或“好”。"
    return "\n".join((head, *lines, tail))


@_phrase
def wanted_not_free(a: Args, site: Site, _t: dt.date) -> str:
    """The room that was wanted is not among those found."""
    return f"{w.room(a['room_id'], site)}不行：{w.why_not(a['why'], site)}。"


@_phrase
def none_of_the_size(a: Args, _s: Site, _t: dt.date) -> str:
    """No larger or smaller room is free."""
    if a["larger"]:
        return f"这个时间没有比{a['seats']}座更大、又合要求的空闲会议室。"
    return f"这个时间没有比{a['seats']}座更小、又坐得下{a['people']}人的空闲会议室。"


@_phrase
def choice_out_of_range(a: Args, _s: Site, _t: dt.date) -> str:
    """A number that is not on the list."""
    if not a["count"]:
        return f"现在没有可以选“{a['choice']}”的列表。"
    return f"没有第{a['choice']}项，请在1到{a['count']}里选。"


@_phrase
def none_free(a: Args, site: Site, today: dt.date) -> str:
    """Nothing fits or nothing is free."""
    wish = w.slots(a["slots"], site, today)
    if not a["fitting"]:
        return f"没有符合条件的会议室：{wish}。"
    return f"{wish}：符合条件的{a['fitting']}间会议室那时都被订了。"


@_phrase
def alternatives(a: Args, site: Site, today: dt.date) -> str:
    """What comes near, numbered."""
    return f"可以这样换，回复编号即可：\n{w.proposals(a['proposals'], site, today)}\n也可以直接说别的时间或条件。"


@_phrase
def read_back(a: Args, site: Site, today: dt.date) -> str:
    """Exactly what a yes would book."""
    order = a["order"]
    title = f"，主题{w.title(order.title)}" if order.title else ""
    when = f"{w.day(order.date, today)} {w.until(order.start_time, order.duration_minutes)}"
    what = f"{w.room(order.room_id, site)}，{when}（{order.duration_minutes}分钟），{order.people}人{title}"
    wish = w.wish_for_a_place(a["slots"], site)
    what += f"（按您说的：{wish}）" if wish else ""
    return f"请确认预定：{what}。回复“确认”就订，“不要”重选。"


@_phrase
def read_back_move(a: Args, site: Site, today: dt.date) -> str:
    """Exactly what a yes would move."""
    change = a["change"]
    when = f"{w.day(change.date, today)} {w.until(change.start_time, change.duration_minutes)}"
    heads = f"，{change.people}人" if change.people else ""
    new = f"{when} {w.room(change.room_id, site)}{heads}"
    return f"请确认改期：把{w.booking(a['booking'], site, today)}改到{new}。回复“确认”就改，“不改了”保持原样。"


@_phrase
def read_back_cancel(a: Args, site: Site, today: dt.date) -> str:
    """Exactly what a yes would cancel."""
    return f"请确认取消：{w.booking(a['booking'], site, today)}。回复“确认取消”就取消，“不取消了”保留。"


@_phrase
def booked(a: Args, site: Site, today: dt.date) -> str:
    """The committed booking."""
    item = a["booking"]
    return f"预定成功！{w.booking(item, site, today)}，{item.people}人，编号{item.id}。"


@_phrase
def taken(a: Args, site: Site, _t: dt.date) -> str:
    """Somebody was faster."""
    return f"抱歉，{w.room(a['room_id'], site)}那个时间刚被订走了，没有订成。"


@_phrase
def refused(a: Args, site: Site, _t: dt.date) -> str:
    """The service refused for good."""
    reason = f"（{a['reason'][:100]}）" if a["reason"] else ""
    return f"{w.room(a['room_id'], site)}没有订成，会议室系统不接受{reason}。"


@_phrase
def write_failed(_a: Args, _s: Site, _t: dt.date) -> str:
    """A write did not take place."""
    return "没有办成：会议室系统出错了，什么也没有改动。可以再确认一次重试。"


# --- weather and other answers --------------------------------------------------------------------------------


@_phrase
def weather(a: Args, _s: Site, today: dt.date) -> str:
    """A day's weather."""
    told = a["told"]
    parts = [f"{told.place}{w.day(told.date, today)}{w.weather(told.code)}"]
    if told.low is not None and told.high is not None:
        parts.append(f"{told.low:.0f}–{told.high:.0f}℃")
    if told.rain_chance is not None:
        parts.append(f"降水概率{told.rain_chance}%")
    return "，".join(parts) + "。"


@_phrase
def place_unknown(a: Args, _s: Site, today: dt.date) -> str:
    """No such place, or no forecast for the day."""
    unknown = a["unknown"]
    if unknown.date is not None:
        return f"还没有{unknown.place}{w.day(unknown.date, today)}的天气预报。"
    return f"没有查到“{shortened(unknown.place)}”这个地方的天气。"


@_phrase
def aside_failed(a: Args, _s: Site, _t: dt.date) -> str:
    """A side question's tool failed."""
    if a["tool"] == "get_weather":
        return "天气现在查不到，稍后可以再问。"
    return "这一步没有查成，服务暂时没有回应，稍后可以再试。"
