"""Putting hours together: parts of the day go to their hour, two hours are a range, words around one make it an end."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from booking_bot.dialogue.reading import Part
from booking_bot.language.en.numerals import number as number_en
from booking_bot.language.resolve import is_open
from booking_bot.language.rule import Mention
from booking_bot.language.syntax import (
    AFTER_ONLY,
    AFTER_WORD,
    BEFORE_ONLY,
    BEFORE_WORD,
    BY_A_DAY,
    CLAUSE_END,
    DAY_BEFORE,
    DAYS_JOINED,
    END_AFTER,
    END_BEFORE,
    HOUR_TO_PART,
    LOOK_BACK,
    MAY_JOIN,
    MOVES_FROM,
    PART_TO_HOUR,
    RANGE,
    TIME_REST,
    TIME_START,
)
from booking_bot.language.values import Hour, RelativeDay, Stretch, Value
from booking_bot.language.zh.numerals import number as number_zh

_YEARS: Final = range(1990, 2060)


def compose(mentions: list[Mention], text: str, masked: str, *, numbers_are_people: bool) -> list[Mention]:
    """Attach parts of the day, join ranges and tell ends from starts.

    Args:
        text: the folded text.
        masked: the same with the characters of the mentions used up.
        numbers_are_people: seats were asked for, so that "8-10" is no time.
    """
    mentions = _leave_out_later_days(mentions, text)
    _deadlines(mentions, text)
    if not any(m.kind == "time" for m in mentions):
        has_numbers = not numbers_are_people
        return _join(mentions, text, masked) if has_numbers else mentions
    mentions = _attach(mentions, text)
    mentions = _join(mentions, text, masked)
    _tell_ends(mentions, text)
    return mentions


def _deadlines(mentions: list[Mention], text: str) -> None:
    """Take "周五之前" and "before Friday" as words that are not understood: they name no day."""
    for mention in mentions:
        if mention.kind != "day":
            continue
        after = DAY_BEFORE.match(text, mention.end)
        before = BY_A_DAY.search(text, max(0, mention.start - LOOK_BACK), mention.start)
        if after is not None or before is not None:
            mention.kind = "vague"
            mention.start = before.start("body") if before is not None else mention.start
            mention.end = after.end() if after is not None else mention.end


def _leave_out_later_days(mentions: list[Mention], text: str) -> list[Mention]:
    """Keep day and hour that a stretch over days begins with; the rest ("到周二4点") becomes words not understood.

    Two days with no hour between them ("周一到周三") stay, so that the user is asked which one is meant.
    """
    if sum(m.kind == "day" for m in mentions) < 2:
        return mentions
    kept: list[Mention] = []
    for mention in mentions:
        last = kept[-1] if kept else None
        if last is not None and mention.kind == "day" and _joins_days(kept, mention, text):
            start = last.end + text.startswith(" ", last.end)
            kept.append(Mention("vague", "", start, mention.end, "over several days"))
        elif last is not None and _goes_on(last, mention, text):
            last.end = mention.end
        else:
            kept.append(mention)
    return kept


def _joins_days(before: list[Mention], day: Mention, text: str) -> bool:
    last = before[-1]
    if last.kind != "time" or DAYS_JOINED.fullmatch(text, last.end, day.start) is None:
        return False
    if MOVES_FROM.search(text, max(0, last.end - 100), last.end) is not None:
        return False
    return any(m.kind == "day" for m in before[-3:-1])


def _goes_on(last: Mention, mention: Mention, text: str) -> bool:
    """Tell whether an hour, or its part of the day, belongs to the last day that is left out."""
    return (
        last.rule == "over several days"
        and mention.kind in ("time", "part")
        and PART_TO_HOUR.fullmatch(text, last.end, mention.start) is not None
    )


def _attach(mentions: list[Mention], text: str) -> list[Mention]:
    kept: list[Mention] = []
    loose: Mention | None = None
    for at, mention in enumerate(mentions):
        hour = mention.value
        if mention.kind == "time" and isinstance(hour, Hour):
            before = kept[-1] if kept else None
            after = mentions[at + 1] if at + 1 < len(mentions) else None
            part = _part_of(before)
            if before is not None and part is not None and PART_TO_HOUR.fullmatch(text, before.end, mention.start):
                if before.kind == "part":
                    kept.pop()
                    mention.start = before.start
                loose = None
            elif after is not None and after.kind == "part" and HOUR_TO_PART.fullmatch(text, mention.end, after.start):
                if _belongs_to_next(mentions, at + 1, text):
                    part = None
                else:
                    part = _part_of(after)
                    mention.end = after.end
                    after.kind = "claim"
            elif loose is not None and CLAUSE_END.search(text, loose.end, mention.start) is None:
                part, loose = _part_of(loose), None
            else:
                part = None
            if part is not None and hour.half_of_day is None and not hour.exact:
                mention.value = replace(hour, half_of_day=part)
        elif _part_of(mention) is not None:
            loose = mention
        kept.append(mention)
    return [m for m in kept if not (m.kind == "claim" and m.rule == "part of the day")]


def _belongs_to_next(mentions: list[Mention], at: int, text: str) -> bool:
    """Tell whether the part at `at` stands right before an hour of its own ("上午9点下午3点")."""
    if at + 1 >= len(mentions):
        return False
    following = mentions[at + 1]
    return following.kind == "time" and PART_TO_HOUR.fullmatch(text, mentions[at].end, following.start) is not None


def _part_of(mention: Mention | None) -> Part | None:
    if mention is None:
        return None
    if mention.kind == "part":
        part: Part = mention.value  # type: ignore[assignment]  # a part mention holds a Part
        return part
    return mention.value.part if isinstance(mention.value, RelativeDay) else None


def _join(mentions: list[Mention], text: str, masked: str) -> list[Mention]:
    if MAY_JOIN.search(masked) is None:
        return mentions
    times = {m.start: m for m in mentions if m.kind == "time" and isinstance(m.value, Hour)}
    pieces = list(masked)
    for m in times.values():
        pieces[m.start : m.end] = TIME_START + TIME_REST * (m.end - m.start - 1)
    marked = "".join(pieces)
    joined: list[Mention] = []
    parts = [m for m in mentions if _part_of(m) is not None]
    for match in RANGE.finditer(marked):
        if match["join"] == "and" and not match["between"]:
            continue
        first, second = times.get(match.start("a")), times.get(match.start("b"))
        start = first.value if first else _bare(match["a"])
        end = second.value if second else _bare(match["b"])
        if not isinstance(start, Hour) or not isinstance(end, Hour):
            continue
        begins = match.start("a")
        part = _part_before(parts, text, begins) if first is None else None
        if part is not None and is_open(start):
            start = replace(start, half_of_day=_part_of(part))
            begins = part.start if part.kind == "part" else begins
        if match["join"] == "to" and MOVES_FROM.search(text, max(0, match.start() - 60), match.start()):
            continue
        if first is None and second is None and not _looks_like_times(match["a"], match["b"], match["join"]):
            continue
        stretch = Stretch(start, end, match.start("join"))
        joined.append(Mention("time", stretch, begins, match.end("b"), "from hour to hour"))
    if not joined:
        return mentions
    inside = bytearray(len(text) + 1)
    for stretch_said in joined:
        inside[stretch_said.start : stretch_said.end] = b"\x01" * (stretch_said.end - stretch_said.start)
    kept = [m for m in mentions if m.kind not in ("time", "part") or not inside[m.start]]
    kept += joined
    kept.sort(key=lambda m: m.start)
    return kept


def _part_before(parts: list[Mention], text: str, start: int) -> Mention | None:
    """Find the part of the day that stands right before a bare number ("晚上8-10点").

    Args:
        parts: the parts of the day in order of place; those that end before `start` are used up.
    """
    last: Mention | None = None
    while parts and parts[0].end <= start:
        last = parts.pop(0)
    return last if last is not None and PART_TO_HOUR.fullmatch(text, last.end, start) else None


def _bare(said: str) -> Value:
    """Read a number beside a range's dash or "to" as an hour: 3, 1430, 330, three, 三."""
    if "." in said:
        said = said.replace(".", "")
    if said.isdigit() and len(said) >= 3:
        hour, minute = int(said[:-2]), int(said[-2:])
        if minute > 59 or hour > 24 or minute % 5:
            return None
        return Hour(hour, minute, exact=hour > 12 or (len(said) == 4 and said[0] == "0"))
    value = number_zh(said) if not said.isascii() else number_en(said)
    if value is None or value > 24:
        return None
    return Hour(value, 0, exact=value > 12 or said.startswith("0") or value == 0)


def _looks_like_times(first: str, second: str, join: str) -> bool:
    """Tell a range of bare numbers from a pair of years, scores or room numbers."""
    if first.isdigit() and second.isdigit() and int(first) in _YEARS and int(second) in _YEARS:
        return False
    return not (join in ("-", "~") and first == second)


def _tell_ends(mentions: list[Mention], text: str) -> None:
    for mention in mentions:
        if mention.kind != "time" or not isinstance(mention.value, Hour):
            continue
        back = max(0, mention.start - LOOK_BACK)
        if END_AFTER.match(text, mention.end) or END_BEFORE.search(text, back, mention.start):
            mention.kind = "end"
        elif BEFORE_ONLY.match(text, mention.end) or BEFORE_WORD.search(text, back, mention.start):
            mention.kind = "vague"
        elif AFTER_ONLY.match(text, mention.end) or AFTER_WORD.search(text, back, mention.start):
            mention.value = replace(mention.value, approximate=True)
