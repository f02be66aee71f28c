"""`booking-bot rooms`, `bookings` and `trace`: tables for people, JSON for programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Final

from booking_bot.adapters.site_folder import load_site
from booking_bot.app import BookingBot
from booking_bot.printable import printable
from booking_bot.settings import load_settings
from booking_bot.transcripts.stored import find_session

LINE_BREAK: Final = "\n"
"""Replies have several lines."""


def rooms(arguments: argparse.Namespace) -> int:
    """List the site's rooms."""
    site = load_site(load_settings(site=arguments.site).site)
    if arguments.json:
        _print_json([room.model_dump(mode="json") for room in site.rooms])
        return 0
    rows = [
        (
            r.id,
            r.name.zh,
            r.name.en,
            site.buildings_by_code[r.building].name.zh,
            str(r.floor),
            str(r.seats),
            ", ".join(r.equipment),
        )
        for r in site.rooms
    ]
    _table(("id", "名称", "name", "building", "floor", "seats", "equipment"), rows)
    return 0


async def bookings(arguments: argparse.Namespace) -> int:
    """List bookings, everybody's that are not over unless flags say otherwise."""
    async with await BookingBot.open(site=arguments.site, db=arguments.db, now=arguments.now, planner="rules") as bot:
        store = bot.engine.store
        found = await store.read(
            lambda reader: store.ledger.all_bookings(
                reader, organizer=arguments.user, date=arguments.date, everything=arguments.all
            )
        )
    items = [
        {
            "id": b.id,
            "room": b.room_id,
            "date": b.date.isoformat(),
            "start": f"{b.start_time:%H:%M}",
            "minutes": b.minutes,
            "status": b.status,
            "organizer": b.organizer,
            "title": b.title,
        }
        for b in found
    ]
    if arguments.json:
        _print_json(items)
        return 0
    columns = ("id", "room", "date", "start", "minutes", "status", "organizer", "title")
    _table(columns, [tuple(str(item[column]) for column in columns) for item in items])
    return 0


async def trace(arguments: argparse.Namespace) -> int:
    """Print a stored session turn by turn."""
    async with await BookingBot.open(site=arguments.site, db=arguments.db, planner="rules") as bot:
        store = bot.engine.store
        session = await find_session(store, arguments.session)
        turns = await store.all_turns(session)
        actions = await store.actions_of(session)
    lines = []
    for turn in turns:
        reply = json.loads(turn.reply)
        steps = [
            {
                "thought": a.thought,
                "action": a.action,
                "input": a.input,
                "observation": a.observation,
                "source": a.source,
                "parse_level": a.parse_level,
                "tokens": a.tokens,
            }
            for a in actions
            if a.turn_id == turn.turn_id
        ]
        lines.append(
            {
                "turn": turn.turn_id,
                "text": turn.text,
                "phase": reply["phase"],
                "reply": reply["text"],
                "stop_reason": reply["stop_reason"],
                "steps": steps,
            }
        )
    if arguments.json:
        _print_json(lines)
        return 0
    for line in lines:
        sys.stdout.write(f"#{line['turn']} {printable(line['text'])}\n")
        for step in line["steps"]:
            level = f" level={step['parse_level']}" if step["parse_level"] is not None else ""
            did = printable(f"{step['action']} {step['input']}")
            sys.stdout.write(f"   [{step['source']}{level} tokens={step['tokens']}] {did}\n")
            for name in ("thought", "observation"):
                if step[name]:
                    sys.stdout.write(f"      {name}: {printable(step[name])}\n")
        if line["stop_reason"]:
            sys.stdout.write(f"   stopped: {line['stop_reason']}\n")
        sys.stdout.write(f"   → {line['phase']}: {printable(line['reply'], keep=LINE_BREAK)}\n")
    return 0


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=None) + "\n")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console  # noqa: PLC0415  # only for a table
    from rich.table import Table  # noqa: PLC0415  # only for a table
    from rich.text import Text  # noqa: PLC0415  # only for a table

    table = Table()
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    width = None if sys.stdout.isatty() else 160
    Console(width=width).print(table)
