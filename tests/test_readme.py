"""The README tells the truth: its picture is the machine's, its settings exist, its commands are there."""

from __future__ import annotations

import re
from pathlib import Path

from booking_bot.channels.cli.arguments import parser
from booking_bot.dialogue.diagram import mermaid
from booking_bot.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_picture_is_made_from_the_table() -> None:
    shown = README.split("<!-- diagram -->\n```mermaid\n")[1].split("```\n<!-- /diagram -->")[0]
    assert shown == mermaid(), "run: make diagram"


def test_every_setting_is_listed_and_every_listed_one_exists() -> None:
    listed = set(re.findall(r"`((?:BOOKING_BOT|OPENAI)_[A-Z_]+)`", README))
    exist = {"BOOKING_BOT_LOG_LEVEL"} | {  # that one is read before there are settings
        name.upper() if name.startswith("openai_") else f"BOOKING_BOT_{name.upper()}" for name in Settings.model_fields
    }
    assert listed == exist


def test_every_command_is_listed_and_every_listed_one_exists() -> None:
    listed = set(re.findall(r"`booking-bot ([a-z-]+)", README))
    exist = {name for action in parser()._subparsers._group_actions for name in action.choices}
    assert listed == exist


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target
