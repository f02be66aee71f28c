"""Chinese words for hours and lengths: 两点半, 差一刻三点, 一个半小时, 两小时后."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.rule import FROM_NUMBER, NUMBER, Rule, always, rule
from booking_bot.language.shared import clock
from booking_bot.language.values import FromNow, Hour, IllegalHour, Length, Stretch, Value
from booking_bot.language.zh.numerals import DIGIT, SIGNS, number

_HOUR: Final = rf"(?:(?<![\d.])\d{{1,2}}|(?<![{SIGNS}])[零〇一二两三四五六七八九十]{{1,3}})"
_SMALL: Final = rf"(?:(?<![\d.])\d{{1,4}}(?:\.\d{{1,2}})?|(?<![{SIGNS}])[{SIGNS}俩仨]{{1,5}})"
_POINT_FIVE: Final = r"(?<![午上晚早晨天日号零一二三四五六七八九十])[零一两二]点五(?=个?(?:小时|钟头))"
"""一点五小时 is an hour and a half, but 下午一点五小时 is one o'clock and five hours."""
_MINUTES: Final = {"半": 30, "一刻": 15, "1刻": 15, "二刻": 30, "两刻": 30, "三刻": 45, "3刻": 45}
_BEFORE_A_BIT: Final = frozenset("早晚迟快慢大小多少宜高低好近远长短有差")
"""一点 after one of these is "a bit": 早一点, 快一点, 有一点."""
_BEFORE_AN_HOUR: Final = frozenset(
    "午上晚早晨天日号周期拜一二三四五六末今明后点从到至在于是约改前和或者还间始为成定订会议室人楼座层时要选就那开夜中里的了我们"
    "咱把给想用找求排预安月年节儿去挪移推换"
)
"""一点 after any other Chinese character is "a bit" too: 安静一点, 宽敞一点."""
_AFTER_A_BIT: Final = frozenset("儿也都")
"""一点 before one of these too: 一点都不, 一点儿."""
_HALF_HOUR: Final = r"半个?(?:小时|钟头|钟)"


def _hour(match: re.Match[str]) -> Value:
    hour = number(match["hour"])
    if hour is None or (match["hour"] == "一" and _is_a_bit(match)):
        return None
    said = match["minute"]
    minute = 0
    if said:
        known = _MINUTES.get(said)
        read = known if known is not None else number(said.rstrip("分").lstrip("零〇") or "零")
        if read is None:
            return None
        minute = read
    return hour_of(match["hour"], hour, minute, match[0], approximate=bool(match["about"]))


def _is_a_bit(match: re.Match[str]) -> bool:
    text = match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if before in _BEFORE_A_BIT or after in _AFTER_A_BIT:
        return True
    says_no_more = match[0] in ("一点", "一 点")
    return says_no_more and before >= "\u3400" and before not in _BEFORE_AN_HOUR


def _day_shift(match: re.Match[str]) -> Value:
    start, end = number(match["start"]), number(match["end"])
    if start is None or end is None or not 1 <= start <= 12 or not 1 <= end <= 12:
        return None
    half = 30 if match["half"] else 0
    return Stretch(Hour(start, 0, half_of_day="morning"), Hour(end, half, half_of_day="afternoon"), match.start("turn"))


def hour_of(written_hour: str, hour: int, minute: int, written: str, *, approximate: bool = False) -> Value:
    """Make the hour, exact when written as 24-hour clocks do (13点, 0点, 08点), illegal when no clock has it."""
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return IllegalHour(written)
    exact = hour > 12 or hour == 0 or (len(written_hour) == 2 and written_hour[0] == "0")
    return Hour(hour, minute, exact=exact, approximate=approximate)


def _approximate_hour(match: re.Match[str]) -> Value:
    if match["low"]:
        low, high = int(match["low"]), int(match["high"])
        return Hour(low, 30 if match["half"] else 0, exact=low > 12, approximate=True) if high - low == 1 else None
    first, second = DIGIT.get(match["first"][-1]), DIGIT.get(match["second"])
    ten = match["second"] == "十"
    if first is None or (second is None and not ten):
        return None
    first_hour = first + (10 if match["first"].startswith("十") and len(match["first"]) > 1 else 0)
    second_hour = 10 if ten else (second or 0) + (first_hour // 10) * 10
    if second_hour - first_hour != 1:
        return None
    return Hour(first_hour, 30 if match["half"] else 0, approximate=True)


def _minutes_to(match: re.Match[str]) -> Value:
    hour = number(match["hour"])
    said = match["less"]
    less = _MINUTES.get(said) if said in _MINUTES else number(said.rstrip("钟").rstrip("分"))
    if hour is None or less is None or not 0 < less < 60 or hour > 24:
        return None
    before = (hour - 1) % 24 or (12 if hour <= 12 else 0)
    if hour == 1:
        before = 12
    return Hour(before, 60 - less, exact=hour > 13)


def _moment(match: re.Match[str]) -> Value:
    return Hour(0, 0, exact=True) if match[0] != "正午" else Hour(12, 0, exact=True)


def _minutes(match: re.Match[str]) -> int | None:
    """Add up the pieces of a length: hours, the half after them, quarters, minutes."""
    groups = match.groupdict()
    if groups.get("half"):
        return 30
    if groups.get("quarters"):
        return 15 * (number(groups["quarters"]) or 0) or None
    total = 0.0
    if groups.get("hours"):
        hours = _decimal(groups["hours"])
        if hours is None:
            return None
        total = hours * 60 + (30 if groups.get("and_half") or groups.get("half_after") else 0)
    if groups.get("minutes"):
        minutes = _decimal(groups["minutes"])
        if minutes is None:
            return None
        total += minutes
    total += int(groups.get("bare_minutes") or 0)
    if groups.get("more_quarters"):
        total += 15 * (number(groups["more_quarters"]) or 0)
    return int(total) if 1 <= total <= 100_000 else None


def _decimal(text: str) -> float | None:
    if text.isascii():
        return float(text)
    whole, point, _ = text.partition("点五")
    if point:
        return DIGIT[whole] + 0.5
    return number(text)


def _length(match: re.Match[str]) -> Value:
    minutes = _minutes(match)
    return Length(minutes) if minutes is not None else None


def _from_now(match: re.Match[str]) -> Value:
    minutes = _minutes(match)
    return FromNow(minutes) if minutes is not None and minutes <= 1440 * 7 else None


def _two_lengths(match: re.Match[str]) -> Value:
    first, second = number(match["first"]), number(match["second"])
    if first is None or second is None or not 0 < first < second <= 600:
        return None
    unit = 60 if match["unit"] in ("小时", "钟头", "钟") else 1
    return Length(first * unit, or_else=second * unit)


_LENGTH: Final = (
    rf"(?:(?P<half>{_HALF_HOUR})"
    rf"|(?P<quarters>[一二两三123])刻钟"
    rf"|(?P<hours>{_SMALL}|{_POINT_FIVE})(?:个(?P<and_half>半)?)?(?:小时|钟头|钟)(?P<half_after>半)?"
    rf"(?:零|又|and| )?(?:(?P<more_quarters>[一三])刻钟|(?P<minutes>(?:\d{{1,2}}|[{SIGNS}]{{1,3}}))分钟?"
    rf"|(?P<bare_minutes>[1-5]\d)(?=$|[,。;的吧]))?"
    rf")"
)
_MINUTES_ONLY: Final = rf"(?P<minutes>{_SMALL})分钟"

LENGTHS: Final[tuple[Rule, ...]] = (
    rule(
        "length in hours",
        "length",
        rf"{_LENGTH}",
        _length,
        "时钟",
        starts=(NUMBER, "半"),
    ),
    rule(
        "length in minutes",
        "length",
        _MINUTES_ONLY,
        _length,
        "分",
        starts=FROM_NUMBER,
    ),
    rule(
        "length in short minutes",
        "length",
        rf"(?<![点时差过零〇])(?<!\d:)(?P<minutes>{_SMALL})分(?!感谢|重要|满意|抱歉|方便|需要|着急|紧张|紧急"
        r"|期待|高兴|不)(?![钟之店公享部散贝差配])",
        _length,
        "分",
        starts=FROM_NUMBER,
    ),
    rule(
        "two lengths",
        "length",
        r"(?<![\d./:点数])(?P<first>\d{1,3}|[一二两三四五六七八九])(?:[-~、]|到|至|或者?)?(?P<second>(?:(?<!\d)\d{1,3}"
        r"|[二两三四五六七八九十]))个?(?P<unit>小时|钟头|钟|分钟)",
        _two_lengths,
        "时钟",
        starts=FROM_NUMBER,
    ),
    rule(
        "half a day",
        "length",
        r"(?<![大上下前后小一])半天(?!假)|(?<![前后那有过每同哪某头另晚早找选挑随])(?:一|整|一整|全)天(?![候天])",
        lambda m: Length(240 if "半" in m[0] else 480),
        "天",
    ),
    rule("about an hour", "length", r"个把(?:小时|钟头)", always(Length(60)), "把"),
    rule(
        "hours from now",
        "time",
        rf"(?:再?过)?{_LENGTH}(?:之|以)?后(?!天)",
        _from_now,
        "后",
        starts=(NUMBER, "半", "再", "过"),
    ),
    rule("when hours have passed", "time", rf"(?<!超)再?过{_LENGTH}(?!(?:之|以)?后)", _from_now, "过"),
    rule(
        "minutes from now",
        "time",
        rf"(?:再?过)?{_MINUTES_ONLY}(?:之|以)?后(?!天)",
        _from_now,
        "后",
        starts=(NUMBER, "再", "过"),
    ),
    rule("when minutes have passed", "time", rf"(?<!超)再?过{_MINUTES_ONLY}(?!(?:之|以)?后)", _from_now, "过"),
    rule(
        "minutes to the hour",
        "time",
        rf"差(?P<less>[一二三123]刻|{_SMALL}分钟?)(?:钟)?(?:就|到)?(?P<hour>{_HOUR})点钟?",
        _minutes_to,
        "差",
    ),
    rule("hour less minutes", "time", rf"(?P<hour>{_HOUR})点差(?P<less>[一二三123]刻|{_SMALL}分)", _minutes_to, "差"),
)


TIMES: Final[tuple[Rule, ...]] = (
    rule(
        "hour",
        "time",
        rf"(?<!第)(?P<hour>{_HOUR})(?: ?点(?!建议|意见|要求|问题|说明|原因|想法|要说|看法|疑问|子|评|名|赞"
        r"|菜|餐|心|击)|时(?![间候段长区刻代节而常髦差尚]))"
        r"(?:过)?(?P<minute>半(?!个|天|小时)|[一二两三123]刻(?!钟后)|(?:[零〇]\d分?|[零〇][一二三四五六七八九]"
        r"|[一二三四五六七八九](?=分)"
        rf"|[二三四五]?十[一二三四五六七八九]?)分?(?![{SIGNS}个点人月])|\d{{2}}分?(?!\d|[:/点个人月])|\d分)?"
        rf"(?:整|钟|来钟)?(?P<about>左右|多|前后|上下)?",
        _hour,
        "点时",
        starts=FROM_NUMBER,
    ),
    rule(
        "hour with a dot",
        "time",
        r"(?:(?<=上午)|(?<=下午)|(?<=晚上)|(?<=早上)"
        r"|(?<=中午)) ?(?P<body>(?P<hour>\d{1,2})\.(?P<minute>[0-5]\d))(?![\d万亿千元块小个])",
        clock,
        ".",
    ),
    rule(
        "from morning to evening",
        "time",
        rf"[早朝]上?(?P<start>{_HOUR})点?(?P<turn>(?:到|至|-)?晚上?(?P<end>\d{{1,2}}"
        rf"|[五六七八九十]{{1,2}})(?:点(?P<half>半)?)?)"
        r"(?![\d:点])",
        _day_shift,
        "早朝",
    ),
    rule(
        "hour between two",
        "time",
        r"(?<![零一二三四五六七八九十\d])(?:(?P<first>十?[一二两三四五六七八九])、?"
        r"(?P<second>[二三四五六七八九十])|(?P<low>\d{1,2})[、,]"
        r"(?P<high>\d{1,2}))点(?P<half>半)?",
        _approximate_hour,
        "点",
    ),
    rule("midnight or noon", "time", r"零时|午夜(?! ?[\d十零])|子夜|正午(?! ?\d)", _moment, "零午子"),
)
