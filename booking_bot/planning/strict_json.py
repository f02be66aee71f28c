"""JSON as strictly as a side effect deserves: no duplicate keys, no NaN, bounded depth, clean text."""

from __future__ import annotations

import json
import math
from typing import Final

Json = object
"""A JSON value: None, bool, int, float, str, list of Json, dict of str to Json."""

MAX_DEPTH: Final = 20
"""Levels of nesting; the deepest legal answer has five, foreign tools get room to spare."""


class NotStrictError(ValueError):
    """Well-formed at first sight, but not to be trusted: `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _no_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise NotStrictError("duplicate_key")
    return out


def _no_constant(_name: str) -> Json:
    raise NotStrictError("not_a_number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)


def decode(text: str) -> Json:
    """Decode a whole text.

    Raises:
        NotStrictError: a duplicate key, a NaN or infinity, or nesting too deep.
        ValueError: not JSON.
    """
    value, end = decode_at(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise ValueError("text after the value")
    return value


def decode_at(text: str, start: int) -> tuple[Json, int]:
    """Decode the value that begins at `start` and give it with the index after it. Raises as `decode` does."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise NotStrictError("too_deep") from None
    if depth_of(value) > MAX_DEPTH:
        raise NotStrictError("too_deep")
    if not _finite(text, start, end, value):
        raise NotStrictError("not_a_number")
    return value, end


def _finite(text: str, start: int, end: int, value: Json) -> bool:
    """Tell whether no number overflowed to infinity (1e999 is legal JSON)."""
    if "e" not in text[start:end].lower():
        return True
    stack = [value]
    while stack:
        match stack.pop():
            case float() as number if not math.isfinite(number):
                return False
            case dict() as members:
                stack.extend(members.values())
            case list() as items:
                stack.extend(items)
    return True


def depth_of(value: Json) -> int:
    """Count the levels of nesting, 0 for a scalar."""
    depth, level = 0, [value]
    while level := [child for item in level for child in _children(item)]:
        depth += 1
    return depth + (1 if isinstance(value, dict | list) and not value else 0)


def _children(value: Json) -> list[Json]:
    match value:
        case dict():
            return list(value.values())
        case list():
            return value
    return []


def cleaned(value: Json) -> Json:
    """Give the value without lone surrogates and NUL, which no database or socket takes. Depth must be bounded."""
    match value:
        case str():
            return value.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
        case dict():
            return {str(cleaned(key)): cleaned(item) for key, item in value.items()}
        case list():
            return [cleaned(item) for item in value]
    return value
