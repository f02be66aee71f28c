"""Dispatches the commands. Heavy libraries are imported by the command that needs them."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from booking_bot.channels.cli.arguments import USAGE_ERROR, parser
from booking_bot.errors import BookingBotError, ConfigurationError
from booking_bot.printable import printable

Command = Callable[[argparse.Namespace], int]
LOG_LEVELS: Final = ("debug", "info", "warning", "error")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit code: 0 done, 1 the check or the comparison failed, 2 the call, a file or a setting will not do.
    """
    _open_streams()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:  # a full disk, a folder in place of a file
        _drop_output()
        sys.stderr.write(f"booking-bot: {' '.join(str(error).split())}\n")
        return USAGE_ERROR
    return code


def _run(argv: Sequence[str] | None) -> int:
    arguments = _parse(argv)
    if arguments.version:
        from booking_bot import __version__

        sys.stdout.write(f"booking-bot {__version__}\n")
        return 0
    if arguments.command is None:
        parser().print_help(sys.stderr)
        return USAGE_ERROR
    try:
        _log()
        return COMMANDS[arguments.command](arguments)
    except ConfigurationError as error:
        return _refused(arguments.command, str(error))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        return _refused(arguments.command, f"needs {error.name}; install the extra '{extra}'")
    except BookingBotError as error:
        sys.stderr.write(f"booking-bot {arguments.command}: {printable(str(error))}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _refused(command: str, message: str) -> int:
    sys.stderr.write(f"booking-bot {command}: {printable(' '.join(message.splitlines()))}\n")
    return USAGE_ERROR


def _log() -> None:
    level = os.environ.get("BOOKING_BOT_LOG_LEVEL", "warning")
    if level not in LOG_LEVELS:
        raise ConfigurationError(f"BOOKING_BOT_LOG_LEVEL {level!r}: use one of {', '.join(LOG_LEVELS)}")
    logging.basicConfig(level=level.upper(), stream=sys.stderr)


EXTRAS = {
    "mcp": "plugin",
    "starlette": "plugin",
    "uvicorn": "plugin",
    "sse_starlette": "plugin",
    "psycopg": "databases",
    "pymysql": "databases",
}
"""Which extra brings a module that is not in the base install."""


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    root = parser()
    arguments, unknown = root.parse_known_args(argv)
    if unknown:
        command = root
        for action in root._actions:  # argparse has no public way to its sub-parsers
            if isinstance(action, argparse._SubParsersAction) and arguments.command:
                command = action.choices[arguments.command]
        command.error(f"unknown flag or argument {unknown[0]}")
    return arguments


def _open_streams() -> None:
    """Speak UTF-8; a stream the caller closed is empty to read, and what is written to it is dropped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # open to the end
        elif (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding="utf-8", errors="replace")


def _drop_output() -> None:
    """Let what is still buffered go nowhere: the interpreter writes it once more at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _chat(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.chat import chat

    return asyncio.run(chat(arguments))


def _parse_lines(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.reading import parse_lines

    return parse_lines(arguments)


def _replay(arguments: argparse.Namespace) -> int:
    from booking_bot.transcripts.cli import replay_command

    return replay_command(arguments)


def _record(arguments: argparse.Namespace) -> int:
    from booking_bot.transcripts.cli import record_command

    return record_command(arguments)


def _rooms(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.tables import rooms

    return rooms(arguments)


def _bookings(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.tables import bookings

    return asyncio.run(bookings(arguments))


def _trace(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.tables import trace

    return asyncio.run(trace(arguments))


def _diagram(_arguments: argparse.Namespace) -> int:
    from booking_bot.dialogue.diagram import mermaid

    sys.stdout.write(mermaid())
    return 0


def _mock_apis(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.servers import mock_apis

    return _until_stopped(mock_apis(arguments))


def _serve(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.servers import serve_chat

    return _until_stopped(serve_chat(arguments))


def _mcp(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.servers import serve_mcp

    return _until_stopped(serve_mcp(arguments))


def _api(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.servers import serve_api

    return _until_stopped(serve_api(arguments))


def _token(arguments: argparse.Namespace) -> int:
    from booking_bot.settings import load_settings
    from booking_bot.tokens import make_token

    secret = load_settings().token_secret
    sys.stdout.write(make_token(arguments.user, secret.get_secret_value() if secret else "", arguments.ttl) + "\n")
    return 0


def _tools(_arguments: argparse.Namespace) -> int:
    from booking_bot.service import openai_tools

    sys.stdout.write(json.dumps(openai_tools(), ensure_ascii=False, indent=2) + "\n")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.doctor import doctor

    return asyncio.run(doctor(arguments))


def _memory(arguments: argparse.Namespace) -> int:
    from booking_bot.channels.cli.remembered import memory

    return asyncio.run(memory(arguments))


def _until_stopped(server: object) -> int:
    """Run a server until SIGINT or SIGTERM, then let it finish what it has begun."""

    async def run() -> None:
        task = asyncio.ensure_future(server)  # type: ignore[call-overload]  # a coroutine
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    with asyncio.Runner(loop_factory=_fastest_loop()) as runner:
        runner.run(run())
    return 0


def _fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Give uvloop's loops where it is installed, else None for the standard ones."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


COMMANDS: dict[str, Command] = {
    "chat": _chat,
    "serve": _serve,
    "api": _api,
    "mcp": _mcp,
    "token": _token,
    "tools": _tools,
    "parse": _parse_lines,
    "replay": _replay,
    "record": _record,
    "trace": _trace,
    "rooms": _rooms,
    "bookings": _bookings,
    "memory": _memory,
    "mock-apis": _mock_apis,
    "diagram": _diagram,
    "doctor": _doctor,
}
