"""The container file and the systemd unit start commands that exist, with flags that exist."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from pathlib import Path

from booking_bot.channels.cli.arguments import parser

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_unit_starts_a_command_that_exists() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # keys are case-sensitive in units
    unit.read_string((DEPLOY / "booking-bot.service").read_text("utf-8"))
    assert set(unit.sections()) == {"Unit", "Service", "Install"}
    program, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert program.endswith("/booking-bot")
    assert parser().parse_args(arguments).command == "api"
    assert unit["Service"]["KillSignal"] == "SIGTERM" and unit["Service"]["EnvironmentFile"]


def test_the_container_starts_a_command_that_exists_and_holds_what_it_copies() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    command = json.loads(re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)[-1])
    assert parser().parse_args(command).command == "api"
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (DEPLOY.parent / source).exists(), source
    assert re.search(r"^USER (?!root)", text, re.MULTILINE)
    for comment in re.findall(r"booking-bot (serve .*)$", text, re.MULTILINE):
        assert parser().parse_args(shlex.split(comment)).command == "serve"
