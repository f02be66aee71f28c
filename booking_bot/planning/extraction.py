"""Finds the first answer inside a model's text. Never a later one: what follows the first answer is ignored.

An answer found here has a quality that says how far it can be trusted:

- ``strict``: strictly valid JSON inside other text,
- ``repaired``: complete, but mended (quotes, commas, full-width structure),
- ``closed``: it broke off and had to be closed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from json_repair import repair_json

from booking_bot.planning.shapes import RawCall, only_one, to_call
from booking_bot.planning.strict_json import MAX_DEPTH, Json, NotStrictError, decode_at, depth_of

IsKnown = Callable[[str], bool]
"""Tells whether a name is one of an action."""
Quality = Literal["strict", "repaired", "closed"]

MAX_EXTRACTED: Final = 100_000
"""Characters looked at; an answer that begins later than this is none."""
MAX_REPAIRED: Final = 4_000
"""Characters given to the repair library, whose time is quadratic on hostile text."""
MAX_BRACES: Final = 60
"""Opening braces and brackets given to the repair library."""
MAX_CANDIDATES: Final = 60
"""Objects skipped at most because they do not look like an answer."""
MAX_THOUGHTS: Final = 20
"""Thinking blocks cut out."""

_THINK: Final = re.compile(r"<(?:\s*(/))?\s*(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_OPENER: Final = re.compile(r"[{｛]")
_ANSWER_KEY: Final = re.compile(
    r"""["'“”‘’](?:action|action_input|tool_calls?|function_call|动作|行动)["'“”‘’]\s*[:：]""", re.IGNORECASE
)
_ACTION_KEY: Final = re.compile(r"""(?:^|[{,，｛\s])["'“”‘’]?(?:action|动作|行动)["'“”‘’]?\s*[:：]""", re.IGNORECASE)
_HINT: Final = re.compile(r"action|tool|function|\bname|动作|行动", re.IGNORECASE)
_NOT_PLAIN: Final = re.compile(r"""[{}\[\]<>"“”｛｝]|action|thought|think|动作|行动""", re.IGNORECASE)
_ACTION_LINE: Final = re.compile(
    r"^[ \t*]*(?:Action|动作|行动)\**[ \t]*[:：][ \t*`\"']*"
    r"([^\W\d][\w \t-]{0,40}?)[ \t*`\"']*(?=$|\n|Action[ \t]*Input)",
    re.IGNORECASE | re.MULTILINE,
)
_INPUT_LABEL: Final = re.compile(
    r"\s*\**(?:Action[ _]*Input|动作输入|行动输入|参数)\**\s*[:：][\s*`]*(?:json\b\s*)?", re.IGNORECASE
)
_NO_INPUT: Final = re.compile(r"(?:none|null|无|\{\s*\})?[ \t]*(?:\n|$)", re.IGNORECASE)
_OPEN_QUOTES: Final = {'"': '"', "＂": '"＂', "“": "”“", "”": "”“", "‘": "’", "'": "'"}
_STRUCTURE: Final = {"｛": "{", "｝": "}", "［": "[", "］": "]", "：": ":", "，": ","}


@dataclass(frozen=True, slots=True)
class Extracted:
    """The first answer in a text.

    Attributes:
        raw: the object as it stands in the text, None for calls written as ``Action:`` lines.
        quality: how it was come by.
        cut_in_string: it broke off inside a string, so its last value is half a value.
        plain_before: nothing but plain prose and a code fence stands before it.
    """

    call: RawCall
    raw: Json
    quality: Quality
    cut_in_string: bool = False
    plain_before: bool = True


@dataclass(frozen=True, slots=True)
class _Slice:
    text: str
    end: int
    closed: bool
    in_string: bool


def find_answer(text: str, is_known: IsKnown) -> Extracted:
    """Find the first answer.

    Raises:
        NotStrictError: there is none, or the first one cannot be trusted; its reason is a code.
    """
    text, thought_had_answer = _without_thoughts(text[:MAX_EXTRACTED])
    first = _OPENER.search(text)
    line = _ACTION_LINE.search(text)
    if line and (first is None or line.start() < first.start()):
        return _action_lines(text, line)
    answer = _first_object(text, is_known)
    if thought_had_answer and answer.plain_before:
        return Extracted(answer.call, answer.raw, answer.quality, answer.cut_in_string, plain_before=False)
    return answer


def mended(text: str, start: int) -> tuple[Json, Quality, bool, int]:
    """Repair the object that begins at `start`.

    Returns:
        the value, its quality, whether it broke off inside a string, and the index after it.

    Raises:
        NotStrictError: it is too large to repair or has one key twice.
    """
    part = _slice(text, start)
    quality: Quality = "repaired" if part.closed else "closed"
    if len(part.text) > MAX_REPAIRED or part.text.count("{") + part.text.count("[") > MAX_BRACES:
        raise NotStrictError("too_large_to_repair")
    if part.closed:
        strict = _strict_at(part.text, 0)
        if strict and strict[1] == len(part.text):
            return strict[0], quality, False, part.end
    if len(_ACTION_KEY.findall(part.text)) > 1:
        raise NotStrictError("duplicate_key")
    try:
        value = repair_json(part.text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        raise NotStrictError("beyond_repair") from None
    if depth_of(value) > MAX_DEPTH:
        raise NotStrictError("too_deep")
    if _has_nan(value):
        raise NotStrictError("not_a_number")
    return value, quality, part.in_string, part.end


def _without_thoughts(text: str) -> tuple[str, bool]:
    """Cut out thinking blocks before the first object; tell whether a block without opening tag held an answer."""
    position, had_answer = 0, False
    for _ in range(MAX_THOUGHTS):
        tag = _THINK.search(text, position)
        if tag is None:
            return text, had_answer
        opener = _OPENER.search(text, position)
        if not tag[1]:
            if opener and opener.start() < tag.start():
                return text, had_answer
            close = next((m for m in _THINK.finditer(text, tag.end()) if m[1]), None)
            if close is None:
                raise NotStrictError("unclosed_think")
            text = f"{text[: tag.start()]}\n{text[close.end() :]}"
            position = tag.start()
        else:
            if opener and opener.start() < tag.start() and _begins_with_object(text):
                return text, had_answer
            had_answer = had_answer or bool(_ANSWER_KEY.search(text, 0, tag.start()))
            text, position = text[tag.end() :], 0
    raise NotStrictError("too_many_thoughts")


def _begins_with_object(text: str) -> bool:
    return re.match(r"(?:```\w*\s*)?(?:[\[［]\s*)?[{｛]", text.lstrip("\ufeff \t\r\n")) is not None


def _first_object(text: str, is_known: IsKnown) -> Extracted:
    position = 0
    quality: Quality
    for _ in range(MAX_CANDIDATES):
        opener = _OPENER.search(text, position)
        if opener is None:
            raise NotStrictError("no_object")
        start = opener.start()
        if _ANSWER_KEY.search(text, 0, start):
            raise NotStrictError("broken_answer")
        before = text[:start].rstrip()
        if before.endswith(("[", "［")):
            value, end = _array(text, len(before) - 1)
            quality, cut = "strict", False
        else:
            value, quality, cut, end = _object(text, start)
        call = to_call(value, is_known)
        if call:
            plain = not _NOT_PLAIN.search(re.sub(r"```\w*", "", before.rstrip("[［")))
            return Extracted(call, value, quality, cut, plain)
        if quality == "closed":
            raise NotStrictError("broken_off")
        position = end
    raise NotStrictError("no_object")


def _object(text: str, start: int) -> tuple[Json, Quality, bool, int]:
    strict = _strict_at(text, start)
    if strict:
        return strict[0], "strict", False, strict[1]
    part = _slice(text, start)
    if _HINT.search(part.text):
        return mended(text, start)
    if not part.closed:
        raise NotStrictError("broken_off")
    return None, "repaired", False, part.end


def _strict_at(text: str, start: int) -> tuple[Json, int] | None:
    """Give the strictly valid value at `start` with its end, or None; raises for one that is not to be trusted."""
    try:
        return decode_at(text, start)
    except NotStrictError:
        raise
    except ValueError:
        return None


def _array(text: str, bracket: int) -> tuple[Json, int]:
    strict = _strict_at(text, bracket)
    if strict is None:
        raise NotStrictError("broken_array")
    return only_one(strict[0]), strict[1]


def _action_lines(text: str, line: re.Match[str]) -> Extracted:
    quality: Quality
    thought = re.search(r"(?:Thought|思考)\s*[:：]\s*(.*)", text[: line.start()], re.IGNORECASE)
    said = thought[1].strip() if thought else ""
    label = _INPUT_LABEL.match(text, line.end())
    if label is None:
        return Extracted(RawCall(said, line[1], None), None, "closed", plain_before=False)
    if label.end() < len(text) and text[label.end()] in "{｛":
        strict = _strict_at(text, label.end())
        value, quality, cut = (strict[0], "repaired", False) if strict else mended(text, label.end())[:3]
        return Extracted(RawCall(said, line[1], value), None, quality, cut, plain_before=False)
    if _NO_INPUT.match(text, label.end()):
        return Extracted(RawCall(said, line[1], None), None, "closed", plain_before=False)
    raise NotStrictError("broken_answer")


def _slice(text: str, start: int) -> _Slice:
    """Cut out one object, full-width structure mapped outside strings; strings may be quoted in many ways."""
    out: list[str] = []
    depth, index, size = 0, start, len(text)
    while index < size:
        char = _STRUCTURE.get(text[index], text[index])
        if char in _OPEN_QUOTES and (char != "'" or _may_open(out)):
            piece, index, ended = _string(text, index)
            out.append(piece)
            if not ended:
                return _Slice("".join(out), size, closed=False, in_string=True)
            continue
        out.append(char)
        index += 1
        depth += (char in "{[") - (char in "}]")
        if depth == 0:
            return _Slice("".join(out), index, closed=True, in_string=False)
    return _Slice("".join(out), size, closed=False, in_string=False)


def _string(text: str, start: int) -> tuple[str, int, bool]:
    """Read the string that opens at `start`; give it in ASCII quotes, the index after it, and whether it ended."""
    opening = text[start]
    closing = _OPEN_QUOTES[opening]
    nested, index, out = 0, start + 1, ['"']
    while index < len(text):
        char = text[index]
        if char == "\\":
            out.append(text[index : index + 2])
            index += 2
            continue
        if _closes(text, index, opening, closing, nested):
            return "".join([*out, '"']), index + 1, True
        nested += (char == "“") - (char == "”" and nested > 0)
        out.append('\\"' if char == '"' and opening != '"' else char)
        index += 1
    return "".join(out), len(text), False


def _closes(text: str, index: int, opening: str, closing: str, nested: int) -> bool:
    char = text[index]
    if opening in "'‘":
        return char in closing and _structure_follows(text, index + 1)
    if opening == '"':
        return char == '"' or (char == "”" and nested == 0 and _structure_follows(text, index + 1))
    if char in closing:
        return nested == 0
    return char == '"' and _structure_follows(text, index + 1)


def _structure_follows(text: str, index: int) -> bool:
    while index < len(text) and text[index].isspace():
        index += 1
    return index == len(text) or text[index] in ",:}]，：｝］"


def _may_open(out: list[str]) -> bool:
    last = next((piece for piece in reversed(out) if not piece.isspace()), "{")
    return last in ("{", "[", ",", ":")


def _has_nan(value: Json) -> bool:
    match value:
        case float():
            return not math.isfinite(value)
        case dict():
            return any(_has_nan(item) for item in value.values())
        case list():
            return any(_has_nan(item) for item in value)
    return False
