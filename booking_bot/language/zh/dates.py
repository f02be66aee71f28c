"""Chinese words for days: 明天, 下周三, 12月3号, 三天后, 国庆节, and parts of the day."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import Part
from booking_bot.language.rule import NUMBER, Rule, group_of, rule
from booking_bot.language.values import (
    DayOfMonth,
    Festival,
    MonthDay,
    RelativeDay,
    RelativeMonths,
    SameTime,
    Value,
    Weekday,
)
from booking_bot.language.zh.numerals import COUNT, SIGNS, UP_TO_99, number, year

_DAYS: Final = {
    "大前": -3,
    "前": -2,
    "昨": -1,
    "今": 0,
    "当": 0,
    "明": 1,
    "后": 2,
    "大后": 3,
    "大大后": 4,
}
_PARTS: Final[dict[str, Part]] = {
    **dict.fromkeys(("凌晨", "拂晓"), "dawn"),
    **dict.fromkeys(
        ("清晨", "清早", "大清早", "一大早", "一早", "早晨", "早上", "早间", "上午", "午前", "早", "晨"), "morning"
    ),
    **dict.fromkeys(("中午", "午间"), "noon"),
    **dict.fromkeys(("下午", "午后"), "afternoon"),
    **dict.fromkeys(("傍晚", "晚上", "晚间", "夜里", "夜晚", "夜间", "半夜", "深夜", "晚", "夜", "黄昏"), "evening"),
}
_WEEKDAYS: Final = {**{c: i for i, c in enumerate("一二三四五六日", 1)}, "天": 7, "末": 6}
_FESTIVALS: Final = {
    "元旦": "new year",
    "新年第一天": "new year",
    "圣诞": "christmas",
    "平安夜": "christmas eve",
    "国庆": "national day",
    "十一国庆": "national day",
    "五一": "labour day",
    "劳动节": "labour day",
    "春节": "spring festival",
    "大年初一": "spring festival",
    "过年": "spring festival",
    "除夕": "new year's eve",
    "大年三十": "new year's eve",
    "年三十": "new year's eve",
    "中秋": "mid-autumn",
    "端午": "dragon boat",
    "清明": "tomb sweeping",
    "情人节": "valentine",
    "妇女节": "women's day",
    "三八节": "women's day",
    "儿童节": "children's day",
    "六一": "children's day",
}
_YEARS: Final = {"今": 0, "明": 1, "后": 2, "去": -1}


def _relative(match: re.Match[str]) -> Value:
    return RelativeDay(_DAYS[match["day"]])


def _relative_with_part(match: re.Match[str]) -> Value:
    return RelativeDay(_DAYS[match["day"]], _PARTS[match["part"]])


def _days_later(match: re.Match[str]) -> Value:
    count = 0.5 if match["n"] == "半" else number(match["n"])
    if count is None:
        return None
    unit = match["unit"]
    if "月" in unit:
        return RelativeMonths(int(count)) if count >= 1 and count <= 24 else None
    days = count * (1 if unit in "天日" else 7)
    return RelativeDay(int(days)) if days == int(days) and days <= 3660 else None


def _weekday(match: re.Match[str]) -> Value:
    said = match["week"]
    day = match["day"]
    which = int(day) if day.isascii() else _WEEKDAYS[day]
    if not said:
        return Weekday(which)
    if said[0] in "这本今个t":
        return Weekday(which, 0)
    return Weekday(which, 1 if said[0] == "n" else said.count("下") - said.count("上"))


def _month_day(match: re.Match[str]) -> Value:
    month, day = number(match["month"]), number(match["day"])
    if month is None or day is None or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    written, years = group_of(match, "year"), group_of(match, "years")
    if written:
        return MonthDay(month, day, year=year(written))
    if years:
        return MonthDay(month, day, years=_YEARS[years])
    return MonthDay(month, day)


def _day_of_month(match: re.Match[str]) -> Value:
    day = number(match["day"])
    return DayOfMonth(day) if day is not None and 1 <= day <= 31 else None


def _day_of_named_month(match: re.Match[str]) -> Value:
    day = number(match["day"])
    if day is None or not 1 <= day <= 31:
        return None
    said = match["month"]
    return DayOfMonth(day, said.count("下") - said.count("上"))


def _festival(match: re.Match[str]) -> Value:
    return Festival(_FESTIVALS[match["name"]], _YEARS[match["years"]] if match["years"] else None)


def _part(match: re.Match[str]) -> Value:
    return _PARTS.get(match[0], "noon" if match[0] == "正午" else "dawn")


WEEKDAYS: Final[tuple[Rule, ...]] = (
    rule(
        "weekday of a month",
        "vague",
        r"(?:(?<!\d)\d{1,2}月份?|[这本下]个?月)的?(?:第[一二三四五]|最后一)个?(?:周|星期|礼拜)[一二三四五六日天]",
        lambda match: match[0],
        "月",
    ),
    rule(
        "again and again",
        "vague",
        r"(?:每隔?|隔)(?:[一两二2]?个?(?:周|星期|礼拜)(?:的?(?:周|星期|礼拜)?[一二三四五六日天](?:[、和到至及]?"
        r"(?:周|星期)?[一二三四五六日天]){0,6})?|[一两二2]?天|个?工作日|半?个?月(?:的?(?:\d{1,2}"
        r"|[一二三四五六七八九十]{1,3})[号日])?|个?季度|逢)"
        r"|(?:周|星期)[一二三四五六日天](?:、?[一二三四五六日天]){2,6}(?![点个人位名小])",
        lambda match: match[0],
        "每隔周星",
    ),
    rule(
        "weekday some weeks on",
        "day",
        r"(?P<n>[一两二三四1-4])个?(?:周|星期|礼拜)(?:以|之)?后的?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])",
        lambda m: Weekday(_WEEKDAYS[m["day"]], number(m["n"])),
        "后",
    ),
    rule(
        "weekday",
        "day",
        r"(?P<week>(?:(?<![一两几])下{1,3}|上{1,2}|这|本|今)个?|(?:next|this) ?"
        r"|(?<![每一两几\d上这本])(?<!(?<![一两几])下)个?)"
        r"(?:(?:周|星期|礼拜)的?(?=周|星期|礼拜))?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]|[1-7]"
        r"(?![\d点:时个小人天]))(?!期|(?<=[五六])日)",
        _weekday,
        "周星礼",
    ),
    rule(
        "weekday after a date",
        "day",
        r"(?<=[\d日号])(?P<week>)(?:周|星期|礼拜)(?P<day>[一二三四五六日天])",
        _weekday,
        "周星礼",
    ),
)
"""Read before everything else that holds a numeral: 周二十点 is 周二 + 10点, 周二十个人 is 周二 + 10个人."""

DATES: Final[tuple[Rule, ...]] = (
    rule(
        "relative day",
        "day",
        r"(?P<day>大大后|大后|大前|[今明昨后前])(?:天|日(?![常志报程])|儿个?|(?<=[今明])个(?![人月小半]))",
        _relative,
        "天日儿个",
    ),
    rule(
        "relative day before another",
        "day",
        r"(?P<day>今(?=明[天日两后])|(?<=今)明(?=两天)|[明后](?=两天)|明(?=后[天日两])|昨(?=今两天))",
        _relative,
        "天日两",
    ),
    rule(
        "relative day with part of day",
        "day",
        r"(?P<day>大后|[今明昨后当])(?P<part>早(?![点退饭餐])|晚(?!点[到吧儿])|晨|夜)上?",
        _relative_with_part,
        "早晚晨夜",
    ),
    rule(
        "days or weeks from now",
        "day",
        rf"(?:过|再过)?(?P<n>{COUNT}|半)(?P<unit>天|日|周|个?星期|个?礼拜|个月)(?:之|以)?后",
        _days_later,
        "后",
        starts=(NUMBER, "半", "再", "过"),
    ),
    rule(
        "month and day",
        "day",
        r"(?:(?P<year>(?<!\d)\d{4}|[零〇一二三四五六七八九]{4})年|(?P<years>[今明后去])年)?的? ?"
        rf"(?P<month>{UP_TO_99})月份?的?"
        rf" ?(?P<day>(?:\d{{1,2}}|[零一二三四五六七八九十]{{1,3}}))(?:日|号(?!楼)|(?![\d.{SIGNS}:月个人点间层]))",
        _month_day,
        "月",
    ),
    rule(
        "month.day",
        "day",
        r"(?<![\d.])(?P<month>\d{1,2})\.(?P<day>\d{1,2})[号日]",
        _month_day,
        ".",
    ),
    rule(
        "day of a named month",
        "day",
        rf"(?P<month>下{{1,2}}|这|本|上)个?月的?(?P<day>{UP_TO_99})[日号]",
        _day_of_named_month,
        "月",
    ),
    rule(
        "day of the month before another",
        "day",
        rf"(?<![第月])(?P<day>{UP_TO_99})(?=(?:-|~|到|至|、|和|或者?){UP_TO_99}[号日](?![线门机厅楼房员室馆]))",
        _day_of_month,
        "号日",
    ),
    rule(
        "day of the month",
        "day",
        rf"(?<![第月])(?P<day>{UP_TO_99})[号日](?![线门机厅楼房员室馆])",
        _day_of_month,
        "号日",
    ),
    rule(
        "festival",
        "day",
        rf"(?:(?P<years>[今明后去])年的?)?(?P<name>{'|'.join(sorted(_FESTIVALS, key=len, reverse=True))})(?:节|当天"
        r"|那天|那一天){0,2}(?!假|期间|前|后|晚会|礼物)",
        _festival,
        "元圣国五劳春年除中端清情妇儿新平大六三",
    ),
    rule(
        "part of the day",
        "part",
        r"正午(?= ?[\d十])|午夜(?= ?[\d十零])"
        rf"|(?:{'|'.join(w for w in sorted(_PARTS, key=len, reverse=True) if len(w) > 1)})(?!好(?!的|像))|[早晚夜]"
        r"(?= ?(?:\d|[一二三四五六七八九十两]{1,3}点[^儿也都的]?)(?!点[儿也都的吧]))",
        _part,
        "晨早午晚夜晓昏",
    ),
)

VAGUE: Final[tuple[Rule, ...]] = (
    rule(
        "same time",
        "vague",
        r"(?:跟|和|与|同|按照?)?(?:(?P<last>上次|上回|上一次)|之前|刚才)的?(?:那个)?(?:同样|一样|相同|同一个?)?的?"
        r"(?:时间段?|时段)(?:一样|相同|一致)?"
        r"|(?<!不)(?:同样|一样|相同|同一个?|原先?|原来|老)的?(?:时间段?|时段)|时间(?:一样|相同|不变|照旧)"
        r"|时间(?:跟|和|与|同|按)(?:(?P<as_last>上次|上回|上一次)|之前|刚才)(?:的时间)?(?:一样|相同|一致|来)",
        lambda match: SameTime(of_a_booking=(match["last"] or match["as_last"]) is not None),
        "时",
    ),
    rule(
        "vague day or time",
        "vague",
        r"(?:腊月|正月|冬月)(?:[初廿三]?[一二三四五六七八九十]{1,2})?"
        r"|(?<![最当起])初[一二三四五六七八九十](?![个次步版级中高])|"
        r"(?:同样|一样|相同|同一个?|原先?|原来|老)的?(?:时间|时段|日期|那天)|(?:跟|和|与|同|按)?(?:上次|上回"
        r"|上一次|之前|刚才)"
        r"的?(?:那个)?(?:时间|时段|日期)?(?:一样|相同|一致|来)|照旧|老样子|老地方|下个?节气|(?:元旦|圣诞|国庆"
        r"|春节|过年|五一|中秋|端午|清明|除夕)节?之?[前后](?:[一两三四五\d]天)?|"
        r"(?<!\d)\d{1,2}月\d{1,3}[号日]|(?:一|整|整个|一整个)(?:上午|下午|晚上|早上)|(?:这|本|下"
        r"|上)?个?月[底初末中](?:旬)?"
        r"|年[底初末]|(?:这|本|下|上){0,2}个?周末|"
        r"(?:下{1,3}|这|本|上)个?(?:周|星期|礼拜|月|季度)(?!的?[一二三四五六日天\d])"
        r"|(?:跟|和|与|同|像)[昨前今明]天的?(?:时间)?(?:一样|相同)|[年节][前后]|双(?:十[一二]|1[12])|七夕|重阳"
        r"|元宵|腊八|小年(?!轻)|周中|开春|上旬|中旬|下旬"
        r"|[早午晚]饭(?:时间|前|后)|饭点"
        r"|午休(?:时间)?|茶歇(?:前|后|时间)?|[上下]班(?:之|以)[前后]|第一时间|时间待定|待定|随时|任[何意]时间"
        r"|迟一?点儿?(?!\d)|整点(?!\d)"
        r"|[那这]个(?:点|时间|时候)(?:段)?(?=$|[,。吧的就])|(?:元旦|圣诞|国庆|春节|五一|中秋|端午|清明)(?:假期?"
        r"|期间|放假)|[寒暑]假"
        r"|改天|改日|回头|晚一?点儿?(?=$|[,。吧再的了])|晚些时?候?|早一?点儿?(?=$|[,。吧再的了])"
        r"|早些时?候?|稍后|待会儿?|等会儿?|等一会儿?|一会儿|过一?会儿?"
        r"|半个?[月年](?:之|以)?后|过[两几]天|过一?阵子?|这几天|这两天"
        r"|最近|尽快|有空的时候|午饭[前后]|饭[前后]|下班[前后]|上班[前后]"
        r"|工作日|周六日|农历[^,。 ]{1,8}|阴历[^,。 ]{1,8}|等[^,。]{1,20}(?:之后|以后|完|后)|(?:开完会|散会|结束)"
        r"(?:之|以)?后|[几数]天后|"
        r"(?:\d{1,2}|[一两二三四五六七八九十]{1,3})天(?:之?内|以内)?(?!后)|(?<!\d)(?:\d{1,2}"
        r"|[一二三四五六七八九十]{1,2})月份?"
        r"(?![\d一二三四五六七八九十])|\d{4}年|(?:中午|下午|上午|晚上)(?:之?前|以前)|过?[几数]个?(?:小时"
        r"|钟头|分钟)|[明后]年|立春|冬至|夏至|白天|全天候",
        lambda match: match[0],
        "国圣元节月年末周星礼改一整回晚早稍会天阵最尽空饭班每隔工农阴等后时立至前几数季过白冬夏腊正初同相原老上之刚照清端除跟和与像双七重小开旬饭休歇班第待随任迟点寒暑那这",
    ),
)
