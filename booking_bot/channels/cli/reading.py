"""`booking-bot parse`: what messages say, before any house rule."""

from __future__ import annotations

import argparse
import json
import sys

from booking_bot.adapters.site_folder import load_site
from booking_bot.app import clock_at
from booking_bot.dialogue.reading import ReadingContext
from booking_bot.language.parse_json import to_json
from booking_bot.language.reader import read
from booking_bot.settings import load_settings


def parse_lines(arguments: argparse.Namespace) -> int:
    """Read standard input line by line and print one JSON object for each."""
    settings = load_settings(site=arguments.site, now=arguments.now)
    site = load_site(settings.site)
    clock = clock_at(settings.now)
    for line in sys.stdin:
        context = ReadingContext(now=clock().astimezone(site.policy.zone), site=site)
        sys.stdout.write(json.dumps(to_json(read(line.rstrip("\r\n"), context)), ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return 0
