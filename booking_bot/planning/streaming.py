"""Finds the words for the user in an answer that is still being written, and lets out only what may be shown.

Nothing leaves before the action is known to be a reply, and the last characters are held back until the message ends,
so that no part of a claim or a link is ever sent. What is not plainly one JSON object with the known members stays
silent; the complete answer is judged by the parser in any case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from booking_bot.planning.shapes import known_name
from booking_bot.planning.wording import LONGEST_CLAIM

REPLIES: Final = {"ask_user": None, "finish": None}
"""Actions whose message may be shown while it is written."""
MAX_WATCHED: Final = 20_000
"""Characters watched; a longer answer is not streamed any further."""

_LEAD: Final = re.compile(r"[\s﻿]*(?:<think>.*?</think>\s*)?(?:```\w*\s*)?\{", re.DOTALL)
_SIMPLE: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class _State(Enum):
    LEAD = auto()
    STRUCTURE = auto()
    STRING = auto()
    OVER = auto()


class ReplyStream:
    """Feeds on an answer piece by piece and calls `emit` with the user-visible text in it, piece by piece.

    Args:
        emit: gets each delta; their concatenation is a prefix of the message, or all of it.
        may_show: gives a message as it may be shown, or None when it must not be.
    """

    def __init__(self, emit: Callable[[str], None], may_show: Callable[[str], str | None]) -> None:
        self._emit = emit
        self._may_show = may_show
        self._state = _State.LEAD
        self._buffer = ""
        self._watched = 0
        self._path: list[str] = []
        self._key: str | None = None
        self._expects_key = True
        self._string: list[str] = []
        self._escape = ""
        self._action: str | None = None
        self._message = ""
        self._ended = False
        self.shown = ""
        """What has been let out so far."""

    def feed(self, text: str) -> None:
        """Take the next piece of the answer."""
        self._watched += len(text)
        if self._watched > MAX_WATCHED:
            self._state = _State.OVER
        if self._state is _State.LEAD:
            self._buffer += text
            if self._buffer.startswith("<think>") and "</think>" not in self._buffer:
                return
            lead = _LEAD.match(self._buffer)
            if lead is None:
                return
            text, self._buffer = self._buffer[lead.end() :], ""
            self._state, self._path = _State.STRUCTURE, ["{"]
        for char in text:
            if self._state is _State.OVER:
                return
            if self._state is _State.STRING:
                self._in_string(char)
            else:
                self._in_structure(char)
        self._let_out()

    def _in_structure(self, char: str) -> None:
        if char == '"':
            self._state, self._string, self._escape = _State.STRING, [], ""
        elif char in "{[":
            self._path.append(f"{self._key or ''}{char}")
            self._key, self._expects_key = None, char == "{"
        elif char in "}]":
            self._path.pop()
            self._key = None
            if not self._path:
                self._let_out()
                self._state = _State.OVER
        elif char == ",":
            self._key, self._expects_key = None, bool(self._path) and self._path[-1].endswith("{")
        elif char == ":":
            self._expects_key = False

    def _in_string(self, char: str) -> None:
        if self._escape:
            self._in_escape(char)
        elif char == "\\":
            self._escape = char
        elif char == '"':
            self._end_of_string()
        else:
            self._append(char)

    def _in_escape(self, char: str) -> None:
        self._escape += char
        if self._escape[1] != "u":
            self._append(_SIMPLE.get(char, ""))
            self._escape = ""
        elif len(self._escape) == 6:
            try:
                self._append(str(json.loads(f'"{self._escape}"')))
            except ValueError:
                self._state = _State.OVER
            self._escape = ""

    def _append(self, char: str) -> None:
        self._string.append(char)
        if self._at_message:
            self._message += char

    @property
    def _at_message(self) -> bool:
        return self._path == ["{", "action_input{"] and self._key == "message" and not self._expects_key

    def _end_of_string(self) -> None:
        value, self._state = "".join(self._string), _State.STRUCTURE
        if self._expects_key:
            self._key = value
            if self._path == ["{"] and value == "action" and self._action is not None:
                self._state = _State.OVER  # a second action: nothing here can be trusted
        elif self._path == ["{"] and self._key == "action":
            self._action = known_name(value, REPLIES) or ""
            if not self._action:
                self._state = _State.OVER
        elif self._at_message:
            self._ended = True
            self._let_out()
            self._state = _State.OVER if self._action else self._state

    def _let_out(self) -> None:
        """Emit what is sure: all of an ended message, else all but the held-back end."""
        if not self._action or not self._message:
            return
        message = self._message.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
        if not message.strip():
            return
        fit = self._may_show(message)
        if fit is None:
            self._state = _State.OVER
            return
        sure = fit if self._ended else fit[: max(0, len(fit) - LONGEST_CLAIM)].rstrip()
        delta = sure[len(self.shown) :]
        if delta:
            self.shown = sure
            self._emit(delta)
