"""Reading accuracy and speed of our reader and of the libraries of the trade, on the same messages in one run.

    pip install jionlp dateparser parsedatetime ctparse recognizers-text-suite "emoji<2"
    python -m benchmarks.understanding [--seconds 1.0] [--growth]

Peers read dates, times and lengths only, so they are compared on the peer-neutral part: the messages whose gold reading
states a date, a start or a length, each scored on just those of the slots it states; a peer that also invents a date is
not punished there. "exact" punishes it. A peer that is not installed is named and left out. `--growth` measures instead
how the time of the reader and of each of its patterns grows with the length of hostile texts.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import io
import json
import math
import re
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from booking_bot.adapters.site_folder import load_site
from booking_bot.dialogue.reading import ReadingContext
from booking_bot.language import grammar
from booking_bot.language.parse_json import to_json
from booking_bot.language.reader import read

CORPORA = Path(__file__).parents[1] / "tests" / "language" / "corpora"
FILES = ("office_zh", "office_en", "reported")
WHEN = ("date", "start_time", "duration_minutes")
SLOTS = (*WHEN, "end_time", "capacity", "building", "equipment", "choice", "confirm", "cancel")
Reads = Callable[[str, dt.datetime], dict[str, Any]]
SITE = load_site("demo")


@dataclass
class Score:
    """Counts of one reader on one set of messages."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    exact: int = 0
    per_s: float = 0.0
    failures: int = 0

    def percent(self, slot: str) -> str:
        """Give the share of a slot's gold values that were read."""
        return f"{100 * self.right[slot] / self.asked[slot]:.1f}" if self.asked[slot] else "–"

    def overall(self) -> float:
        """Give the share of all gold values that were read."""
        return 100 * sum(self.right.values()) / max(1, sum(self.asked.values()))


def messages() -> list[dict[str, Any]]:
    """Load the messages on which people agree."""
    lines = [json.loads(x) for f in FILES for x in (CORPORA / f"{f}.jsonl").read_text("utf-8").splitlines()]
    return [m for m in lines if not m.get("debatable")]


def ours(text: str, now: dt.datetime) -> dict[str, Any]:
    """Read with our reader, everything that it reads."""
    parsed: Any = to_json(read(text, ReadingContext(now=now, site=SITE)))
    out: dict[str, Any] = dict(parsed["slots"])
    out |= {k: parsed[k] for k in ("choice", "confirm") if parsed[k] is not None}
    return out | ({"cancel": True} if parsed["intent"] == "cancel" else {})


def span(start: dt.datetime | None, end: dt.datetime | None = None) -> dict[str, Any]:
    """Give the slots of a moment or of a stretch."""
    if start is None:
        return {}
    out: dict[str, Any] = {"date": start.date().isoformat(), "start_time": f"{start:%H:%M}"}
    if end is not None and end > start:
        out["duration_minutes"] = round((end - start).total_seconds() / 60)
    return out


def jionlp_reads(_lang: str) -> Reads:
    """Read with jionlp's time extraction (Chinese)."""
    with contextlib.redirect_stdout(io.StringIO()):
        import jionlp

    def reads(text: str, now: dt.datetime) -> dict[str, Any]:
        out: dict[str, Any] = {}
        base = {
            "year": now.year,
            "month": now.month,
            "day": now.day,
            "hour": now.hour,
            "minute": now.minute,
            "second": 0,
        }
        for found in jionlp.ner.extract_time(text, time_base=base, with_parsing=True):
            detail = found["detail"]
            if detail["type"] == "time_delta":
                delta = detail["time"] if isinstance(detail["time"], dict) else {}
                minutes = delta.get("hour", 0) * 60 + delta.get("minute", 0) + delta.get("day", 0) * 1440
                if isinstance(minutes, int | float) and minutes:
                    out.setdefault("duration_minutes", round(minutes))
            elif isinstance(detail["time"], list):
                start, end = (dt.datetime.fromisoformat(t) for t in detail["time"])
                for key, value in span(start, _told_end(start, end)).items():
                    out.setdefault(key, value)
        return out

    return reads


def _told_end(start: dt.datetime, end: dt.datetime) -> dt.datetime | None:
    """Leave out the end of "the whole minute, hour or day", which nobody said."""
    return end if end.second == 0 and end - start < dt.timedelta(hours=12) else None


def dateparser_reads(lang: str) -> Reads:
    """Read with dateparser's search."""
    from dateparser.search import search_dates

    def reads(text: str, now: dt.datetime) -> dict[str, Any]:
        settings = {"RELATIVE_BASE": now.replace(tzinfo=None), "PREFER_DATES_FROM": "future"}
        found = search_dates(text, languages=[lang], settings=settings) or []
        moments = [moment for _, moment in found]
        return span(moments[0], moments[1] if len(moments) > 1 else None) if moments else {}

    return reads


def recognizers_reads(lang: str) -> Reads:
    """Read with Microsoft's recognizers-text (the values of the future)."""
    from recognizers_date_time import recognize_datetime
    from recognizers_text import Culture

    culture = Culture.Chinese if lang == "zh" else Culture.English

    def reads(text: str, now: dt.datetime) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for found in recognize_datetime(text, culture, reference=now.replace(tzinfo=None)):
            values = (found.resolution or {}).get("values") or []
            if values:
                for key, value in _recognized(values[-1]).items():
                    out.setdefault(key, value)
        return out

    return reads


def _recognized(value: dict[str, Any]) -> dict[str, Any]:
    kind = value.get("type", "")
    if kind == "duration":
        return {"duration_minutes": round(float(value["value"]) / 60)}
    if kind == "time":
        return {"start_time": value["value"][:5]}
    if kind == "date":
        return {"date": value["value"]}
    if kind == "datetime":
        return {"date": value["value"][:10], "start_time": value["value"][11:16]}
    if kind == "timerange" and "start" in value and "end" in value:
        start, end = (dt.datetime.fromisoformat(f"2000-01-01 {value[k]}") for k in ("start", "end"))
        out = span(start, end if end > start else end + dt.timedelta(days=1))
        out.pop("date")
        return out
    if kind == "datetimerange" and "start" in value and "end" in value:
        return span(dt.datetime.fromisoformat(value["start"]), dt.datetime.fromisoformat(value["end"]))
    return {}


def parsedatetime_reads(_lang: str) -> Reads:
    """Read with parsedatetime (English)."""
    import parsedatetime

    calendar = parsedatetime.Calendar(version=parsedatetime.VERSION_CONTEXT_STYLE)

    def reads(text: str, now: dt.datetime) -> dict[str, Any]:
        out: dict[str, Any] = {}
        found = calendar.nlp(text, sourceTime=now.replace(tzinfo=None)) or ()
        times = [f for f in found if f[1].hasTime]
        dates = [f for f in found if f[1].hasDate]
        if dates:
            out["date"] = dates[0][0].date().isoformat()
        if times:
            out["start_time"] = f"{times[0][0]:%H:%M}"
        if len(times) > 1:
            out["duration_minutes"] = round((times[1][0] - times[0][0]).total_seconds() / 60) % 1440
        return out

    return reads


def ctparse_reads(_lang: str) -> Reads:
    """Read with ctparse (English)."""
    from ctparse import ctparse
    from ctparse.types import Duration, Interval, Time

    def reads(text: str, now: dt.datetime) -> dict[str, Any]:
        found = ctparse(text, ts=now.replace(tzinfo=None), timeout=2)
        value = found.resolution if found else None
        if isinstance(value, Duration):
            unit = {"minutes": 1, "hours": 60, "days": 1440}.get(value.unit.value, 0)
            return {"duration_minutes": value.value * unit} if unit else {}
        start, end = (value.t_from, value.t_to) if isinstance(value, Interval) else (value, None)
        out: dict[str, Any] = {}
        if isinstance(start, Time):
            if start.year and start.month and start.day:
                out["date"] = f"{start.year:04d}-{start.month:02d}-{start.day:02d}"
            if start.hour is not None:
                out["start_time"] = f"{start.hour:02d}:{start.minute or 0:02d}"
            if isinstance(end, Time) and start.hour is not None and end.hour is not None:
                minutes = (end.hour * 60 + (end.minute or 0)) - (start.hour * 60 + (start.minute or 0))
                out["duration_minutes"] = minutes % 1440
        return out

    return reads


PEERS: tuple[tuple[str, str, tuple[str, ...], Callable[[str], Reads]], ...] = (
    ("jionlp", "jionlp", ("zh",), jionlp_reads),
    ("dateparser", "dateparser", ("zh", "en"), dateparser_reads),
    ("recognizers-text", "recognizers-text-date-time", ("zh", "en"), recognizers_reads),
    ("parsedatetime", "parsedatetime", ("en",), parsedatetime_reads),
    ("ctparse", "ctparse", ("en",), ctparse_reads),
)


def score(reads: Reads, of: list[dict[str, Any]], slots: Iterable[str], seconds: float) -> Score:
    """Score a reader on messages, and time it on them for about `seconds`."""
    out = Score()
    slots = tuple(slots)
    for message in of:
        now = dt.datetime.fromisoformat(message["now"])
        try:
            got = reads(message["text"], now)
        except Exception:  # a peer that raises has not read the message
            got = {}
            out.failures += 1
        want = {k: v for k, v in message["expect"].items() if k in slots}
        for slot, value in want.items():
            out.asked[slot] += 1
            out.right[slot] += got.get(slot) == value
        out.messages += 1
        out.exact += {k: v for k, v in got.items() if k in slots} == want
    out.per_s = _speed(reads, of, seconds)
    return out


def _speed(reads: Reads, of: list[dict[str, Any]], seconds: float) -> float:
    timed = [(m["text"], dt.datetime.fromisoformat(m["now"])) for m in of]
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        for text, now in timed:
            with contextlib.suppress(Exception):
                reads(text, now)
            done += 1
            if time.perf_counter() - started >= seconds:
                break
    return done / (time.perf_counter() - started)


def compare(seconds: float) -> None:
    """Print the two tables."""
    everything = messages()
    print(f"{len(everything)} messages on which people agree\n")
    print("| ours, everything it reads | messages | exact % | " + " | ".join(SLOTS) + " | messages/s |")
    print("|---|" + "---|" * (len(SLOTS) + 3))
    for lang in ("zh", "en"):
        result = score(ours, [m for m in everything if m["lang"] == lang], SLOTS, seconds)
        cells = " | ".join(result.percent(s) for s in SLOTS)
        exact = 100 * result.exact / result.messages
        print(f"| {lang} | {result.messages} | {exact:.1f} | {cells} | {result.per_s:,.0f} |")
    neutral = [m for m in everything if any(k in m["expect"] for k in WHEN)]
    for lang in ("zh", "en"):
        of = [m for m in neutral if m["lang"] == lang]
        heads = (f"peer-neutral, {lang}, {len(of)} messages", *WHEN, "all %", "exact %", "messages/s", "raised")
        print(f"\n| {' | '.join(heads)} |")
        print("|---|" + "---|" * (len(WHEN) + 4))
        _row("**booking_bot**", score(ours, of, WHEN, seconds))
        for name, package, languages, make in PEERS:
            if lang in languages:
                try:
                    label = f"{name} {version(package)}"
                    reads = make(lang)
                except (ImportError, PackageNotFoundError) as error:
                    print(f"| {name}: not installed ({error}) |")
                    continue
                _row(label, score(reads, of, WHEN, seconds))


def _row(label: str, result: Score) -> None:
    cells = " | ".join(result.percent(s) for s in WHEN)
    exact = 100 * result.exact / result.messages
    print(f"| {label} | {cells} | {result.overall():.1f} | {exact:.1f} | {result.per_s:,.0f} | {result.failures} |")


HOSTILE = (
    "9",
    "3-",
    "点",
    "明天",
    "a",
    "at 3 ",
    "3点",
    "不",
    "周二",
    "1.",
    "12:3",
    "一",
    "to 3 ",
    '"',
    "not ",
    "room ",
    "两",
    "半",
    "@a",
    "月1",
    "tomorrow ",
    "2h",
    "每周三",
    "明天到",
    "8 or ",
    "第1个",
    "the ",
)


def exponent(run: Callable[[str], object], piece: str, short: int, long: int) -> float:
    """Give the power of the length with which the time of `run` grows between two lengths."""
    times = []
    for length in (short, long):
        text = (piece * (length // len(piece) + 1))[:length]
        best = math.inf
        for _ in range(5):
            started = time.thread_time()
            run(text)
            best = min(best, time.thread_time() - started)
        times.append(max(best, 2e-6))
    return math.log(times[1] / times[0]) / math.log(long / short)


def _pattern_exponent(pattern: re.Pattern[str], piece: str) -> float:
    return exponent(lambda text: sum(1 for _ in pattern.finditer(text)), piece, 12_500, 100_000)


def growth() -> None:
    """Print how time grows with length: the whole reader, and the worst patterns run alone past the cut."""
    context = ReadingContext(now=dt.datetime.fromisoformat("2026-11-30T09:00:00+08:00"), site=SITE)
    for short, long in ((250, 2_000), (2_000, 100_000)):
        worst = max((exponent(lambda t: read(t, context), p, short, long), p) for p in HOSTILE)
        print(f"reader, {short:,} to {long:,} characters: exponent {worst[0]:.2f} at worst (text of {worst[1]!r})")
    patterns = [(r.name, r.pattern) for r in grammar.ALL_RULES] + [(s.name, s.pattern) for s in grammar.ALL_SIGNALS]
    found = [(_pattern_exponent(p, piece), name, piece) for name, p in patterns for piece in HOSTILE]
    for power, name, piece in sorted(found, reverse=True)[:5]:
        print(f"pattern {name!r} on {piece!r}, 12,500 to 100,000 characters: exponent {power:.2f}")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each reader is timed")
    parser.add_argument("--growth", action="store_true", help="measure growth with length instead")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.growth:
        growth()
    else:
        compare(arguments.seconds)


if __name__ == "__main__":
    main()
