"""`booking-bot chat`: a talk in the terminal, or piped in a line at a time."""

from __future__ import annotations

import argparse
import asyncio
import codecs
import contextlib
import io
import os
import secrets
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from booking_bot.app import BookingBot, session_key
from booking_bot.dialogue.model import Language, Phase
from booking_bot.printable import printable
from booking_bot.reply import Reply

if TYPE_CHECKING:
    from booking_bot.channels.cli.progress import ProgressShown

_GREETING = {
    "zh": "您好！要订会议室吗？告诉我日期、几点、多久、几个人就行。（输入 exit 离开）",
    "en": "Hello! Need a meeting room? Tell me the day, the start, how long and how many people. (exit to leave)",
    "auto": "您好！要订会议室吗？ Hello! Need a meeting room? (exit 离开 / to leave)",
}
_LEAVING = frozenset({"exit", "quit", ":q", "退出"})
CHUNK: Final = 65_536
"""Bytes read of standard input at once."""
_TRACK = (Phase.COLLECTING_SLOTS, Phase.SEARCHING, Phase.AWAITING_SELECTION, Phase.CONFIRMING, Phase.BOOKED)


async def chat(arguments: argparse.Namespace) -> int:
    """Talk until the input ends.

    Raises:
        ConfigurationError: a setting, or the place of the recording, will not do.
    """
    if arguments.record is not None:
        from booking_bot.transcripts.recorder import check_place  # noqa: PLC0415  # only where it is asked for

        check_place(Path(arguments.record))
    async with await BookingBot.open(
        site=arguments.site, db=arguments.db, now=arguments.now, user=arguments.user
    ) as bot:
        return await _talk(bot, arguments)


async def _talk(bot: BookingBot, arguments: argparse.Namespace) -> int:
    session = arguments.session or f"chat-{secrets.token_hex(4)}"
    key = session_key(bot.settings.user, session)
    recorder = await _recorder(bot, arguments.record, key)
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if interactive:
        _say(f"{_GREETING[arguments.lang]}\n[--session {session}]")
    standing = await bot.engine.current(key)
    if standing is not None and standing.reply.text:
        _say(standing.reply.text)
    phase = standing.reply.phase if standing is not None else Phase.COLLECTING_SLOTS
    spoken: Language = standing.reply.language if standing is not None else "zh"
    language: Language | None = None if arguments.lang == "auto" else arguments.lang
    lines = _Prompted(phase) if interactive else _Piped()
    try:
        async for line in lines:
            text = line.strip()
            if not text:
                continue
            if text.lower() in _LEAVING:
                break
            shown = _progress(language or spoken) if interactive else None
            answered = await bot.answer(session, text, channel="terminal", language=language, on_event=shown)
            reply, spoken = answered.reply, answered.reply.language
            lines.phase = reply.phase
            if recorder is not None:
                recorder.said(text, reply)
            if shown is not None:
                shown.finish(reply.text)
            else:
                _say(reply.text)
    finally:  # a talk that is broken off is a talk all the same
        if recorder is not None:
            recorder.save()
    return 0


def _progress(language: Language) -> ProgressShown:
    from booking_bot.channels.cli.progress import ProgressShown as Shown  # noqa: PLC0415  # only for a person

    return Shown(language)


def _say(text: str) -> None:
    sys.stdout.write(printable(text, keep="\n") + "\n")
    sys.stdout.flush()


async def _recorder(bot: BookingBot, file: str | None, session: str) -> Recorder | None:
    if file is None:
        return None
    from booking_bot.transcripts.recorder import recorder_of  # noqa: PLC0415  # only where it is asked for

    return await recorder_of(Path(file), bot, session)


class Recorder(Protocol):
    """What the chat needs of a recorder."""

    def said(self, text: str, reply: Reply) -> None:
        """Take down one exchange."""

    def save(self) -> None:
        """Write the file."""


class _Piped:
    """Lines of standard input; undecodable bytes are replaced, nothing stops the talk."""

    phase: Phase = Phase.COLLECTING_SLOTS

    async def __aiter__(self) -> AsyncIterator[str]:
        decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8")("replace"), translate=True)
        pending = ""
        while chunk := await _read(sys.stdin.fileno()):
            *lines, pending = (pending + decoder.decode(chunk)).split("\n")
            for line in lines:
                yield line
        pending += decoder.decode(b"", final=True)
        if pending:
            yield pending


async def _read(file: int) -> bytes:
    """Read what is there, waiting for some, in a thread that is left behind when nothing comes and the talk is over."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[bytes] = loop.create_future()

    def done(chunk: bytes) -> None:
        if not came.done():
            came.set_result(chunk)

    def read() -> None:
        try:
            chunk = os.read(file, CHUNK)
        except OSError:
            chunk = b""
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(done, chunk)

    threading.Thread(target=read, name="standard input", daemon=True).start()
    return await came


class _Prompted:
    """Lines typed at a prompt that shows the phase, with history."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase

    async def __aiter__(self) -> AsyncIterator[str]:
        from prompt_toolkit import PromptSession  # noqa: PLC0415  # only for a person at a terminal
        from prompt_toolkit.formatted_text import HTML  # noqa: PLC0415  # only for a person at a terminal

        session: PromptSession[str] = PromptSession()
        while True:
            number = _TRACK.index(self.phase) + 1
            try:
                yield await session.prompt_async(HTML(f"<ansicyan>[{number}/5 {self.phase}]</ansicyan> "))
            except (EOFError, KeyboardInterrupt):
                return
