"""Which commands and flags there are. A mistake gives one line that names the flag and what is legal, and exit 2."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from typing import NoReturn

USAGE_ERROR = 2


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line and exits with 2."""

    def error(self, message: str) -> NoReturn:
        """Print the line."""
        flags = [flag for action in self._actions for flag in action.option_strings if flag not in ("-h", "--help")]
        known = f"; flags are {', '.join(flags)}" if flags and "choose from" not in message else ""
        sys.stderr.write(f"{self.prog}: {message}{known}\n")
        raise SystemExit(USAGE_ERROR)


def _instant(text: str) -> str:
    try:
        parsed = dt.datetime.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or parsed.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an ISO instant such as 2026-11-30T09:00:00+08:00")
    return text


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an ISO date such as 2026-12-01") from None


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
    chat.add_argument("--user", help="who books")
    chat.add_argument("--session", metavar="ID", help="go on with this session, or start one under this name")
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
    record.add_argument("--session", required=True, metavar="ID", help="the stored session")
    record.add_argument("--out", metavar="FILE", help="the file; standard output when not given")
    _site(record)
    _db(record)

    trace = add("trace", "print a stored session's thoughts, actions and observations turn by turn")
    trace.add_argument("--session", required=True, metavar="ID", help="the stored session")
    trace.add_argument("--json", action="store_true", help="print JSON")
    _site(trace)
    _db(trace)

    rooms = add("rooms", "list the rooms of the site")
    _site(rooms)
    rooms.add_argument("--json", action="store_true", help="print JSON")

    bookings = add("bookings", "list the bookings")
    _site(bookings)
    _db(bookings)
    bookings.add_argument("--user", help="only this user's; everybody's when not given")
    bookings.add_argument("--date", type=_date, metavar="D", help="only this day's (YYYY-MM-DD)")
    bookings.add_argument("--all", action="store_true", help="past and cancelled ones too")
    bookings.add_argument("--now", type=_instant, metavar="ISO", help="the instant that counts as now")
    bookings.add_argument("--json", action="store_true", help="print JSON")

    mock = add("mock-apis", "serve the mock rooms API and the mock weather API")
    mock.add_argument("--host", default="127.0.0.1", help="address to listen on")
    mock.add_argument("--port", type=_port, default=8767, help="port to listen on, 0 for any")
    _site(mock)
    _db(mock)

    mcp = add("mcp", "serve MCP on standard input and output")
    _site(mcp)
    _db(mcp)
    mcp.add_argument("--user", help="who books")

    api = add("api", "serve the HTTP API, MCP over HTTP and AG-UI")
    _listen(api, 8766)
    _site(api)
    _db(api)

    token = add("token", "make a signed token for a user; needs BOOKING_BOT_TOKEN_SECRET")
    token.add_argument("--user", required=True, help="whom the token speaks for")
    token.add_argument("--ttl", type=int, default=86_400, metavar="SECONDS", help="how long it holds")

    tools = add("tools", "print the tools as function schemas")
    tools.add_argument("--format", choices=("openai",), default="openai", help="whose format")

    add("diagram", "print the phase machine as Mermaid, made from its table")

    doctor = add("doctor", "check settings, database, model, rooms API and weather API")
    _site(doctor)
    _db(doctor)
    doctor.add_argument("--prompt", action="store_true", help="show the planner's prompt with tokens per section")

    memory = add("memory", "show or forget what is remembered of a user")
    memory.add_argument("--user", required=True, help="whose memory")
    memory.add_argument("--forget", action="store_true", help="forget it")
    _site(memory)
    _db(memory)
    return root


def _site(command: argparse.ArgumentParser) -> None:
    command.add_argument("--site", metavar="S", help="demo, office, or a folder with rooms.toml and policy.toml")


def _db(command: argparse.ArgumentParser) -> None:
    command.add_argument("--db", metavar="URL", help="SQLAlchemy URL, default sqlite:///bookings.db")


def _listen(command: argparse.ArgumentParser, port: int) -> None:
    command.add_argument("--host", default="127.0.0.1", help="address to listen on")
    command.add_argument("--port", type=_port, default=port, help="port to listen on, 0 for any")
