"""Which commands and flags there are. A mistake gives one line that names the flag and what is legal, and exit 2."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from typing import Final, NoReturn

USAGE_ERROR = 2
MAX_ID_CHARS: Final = 128
"""As the engine takes them; its own constant would bring the engine along for every ``--help``."""
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 8000
"""Dates end with the year 9999, and a window may reach a thousand years ahead."""


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line and exits with 2."""

    def error(self, message: str) -> NoReturn:
        """Print the line."""
        flags = [flag for action in self._actions for flag in action.option_strings if flag not in ("-h", "--help")]
        known = f"; flags are {', '.join(flags)}" if flags and "choose from" not in message else ""
        sys.stderr.write(f"{self.prog}: {' '.join(message.split())}{known}\n")
        raise SystemExit(USAGE_ERROR)


def _instant(text: str) -> str:
    try:
        parsed = dt.datetime.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or parsed.tzinfo is None or not FIRST_YEAR <= parsed.year <= LAST_YEAR:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an ISO instant of the years {FIRST_YEAR} to {LAST_YEAR} such as 2026-11-30T09:00:00+08:00"
        )
    return text


def _text(text: str) -> str:
    """Refuse nothing at all, and bytes that are no text in the locale's encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = ""
    if not text:
        raise argparse.ArgumentTypeError("use at least one character of readable text")
    return text


def _id(text: str) -> str:
    try:
        _text(text)
    except argparse.ArgumentTypeError:
        text = ""
    if not 0 < len(text) <= MAX_ID_CHARS:
        raise argparse.ArgumentTypeError(f"use 1 to {MAX_ID_CHARS} characters of readable text")
    return text


def _date(text: str) -> dt.date:
    try:
        parsed = dt.date.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or not FIRST_YEAR <= parsed.year <= LAST_YEAR:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an ISO date of the years {FIRST_YEAR} to {LAST_YEAR} such as 2026-12-01"
        )
    return parsed


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")


def parser() -> OneLineParser:
    """Make the parser."""
    root = OneLineParser(
        prog="booking-bot", description="Book meeting rooms by chat, in Chinese or English.", allow_abbrev=False
    )
    root.add_argument("--version", action="store_true", help="print the version")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", parser_class=OneLineParser)

    def add(name: str, about: str) -> OneLineParser:
        return commands.add_parser(name, help=about, description=about, allow_abbrev=False)

    chat = add("chat", "talk in the terminal")
    _site(chat)
    _db(chat)
    chat.add_argument("--user", type=_id, help="who books")
    chat.add_argument("--session", type=_id, metavar="ID", help="go on with this session, or start one under this name")
    chat.add_argument("--lang", choices=("zh", "en", "auto"), default="auto", help="language of the answers")
    chat.add_argument("--now", type=_instant, metavar="ISO", help="let the clock stand still at this instant")
    chat.add_argument("--record", metavar="FILE", help="write the talk as a transcript")

    serve = add("serve", "serve the chat page and its WebSocket")
    _listen(serve, 8765)
    _site(serve)
    _db(serve)

    parse = add("parse", "read messages from standard input, one a line, and print what they say as JSON")
    parse.add_argument("--now", type=_instant, metavar="ISO", help="the instant the messages are read at")
    _site(parse)

    replay = add("replay", "run transcripts; exit 0 all pass, 1 any differs, 2 unreadable")
    replay.add_argument("paths", nargs="+", metavar="PATH", help="transcript files or folders")
    replay.add_argument("--json", action="store_true", help="print the differences as JSON")
    replay.add_argument("--planner", choices=("rules", "script", "hybrid", "llm"), help="override the planner")
    replay.add_argument("--update", action="store_true", help="write what happened into the files as expected")

    record = add("record", "write a stored session as a transcript, personal details replaced")
    record.add_argument(
        "--session", type=_text, required=True, metavar="ID", help="the stored session, LABEL or USER/LABEL"
    )
    record.add_argument("--out", metavar="FILE", help="the file; standard output when not given")
    _site(record)
    _db(record)

    trace = add("trace", "print a stored session's thoughts, actions and observations turn by turn")
    trace.add_argument(
        "--session", type=_text, required=True, metavar="ID", help="the stored session, LABEL or USER/LABEL"
    )
    trace.add_argument("--json", action="store_true", help="print JSON")
    _site(trace)
    _db(trace)

    rooms = add("rooms", "list the rooms of the site")
    _site(rooms)
    rooms.add_argument("--json", action="store_true", help="print JSON")

    bookings = add("bookings", "list the bookings")
    _site(bookings)
    _db(bookings)
    bookings.add_argument("--user", type=_id, help="only this user's; everybody's when not given")
    bookings.add_argument("--date", type=_date, metavar="D", help="only this day's (YYYY-MM-DD)")
    bookings.add_argument("--all", action="store_true", help="past and cancelled ones too")
    bookings.add_argument("--now", type=_instant, metavar="ISO", help="the instant that counts as now")
    bookings.add_argument("--json", action="store_true", help="print JSON")

    mock = add("mock-apis", "serve the mock rooms API and the mock weather API")
    mock.add_argument("--host", type=_text, default="127.0.0.1", help="address to listen on")
    mock.add_argument("--port", type=_port, default=8767, help="port to listen on, 0 for any")
    _site(mock)
    _db(mock)

    mcp = add("mcp", "serve MCP on standard input and output")
    _site(mcp)
    _db(mcp)
    mcp.add_argument("--user", type=_id, help="who books")

    api = add("api", "serve the HTTP API, MCP over HTTP and AG-UI")
    _listen(api, 8766)
    _site(api)
    _db(api)

    token = add("token", "make a signed token for a user; needs BOOKING_BOT_TOKEN_SECRET")
    token.add_argument("--user", type=_id, required=True, help="whom the token speaks for")
    token.add_argument("--ttl", type=int, default=86_400, metavar="SECONDS", help="how long it holds")

    tools = add("tools", "print the tools as function schemas")
    tools.add_argument("--format", choices=("openai",), default="openai", help="whose format")

    add("diagram", "print the phase machine as Mermaid, made from its table")

    doctor = add("doctor", "check settings, database, model, rooms API and weather API")
    _site(doctor)
    _db(doctor)
    doctor.add_argument("--prompt", action="store_true", help="show the planner's prompt with tokens per section")

    memory = add("memory", "show or forget what is remembered of a user")
    memory.add_argument("--user", type=_id, required=True, help="whose memory")
    memory.add_argument("--forget", action="store_true", help="forget it")
    _site(memory)
    _db(memory)
    return root


def _site(command: argparse.ArgumentParser) -> None:
    command.add_argument("--site", metavar="S", help="demo, office, or a folder with rooms.toml and policy.toml")


def _db(command: argparse.ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL", help="SQLAlchemy URL, default sqlite:///bookings.db")


def _listen(command: argparse.ArgumentParser, port: int) -> None:
    command.add_argument("--host", type=_text, default="127.0.0.1", help="address to listen on")
    command.add_argument("--port", type=_port, default=port, help="port to listen on, 0 for any")
